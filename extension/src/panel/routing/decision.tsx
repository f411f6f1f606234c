import type { Finding, RoutingDecision, RoutingInputs } from '@deskside/shared/routing';
import clsx from 'clsx';
import { ago, dateTime, labelFor } from '#i18n/format.ts';
import { Copy, type PanelRow, Rows } from '#panel/parts/rows.tsx';
import { agentName, trustReason } from '#panel/parts/trust.ts';
import { crmErrorTitle } from '#panel/status/failure.ts';
import { type Texts, useTexts } from '#panel/texts/texts.ts';
import { Icon } from '#ui/icon.tsx';
import { Note, type Tone } from '#ui/note.tsx';
import { WithNames } from '#ui/with-names.tsx';

export function Decision({ model }: { model: DecisionModel }) {
  const { routing, routingInputs } = useTexts();
  const { sentence, names, moved, note, inputs, candidates, findings, made, reason } = model;
  return (
    <div className="flex flex-col gap-2">
      <p className="wrap-anywhere">
        <WithNames text={sentence} names={names} />
      </p>
      {moved && (
        <p className="font-medium text-warn wrap-anywhere">
          <bdi>{moved}</bdi>
        </p>
      )}
      {note && (
        <Note tone={note.tone} title={note.title}>
          {note.body && <p>{note.body}</p>}
        </Note>
      )}
      <Rows rows={inputs} />
      {candidates.length > 0 && <Candidates candidates={candidates} />}
      {findings.length > 0 && (
        <div>
          <p className="text-xs font-semibold text-ink-3">{routingInputs.findings}</p>
          <ul>
            {findings.map(({ key, what, where, quote }) => (
              <li key={key} className="py-1 wrap-anywhere">
                <bdi>{what}</bdi>
                <p className="text-xs text-ink-3">
                  <bdi>{where}</bdi>{' '}
                  {quote && (
                    <q className="text-ink-2">
                      <bdi>{quote}</bdi>
                    </q>
                  )}
                </p>
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className="hosts-copy flex items-start gap-1 text-xs text-ink-3 wrap-anywhere">
        <p className="min-w-0 flex-1">
          {made}. {routing.reason}: <bdi className="reason">{reason}</bdi>
        </p>
        <Copy text={reason} />
      </div>
    </div>
  );
}

function Candidates({ candidates }: Pick<DecisionModel, 'candidates'>) {
  const { routing } = useTexts();
  return (
    <div>
      <p className="text-xs font-semibold text-ink-3">{routing.members(candidates.length)}</p>
      <ol className="max-h-60 overflow-y-auto">
        {candidates.map(({ user, name, text, chosen }) => (
          <li key={user} className="flex min-h-7 items-center gap-2 wrap-anywhere">
            <span aria-hidden="true" className={clsx('inline-flex w-3 shrink-0', chosen && 'text-ok')}>
              {chosen && <Icon name="check" size={12} />}
            </span>
            <span className={chosen ? 'font-medium' : 'text-ink-2'}>
              <bdi>{name}</bdi> <span className="text-xs font-normal text-ink-3">{text}</span>
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** One decision in words. Text from outside is shown as text only. */
type DecisionModel = ReturnType<typeof decisionModel>;

export interface DecisionContext {
  now: number;
  /** The ticket's current group according to the profile; null if unknown. */
  group: string | null;
  /** Whether there is a newer decision. */
  superseded: boolean;
  /** What the helpdesk has against writing the latest one; null if nothing. */
  refused: string | null;
  /** Full names of the helpdesk's users, as far as they are known. */
  names: Readonly<Record<string, string>>;
}

export function decisionModel(decision: RoutingDecision, t: Texts, around: DecisionContext) {
  const { inputs, outcome, assignment, decided_at, cause } = decision;
  return {
    ...sentenceOf(decision, t, around.names),
    moved: movedOf(decision, t, around),
    note: noteOf(decision, t, around),
    inputs: inputRows(decision, t, around.names),
    candidates: assignment.candidates.map(({ user, reason }) => ({
      user,
      name: agentName(user, around.names),
      text: t.routingReasons.candidate[reason],
      chosen: reason === 'next_in_turn',
    })),
    /** What intake found in the ticket, and addresses named by the sender that gave no org id. */
    findings: [...inputs.findings.map((finding) => findingOf(finding, t)), ...unopened(decision, t, around.superseded)],
    made: `${dateTime(decided_at)}, ${ago(t.language, around.now - Date.parse(decided_at))}. ${t.routing.cause[cause]}`,
    reason: outcome.reason,
  };
}

/** The team that the decision gave the ticket, or left it in. */
export function teamOf({ inputs, outcome }: RoutingDecision): string | null {
  return outcome.team ?? (outcome.fallback === 'team_missing' ? null : (inputs.agent_group?.name ?? null));
}

function sentenceOf(decision: RoutingDecision, t: Texts, known: DecisionContext['names']) {
  const { inputs, outcome, state, assignment } = decision;
  const { routingReasons: words } = t;
  const team = teamOf(decision) ?? t.routing.noTeam;
  const agent = assignment.agent === null ? '' : agentName(assignment.agent, known);
  const plan = factsOf(inputs).shop_plan;
  const names = [team, agent, ...(plan ? [plan] : [])];
  if (state === 'overruled') return { sentence: words.overruled(team), names };
  if (outcome.fallback === 'team_missing') return { sentence: words.teamMissing, names };
  const clause = assignment.state === 'none' ? null : words.agentClause[assignment.state](agent);
  return { sentence: words.sentence(team, becauseOf(decision, t), clause), names };
}

function becauseOf({ inputs, outcome }: RoutingDecision, { routingReasons: words, routingInputs }: Texts): string {
  const rule = outcome.rules.find(({ hit }) => hit)?.rule ?? null;
  if (rule === null) return words.becauseUnknown;
  if (rule === 'group_kept') return words.becauseKept[inputs.agent_group?.set_by ?? 'person'];
  const { segment, shop_plan } = factsOf(inputs);
  return words.because[rule](segment ?? routingInputs.notSet, shop_plan ?? routingInputs.notSet);
}

function factsOf({ looked_up, customer, ticket_segment }: RoutingInputs) {
  return looked_up ?? customer ?? { segment: ticket_segment, shop_plan: null };
}

function movedOf(decision: RoutingDecision, t: Texts, { group, superseded }: DecisionContext): string | null {
  if (superseded || group === null || decision.state === 'planned' || group === teamOf(decision)) return null;
  return t.routing.movedTo(group);
}

function noteOf(
  { state, outcome }: RoutingDecision,
  t: Texts,
  { superseded, refused }: DecisionContext,
): { tone: Tone; title: string; body: string } | null {
  const { fallback, fallbackSince } = t.routingReasons;
  if (refused !== null && state === 'planned' && !superseded)
    return { tone: 'bad', title: t.routing.refused, body: t.routing.refusedBecause(refused) };
  if (outcome.fallback && state !== 'overruled') {
    const { title, later } = fallback[outcome.fallback];
    if (superseded) return { tone: 'neutral', title, body: fallbackSince };
    return { tone: outcome.fallback === 'team_missing' ? 'bad' : 'warn', title, body: later };
  }
  return state === 'planned' ? { tone: 'info', title: t.routing.planned, body: '' } : null;
}

function inputRows(decision: RoutingDecision, t: Texts, names: DecisionContext['names']): PanelRow[] {
  const { inputs, outcome, link } = decision;
  const { routingInputs: texts } = t;
  const { customer, crm, agent_group: group, adoption } = inputs;
  return [
    orgIdRow(decision, t, names),
    { label: texts.customer, value: customer?.name ?? texts.noCustomer },
    segmentRow(inputs, t),
    { label: texts.plan, value: factsOf(inputs).shop_plan ?? texts.notSet },
    { label: texts.countsAs, value: outcome.team && [...new Set([outcome.segment, outcome.shopplan])].join(', ') },
    {
      label: texts.byHand,
      value: adoption?.customer ?? null,
      note: adoption?.done ? texts.becameTheirs : texts.offeredOnly,
    },
    crmRow(crm, t),
    { label: texts.groupBefore, value: group?.name ?? null, note: group && texts.setBy[group.set_by] },
    linkRow(link, t),
  ];
}

/** The segment with whose it is. */
function segmentRow(inputs: RoutingInputs, t: Texts): PanelRow {
  const { segment: label, notSet, segmentOf } = t.routingInputs;
  const { looked_up, customer } = inputs;
  const { segment } = factsOf(inputs);
  const owner = looked_up !== null || customer?.source === 'crm' ? 'company' : customer ? 'customer' : 'ticket';
  return { label, value: segment ?? notSet, note: segment && segmentOf[owner] };
}

function crmRow(crm: RoutingDecision['inputs']['crm'], t: Texts): PanelRow {
  const { crm: label, crmStatus, oldData } = t.routingInputs;
  if (crm === null) return { label, value: null };
  const value = crm.error ? crmErrorTitle(crm.error, t) : crmStatus[crm.status];
  return { label, value, note: crm.stale ? oldData : null, ...(crm.status === 'error' && { tone: 'warn' as const }) };
}

function linkRow(link: RoutingDecision['link'], t: Texts): PanelRow {
  const { label, proposed, instead } = t.routing.link;
  if (link === null) return { label, value: null };
  return { label, value: link.customer, note: link.done ? link.previous && instead(link.previous) : proposed };
}

/** The org id with where it was found and how sure it is. One that the CRM does not have is nobody's, whoever typed it. */
function orgIdRow({ inputs, link }: RoutingDecision, t: Texts, names: DecisionContext['names']): PanelRow {
  const { org_id: id, crm, customer, looked_up } = inputs;
  const { companyId: label, noCompanyId } = t.routingInputs;
  if (!id) return { label, value: noCompanyId };
  const known = crm?.status !== 'cached' || customer !== null || looked_up !== null || link !== null;
  const isFound = known && crm?.status !== 'not_found';
  const level = id.trust?.level ?? 'unknown';
  const sure = isFound ? `${t.trust.tag[level]}. ${trustReason(level, id.trust, t, names)}` : t.trust.noCompany;
  return { label, value: id.value, note: `${sourcePhrase(id.source, id.field, t)}. ${sure}` };
}

function findingOf({ kind, value, source, field, quote, address }: Finding, t: Texts) {
  const fetched = address && `${t.routingInputs.fetched} ${shortened(address)}`;
  return {
    key: [kind, value, source, field, quote].join(' '),
    what: `${shortened(value)} (${t.routingInputs.found[kind]})`,
    where: [sourcePhrase(source, field, t), fetched].filter(Boolean).join('. '),
    quote: shortened(quote),
  };
}

function unopened({ inputs }: RoutingDecision, t: Texts, superseded: boolean) {
  const { metaWhy, triedAgain } = t.routingInputs;
  return inputs.meta_failures.map(({ address, why, outcome }) => ({
    key: `${address} ${why}`,
    what: shortened(address),
    where: outcome === 'failed' && !superseded ? `${metaWhy[why]} ${triedAgain}` : metaWhy[why],
    quote: null,
  }));
}

/** Where something was found: how, and the label of the field. */
function sourcePhrase(source: string, field: string, t: Texts): string {
  const { source: sources, field: labels } = t.routingInputs;
  const how = labelFor(sources, source);
  return source === 'customer_name' ? how : `${how} (${labelFor({ ...t.trust.field, ...labels }, field)})`;
}

/** Maximum length of text from outside. */
const maxLength = 200;

function shortened(text: string): string {
  const characters = Array.from(text);
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : text;
}
