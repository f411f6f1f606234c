import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { textsFor } from '#i18n/texts.ts';
import { TextsContext } from '#i18n/texts-context.ts';
import { bridge, type PanelHandle } from '#messaging/bridge.ts';
import type { UiLanguage } from '#settings/schema.ts';
import { compactStatus } from '#summary/compact-status.ts';
import { Panel } from './panel.tsx';
import { profileQuery, refreshProfile } from './query/profile-query.ts';
import { forgetSeen, keepOnly } from './query/query-client.ts';

/** The panel of one tab, for the launcher and for changes of theme and language. */
export interface PanelController extends PanelHandle {
  setTheme(theme: 'light' | 'dark'): void;
  setLanguage(language: UiLanguage): void;
  destroy(): void;
}

/** Mounts the closed panel into an element of its shadow root. The result of every call is on screen when it returns. */
export function createPanel(container: HTMLElement, client: QueryClient, language: UiLanguage): PanelController {
  const root = createRoot(container);
  const texts = { en: textsFor('en'), vi: textsFor('vi') };
  let shown = { ticket: null as string | null, visit: 0, open: false, language, syncRequests: 0 };
  let returnFocusTo: () => HTMLElement | null = () => null;

  const show = (change: Partial<typeof shown>) => {
    const wasOpen = shown.open;
    shown = { ...shown, ...change };
    container.lang = shown.language;
    flushSync(() =>
      root.render(
        <QueryClientProvider client={client}>
          <TextsContext value={texts[shown.language]}>
            <Panel
              ticket={shown.ticket}
              visit={shown.visit}
              open={shown.open}
              syncRequests={shown.syncRequests}
              onClose={close}
              onResult={(result) => bridge().launcher?.setStatus(compactStatus(result, shown.language))}
            />
          </TextsContext>
        </QueryClientProvider>,
      ),
    );
    if (wasOpen !== shown.open) bridge().launcher?.setExpanded(shown.open);
  };
  const moveTo = (ticket: string | null, open: boolean) => {
    if (ticket !== shown.ticket) keepOnly(client, ticket);
    show({ ticket, open, syncRequests: ticket === shown.ticket ? shown.syncRequests : 0 });
  };
  const close = () => {
    if (!shown.open) return;
    // Only move the focus if it would be lost: an agent may be typing in the ticket.
    const hadFocus = container.contains((container.getRootNode() as Document | ShadowRoot).activeElement);
    show({ open: false });
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
      show({ ticket: options.ticket, open: true, syncRequests: earlier + (options.sync ? 1 : 0) });
      container.querySelector<HTMLElement>('[data-title]')?.focus();
    },
    close,
    prepare(ticket) {
      if (!shown.open) moveTo(ticket, false);
    },
    setTicket(ticket) {
      // Also for the same ticket: somebody else has signed in to the helpdesk, or nobody is signed in any more.
      keepOnly(client, null);
      shown.visit += 1;
      const open = shown.open && ticket !== null;
      show({ ticket: open ? ticket : null, open, syncRequests: 0 });
    },
    setTheme(theme) {
      container.dataset.theme = theme;
    },
    setLanguage(next) {
      if (next !== shown.language) show({ language: next });
    },
    destroy() {
      keepOnly(client, null);
      root.unmount();
    },
  };
}
