import { useAsked } from '#api/use-asked.ts';
import { useTexts } from '#i18n/texts.ts';
import { Asked } from '#ui/asked.tsx';
import { startOfToday, timeOfDay } from '#ui/time.ts';
import { CrmCard } from './crm-card.tsx';
import { ExpiringCard } from './expiring-card.tsx';
import { HealthCard } from './health-card.tsx';
import { ProofCard } from './proof-card.tsx';
import { UnknownCard, WaitingCard } from './ticket-cards.tsx';
import { TicketsCard } from './tickets-card.tsx';

const everyMs = 30_000;

/** What today has brought, and what is wrong. */
export function TodayPage({ mayChange }: { mayChange: boolean }) {
  const { today } = useTexts();
  const question = useAsked('today', { since: startOfToday() }, everyMs);
  return (
    <>
      <HealthCard />
      {mayChange && <ProofCard />}
      <Asked question={question} rows={6}>
        {(data) => (
          <>
            <div className="grid items-start gap-4 lg:grid-cols-2">
              <TicketsCard data={data} />
              <CrmCard crm={data.crm} />
              <WaitingCard data={data} />
              <UnknownCard data={data} />
            </div>
            <ExpiringCard />
            <p className="text-xs text-ink-3">{today.asOf(timeOfDay(data.as_of))}</p>
          </>
        )}
      </Asked>
    </>
  );
}
