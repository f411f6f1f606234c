import { number } from '@deskside/extension/i18n/format';
import { Tag } from '@deskside/extension/ui/tag';
import type { OperatorRouting, TeamDay } from '@deskside/shared/operator/routing';
import { useTexts } from '#i18n/texts.ts';
import { Card } from '#ui/card.tsx';
import { Table } from '#ui/table.tsx';

/** What the round-robin adds at most without anybody coming or going, with room for one who did. */
const fairSpread = 2;

/** Who got how many tickets, team by team, and what each was due. */
export function TeamsCard({ data: { teams } }: { data: OperatorRouting }) {
  const { routing } = useTexts();
  return (
    <Card title={routing.teams.title} hint={teams.length > 0 ? routing.teams.hint : undefined}>
      {teams.length === 0 ? (
        <p className="text-sm text-ink-2">{routing.none}</p>
      ) : (
        <div className="grid items-start gap-x-8 gap-y-5 md:grid-cols-2">
          {teams.map((team) => (
            <Team key={team.team} team={team} />
          ))}
        </div>
      )}
    </Card>
  );
}

function Team({ team: { team, tickets, spread, agents } }: { team: TeamDay }) {
  const { routing, language } = useTexts();
  const tenth = (value: number) => number(language, Math.round(value * 10) / 10);
  return (
    <section aria-label={team} className="flex min-w-0 flex-col gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h3 className="text-sm font-semibold">
          <bdi>{team}</bdi>
        </h3>
        <span className="text-sm text-ink-2">{routing.count(tickets)}</span>
      </div>
      {agents.length === 0 ? (
        <p className="text-sm text-ink-3">{routing.teams.nobody}</p>
      ) : (
        <Table
          label={team}
          columns={[
            { title: routing.agent },
            { title: routing.tickets, isNumber: true },
            { title: routing.due, isNumber: true },
          ]}
          rows={agents.map(({ user, name, tickets: got, due }) => ({
            key: user,
            cells: [<bdi key="name">{name ?? user}</bdi>, number(language, got), tenth(due)],
          }))}
        />
      )}
      {spread !== null && (
        <p>
          <Tag tone={spread <= fairSpread ? 'ok' : 'warn'}>
            {routing.teams.spread(Math.round(spread * 10), tenth(spread))}
          </Tag>
        </p>
      )}
    </section>
  );
}
