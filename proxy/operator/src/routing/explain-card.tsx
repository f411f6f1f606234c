import { TextsContext as PanelTexts } from '@deskside/extension/i18n/texts-context';
import { Decision } from '@deskside/extension/routing/decision';
import { decisionModel, decisionTitle } from '@deskside/extension/routing/decision-model';
import { Button } from '@deskside/extension/ui/button';
import type { RoutingDecisions } from '@deskside/shared/routing';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { callOperator } from '#api/call.ts';
import { useTexts } from '#i18n/texts.ts';
import { Asked } from '#ui/asked.tsx';
import { Card } from '#ui/card.tsx';
import { TicketLink } from '#ui/ticket-link.tsx';
import { triggerOf } from './trigger.ts';

/** One ticket's decisions, explained as the panel explains them. */
export function ExplainCard() {
  const { routing } = useTexts();
  const [ticket, setTicket] = useState<string | null>(null);
  const question = useQuery({
    queryKey: ['decisions', ticket],
    queryFn: ({ signal }) => callOperator('decisions', { ticket: ticket ?? '' }, signal),
    enabled: ticket !== null,
    staleTime: 0,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const wanted = String(new FormData(event.currentTarget).get('ticket') ?? '').trim();
    if (wanted === ticket) void question.refetch();
    else if (wanted !== '') setTicket(wanted);
  };
  return (
    <Card title={routing.explain.title} hint={routing.explain.hint}>
      <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
        <label className="flex min-w-0 flex-col gap-1 text-sm">
          {routing.explain.label}
          <input
            name="ticket"
            maxLength={140}
            required
            autoComplete="off"
            className="min-h-9 w-40 rounded-md border border-edge bg-paper px-2 text-ink"
          />
        </label>
        <Button type="submit" icon="search" busy={question.isFetching} className="min-h-9">
          {routing.explain.show}
        </Button>
      </form>
      {ticket !== null && (
        <div aria-live="polite">
          <Asked question={question}>{(found) => <Explained found={found} />}</Asked>
        </div>
      )}
    </Card>
  );
}

function Explained({ found: { ticket, decisions, names = {} } }: { found: RoutingDecisions }) {
  const { routing, panel } = useTexts();
  if (decisions.length === 0) return <p className="text-sm text-ink-2">{routing.explain.none}</p>;
  return (
    <PanelTexts value={panel}>
      <h3 className="mb-2 flex flex-wrap items-center gap-x-1.5 text-sm font-semibold">
        {routing.explain.ticket('')}
        <TicketLink name={ticket} />
      </h3>
      <ol className="flex flex-col gap-4">
        {decisions.map((decision, nth) => (
          <li key={decision.id} className="flex max-w-180 flex-col gap-2 rounded-lg border border-line p-3 text-sm">
            <h4 className="text-xs font-semibold text-ink-2">
              {nth === 0 ? routing.latest : routing.earlier} · <bdi>{decisionTitle(decision, panel)}</bdi>
            </h4>
            <p className="text-xs text-ink-2">{triggerOf(decision, routing)}</p>
            <Decision
              model={decisionModel(decision, panel, { now: Date.now(), group: null, superseded: nth > 0, names })}
            />
          </li>
        ))}
      </ol>
    </PanelTexts>
  );
}
