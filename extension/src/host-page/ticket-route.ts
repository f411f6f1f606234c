/**
 * The name of the ticket that an agent sees at an address of the helpdesk, or null for the list, the form for a new ticket
 * and the customer portal (docs/helpdesk.md#the-ticket-page). Names are opaque: `61307`, `0035` (docs/decisions.md 16).
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
