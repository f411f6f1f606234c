import { number } from '@deskside/extension/i18n/format';
import type { OperatorToday } from '@deskside/shared/operator/today';
import { crmErrorCodes } from '@deskside/shared/status';
import { useMemo } from 'react';
import { type Texts, useTexts } from '#i18n/texts.ts';
import { Card } from '#ui/card.tsx';
import { Chart } from '#ui/chart.tsx';
import { Figures } from '#ui/figures.tsx';
import { Table } from '#ui/table.tsx';
import { timeOfDay } from '#ui/time.ts';

type Crm = NonNullable<OperatorToday['crm']>;

/** How the CRM answers, and how much of its budget is left. */
export function CrmCard({ crm }: { crm: OperatorToday['crm'] }) {
  const { today } = useTexts();
  return (
    <Card title={today.crm.title} hint={crm ? today.crm.hint(beganAt(crm)) : undefined}>
      {crm ? <Answers crm={crm} /> : <p className="text-sm text-ink-2">{today.crm.notSetUp}</p>}
    </Card>
  );
}

function Answers({ crm }: { crm: Crm }) {
  const { last_hour, stretches, errors, lanes } = crm;
  const texts = useTexts();
  const { language, today } = texts;
  const at = useMemo(() => stretches.map((stretch) => stretch.at), [stretches]);
  const series = useMemo(
    () => [{ label: today.crm.slow, colour: '--info' as const, values: stretches.map(({ p95_ms }) => p95_ms) }],
    [stretches, today],
  );
  const time = (ms: number | null) => (ms === null ? '–' : today.milliseconds(number(language, ms)));
  return (
    <>
      <Figures
        figures={[
          { label: today.crm.requests, value: number(language, last_hour.requests) },
          { label: today.crm.failed, value: number(language, last_hour.failed) },
          { label: today.crm.typical, value: time(last_hour.p50_ms) },
          { label: today.crm.slow, value: time(last_hour.p95_ms) },
        ]}
      />
      {last_hour.requests === 0 ? (
        <p className="text-sm text-ink-2">{today.crm.none(beganAt(crm))}</p>
      ) : (
        <Chart title={today.crm.chart} at={at} series={series} kind="line" />
      )}
      {errors.length > 0 && (
        <Table
          label={today.crm.errors}
          columns={[{ title: today.crm.errors }, { title: today.crm.requests, isNumber: true }]}
          rows={errors.map(({ code, requests }) => ({
            key: code,
            cells: [errorText(code, texts), number(language, requests)],
          }))}
        />
      )}
      <Table
        label={today.crm.lanes}
        columns={[
          { title: today.crm.lanes },
          { title: today.crm.left, isNumber: true },
          { title: today.crm.waiting, isNumber: true },
        ]}
        rows={lanes.map(({ lane, left, waiting }) => ({
          key: lane,
          cells: [today.crm.name[lane], number(language, left), number(language, waiting)],
        }))}
      />
    </>
  );
}

/** When the process began, where the last hour is not all its own. */
function beganAt({ since, last_hour }: Crm): string | null {
  return since > last_hour.at ? timeOfDay(since) : null;
}

/** The panel's words for it. */
function errorText(code: string, { panel }: Texts): string {
  const known = crmErrorCodes.find((one) => one === code);
  return known === undefined ? code : panel.routingInputs.crmError[known];
}
