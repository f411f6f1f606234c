import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { bridge, type PanelHandle } from '#messaging/bridge.ts';
import { send } from '#messaging/send.ts';
import type { PanelLayout, UiLanguage } from '#messaging/settings.ts';
import { compactStatus } from '#status/status.ts';
import { focusedBeside } from '#ui/shadow-root.ts';
import { Panel, type Place } from './panel.tsx';
import { type Page, PageContext } from './parts/page.ts';
import { isDueInFront, keepOnly, profileQuery, refreshProfile } from './query/profile-query.ts';
import { TextsContext, textsFor } from './texts/texts.ts';

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

/** The panel on screen, and what of it page and launcher go by. */
class PanelScreen {
  view: PanelView;
  private readonly root: Root;
  private readonly container: HTMLElement;
  private readonly page: Page;
  private readonly render: (view: PanelView) => ReactNode;

  constructor(container: HTMLElement, page: Page, view: PanelView, render: (view: PanelView) => ReactNode) {
    this.root = createRoot(container);
    this.container = container;
    this.page = page;
    this.view = view;
    this.render = render;
  }

  get isOpen(): boolean {
    return isOpen(this.view);
  }

  show(change: Partial<PanelView>): void {
    const wasOpen = this.isOpen;
    this.view = { ...this.view, ...change };
    const { hasColumn, isFacing, language } = this.view;
    this.container.lang = language;
    this.page.setFace(isThere(this.view) && hasColumn ? (isFacing ? 'customer' : 'ticket') : null);
    flushSync(() => this.root.render(this.render(this.view)));
    if (wasOpen !== this.isOpen) bridge().launcher?.setExpanded(this.isOpen);
  }

  /** The agent arranges the panel, which is kept. */
  arrange(change: Partial<PanelLayout>, more: Partial<PanelView>): void {
    this.show({ ...more, layout: { ...this.view.layout, ...change } });
    // On a page of its own it is not the one in the helpdesk that is arranged.
    if (this.page.openOwn) void send('layout.save', { change });
  }

  /** The layout of another person; whether the panel is open does not change under their hands. */
  async adoptLayout(): Promise<void> {
    const start = await send('panel.start', {});
    if (start) this.show({ layout: { ...start.layout, open: this.view.layout.open } });
  }

  /** Follows the helpdesk's column, which it lies over where there is room. What it returns ends that. */
  followColumn(): () => void {
    return this.page.watchColumn(
      (box, isRoomy) => {
        for (const [side, value] of Object.entries(box ?? {}))
          this.container.style.setProperty(`--column-${side}`, `${value}px`);
        const hasColumn = box !== null && isRoomy;
        // In a narrow window it floats in the column's place, and covers nothing else.
        this.container.toggleAttribute('data-in-column', box !== null && !isRoomy);
        if (this.view.hasColumn !== hasColumn) this.show({ hasColumn, isAsked: false });
      },
      () => this.view.isFacing && this.view.hasColumn && isThere(this.view) && this.show({ isFacing: false }),
    );
  }

  remove(): void {
    this.page.setFace(null);
    this.root.unmount();
  }
}

/** Mounts the panel, closed, into an element of its shadow root. The result of every call is on screen at once. */
export function createPanel(
  container: HTMLElement,
  client: QueryClient,
  language: UiLanguage,
  arranged: PanelArrangement,
  page: Page,
): PanelController {
  const { layout, shortcut } = arranged;
  /** What the tab shows, undefined if the panel has not been told yet. */
  let onPage: string | null | undefined;
  let returnFocusTo: () => HTMLElement | null = () => bridge().launcher?.button ?? null;

  const render = (view: PanelView) => (
    <MountedPanel
      view={view}
      client={client}
      page={page}
      shortcut={shortcut}
      onFace={(isFacing) => screen.arrange({ face: isFacing ? 'customer' : 'ticket' }, { isFacing })}
      onClose={close}
    />
  );
  const closed = { ticket: null, visit: 0, isAsked: false, hasColumn: false, syncRequests: 0 };
  const first = { ...closed, isFacing: layout.face !== 'ticket', language, layout };
  const screen = new PanelScreen(container, page, first, render);
  const show = (change: Partial<PanelView>) => screen.show(change);
  const holdsFocus = () => container.contains(focusedBeside(container));
  const close = () => {
    if (!isThere(screen.view)) return;
    // Only move the focus if it would be lost: an agent may be typing in the ticket.
    const hadFocus = holdsFocus();
    screen.arrange({ open: false }, { isAsked: false });
    if (hadFocus) returnFocusTo()?.focus();
  };

  const unwatch = screen.followColumn();

  return {
    get isOpen() {
      return screen.isOpen;
    },
    open(options) {
      returnFocusTo = options.returnFocusTo;
      const isOther = options.ticket !== screen.view.ticket;
      if (isOther) keepOnly(client, options.ticket);
      if (options.refresh) void refreshProfile(client, options.ticket);
      else void client.prefetchQuery(profileQuery(options.ticket));
      const earlier = isOther ? 0 : screen.view.syncRequests;
      const opened = { ticket: options.ticket, isFacing: true, isAsked: !screen.view.hasColumn };
      const change = { ...opened, syncRequests: earlier + (options.sync ? 1 : 0) };
      screen.arrange({ open: true, face: 'customer' }, change);
      container.querySelector<HTMLElement>('[data-title]')?.focus();
    },
    close,
    flip() {
      if (!screen.view.hasColumn) return close();
      const hadFocus = holdsFocus();
      screen.arrange({ face: 'ticket' }, { isFacing: false });
      if (hadFocus) container.querySelector<HTMLElement>('[data-face]')?.focus();
    },
    prepare(ticket) {
      if (screen.isOpen) return;
      if (ticket !== screen.view.ticket) keepOnly(client, ticket);
      show({ ticket, syncRequests: ticket === screen.view.ticket ? screen.view.syncRequests : 0 });
    },
    setTicket(ticket) {
      // The same ticket: somebody else has signed in to the helpdesk, or nobody is signed in any more.
      if (ticket === onPage) void screen.adoptLayout();
      onPage = ticket;
      // Off the screen before it is dropped: what is still mounted would ask for it again.
      show({ ticket: null });
      keepOnly(client, null);
      // The face that the agent chose stays; one that the page needed for a moment does not.
      const isFacing = screen.view.layout.face !== 'ticket';
      const next = { visit: screen.view.visit + 1, isFacing, isAsked: false, syncRequests: 0 };
      show({ ...next, ticket: screen.view.layout.open ? ticket : null });
      bridge().launcher?.setExpanded(screen.isOpen);
    },
    look(written) {
      const { ticket } = screen.view;
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
      if (next !== screen.view.language) show({ language: next });
    },
    destroy() {
      unwatch();
      keepOnly(client, null);
      screen.remove();
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
            ticket={ticket}
            visit={visit}
            syncRequests={syncRequests}
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
