import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { compactStatus } from '#launcher/status.ts';
import { bridge, type PanelHandle } from '#messaging/bridge.ts';
import { send } from '#messaging/send.ts';
import type { PanelLayout, UiLanguage } from '#messaging/settings.ts';
import { focusedBeside } from '#ui/shadow-root.ts';
import { type Page, PageContext } from './page.ts';
import { Panel, type Place } from './panel.tsx';
import { isDueInFront, keepOnly, profileQuery, refreshProfile } from './query/profile-query.ts';
import { TextsContext, textsFor } from './texts.ts';

/** The panel of one tab, for the launcher and for changes of theme and language. */
export interface PanelController extends PanelHandle {
  /** The page is in front again: unless its answer is recent, it asks again. `written`: another tab has changed this ticket. */
  look(written?: string): void;
  setTheme(theme: 'light' | 'dark'): void;
  setLanguage(language: UiLanguage): void;
  destroy(): void;
}

interface PanelArrangement {
  layout: PanelLayout;
  shortcut: string | null;
}

/** Mounts the panel, closed, into an element of its shadow root. The result of every call is on screen at once. */
export function createPanel(
  container: HTMLElement,
  client: QueryClient,
  language: UiLanguage,
  arranged: PanelArrangement,
  page: Page,
): PanelController {
  const root = createRoot(container);
  const texts = { en: textsFor('en'), vi: textsFor('vi') };
  let shown = {
    ticket: null as string | null,
    visit: 0,
    /** Of the two faces of the helpdesk's column, the panel's. */
    isFacing: arranged.layout.face !== 'ticket',
    /** The agent has opened it on this ticket: all that counts where it is no column. */
    isAsked: false,
    /** Whether the page has a column that it can lie over. */
    hasColumn: false,
    language,
    syncRequests: 0,
    layout: arranged.layout,
  };
  /** What the tab shows, undefined if the panel has not been told yet. */
  let onPage: string | null | undefined;
  let returnFocusTo: () => HTMLElement | null = () => bridge().launcher?.button ?? null;

  const place = (): Place => (shown.hasColumn ? 'column' : 'floating');
  /** A column stays open from ticket to ticket; what floats covers the page, so that is opened by the agent alone. */
  const isThere = () => shown.ticket !== null && (place() === 'floating' ? shown.isAsked : shown.layout.open);
  const isOpen = () => isThere() && (shown.isFacing || place() !== 'column');

  const show = (change: Partial<typeof shown>) => {
    const wasOpen = isOpen();
    shown = { ...shown, ...change };
    const [at, isShown] = [place(), isThere()];
    container.lang = shown.language;
    page.setFace(isShown && at === 'column' ? (shown.isFacing ? 'customer' : 'ticket') : null);
    flushSync(() =>
      root.render(
        <QueryClientProvider client={client}>
          <TextsContext value={texts[shown.language]}>
            <PageContext value={page}>
              <Panel
                ticket={shown.ticket}
                visit={shown.visit}
                place={at}
                isThere={isShown}
                isFacing={isOpen()}
                syncRequests={shown.syncRequests}
                shortcut={arranged.shortcut}
                onFace={(isFacing) => arrange({ face: isFacing ? 'customer' : 'ticket' }, { isFacing })}
                onClose={close}
                onResult={(result) => bridge().launcher?.setStatus(compactStatus(result, shown.language))}
              />
            </PageContext>
          </TextsContext>
        </QueryClientProvider>,
      ),
    );
    if (wasOpen !== isOpen()) bridge().launcher?.setExpanded(isOpen());
  };
  /** The agent arranges the panel, which is kept. */
  const arrange = (change: Partial<PanelLayout>, more: Partial<typeof shown> = {}) => {
    const { layout } = shown;
    show({ ...more, layout: { ...layout, ...change } });
    // On a page of its own it is not the one in the helpdesk that is arranged.
    if (page.openOwn) void send('layout.save', { change });
  };
  /** The layout of another person; whether the panel is open does not change under their hands. */
  const adopt = async () => {
    const start = await send('panel.start', {});
    if (start) show({ layout: { ...start.layout, open: shown.layout.open } });
  };
  const holdsFocus = () => container.contains(focusedBeside(container));
  const close = () => {
    if (!isThere()) return;
    // Only move the focus if it would be lost: an agent may be typing in the ticket.
    const hadFocus = holdsFocus();
    arrange({ open: false }, { isAsked: false });
    if (hadFocus) returnFocusTo()?.focus();
  };

  const unwatch = page.watchColumn(
    (box, isRoomy) => {
      for (const [side, value] of Object.entries(box ?? {}))
        container.style.setProperty(`--column-${side}`, `${value}px`);
      const hasColumn = box !== null && isRoomy;
      // In a narrow window it floats in the column's place, and covers nothing else.
      container.toggleAttribute('data-in-column', box !== null && !isRoomy);
      if (shown.hasColumn !== hasColumn) show({ hasColumn, isAsked: false });
    },
    () => shown.isFacing && place() === 'column' && isThere() && show({ isFacing: false }),
  );

  return {
    get isOpen() {
      return isOpen();
    },
    open(options) {
      returnFocusTo = options.returnFocusTo;
      const isOther = options.ticket !== shown.ticket;
      if (isOther) keepOnly(client, options.ticket);
      if (options.refresh) void refreshProfile(client, options.ticket);
      else void client.prefetchQuery(profileQuery(options.ticket));
      const earlier = isOther ? 0 : shown.syncRequests;
      const opened = { ticket: options.ticket, isFacing: true, isAsked: place() === 'floating' };
      const change = { ...opened, syncRequests: earlier + (options.sync ? 1 : 0) };
      arrange({ open: true, face: 'customer' }, change);
      container.querySelector<HTMLElement>('[data-title]')?.focus();
    },
    close,
    flip() {
      if (place() !== 'column') return close();
      const hadFocus = holdsFocus();
      arrange({ face: 'ticket' }, { isFacing: false });
      if (hadFocus) container.querySelector<HTMLElement>('[data-face]')?.focus();
    },
    prepare(ticket) {
      if (isOpen()) return;
      if (ticket !== shown.ticket) keepOnly(client, ticket);
      show({ ticket, syncRequests: ticket === shown.ticket ? shown.syncRequests : 0 });
    },
    setTicket(ticket) {
      // The same ticket: somebody else has signed in to the helpdesk, or nobody is signed in any more.
      if (ticket === onPage) void adopt();
      onPage = ticket;
      // Off the screen before it is dropped: what is still mounted would ask for it again.
      show({ ticket: null });
      keepOnly(client, null);
      // The face that the agent chose stays; one that the page needed for a moment does not.
      const isFacing = shown.layout.face !== 'ticket';
      const next = { visit: shown.visit + 1, isFacing, isAsked: false, syncRequests: 0 };
      show({ ...next, ticket: shown.layout.open ? ticket : null });
      bridge().launcher?.setExpanded(isOpen());
    },
    look(written) {
      const { ticket } = shown;
      if (ticket === null || (written !== undefined && written !== ticket)) return;
      void client.invalidateQueries({
        predicate: (query) => query.queryKey[1] === ticket && (written !== undefined || isDueInFront(query)),
        // What is out of sight asks once it is in front.
        refetchType: document.hidden ? 'none' : 'active',
      });
    },
    setTheme(theme) {
      container.dataset.theme = theme;
    },
    setLanguage(next) {
      if (next !== shown.language) show({ language: next });
    },
    destroy() {
      unwatch();
      page.setFace(null);
      keepOnly(client, null);
      root.unmount();
    },
  };
}
