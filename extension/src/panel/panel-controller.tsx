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

/** What the panel shows, and where. */
interface PanelView {
  ticket: string | null;
  visit: number;
  /** Of the two faces of the helpdesk's column, the panel's. */
  isFacing: boolean;
  /** The agent has opened it on this ticket: all that counts where it is no column. */
  isAsked: boolean;
  /** Whether the page has a column that it can lie over. */
  hasColumn: boolean;
  language: UiLanguage;
  syncRequests: number;
  layout: PanelLayout;
}

const placeOf = ({ hasColumn }: PanelView): Place => (hasColumn ? 'column' : 'floating');
/** A column stays open from ticket to ticket; what floats covers the page, so that is opened by the agent alone. */
const isThere = (view: PanelView) => view.ticket !== null && (view.hasColumn ? view.layout.open : view.isAsked);
const isOpen = (view: PanelView) => isThere(view) && (view.isFacing || !view.hasColumn);

/** Mounts the panel, closed, into an element of its shadow root. The result of every call is on screen at once. */
export function createPanel(
  container: HTMLElement,
  client: QueryClient,
  language: UiLanguage,
  arranged: PanelArrangement,
  page: Page,
): PanelController {
  const root = createRoot(container);
  const { layout, shortcut } = arranged;
  const closed = { ticket: null, visit: 0, isAsked: false, hasColumn: false, syncRequests: 0 };
  let shown: PanelView = { ...closed, isFacing: layout.face !== 'ticket', language, layout };
  /** What the tab shows, undefined if the panel has not been told yet. */
  let onPage: string | null | undefined;
  let returnFocusTo: () => HTMLElement | null = () => bridge().launcher?.button ?? null;

  const show = (change: Partial<PanelView>) => {
    const wasOpen = isOpen(shown);
    shown = { ...shown, ...change };
    const { isFacing } = shown;
    container.lang = shown.language;
    page.setFace(isThere(shown) && shown.hasColumn ? (isFacing ? 'customer' : 'ticket') : null);
    const onFace = (next: boolean) => arrange({ face: next ? 'customer' : 'ticket' }, { isFacing: next });
    const surroundings = { client, page, shortcut, onFace, onClose: close };
    flushSync(() => root.render(<MountedPanel view={shown} {...surroundings} />));
    if (wasOpen !== isOpen(shown)) bridge().launcher?.setExpanded(isOpen(shown));
  };
  /** The agent arranges the panel, which is kept. */
  const arrange = (change: Partial<PanelLayout>, more: Partial<PanelView> = {}) => {
    show({ ...more, layout: { ...shown.layout, ...change } });
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
    if (!isThere(shown)) return;
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
    () => shown.isFacing && shown.hasColumn && isThere(shown) && show({ isFacing: false }),
  );

  return {
    get isOpen() {
      return isOpen(shown);
    },
    open(options) {
      returnFocusTo = options.returnFocusTo;
      const isOther = options.ticket !== shown.ticket;
      if (isOther) keepOnly(client, options.ticket);
      if (options.refresh) void refreshProfile(client, options.ticket);
      else void client.prefetchQuery(profileQuery(options.ticket));
      const earlier = isOther ? 0 : shown.syncRequests;
      const opened = { ticket: options.ticket, isFacing: true, isAsked: !shown.hasColumn };
      const change = { ...opened, syncRequests: earlier + (options.sync ? 1 : 0) };
      arrange({ open: true, face: 'customer' }, change);
      container.querySelector<HTMLElement>('[data-title]')?.focus();
    },
    close,
    flip() {
      if (!shown.hasColumn) return close();
      const hadFocus = holdsFocus();
      arrange({ face: 'ticket' }, { isFacing: false });
      if (hadFocus) container.querySelector<HTMLElement>('[data-face]')?.focus();
    },
    prepare(ticket) {
      if (isOpen(shown)) return;
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
      bridge().launcher?.setExpanded(isOpen(shown));
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

interface MountedPanelProps {
  view: PanelView;
  client: QueryClient;
  page: Page;
  shortcut: string | null;
  onFace: (isFacing: boolean) => void;
  onClose: () => void;
}

const texts = { en: textsFor('en'), vi: textsFor('vi') };

function MountedPanel({ view, client, page, ...rest }: MountedPanelProps) {
  const { ticket, visit, language, syncRequests } = view;
  return (
    <QueryClientProvider client={client}>
      <TextsContext value={texts[language]}>
        <PageContext value={page}>
          <Panel
            {...{ ticket, visit, syncRequests }}
            place={placeOf(view)}
            isThere={isThere(view)}
            isFacing={isOpen(view)}
            onResult={(result) => bridge().launcher?.setStatus(compactStatus(result, language))}
            {...rest}
          />
        </PageContext>
      </TextsContext>
    </QueryClientProvider>
  );
}
