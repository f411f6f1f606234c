import { dateTime, number } from '@deskside/extension/i18n/format';
import { Note } from '@deskside/extension/ui/note';
import type { OperatorToday } from '@deskside/shared/operator/today';
import { useTexts } from '#i18n/texts.ts';
import { Card } from '#ui/card.tsx';
import { Table } from '#ui/table.tsx';
import { TicketLink } from '#ui/ticket-link.tsx';

/** Tickets that wait for an agent, or for us. */
export function WaitingCard({ data: { waiting, due } }: { data: OperatorToday }) {
  const { today, language } = useTexts();
  const more = waiting.tickets - waiting.first.length;
  return (
    <Card
      title={today.waiting.title}
      hint={waiting.tickets > 0 ? today.waiting.hint : undefined}
      aside={<span className="text-lg font-semibold">{number(language, waiting.tickets)}</span>}
    >
      {due.tickets > 0 && due.since !== null && (
        <Note tone="warn" title={today.waiting.due(due.tickets, dateTime(due.since))} />
      )}
      {waiting.tickets === 0 ? (
        <p className="text-sm text-ink-2">{today.waiting.none}</p>
      ) : (
        <Table
          label={today.waiting.title}
          columns={[{ title: today.ticket }, { title: today.team }, { title: today.since }]}
          rows={waiting.first.map(({ ticket, team, since }) => ({
            key: ticket,
            cells: [
              <TicketLink key="ticket" name={ticket} />,
              <bdi key="team">{team ?? today.noTeam}</bdi>,
              dateTime(since),
            ],
          }))}
        />
      )}
      {more > 0 && <p className="text-sm text-ink-3">{today.waiting.more(more)}</p>}
    </Card>
  );
}

/** Org ids of the day that the CRM does not know. */
export function UnknownCard({ data: { unknown_org_ids: unknown } }: { data: OperatorToday }) {
  const { today } = useTexts();
  return (
    <Card title={today.unknown.title} hint={today.unknown.hint}>
      {unknown.length === 0 ? (
        <p className="text-sm text-ink-2">{today.unknown.none}</p>
      ) : (
        <Table
          label={today.unknown.title}
          columns={[{ title: today.unknown.orgId }, { title: today.tickets_ }, { title: today.since }]}
          rows={unknown.map(({ org_id, tickets, at }) => ({
            key: org_id,
            cells: [
              <bdi key="id">{org_id}</bdi>,
              <span key="tickets" className="flex flex-wrap gap-x-2">
                {tickets.map((ticket) => (
                  <TicketLink key={ticket} name={ticket} />
                ))}
              </span>,
              dateTime(at),
            ],
          }))}
        />
      )}
    </Card>
  );
}
