import type { CustomerTicket } from '@deskside/shared/around';
import { ago, labelFor } from '#i18n/format.ts';
import type { Texts } from '#i18n/panel/texts.ts';
import { useTexts } from '#i18n/panel/texts-context.ts';
import { onThisSite } from '#ui/links/safe-url.ts';

/** Tickets by their status, each a link in one line with what else is known of it on demand. */
export function TicketList({ tickets, now }: { tickets: readonly CustomerTicket[]; now: number }) {
  const t = useTexts();
  const groups = Map.groupBy(
    tickets.map((ticket) => ticketLine(ticket, t, now)),
    ({ status }) => status,
  );
  return [...groups].map(([status, lines]) => (
    <div key={status}>
      {groups.size > 1 && <p className="text-xs text-ink-3">{status}</p>}
      <ul>
        {lines.map((line) => (
          <li key={line.name}>
            <Line line={line} newTab={t.shell.newTab} />
          </li>
        ))}
      </ul>
    </div>
  ));
}

function Line({ line: { name, subject, href, age, details }, newTab }: { line: TicketLine; newTab: string }) {
  const looks = 'flex min-h-6 items-baseline gap-2 rounded-sm py-0.5';
  const inside = (
    <>
      <span className="text-ink-3">#{name}</span>
      <bdi className="min-w-0 flex-1 truncate">{subject}</bdi>
      <span className="text-xs whitespace-nowrap text-ink-3">{age}</span>
      <span className="sr-only">{details.join(' · ')}</span>
    </>
  );
  if (href === null) return <span className={looks}>{inside}</span>;
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      title={[subject, ...details].join('\n')}
      className={`${looks} hover:underline`}
    >
      {inside}
      <span className="sr-only">({newTab})</span>
    </a>
  );
}

/** A ticket in a list: its number and subject as a link, how long ago it was opened or closed, and what else is known. */
interface TicketLine {
  name: string;
  subject: string;
  status: string;
  href: string | null;
  age: string;
  /** Status, team, who has it. */
  details: string[];
}

function ticketLine(ticket: CustomerTicket, t: Texts, now: number): TicketLine {
  const { name, subject, path, team, assignees, created_at, closed_at } = ticket;
  const words = t.around;
  const at = closed_at ?? created_at;
  // In the agent's language where it is one of the helpdesk's own.
  const status = ticket.status === null ? '' : labelFor(words.status, ticket.status);
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
