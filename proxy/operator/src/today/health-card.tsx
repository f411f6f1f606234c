import { Note } from '@deskside/extension/ui/note';
import type { OperatorHealth } from '@deskside/shared/operator/today';
import { useAsked } from '#api/use-asked.ts';
import { useTexts } from '#i18n/texts.ts';
import { Asked } from '#ui/asked.tsx';
import { Card } from '#ui/card.tsx';
import { FindingList } from '#ui/finding-list.tsx';
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
  return (
    <>
      {findings.length === 0 && <Note tone="ok" title={today.health.fine} />}
      <FindingList findings={findings} />
      {not_checked.length > 0 && (
        <details className="text-sm text-ink-2" lang={language}>
          <summary className="w-fit rounded-sm py-1 text-xs hover:text-ink">{today.health.notChecked}</summary>
          <ul className="list-disc ps-5">
            {not_checked.map(({ area, why }) => (
              <li key={`${area} ${why}`} className="wrap-anywhere">
                {today.health.areas[area] ?? area}: {today.health.unchecked[why] ?? <span lang="en">{why}</span>}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
