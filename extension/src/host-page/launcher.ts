import { browser } from 'wxt/browser';
import type { TabMessage } from '../messaging/protocol.ts';
import { trySend } from '../messaging/try-send.ts';
import { bridge } from '../panel/bridge.ts';
import { createLauncherView } from './launcher-view.ts';
import { keepInPlace } from './wait-for-anchor.ts';
import { watchRoute } from './watch-route.ts';

/** A ticket that is only passed by, on the way through a list, costs no look-up. Milliseconds. */
const settleMs = 300;

/**
 * Runs the launcher on a page of the helpdesk: one button in the ticket's header, the profile's state on it, and the
 * panel behind it.
 * @returns false if this site is not the agent's helpdesk: nothing was done then
 */
export async function startLauncher(): Promise<boolean> {
  const start = await trySend('launcher.start', { pageLanguage: document.documentElement.lang });
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
  // An orphan of an update leaves the page to its successor.
  const place = keepInPlace(view.host, () => !!ticket && !!browser.runtime?.id);

  const peek = async (shown: string, visit: AbortSignal) => {
    // A tab that was opened in the background is looked up when the agent comes to it.
    if (document.hidden) await new Promise((seen) => addEventListener('visibilitychange', seen, { once: true }));
    if (visit.aborted) return;
    const call = crypto.randomUUID();
    visit.addEventListener('abort', () => trySend('profile.cancel', { call }));
    const status = await trySend('profile.peek', { ticket: shown, call, language });
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
