/**
 * The ticket that an address of the helpdesk shows to an agent, or null: not the list, not the form for a new ticket,
 * not the customer portal (facts/frappe.md 1.1). The name is opaque: `61307`, `0035` (design.md, decision 13).
 * @param address absolute URL of the page
 */
export function ticketOf(address: string | undefined): string | null {
  try {
    const segment = /^\/helpdesk\/tickets\/([^/]+)\/?$/.exec(new URL(address ?? '').pathname)?.[1];
    const name = decodeURIComponent(segment ?? '');
    return name && name !== 'new' && name.length <= 140 && !/\p{Cc}/u.test(name) ? name : null;
  } catch {
    // No URL, or a percent sign that starts no character.
    return null;
  }
}
