import type { CustomerTicket } from '@deskside/shared/around';
import { ago } from '#i18n/format.ts';
import type { Texts } from '#i18n/panel/texts.ts';
import { onThisSite } from '#ui/links/safe-url.ts';

/** A ticket in a list: its number and subject as a link, how long ago it was opened or closed, and what else is known. */
export interface TicketLine {
  name: string;
  subject: string;
  status: string;
  href: string | null;
  age: string;
  /** Status, team, who has it. */
  details: string[];
}

export function ticketLine(ticket: CustomerTicket, t: Texts, now: number): TicketLine {
  const { name, subject, path, team, assignees, created_at, closed_at } = ticket;
  const words = t.around;
  const at = closed_at ?? created_at;
  const status = ticket.status === null ? '' : statusText(ticket.status, t);
  return {
    name,
    subject: subject ?? words.noSubject,
    status,
    href: onThisSite(path),
    age: at === null ? '' : (ago(t.language, now - Date.parse(at), 'narrow') ?? words.justNow),
    details: [
      status,
      team ?? '',
      assignees.length > 0 ? assignees.join(', ') : closed_at === null ? words.nobody : '',
    ].filter(Boolean),
  };
}

/** A status in the agent's language where it is one of the helpdesk's own. */
function statusText(status: string, { around }: Texts): string {
  return Object.hasOwn(around.status, status) ? (around.status[status] ?? status) : status;
}
