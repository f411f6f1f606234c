import { Button } from '@deskside/extension/ui/button';
import { Tag } from '@deskside/extension/ui/tag';
import type { CustomerMatch, MatchCandidate, MatchFact, MatchVerdict } from '@deskside/shared/operator/customers';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callOperator } from '#api/call.ts';
import { useTexts } from '#i18n/texts.ts';
import { Card } from '#ui/card.tsx';
import { Failure } from '#ui/failure.tsx';
import { ShowMore } from '#ui/show-more.tsx';

/** As many companies as a person compares. */
const mostCandidates = 4;

const tones = { certain: 'ok', likely: 'info', several: 'warn', none: 'neutral' } as const satisfies Record<
  MatchVerdict,
  string
>;

/** The customers of one verdict, each beside the company that it may be. */
export function VerdictCard(props: { verdict: MatchVerdict; matches: readonly CustomerMatch[]; mayChange: boolean }) {
  const { verdict, matches, mayChange } = props;
  const { customers: texts } = useTexts();
  const { title, hint } = texts.verdicts[verdict];
  return (
    <Card title={title} hint={hint} aside={<Tag tone={tones[verdict]}>{matches.length}</Tag>}>
      {matches.length === 0 && <p className="text-sm text-ink-2">{texts.none}</p>}
      <ShowMore items={matches} atOnce={20} label={texts.more}>
        {(shown) => (
          <ul className="flex flex-col empty:hidden">
            {shown.map((match) => (
              <Match key={match.customer} match={match} mayChange={mayChange} />
            ))}
          </ul>
        )}
      </ShowMore>
    </Card>
  );
}

function Match({ match, mayChange }: { match: CustomerMatch; mayChange: boolean }) {
  const { customers: texts } = useTexts();
  const { customer, verdict, candidates, rivals = [], taken_back } = match;
  const isLed = verdict === 'certain' || verdict === 'likely';
  const shown = candidates.slice(0, isLed ? 1 : mostCandidates);
  return (
    <li className="grid gap-x-6 gap-y-2 border-b border-line py-3 first:pt-0 last:border-0 last:pb-0 md:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
      <div className="flex min-w-0 flex-col gap-1">
        <span className="text-xs text-ink-3">{texts.helpdesk}</span>
        <h3 className="text-sm font-semibold wrap-anywhere">
          <bdi>{customer}</bdi>
        </h3>
        {taken_back && <Tag tone="warn">{texts.takenBack}</Tag>}
        {rivals.length > 0 && <Tag tone="warn">{texts.rivals(rivals.join(', '))}</Tag>}
      </div>
      <div className="flex min-w-0 flex-col gap-3">
        {shown.length === 0 && <p className="text-sm text-ink-3">{texts.nothingAgrees}</p>}
        {shown.map((candidate) => (
          <Candidate key={candidate.crm_id} customer={customer} candidate={candidate} mayChange={mayChange} />
        ))}
      </div>
    </li>
  );
}

function Candidate(props: { customer: string; candidate: MatchCandidate; mayChange: boolean }) {
  const { customer, candidate, mayChange } = props;
  const { customers: texts } = useTexts();
  const queries = useQueryClient();
  const { org_id, crm_id, name, url, facts, customer: taken } = candidate;
  const accept = useMutation({
    mutationFn: (orgId: NonNullable<typeof org_id>) => callOperator('acceptMatch', { customer, org_id: orgId }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['customers'] }),
  });
  const company = name ?? crm_id;
  const outcome = accept.data?.outcome;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-col gap-1 text-sm wrap-anywhere">
          <span className="text-xs text-ink-3">{texts.crm}</span>
          <span className="font-semibold">
            {url === null ? (
              <bdi>{company}</bdi>
            ) : (
              <a href={url} target="_blank" rel="noreferrer">
                <bdi>{company}</bdi>
              </a>
            )}
          </span>
          <span className="text-xs text-ink-2">{org_id === null ? texts.noOrgId : texts.orgId(org_id)}</span>
        </div>
        {mayChange && org_id !== null && taken === null && (
          <Button
            busy={accept.isPending}
            onClick={() => accept.mutate(org_id)}
            aria-label={texts.acceptOf(customer, company)}
          >
            {texts.accept}
          </Button>
        )}
      </div>
      <Facts facts={facts} />
      {taken !== null && <p className="text-sm text-ink-2 wrap-anywhere">{texts.taken(taken)}</p>}
      {accept.isError && <Failure error={accept.error} onRetry={() => org_id !== null && accept.mutate(org_id)} />}
      {outcome !== undefined && outcome !== 'adopted' && (
        <p role="status" className="text-sm text-warn">
          {texts.outcome[outcome]}
        </p>
      )}
    </div>
  );
}

/** What agrees, as each side has it. */
function Facts({ facts }: { facts: readonly MatchFact[] }) {
  const { customers: texts } = useTexts();
  return (
    <table className="w-full table-fixed text-xs" aria-label={texts.agrees}>
      <thead className="sr-only">
        <tr>
          <th scope="col" className="w-24">
            {texts.agrees}
          </th>
          <th scope="col">{texts.helpdesk}</th>
          <th scope="col">{texts.crm}</th>
        </tr>
      </thead>
      <tbody>
        {facts.map(({ code, value, of, weight }) => (
          <tr key={`${code} ${value}`} className="align-baseline">
            <th scope="row" className="w-24 py-0.5 pe-3 wrap-anywhere text-start font-normal text-ink-3">
              {texts.facts[code]}
            </th>
            <td className="py-0.5 pe-3 wrap-anywhere">
              <bdi>{value}</bdi>
            </td>
            <td className="py-0.5 wrap-anywhere">
              <bdi>{of}</bdi> {weight !== 'full' && <Tag tone="neutral">{texts.weights[weight]}</Tag>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
