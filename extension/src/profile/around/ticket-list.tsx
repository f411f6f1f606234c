import type { CustomerTicket } from '@deskside/shared/around';
import { useTexts } from '#i18n/panel/texts-context.ts';
import { type TicketLine, ticketLine } from './ticket-line.ts';

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
