import { pageUser } from '#messaging/send.ts';

/** Polling interval in browsers without the Navigation API, in milliseconds. */
const pollMs = 400;

/** The part of `window` that is used here, so that tests can replace it. */
interface RouteHost {
  readonly location: { readonly href: string };
  readonly navigation?: EventTarget | undefined;
  readonly cookieStore?: EventTarget | undefined;
}

/**
 * Reports the ticket that the page shows, immediately and after each change of the address or of the person who is signed
 * in to the helpdesk, also from another tab.
 * @param onTicket the ticket, or null if the page shows none; the signal aborts when the page shows something else or
 *   belongs to somebody else
 */
export function watchRoute(
  onTicket: (ticket: string | null, visit: AbortSignal) => void,
  host: RouteHost = window as RouteHost,
): void {
  let current: string | null | undefined;
  let person: string | undefined;
  let visit = new AbortController();
  const look = () => {
    const ticket = ticketOf(host.location.href);
    const user = pageUser();
    if (ticket === current && user === person) return;
    current = ticket;
    person = user;
    visit.abort();
    visit = new AbortController();
    onTicket(ticket, visit.signal);
  };
  // `currententrychange` fires after the address has changed, `navigate` before. Without the API only polling remains: a
  // content script cannot observe the page's own pushState.
  if (host.navigation) host.navigation.addEventListener('currententrychange', look);
  else setInterval(look, pollMs);
  host.cookieStore?.addEventListener('change', look);
  look();
}

/**
 * The name of the ticket that an agent sees at an address of the helpdesk, or null for the list, the form for a new ticket
 * and the customer portal (docs/helpdesk.md#the-ticket-page). Names are opaque: `61307`, `0035` (decision 16: checked names).
 * @param address absolute URL of the page
 */
export function ticketOf(address: string | undefined): string | null {
  try {
    const segment = /^\/helpdesk\/tickets\/([^/]+)\/?$/.exec(new URL(address ?? '').pathname)?.[1];
    const name = decodeURIComponent(segment ?? '');
    return name && name !== 'new' && name.length <= 140 && !/\p{Cc}/u.test(name) ? name : null;
  } catch {
    // Not a URL, or a malformed percent-encoding.
    return null;
  }
}
