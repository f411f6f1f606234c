import { dateTime } from '@deskside/extension/i18n/format';
import { Button } from '@deskside/extension/ui/button';
import type { CustomerMatches } from '@deskside/shared/operator/customers';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callOperator } from '#api/call.ts';
import { useTexts } from '#i18n/texts.ts';
import { Card } from '#ui/card.tsx';
import { Failure } from '#ui/failure.tsx';
import { ShowMore } from '#ui/show-more.tsx';

type Accepted = CustomerMatches['accepted'];

/** What has been accepted, and the way back: for each by itself, and for all that were accepted at once. */
export function AcceptedCard({ accepted, mayChange }: { accepted: Accepted; mayChange: boolean }) {
  const { customers: texts } = useTexts();
  const batches = [
    ...Map.groupBy(
      accepted.filter(({ batch }) => batch !== null),
      ({ batch }) => batch ?? '',
    ),
  ];
  return (
    <Card title={texts.accepted.title} hint={accepted.length > 0 ? texts.accepted.hint : undefined}>
      {accepted.length === 0 && <p className="text-sm text-ink-2">{texts.accepted.none}</p>}
      {batches.map(([batch, [first, ...others]]) => (
        <div key={batch} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm">
          <span>{first && texts.batch(1 + others.length, dateTime(first.at), first.by ?? '')}</span>
          {mayChange && <Undo what={{ batch }} label={texts.undoBatch} />}
        </div>
      ))}
      <ShowMore items={accepted} atOnce={20} label={texts.more}>
        {(shown) => (
          <ul className="flex flex-col empty:hidden">
            {shown.map(({ id, customer, org_id, company_name, by, at }) => (
              <li
                key={id}
                className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-line py-2 text-sm wrap-anywhere"
              >
                <span className="flex min-w-0 flex-col">
                  <bdi className="font-medium">{customer}</bdi>
                  <span className="text-xs text-ink-3">
                    {company_name && <bdi>{company_name}</bdi>} {texts.orgId(org_id)} · {dateTime(at)} · <bdi>{by}</bdi>
                  </span>
                </span>
                {mayChange && <Undo what={{ id }} label={texts.accepted.undo} name={texts.accepted.undoOf(customer)} />}
              </li>
            ))}
          </ul>
        )}
      </ShowMore>
    </Card>
  );
}

function Undo({ what, label, name }: { what: { id: string } | { batch: string }; label: string; name?: string }) {
  const { customers: texts } = useTexts();
  const queries = useQueryClient();
  const [left, setLeft] = useState(0);
  const undo = useMutation({
    async mutationFn() {
      for (let more = 1; more > 0; ) {
        more = (await callOperator('undoAccepted', what)).left;
        setLeft(more);
      }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['customers'] }),
  });
  return (
    <span className="flex flex-wrap items-center gap-2">
      {left > 0 && (
        <span role="status" className="text-xs text-ink-2">
          {texts.undoing(left)}
        </span>
      )}
      <Button icon="undo" busy={undo.isPending} onClick={() => undo.mutate()} aria-label={name}>
        {label}
      </Button>
      {undo.isError && <Failure error={undo.error} onRetry={() => undo.mutate()} />}
    </span>
  );
}
