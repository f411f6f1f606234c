import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';
import { markGone } from '#host-page/presence.ts';
import { ticketOf } from '#host-page/ticket-route.ts';
import { bridge } from '#messaging/bridge.ts';
import { trySend } from '#messaging/try-send.ts';
import { whenOrphaned } from '#platform/when-orphaned.ts';

// Runs before anything of the page is drawn: a docked panel that was left open has its room from the first frame on.
export default defineUnlistedScript({
  main() {
    const ticket = ticketOf(location.href);
    const docked = ticket ? trySend('page.start', { ticket }) : Promise.resolve(null);
    bridge().docked = docked;
    // The panel gives the room back when its extension goes, but it comes later, and may never come.
    void docked.then((width) => width !== null && whenOrphaned(markGone));
  },
});
