import { number } from '@deskside/extension/i18n/format';
import type { OperatorToday } from '@deskside/shared/operator/today';
import { useMemo } from 'react';
import { useTexts } from '#i18n/texts.ts';
import { Card } from '#ui/card.tsx';
import { Chart, type Series } from '#ui/chart.tsx';
import { Figures } from '#ui/figures.tsx';

const kinds = [
  ['matched', '--ok'],
  ['claimed', '--warn'],
  ['unknown', '--edge'],
] as const;

/** How much is known of who wrote the day's tickets. */
export function TicketsCard({ data: { tickets, by_hour } }: { data: OperatorToday }) {
  const { today, language } = useTexts();
  const at = useMemo(() => by_hour.map((hour) => hour.at), [by_hour]);
  const series = useMemo(
    () =>
      kinds.map(
        ([kind, colour]): Series => ({ label: today.match[kind], colour, values: by_hour.map((h) => h[kind]) }),
      ),
    [by_hour, today],
  );
  const isEmpty = kinds.every(([kind]) => tickets[kind] === 0);
  return (
    <Card title={today.tickets.title} hint={today.tickets.hint}>
      <Figures
        figures={kinds.map(([kind]) => ({
          label: today.match[kind],
          value: number(language, tickets[kind]),
          hint: today.matchHint[kind],
        }))}
      />
      {isEmpty ? (
        <p className="text-sm text-ink-2">{today.tickets.none}</p>
      ) : (
        <Chart title={today.tickets.chart} at={at} series={series} kind="bars" />
      )}
    </Card>
  );
}
