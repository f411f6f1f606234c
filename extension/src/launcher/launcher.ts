import { browser } from 'wxt/browser';
import { pageLanguage } from '#host-page/html-element.ts';
import { keepInPlace } from '#host-page/keep-in-place.ts';
import { watchRoute } from '#host-page/watch-route.ts';
import { bridge } from '#messaging/bridge.ts';
import type { TabMessage } from '#messaging/protocol.ts';
import { trySend } from '#messaging/try-send.ts';
import { createLauncherView } from './launcher-view.ts';

/** Delay before the look-up, in milliseconds: a ticket that the agent only skips past costs none. */
const settleMs = 300;

/**
 * Runs the launcher on a page of the helpdesk: a button in the ticket's header that shows the profile's status and opens
 * the panel.
 * @returns false if this site is not the configured helpdesk; nothing was done then
 */
export async function startLauncher(): Promise<boolean> {
  const start = await trySend('launcher.start', { pageLanguage: pageLanguage() });
  if (!start) return false;
  const { language, texts } = start;
  let ticket: string | null = null;
  let injecting: Promise<unknown> | undefined;

  const panel = async () => {
    if (!bridge().panel) {
      injecting ??= trySend('panel.inject', {});
      await injecting;
      injecting = undefined;
    }
    return bridge().panel;
  };
  const prepare = async () => {
    const handle = await panel();
    if (ticket) handle?.prepare(ticket);
  };
  const open = async (ask?: 'refresh' | 'sync') => {
    const handle = await panel();
    if (!ticket) return;
    if (!handle) view.setStatus({ tone: 'bad', label: texts.reload });
    else if (handle.isOpen && !ask) handle.close();
    else handle.open({ ticket, refresh: ask === 'refresh', sync: ask === 'sync', returnFocusTo: () => view.button });
  };
  const view = createLauncherView(language, texts, { open, prepare });
  bridge().launcher = view;
  // A launcher orphaned by an update removes itself: the new one takes over.
  const place = keepInPlace(view.host, () => !!ticket && !!browser.runtime?.id);

  const peek = async (shown: string, visit: AbortSignal) => {
    // A ticket opened in a background tab is looked up once the agent switches to that tab.
    if (document.hidden) await new Promise((seen) => addEventListener('visibilitychange', seen, { once: true }));
    if (visit.aborted) return;
    // When the tab leaves the ticket, the background cancels the request by itself.
    const status = await trySend('profile.peek', { ticket: shown, language });
    if (status && !visit.aborted) view.setStatus(status);
  };

  watchRoute((shown, visit) => {
    ticket = shown;
    bridge().panel?.setTicket(shown);
    view.setStatus(null);
    place();
    if (shown) setTimeout(peek, settleMs, shown, visit);
  });
  browser.runtime.onMessage.addListener((message: TabMessage) => {
    if (message.deskside === 'panel.toggle') open();
  });
  return true;
}
