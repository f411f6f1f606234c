import type { LookupTrust } from '@deskside/shared/profile';
import type { RoutingDecision, RoutingInputs, RoutingRule } from '@deskside/shared/routing';
import { dateTime } from '#i18n/format.ts';
import type { Texts } from '#i18n/panel/texts.ts';
import type { ShownTrust } from '#i18n/panel/trust.ts';
import { personName } from '#panel/rows/person-name.ts';
import type { Row } from '#panel/rows/row.ts';
import { agePhrase } from '#panel/status/freshness.ts';
import { trustReason, trustWords } from '#panel/trust/trust-reason.ts';
import type { Tone } from '#ui/tone.ts';
import { type FindingModel, findingModel, inputRows, sourcePhrase, truncate } from './decision-inputs.ts';

/** One decision in words. Text from outside is shown as text only. */
export interface DecisionModel {
  /** Team, reason and agent in one sentence, and the names in it. */
  sentence: string;
  names: string[];
  /** The ticket's current team, if it is another one. */
  moved: string | null;
  /** What failed and what happens next. */
  note: { tone: Tone; title: string; body: string } | null;
  link: Row[];
  reason: string;
  made: string;
  cause: string;
  candidates: { user: string; name: string; text: string; chosen: boolean }[];
  orgId: { value: string; where: string; trust: ShownTrust; words: string; reason: string | null } | null;
  inputs: Row[];
  findings: FindingModel[];
  failures: { address: string; why: string }[];
  rules: { rule: RoutingRule; text: string; hit: boolean }[];
}

export interface DecisionContext {
  now: number;
  /** The ticket's current group according to the profile; null if unknown. */
  group: string | null;
  /** Whether there is a newer decision. */
  superseded: boolean;
  /** Full names of the helpdesk's users, as far as they are known. */
  names: Readonly<Record<string, string>>;
}

/** What the section shows of one decision, in one language. */
export function decisionModel(decision: RoutingDecision, t: Texts, around: DecisionContext): DecisionModel {
  const { inputs, outcome, assignment } = decision;
  const { routing } = t;
  return {
    ...sentenceOf(decision, t, around.names),
    moved: movedOf(decision, t, around),
    note: noteOf(decision, t, around),
    link: linkRows(decision, t),
    reason: outcome.reason,
    made: routing.made(dateTime(decision.decided_at), agePhrase(decision.decided_at, around.now, t)),
    cause: routing.cause[decision.cause],
    candidates: assignment.candidates.map(({ user, reason }) => ({
      user,
      name: agentName(user, around.names),
      text: t.routingReasons.candidate[reason],
      chosen: reason === 'next_in_turn',
    })),
    orgId: orgIdOf(decision, t, around.names),
    inputs: inputRows(decision, t),
    findings: inputs.findings.map((finding) => findingModel(finding, t)),
    failures: inputs.meta_failures.map(({ address, why, outcome: end }) => ({
      address: truncate(address),
      why:
        end === 'failed' && !around.superseded
          ? `${t.routingInputs.metaWhy[why]} ${t.routingInputs.triedAgain}`
          : t.routingInputs.metaWhy[why],
    })),
    rules: outcome.rules.map(({ rule, hit }) => ({ rule, text: t.routingReasons.rule[rule], hit })),
  };
}

/** The title of a collapsed decision. */
export function decisionTitle(decision: RoutingDecision, t: Texts): string {
  return `${teamOf(decision) ?? t.routing.noTeam} · ${dateTime(decision.decided_at)}`;
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
  const sentence =
    state === 'overruled'
      ? words.overruled(team)
      : outcome.fallback === 'team_missing'
        ? words.teamMissing
        : words.sentence(team, becauseOf(decision, t), words.agentClause[assignment.state](agent));
  const plan = factsOf(inputs).shop_plan;
  return { sentence, names: [team, agent, ...(plan ? [plan] : [])] };
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

/** An agent's name, with the address where two have the same; only the address if the name is not known. */
function agentName(user: string, names: DecisionContext['names']): string {
  const nameOf = (one: string) => (Object.hasOwn(names, one) ? names[one] : undefined);
  const full = nameOf(user);
  if (full === undefined) return user;
  const isShared = Object.keys(names).some((other) => other !== user && nameOf(other) === full);
  return isShared ? `${personName(full)} (${user})` : personName(full);
}

function movedOf(decision: RoutingDecision, t: Texts, { group, superseded }: DecisionContext): string | null {
  if (superseded || group === null || decision.state === 'planned' || group === teamOf(decision)) return null;
  return t.routing.movedTo(group);
}

function noteOf({ state, outcome }: RoutingDecision, t: Texts, { superseded }: DecisionContext): DecisionModel['note'] {
  const { fallback, fallbackSince } = t.routingReasons;
  if (outcome.fallback && state !== 'overruled') {
    const { title, later } = fallback[outcome.fallback];
    if (superseded) return { tone: 'neutral', title, body: fallbackSince };
    return { tone: outcome.fallback === 'team_missing' ? 'bad' : 'warn', title, body: later };
  }
  return state === 'planned' ? { tone: 'info', title: t.routing.planned, body: '' } : null;
}

function linkRows({ link }: RoutingDecision, t: Texts): Row[] {
  if (!link) return [];
  const { label, done, instead, proposed } = t.routing.link;
  const parts: Row['parts'] = [{ key: 'why.link', text: link.customer }];
  if (link.done) {
    parts.push({ key: 'why.link.how', text: done, tone: 'muted' });
    if (link.previous) parts.push({ key: 'why.link.was', text: instead(link.previous), tone: 'muted' });
  } else parts.push({ key: 'why.link.how', text: proposed, tone: 'warn' });
  return [{ label, parts }];
}

function orgIdOf(decision: RoutingDecision, t: Texts, names: DecisionContext['names']): DecisionModel['orgId'] {
  const { org_id: id } = decision.inputs;
  if (!id) return null;
  const isFound = hasCompany(decision);
  const trust = id.trust && named(id.trust, names);
  const level = isFound ? (trust?.level ?? 'unknown') : 'unknown';
  return {
    value: id.value,
    where: sourcePhrase(id.source, id.field, t),
    trust: level,
    words: trustWords(level, trust, t),
    reason: isFound ? trustReason(level, trust, t) : t.trust.noCompany,
  };
}

/** An org id that the CRM does not have is nobody's, whoever typed it. */
function hasCompany({ inputs: { crm, customer, looked_up }, link }: RoutingDecision): boolean {
  if (crm?.status === 'cached') return customer !== null || looked_up !== null || link !== null;
  return crm?.status !== 'not_found';
}

/** With the agent who vouches by name. */
function named(trust: LookupTrust, names: DecisionContext['names']): LookupTrust {
  const evidence = trust.evidence.map((one) =>
    one.value !== undefined && Object.hasOwn(names, one.value) ? { ...one, value: agentName(one.value, names) } : one,
  );
  return { ...trust, evidence };
}
