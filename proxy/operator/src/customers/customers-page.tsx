import { dateTime } from '@deskside/extension/i18n/format';
import { Button } from '@deskside/extension/ui/button';
import { Note } from '@deskside/extension/ui/note';
import { type CustomerMatches, matchVerdicts } from '@deskside/shared/operator/customers';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callOperator } from '#api/call.ts';
import { useAsked } from '#api/use-asked.ts';
import { useTexts } from '#i18n/texts.ts';
import { Asked } from '#ui/asked.tsx';
import { Card } from '#ui/card.tsx';
import { Failure } from '#ui/failure.tsx';
import { AcceptAll } from './accept-all.tsx';
import { AcceptedCard } from './accepted-card.tsx';
import { VerdictCard } from './verdict-card.tsx';

const everyMs = 3_000;

/** Which companies the customers are that people made by hand; System Managers accept it. */
export function CustomersPage({ mayChange }: { mayChange: boolean }) {
  const { customers: texts } = useTexts();
  const question = useAsked('customers', {}, everyMs);
  return (
    <>
      {!mayChange && <Note tone="info" title={texts.mayNot} />}
      <Asked question={question} rows={6}>
        {(data) =>
          data.has_crm ? (
            <>
              <LookCard data={data} mayChange={mayChange} />
              {data.run && (
                <>
                  {mayChange && <AcceptAll data={data} />}
                  {matchVerdicts.map((verdict) => (
                    <VerdictCard
                      key={verdict}
                      verdict={verdict}
                      matches={data.matches.filter((match) => match.verdict === verdict)}
                      mayChange={mayChange}
                    />
                  ))}
                  <AcceptedCard accepted={data.accepted} mayChange={mayChange} />
                </>
              )}
            </>
          ) : (
            <Note tone="warn" title={texts.noCrm} />
          )
        }
      </Asked>
    </>
  );
}

/** How far the last look has come, and the way to another one. */
function LookCard({ data: { run, matches, accepted }, mayChange }: { data: CustomerMatches; mayChange: boolean }) {
  const { customers: texts } = useTexts();
  const queries = useQueryClient();
  const begin = useMutation({
    mutationFn: () => callOperator('matchCustomers', {}),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['customers'] }),
  });
  const isUnderWay = run !== null && !run.is_done;
  return (
    <Card title={texts.look.title} hint={texts.look.hint}>
      {run === null && <p className="text-sm text-ink-2">{texts.look.never}</p>}
      {run && (
        <div role="status" className="flex flex-col gap-2 text-sm">
          <p>
            {isUnderWay
              ? texts.progress(run.done, run.total)
              : texts.stands(run.done, run.total, dateTime(run.begun_at))}
          </p>
          {isUnderWay && (
            <progress
              className="h-2 w-full max-w-120 accent-ink"
              aria-label={texts.look.title}
              max={run.total || 1}
              value={run.done}
            />
          )}
        </div>
      )}
      {run && run.failed > 0 && <Note tone="warn" title={texts.failed(run.failed)} />}
      {run?.is_done && matches.length + accepted.length + run.failed === 0 && (
        <p className="text-sm text-ink-2">{texts.nothing}</p>
      )}
      {begin.isError && <Failure error={begin.error} onRetry={() => begin.mutate()} />}
      {mayChange && !isUnderWay && (
        <div>
          <Button solid={run === null} icon="refresh" busy={begin.isPending} onClick={() => begin.mutate()}>
            {run === null ? texts.look.begin : texts.look.again}
          </Button>
        </div>
      )}
    </Card>
  );
}
