import { ticketOf } from '#host-page/ticket-route.ts';

export type Tab = { id?: number | undefined; url?: string | undefined };

/** Whether a tab shows a ticket of this helpdesk (its origin; null if none is granted). */
export function isTicketTab(tab: Tab | undefined, helpdesk: string | null): tab is { id: number; url: string } {
  if (!helpdesk || tab?.id === undefined || !tab.url || !ticketOf(tab.url)) return false;
  return new URL(tab.url).origin === helpdesk;
}
