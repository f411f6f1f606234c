import { number } from '@deskside/extension/i18n/format';
import type { OperatorRouting } from '@deskside/shared/operator/routing';
import { useMemo } from 'react';
import { useTexts } from '#i18n/texts.ts';
import { Card } from '#ui/card.tsx';
import { Chart } from '#ui/chart.tsx';
import { Table } from '#ui/table.tsx';

/** How many tickets each rule decided. */
export function RulesCard({ data: { rules } }: { data: OperatorRouting }) {
  const { routing, today, panel, language } = useTexts();
  return (
    <Card title={routing.rules.title} hint={routing.rules.hint}>
      <Table
        label={routing.rules.title}
        columns={[
          { title: routing.rules.rule },
          { title: routing.tickets, isNumber: true },
          { title: today.match.claimed, isNumber: true },
        ]}
        rows={rules.map(({ rule, tickets, claimed }) => ({
          key: rule,
          cells: [panel.routingReasons.rule[rule], number(language, tickets), number(language, claimed)],
        }))}
      />
    </Card>
  );
}

/** When the tickets came. */
export function HoursCard({ data: { by_hour, tickets } }: { data: OperatorRouting }) {
  const { routing } = useTexts();
  const at = useMemo(() => by_hour.map((hour) => hour.at), [by_hour]);
  const series = useMemo(
    () => [{ label: routing.tickets, colour: '--info' as const, values: by_hour.map((hour) => hour.tickets) }],
    [by_hour, routing],
  );
  return (
    <Card title={routing.byHour}>
      {tickets === 0 ? (
        <p className="text-sm text-ink-2">{routing.none}</p>
      ) : (
        <Chart title={routing.byHour} isTitled at={at} series={series} kind="bars" />
      )}
    </Card>
  );
}

/** What was routed without something that failed, and what became of it. */
export function FailuresCard({ data: { fallbacks, found, repairs, kept, tickets } }: { data: OperatorRouting }) {
  const { routing, language } = useTexts();
  const fell = fallbacks.filter(({ tickets }) => tickets > 0);
  return (
    <Card title={routing.failures.title}>
      {fell.length === 0 ? (
        <p className="text-sm text-ink-2">{tickets === 0 ? routing.none : routing.failures.none}</p>
      ) : (
        <Table
          label={routing.failures.title}
          columns={[
            { title: routing.failures.what },
            { title: routing.tickets, isNumber: true },
            { title: routing.failures.open, isNumber: true },
          ]}
          rows={fell.map(({ fallback, tickets: count, open }) => ({
            key: fallback,
            cells: [routing.fallback[fallback], number(language, count), number(language, open)],
          }))}
        />
      )}
      <dl className="grid grid-cols-[1fr_auto] gap-x-3 gap-y-1 text-sm [&>dd]:text-end">
        <dt className="text-ink-2">{routing.failures.swept}</dt>
        <dd className={found.sweep > 0 ? 'font-semibold text-warn' : undefined}>
          {routing.failures.of(number(language, found.sweep), number(language, found.webhook + found.sweep))}
        </dd>
        <dt className="text-ink-2">{routing.failures.repairs}</dt>
        <dd>{number(language, repairs)}</dd>
        <dt className="text-ink-2">{routing.failures.kept}</dt>
        <dd>{number(language, kept)}</dd>
      </dl>
    </Card>
  );
}
