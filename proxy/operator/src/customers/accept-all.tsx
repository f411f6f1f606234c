import { Button } from '@deskside/extension/ui/button';
import { Note } from '@deskside/extension/ui/note';
import type { AcceptedMatch, CustomerMatches } from '@deskside/shared/operator/customers';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CallFailed, callOperator } from '#api/call.ts';
import { useTexts } from '#i18n/texts.ts';
import { Failure } from '#ui/failure.tsx';

/** Accepts all that are certain, a few at a time, and says which were left as they are. */
export function AcceptAll({ data: { run, matches } }: { data: CustomerMatches }) {
  const { customers: texts } = useTexts();
  const queries = useQueryClient();
  const [done, setDone] = useState<{ accepted: number; total: number } | null>(null);
  const count = matches.filter(({ verdict }) => verdict === 'certain').length;
  const acceptAll = useMutation({
    async mutationFn(judged_at: string) {
      const order = { judged_at, batch: crypto.randomUUID() };
      const all: AcceptedMatch[] = [];
      for (let after: string | null = null; ; ) {
        setDone({ accepted: all.length, total: count });
        const { accepted, next }: { accepted: AcceptedMatch[]; next: string | null } = await callOperator(
          'acceptCertain',
          {
            ...order,
            after,
          },
        );
        all.push(...accepted);
        if (next === null) return all;
        after = next;
      }
    },
    onSettled: async () => {
      setDone(null);
      await queries.invalidateQueries({ queryKey: ['customers'] });
    },
  });
  const leftOut = acceptAll.data?.filter(({ outcome }) => outcome !== 'adopted') ?? [];
  const isOutdated = acceptAll.error instanceof CallFailed && acceptAll.error.failure.code === 'changed_since';
  return (
    <div className="flex flex-col gap-3 empty:hidden">
      {count > 0 && run?.is_done && (
        <div className="flex flex-wrap items-center gap-3">
          <Button solid icon="check" busy={acceptAll.isPending} onClick={() => acceptAll.mutate(run.begun_at)}>
            {texts.acceptAll(count)}
          </Button>
          {done && (
            <span role="status" className="text-sm text-ink-2">
              {texts.accepting(done.accepted, done.total)}
            </span>
          )}
        </div>
      )}
      {acceptAll.isError &&
        (isOutdated ? (
          <div role="alert">
            <Note tone="warn" title={texts.changedSince} />
          </div>
        ) : (
          <Failure error={acceptAll.error} onRetry={() => run && acceptAll.mutate(run.begun_at)} />
        ))}
      {leftOut.length > 0 && (
        <div role="status">
          <Note tone="warn" title={texts.leftOut(leftOut.length)}>
            <ul className="mt-1 flex flex-col gap-1">
              {leftOut.map(({ customer, outcome, other }) => (
                <li key={customer}>
                  <bdi className="font-medium">{customer}</bdi>: {outcome !== 'adopted' && texts.outcome[outcome]}{' '}
                  {other && <bdi>({other})</bdi>}
                </li>
              ))}
            </ul>
          </Note>
        </div>
      )}
    </div>
  );
}
