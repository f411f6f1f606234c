import { browser } from 'wxt/browser';
import { findPlace } from '#host-page/anchors.ts';
import { lasting, missingAfterMs, watchPage, whenInFront } from '#host-page/watch-page.ts';
import { watchRoute } from '#host-page/watch-route.ts';
import { pauseMs } from '#messaging/again.ts';
import { bridge } from '#messaging/bridge.ts';
import type { Speech, TabMessage } from '#messaging/protocol.ts';
import { send } from '#messaging/send.ts';
import { createLauncherView } from './launcher-view.ts';

/** Delay before the look-up, in milliseconds: a ticket that the agent only skips past costs none. */
const settleMs = 300;

/** Runs the launcher on a page of the helpdesk. False: this site is not the configured one, and nothing was done. */
export async function startLauncher(): Promise<boolean> {
  const start = await send('launcher.start', {});
  if (!start) return false;
  let ticket: string | null = null;
  let visit: AbortSignal;
  let speech: Speech;
  let injecting: Promise<unknown> | undefined;
  let retrying: ReturnType<typeof setTimeout>;
  let failures = 0;

  const panel = async () => {
    if (!bridge().panel) {
      injecting ??= send('panel.inject', {});
      await injecting;
      injecting = undefined;
    }
    return bridge().panel;
  };
  const prepare = async () => {
    const handle = await panel();
    if (ticket) handle?.prepare(ticket);
  };
  const open = async (ask?: 'refresh' | 'sync' | 'flip') => {
    const handle = await panel();
    if (!ticket) return;
    if (!handle) {
      if (!(await send('access.ask', {}))) view.setStatus({ tone: 'bad', label: speech.texts.reload });
    } else if (handle.isOpen && ask === 'flip') handle.flip();
    else if (handle.isOpen && !ask) handle.close();
    else handle.open({ ticket, refresh: ask === 'refresh', sync: ask === 'sync', returnFocusTo: () => view.button });
  };
  const view = createLauncherView(start.shortcut, { open, prepare, team: () => send('team.open', {}) });
  const speak = (next: Speech) => {
    speech = next;
    view.speak(next);
  };
  speak(start);
  bridge().anchors = start.anchors;
  bridge().launcher = view;
  // A launcher orphaned by an update removes itself: the new one takes over.
  const place = keepInPlace(
    view.host,
    () => !!ticket && !!browser.runtime?.id,
    view.placed,
    () => ticket && send('page.anchorMissing', { ticket, anchor: 'ticket_header' }),
  );

  const peek = async (shown: string, during: AbortSignal, isAgain?: boolean) => {
    // A ticket opened in a background tab is looked up once the agent switches to that tab.
    if (document.hidden) await new Promise((resolve) => addEventListener('visibilitychange', resolve, { once: true }));
    // An open panel says itself what it shows.
    if (during.aborted || bridge().panel?.isOpen) return;
    const status = await send('profile.peek', { ticket: shown, isAgain }, during);
    if (!status || during.aborted) return;
    view.setStatus(status);
    failures = status.isFailure ? failures + 1 : 0;
    clearTimeout(retrying);
    if (status.isFailure) retrying = setTimeout(peek, pauseMs(failures), shown, during, true);
  };

  watchRoute((shown, signal) => {
    ticket = shown;
    visit = signal;
    bridge().panel?.setTicket(shown);
    view.setStatus(null);
    place();
    if (shown) setTimeout(peek, settleMs, shown, signal);
    else send('session.seen', {});
  });
  const peekAgain = () => ticket && peek(ticket, visit, true);
  whenInFront(peekAgain);
  browser.runtime.onMessage.addListener((message: TabMessage) => {
    if (message.deskside === 'panel.toggle') open('flip');
    else if (message.deskside === 'written') message.ticket === ticket && peekAgain();
    else if (message.deskside === 'anchors') {
      bridge().anchors = message.anchors;
      place();
    } else {
      speak(message);
      if (ticket) peek(ticket, visit);
    }
  });
  return true;
}

/** How long to wait for a known header before the button floats, in milliseconds. */
const floatAfterMs = 2000;

/**
 * Keeps an element in its place on the page: inserts it when the place appears, inserts it again when the helpdesk
 * replaces its header, and lets it float (attribute `floating`) on a page without such a place.
 * @param isNeeded whether the element should be on the page at the moment
 * @param placed told of every place that the element is put into; null: it floats
 * @param missing called once if the page has had no such place for so long that it is hardly still loading
 * @returns updates the page now; to be called when `isNeeded` may have changed
 */
export function keepInPlace(
  element: HTMLElement,
  isNeeded: () => boolean,
  placed: (place: Element | null) => void,
  missing: () => void,
): () => void {
  const put = (parent: Element, floating: boolean) => {
    element.toggleAttribute('floating', floating);
    if (element.parentNode === parent) return;
    // First in the header, where the others are right-aligned: they do not move, and Tab goes as the eye does.
    if (floating) parent.append(element);
    else parent.prepend(element);
    placed(floating ? null : parent);
  };
  const float = () => isNeeded() && put(document.body, true);
  const isWaiting = lasting(floatAfterMs, float);
  const isMissing = lasting(missingAfterMs, missing);
  const place = () => {
    const found = findPlace();
    const isLacking = !found && isNeeded();
    isWaiting(isLacking && !element.isConnected);
    isMissing(isLacking);
    if (!isNeeded()) element.remove();
    else if (found === 'floating') float();
    else if (found) put(found, false);
  };
  watchPage(place);
  return place;
}
