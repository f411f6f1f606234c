import { Note } from '@deskside/extension/ui/note';
import { Tag } from '@deskside/extension/ui/tag';
import type { OperatorHealth } from '@deskside/shared/operator/today';
import { useAsked } from '#api/use-asked.ts';
import { useTexts } from '#i18n/texts.ts';
import { Asked } from '#ui/asked.tsx';
import { Card } from '#ui/card.tsx';
import { timeOfDay } from '#ui/time.ts';

const everyMs = 30_000;

/** What is wrong and how to mend it, as `doctor` says it. */
export function HealthCard() {
  const { today } = useTexts();
  const question = useAsked('health', {}, everyMs);
  return (
    <Card
      title={today.health.title}
      aside={
        question.data && (
          <span className="text-xs text-ink-3">{today.health.checked(timeOfDay(question.data.checked_at))}</span>
        )
      }
    >
      {question.isPending && <p className="text-sm text-ink-3">{today.health.checking}</p>}
      <Asked question={question}>{(health) => <Findings health={health} />}</Asked>
    </Card>
  );
}

function Findings({ health: { findings, not_checked } }: { health: OperatorHealth }) {
  const { today, language } = useTexts();
  // Faults before warnings.
  const ordered = findings.toSorted((a, b) => a.severity.localeCompare(b.severity));
  return (
    <>
      {findings.length === 0 && <Note tone="ok" title={today.health.fine} />}
      {findings.length > 0 && (
        <ul className="flex flex-col gap-3">
          {ordered.map((finding) => (
            <Finding key={`${finding.code} ${finding.problem}`} finding={finding} />
          ))}
        </ul>
      )}
      {not_checked.length > 0 && (
        <details className="text-sm text-ink-2" lang={language}>
          <summary className="w-fit rounded-sm py-1 text-xs hover:text-ink">{today.health.notChecked}</summary>
          <ul className="list-disc ps-5" lang="en">
            {not_checked.map(({ area, why }) => (
              <li key={`${area} ${why}`} className="wrap-anywhere">
                {area}: {why}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Finding({
  finding: { area, code, severity, problem, remedy },
}: {
  finding: OperatorHealth['findings'][number];
}) {
  const { health } = useTexts().today;
  const said = health.said[code];
  return (
    <li className="flex flex-col gap-0.5 text-sm wrap-anywhere">
      <span className="flex flex-wrap items-center gap-2">
        <Tag tone={severity === 'error' ? 'bad' : 'warn'} icon="alert">
          {health[severity]}
        </Tag>
        {!said && (
          <span className="text-xs text-ink-3" lang="en">
            {area}
          </span>
        )}
      </span>
      <span className="font-medium" {...(!said && { lang: 'en' })}>
        {said?.[0] ?? problem}
      </span>
      <span className="text-ink-2">
        {health.remedy}: {said ? said[1] : <span lang="en">{remedy}</span>}
      </span>
      {said && (
        <details className="text-ink-3">
          <summary className="w-fit rounded-sm py-1 text-xs hover:text-ink">{health.details}</summary>
          <p lang="en">
            {problem} {remedy}
          </p>
        </details>
      )}
    </li>
  );
}
