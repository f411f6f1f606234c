import { ticketOf } from './ticket-route.ts';

/** Longest time, in milliseconds, until a change of address is seen where the Navigation API is missing. */
const pollMs = 400;

/** The part of a window that route watching needs. Test seam. */
export interface RouteHost {
  readonly location: { readonly href: string };
  readonly navigation?: EventTarget | undefined;
}

/**
 * Says which ticket the page shows, at once and after each change, always after the new address is in force.
 * @param onTicket the ticket, or null where the page shows none; the signal aborts as soon as that is no longer true
 */
export function watchRoute(
  onTicket: (ticket: string | null, visit: AbortSignal) => void,
  host: RouteHost = window as RouteHost,
): void {
  let current: string | null | undefined;
  let visit = new AbortController();
  const look = () => {
    const ticket = ticketOf(host.location.href);
    if (ticket === current) return;
    current = ticket;
    visit.abort();
    visit = new AbortController();
    onTicket(ticket, visit.signal);
  };
  // Fired when the entry has changed, unlike `navigate`, which comes before the new address is in force. Without it
  // there is only looking: an isolated world cannot observe the page's own pushState.
  if (host.navigation) host.navigation.addEventListener('currententrychange', look);
  else setInterval(look, pollMs);
  look();
}
