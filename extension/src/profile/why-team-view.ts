import type { RoutingDecision, RoutingInputs, RoutingRule } from '@deskside/shared/routing';
import { ago, dateTime } from '../i18n/format.ts';
import type { DecisionMark } from '../i18n/routing.ts';
import type { Texts } from '../i18n/texts.ts';
import type { ShownTrust } from '../i18n/trust.ts';
import type { Tone } from '../ui/tone.ts';
import { ageOf } from './freshness.ts';
import { evidenceSentences } from './trust-evidence.ts';
import type { Row } from './view-model.ts';
import { cut, findingView, inputRows, type SourceView, sourcePhrase } from './why-team-inputs.ts';

/** One decision in words. What somebody outside has written is text, and stays text. */
export interface DecisionView {
  id: string;
  team: string;
  mark: { tone: Tone; text: string } | null;
  why: string;
  /** Where the ticket is now, if that is elsewhere. */
  moved: string | null;
  /** What failed, and what is still to come; the tone says whether anything is. */
  note: { tone: Tone; title: string; body: string } | null;
  agent: { name: string | null; text: string };
  link: Row[];
  reason: string;
  made: string;
  cause: string;
  candidates: { user: string; text: string; chosen: boolean }[];
  orgId: { value: string; where: string; trust: ShownTrust; evidence: string[] } | null;
  inputs: Row[];
  findings: SourceView[];
  failures: { address: string; why: string }[];
  rules: { rule: RoutingRule; text: string; hit: boolean }[];
}

interface Around {
  now: number;
  /** The ticket's group as the profile says it; null where it is not known. */
  group: string | null;
  /** Whether a newer decision has replaced this one. */
  replaced: boolean;
}

const markTones: Record<DecisionMark, Tone> = {
  planned: 'info',
  assigned: 'ok',
  already_assigned: 'neutral',
  nobody_available: 'warn',
  withdrawn: 'neutral',
  kept: 'neutral',
  overruled: 'neutral',
  team_missing: 'bad',
};

/** What the section shows of one decision, in one language; pure. */
export function decisionView(decision: RoutingDecision, t: Texts, around: Around): DecisionView {
  const { inputs, outcome, assignment } = decision;
  const { routing } = t;
  const mark = markOf(decision);
  return {
    id: decision.id,
    team: teamOf(decision) ?? routing.noTeam,
    mark: mark && { tone: markTones[mark], text: routing.mark[mark] },
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
    findings: inputs.findings.map((finding) => findingView(finding, t)),
    failures: inputs.meta_failures.map(({ address, why, outcome: end }) => ({
      address: cut(address),
      why:
        end === 'failed' && !around.replaced
          ? `${t.routingInputs.metaWhy[why]} ${t.routingInputs.triedAgain}`
          : t.routingInputs.metaWhy[why],
    })),
    rules: outcome.rules.map(({ rule, hit }) => ({ rule, text: routing.rule[rule], hit })),
  };
}

/** What a decision comes to in one line, for the one that is folded away. */
export function decisionTitle(decision: RoutingDecision, t: Texts): string {
  return `${teamOf(decision) ?? t.routing.noTeam} · ${dateTime(decision.decided_at)}`;
}

/** The team that the decision put the ticket in, or left it in. */
export function teamOf({ inputs, outcome }: RoutingDecision): string | null {
  return outcome.team ?? (outcome.fallback === 'team_missing' ? null : (inputs.agent_group?.name ?? null));
}

function markOf(decision: RoutingDecision): DecisionMark | null {
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
  const { inputs, outcome, state } = decision;
  const { routing } = t;
  const rule = hitRule(decision);
  if (state === 'overruled') return routing.whyOverruled;
  if (rule === null) return routing.whyUnknown;
  if (rule === 'group_kept') return routing.whyKept[inputs.agent_group?.set_by ?? 'person'];
  const { notSet } = t.routingInputs;
  const segment = inputs.customer ? inputs.customer.segment : inputs.ticket_segment;
  return routing.why[rule](segment ?? notSet, outcome.service_plan ?? notSet);
}

function movedOf(decision: RoutingDecision, t: Texts, { group, replaced }: Around): string | null {
  if (replaced || group === null || decision.state === 'planned' || group === teamOf(decision)) return null;
  return t.routing.movedTo(group);
}

function noteOf({ state, outcome }: RoutingDecision, t: Texts, { replaced }: Around): DecisionView['note'] {
  const { fallback, fallbackSince, planned } = t.routing;
  if (outcome.fallback && state !== 'overruled') {
    const { title, later } = fallback[outcome.fallback];
    if (replaced) return { tone: 'neutral', title, body: fallbackSince };
    return { tone: outcome.fallback === 'team_missing' ? 'bad' : 'warn', title, body: later };
  }
  return state === 'planned' ? { tone: 'info', title: planned, body: '' } : null;
}

/** Only who was chosen by us is named; the sentence says the rest. */
function agentOf({ assignment: { state, agent } }: RoutingDecision, t: Texts): DecisionView['agent'] {
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

function orgIdOf({ org_id: id }: RoutingInputs, t: Texts): DecisionView['orgId'] {
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
