import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';
import { ticketOf } from '#host-page/ticket-route.ts';
import { bridge } from '#messaging/bridge.ts';
import { trySend } from '#messaging/try-send.ts';

// Runs before anything of the page is drawn: a docked panel that was left open has its room from the first frame on.
export default defineUnlistedScript({
  main() {
    const ticket = ticketOf(location.href);
    bridge().docked = ticket ? trySend('page.start', { ticket }) : Promise.resolve(null);
  },
});
