import type { RoutingDecision, RoutingInputs, RoutingRule } from '@deskside/shared/routing';
import { ago, dateTime } from '#i18n/format.ts';
import type { DecisionTag } from '#i18n/routing.ts';
import type { Texts } from '#i18n/texts.ts';
import type { ShownTrust } from '#i18n/trust.ts';
import type { Row } from '#profile/rows/row.ts';
import { ageOf } from '#profile/status/freshness.ts';
import { evidenceSentences } from '#profile/trust/trust-evidence.ts';
import type { Tone } from '#ui/tone.ts';
import { type FindingModel, findingModel, inputRows, sourcePhrase, truncate } from './decision-inputs.ts';

/** One decision in words. Text from outside is shown as text only. */
export interface DecisionModel {
  id: string;
  team: string;
  tag: { tone: Tone; text: string } | null;
  why: string;
  /** The ticket's current team, if it is another one. */
  moved: string | null;
  /** What failed and what happens next. */
  note: { tone: Tone; title: string; body: string } | null;
  agent: { name: string | null; text: string };
  link: Row[];
  reason: string;
  made: string;
  cause: string;
  candidates: { user: string; text: string; chosen: boolean }[];
  orgId: { value: string; where: string; trust: ShownTrust; evidence: string[] } | null;
  inputs: Row[];
  findings: FindingModel[];
  failures: { address: string; why: string }[];
  rules: { rule: RoutingRule; text: string; hit: boolean }[];
}

interface DecisionContext {
  now: number;
  /** The ticket's current group according to the profile; null if unknown. */
  group: string | null;
  /** Whether there is a newer decision. */
  superseded: boolean;
}

const tagTones: Record<DecisionTag, Tone> = {
  planned: 'info',
  assigned: 'ok',
  already_assigned: 'neutral',
  nobody_available: 'warn',
  withdrawn: 'neutral',
  kept: 'neutral',
  overruled: 'neutral',
  team_missing: 'bad',
};

/** What the section shows of one decision, in one language. */
export function decisionModel(decision: RoutingDecision, t: Texts, around: DecisionContext): DecisionModel {
  const { inputs, outcome, assignment } = decision;
  const { routing } = t;
  const tag = tagOf(decision);
  return {
    id: decision.id,
    team: teamOf(decision) ?? routing.noTeam,
    tag: tag && { tone: tagTones[tag], text: routing.tag[tag] },
    why: whyOf(decision, t),
    moved: movedOf(decision, t, around),
    note: noteOf(decision, t, around),
    agent: agentOf(decision, t),
    link: linkRows(decision, t),
    reason: outcome.reason,
    made: routing.made(dateTime(decision.decided_at), agoOf(decision, t, around.now)),
    cause: routing.cause[decision.cause],
    candidates: assignment.candidates.map(({ user, reason }) => ({
      user,
      text: routing.candidate[reason],
      chosen: reason === 'next_in_turn',
    })),
    orgId: orgIdOf(inputs, t),
    inputs: inputRows(decision, t),
    findings: inputs.findings.map((finding) => findingModel(finding, t)),
    failures: inputs.meta_failures.map(({ address, why, outcome: end }) => ({
      address: truncate(address),
      why:
        end === 'failed' && !around.superseded
          ? `${t.routingInputs.metaWhy[why]} ${t.routingInputs.triedAgain}`
          : t.routingInputs.metaWhy[why],
    })),
    rules: outcome.rules.map(({ rule, hit }) => ({ rule, text: routing.rule[rule], hit })),
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

function tagOf(decision: RoutingDecision): DecisionTag | null {
  if (decision.state === 'overruled') return 'overruled';
  if (decision.outcome.fallback === 'team_missing') return 'team_missing';
  if (hitRule(decision) === 'group_kept') return 'kept';
  const { state } = decision.assignment;
  return state === 'none' ? null : state;
}

function hitRule({ outcome }: RoutingDecision): RoutingRule | null {
  return outcome.rules.find(({ hit }) => hit)?.rule ?? null;
}

function whyOf(decision: RoutingDecision, t: Texts): string {
  const { inputs, state } = decision;
  const { routing } = t;
  const rule = hitRule(decision);
  if (state === 'overruled') return routing.whyOverruled;
  if (rule === null) return routing.whyUnknown;
  if (rule === 'group_kept') return routing.whyKept[inputs.agent_group?.set_by ?? 'person'];
  const { notSet } = t.routingInputs;
  const facts = inputs.looked_up ?? inputs.customer ?? { segment: inputs.ticket_segment, shop_plan: null };
  return routing.why[rule](facts.segment ?? notSet, facts.shop_plan ?? notSet);
}

function movedOf(decision: RoutingDecision, t: Texts, { group, superseded }: DecisionContext): string | null {
  if (superseded || group === null || decision.state === 'planned' || group === teamOf(decision)) return null;
  return t.routing.movedTo(group);
}

function noteOf({ state, outcome }: RoutingDecision, t: Texts, { superseded }: DecisionContext): DecisionModel['note'] {
  const { fallback, fallbackSince, planned } = t.routing;
  if (outcome.fallback && state !== 'overruled') {
    const { title, later } = fallback[outcome.fallback];
    if (superseded) return { tone: 'neutral', title, body: fallbackSince };
    return { tone: outcome.fallback === 'team_missing' ? 'bad' : 'warn', title, body: later };
  }
  return state === 'planned' ? { tone: 'info', title: planned, body: '' } : null;
}

/** Names the agent only if the decision chose them. */
function agentOf({ assignment: { state, agent } }: RoutingDecision, t: Texts): DecisionModel['agent'] {
  const named = state === 'planned' || state === 'assigned' || state === 'withdrawn';
  return { name: named ? agent : null, text: t.routing.assignment[state] };
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

function orgIdOf({ org_id: id }: RoutingInputs, t: Texts): DecisionModel['orgId'] {
  if (!id) return null;
  return {
    value: id.value,
    where: sourcePhrase(id.source, id.field, t),
    trust: id.trust?.level ?? 'unknown',
    evidence: evidenceSentences(id.trust?.evidence ?? [], t),
  };
}

function agoOf({ decided_at }: RoutingDecision, t: Texts, now: number): string | null {
  return ago(t.language, ageOf(decided_at, now) ?? 0);
}
