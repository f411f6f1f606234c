import { useAsked } from '#api/use-asked.ts';
import { useTexts } from '#i18n/texts.ts';
import { Asked } from '#ui/asked.tsx';
import { startOfToday, timeOfDay } from '#ui/time.ts';
import { ExplainCard } from './explain-card.tsx';
import { FailuresCard, HoursCard, RulesCard } from './routing-cards.tsx';
import { TeamsCard } from './teams-card.tsx';

const everyMs = 30_000;

/** Where the day's tickets went, and why one of them went where it did. */
export function RoutingPage() {
  const { today } = useTexts();
  const question = useAsked('routing', { since: startOfToday() }, everyMs);
  return (
    <>
      <ExplainCard />
      <Asked question={question} rows={6}>
        {(data) => (
          <>
            <TeamsCard data={data} />
            <div className="grid items-start gap-4 lg:grid-cols-2">
              <RulesCard data={data} />
              <div className="flex min-w-0 flex-col gap-4">
                <HoursCard data={data} />
                <FailuresCard data={data} />
              </div>
            </div>
            <p className="text-xs text-ink-3">{today.asOf(timeOfDay(data.as_of))}</p>
          </>
        )}
      </Asked>
    </>
  );
}
