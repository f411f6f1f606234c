import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import type { Theme } from '../host-page/theme.ts';
import { textsFor } from '../i18n/texts.ts';
import { bridge, type PanelHandle } from '../panel/bridge.ts';
import type { UiLanguage } from '../platform/language.ts';
import { compactStatus } from './compact-status.ts';
import { Panel } from './panel.tsx';
import { profileQuery, refreshProfile } from './profile-query.ts';
import { forgetSeen, keepOnly } from './query-client.ts';
import { TextsContext } from './texts-context.tsx';

/** The panel of one tab: what the launcher talks to, and what the page's theme and language act on. */
export interface PanelController extends PanelHandle {
  setTheme(theme: Theme): void;
  setLanguage(language: UiLanguage): void;
  destroy(): void;
}

/** Mounts the panel, closed, into an element of its shadow root. Every call below is on screen when it returns. */
export function createPanel(container: HTMLElement, client: QueryClient, language: UiLanguage): PanelController {
  const root = createRoot(container);
  const texts = { en: textsFor('en'), vi: textsFor('vi') };
  let shown = { ticket: null as string | null, open: false, language, syncAsked: 0 };
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
              open={shown.open}
              syncAsked={shown.syncAsked}
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
    show({ ticket, open, syncAsked: ticket === shown.ticket ? shown.syncAsked : 0 });
  };
  const close = () => {
    if (!shown.open) return;
    // Only a focus that would be lost is moved: an agent who is writing in the ticket keeps writing.
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
      const earlier = isOther ? 0 : shown.syncAsked;
      show({ ticket: options.ticket, open: true, syncAsked: earlier + (options.sync ? 1 : 0) });
      container.querySelector<HTMLElement>('[data-title]')?.focus();
    },
    close,
    prepare(ticket) {
      if (!shown.open) moveTo(ticket, false);
    },
    setTicket(ticket) {
      if (ticket === shown.ticket) return;
      moveTo(shown.open ? ticket : null, shown.open && ticket !== null);
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
