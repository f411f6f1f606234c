import type { CustomerTicket } from '@deskside/shared/around';
import { ago } from '#i18n/format.ts';
import type { Texts } from '#i18n/texts.ts';
import { onThisSite } from '#ui/links/safe-url.ts';

/** A ticket in a list: its number and subject as a link, and below what is known of it. */
export interface TicketLine {
  name: string;
  subject: string;
  href: string | null;
  /** Status, team, who has it, how long ago it was opened or closed. */
  details: string[];
}

export function ticketLine(ticket: CustomerTicket, t: Texts, now: number): TicketLine {
  const { name, subject, path, status, team, assignees, created_at, closed_at } = ticket;
  const words = t.around;
  const when = closed_at === null ? opened(created_at) : words.ended(ago(t.language, now - Date.parse(closed_at)));
  function opened(at: string | null): string | null {
    return at === null ? null : words.opened(ago(t.language, now - Date.parse(at)));
  }
  return {
    name,
    subject: subject ?? words.noSubject,
    href: onThisSite(path),
    details: [
      status === null ? null : statusText(status, t),
      team,
      assignees.length > 0 ? assignees.join(', ') : closed_at === null ? words.nobody : null,
      when,
    ].filter((detail) => detail !== null),
  };
}

/** A status in the agent's language where it is one of the helpdesk's own. */
function statusText(status: string, { around }: Texts): string {
  return Object.hasOwn(around.status, status) ? (around.status[status] ?? status) : status;
}
