import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { textsFor } from '#i18n/texts.ts';
import { TextsContext } from '#i18n/texts-context.ts';
import { bridge, type PanelHandle } from '#messaging/bridge.ts';
import { trySend } from '#messaging/try-send.ts';
import { defaultLayout } from '#settings/default-layout.ts';
import type { PanelLayout, UiLanguage } from '#settings/schema.ts';
import { compactStatus } from '#summary/compact-status.ts';
import { FoldsContext } from '#ui/fold/fold.tsx';
import { createRoomMaker } from './make-room.ts';
import { Panel } from './panel.tsx';
import { profileQuery, refreshProfile } from './query/profile-query.ts';
import { forgetSeen, keepOnly } from './query/query-client.ts';

/** The panel of one tab, for the launcher and for changes of theme and language. */
export interface PanelController extends PanelHandle {
  setTheme(theme: 'light' | 'dark'): void;
  setLanguage(language: UiLanguage): void;
  destroy(): void;
}

/**
 * Mounts the panel, closed for the time being, into an element of its shadow root. The result of every call is on screen
 * when it returns.
 * @param arranged how the agent has left the panel, and the width that was taken from the page for it already
 */
export function createPanel(
  container: HTMLElement,
  client: QueryClient,
  language: UiLanguage,
  arranged: { layout: PanelLayout; taken: number | null } = { layout: defaultLayout, taken: null },
): PanelController {
  const root = createRoot(container);
  const texts = { en: textsFor('en'), vi: textsFor('vi') };
  let shown = {
    ticket: null as string | null,
    visit: 0,
    open: false,
    language,
    syncRequests: 0,
    layout: arranged.layout,
  };
  /** What the tab shows, undefined if the panel has not been told yet. */
  let onPage: string | null | undefined;
  let returnFocusTo: () => HTMLElement | null = () => bridge().launcher?.button ?? null;
  const makeRoom = createRoomMaker(arranged.taken);

  const show = (change: Partial<typeof shown>) => {
    const wasOpen = shown.open;
    shown = { ...shown, ...change };
    container.lang = shown.language;
    setWidth(shown.layout.width);
    flushSync(() =>
      root.render(
        <QueryClientProvider client={client}>
          <TextsContext value={texts[shown.language]}>
            <FoldsContext
              value={{ remembered: shown.layout.folds, remember: (id, open) => arrange({ folds: { [id]: open } }) }}
            >
              <Panel
                ticket={shown.ticket}
                visit={shown.visit}
                open={shown.open}
                syncRequests={shown.syncRequests}
                layout={shown.layout}
                onClose={close}
                onDock={(docked) => arrange({ docked })}
                onResize={(width, done) => (done ? arrange({ width }) : setWidth(width))}
                onResult={(result) => bridge().launcher?.setStatus(compactStatus(result, shown.language))}
              />
            </FoldsContext>
          </TextsContext>
        </QueryClientProvider>,
      ),
    );
    if (wasOpen !== shown.open) bridge().launcher?.setExpanded(shown.open);
  };
  const setWidth = (width: number) => {
    container.style.setProperty('--dock-width', `${width}px`);
    makeRoom(shown.open && shown.layout.docked ? width : null);
  };
  /** The agent arranges the panel, which is kept. */
  const arrange = (change: Partial<PanelLayout>, more: Partial<typeof shown> = {}) => {
    const { layout } = shown;
    show({ ...more, layout: { ...layout, ...change, folds: { ...layout.folds, ...change.folds } } });
    void trySend('layout.save', { change });
  };
  const moveTo = (ticket: string | null, open: boolean) => {
    if (ticket !== shown.ticket) keepOnly(client, ticket);
    show({ ticket, open, syncRequests: ticket === shown.ticket ? shown.syncRequests : 0 });
  };
  /** The layout of another person; whether the panel is open does not change under their hands. */
  const adopt = async () => {
    const start = await trySend('panel.start', {});
    if (start) show({ layout: { ...start.layout, open: shown.layout.open } });
  };
  const close = () => {
    if (!shown.open) return;
    // Only move the focus if it would be lost: an agent may be typing in the ticket.
    const hadFocus = container.contains((container.getRootNode() as Document | ShadowRoot).activeElement);
    arrange({ open: false }, { open: false });
    if (shown.ticket !== null) forgetSeen(client, shown.ticket);
    if (hadFocus) returnFocusTo()?.focus();
  };

  return {
    get isOpen() {
      return shown.open;
    },
    open(options) {
      returnFocusTo = options.returnFocusTo;
      const isOther = options.ticket !== shown.ticket;
      if (isOther) keepOnly(client, options.ticket);
      if (options.refresh) void refreshProfile(client, options.ticket);
      else void client.prefetchQuery(profileQuery(options.ticket));
      const earlier = isOther ? 0 : shown.syncRequests;
      arrange({ open: true }, { ticket: options.ticket, open: true, syncRequests: earlier + (options.sync ? 1 : 0) });
      container.querySelector<HTMLElement>('[data-title]')?.focus();
    },
    close,
    prepare(ticket) {
      if (!shown.open) moveTo(ticket, false);
    },
    setTicket(ticket) {
      // The same ticket: somebody else has signed in to the helpdesk, or nobody is signed in any more.
      if (ticket === onPage) void adopt();
      onPage = ticket;
      // Off the screen before it is dropped: what is still mounted would ask for it again.
      const open = shown.layout.open && ticket !== null;
      show({ ticket: null, open });
      keepOnly(client, null);
      show({ ticket: open ? ticket : null, visit: shown.visit + 1, open, syncRequests: 0 });
      bridge().launcher?.setExpanded(open);
    },
    setTheme(theme) {
      container.dataset.theme = theme;
    },
    setLanguage(next) {
      if (next !== shown.language) show({ language: next });
    },
    destroy() {
      makeRoom(null);
      keepOnly(client, null);
      root.unmount();
    },
  };
}
