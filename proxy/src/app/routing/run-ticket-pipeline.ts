import type { OrgId } from '@deskside/shared/orgid';
import type { RoutingDecision, RoutingOutcome } from '@deskside/shared/routing';
import type { RecordFirstState } from '#app/trust/first-state.ts';
import { decideRouting, type RoutingConfig, withoutTeam, withTeamKept } from '#domain/routing/decide-routing.ts';
import { eligibleAgents } from '#domain/routing/eligible-agents.ts';
import { claimDueAt, isClaim, isOpenClaim } from '#domain/routing/open-claim.ts';
import { otherShop } from '#domain/routing/other-shop.ts';
import type { Clock } from '#ports/clock.ts';
import type { DecisionDraft, Decisions, Turn } from '#ports/decisions.ts';
import { HelpdeskError } from '#ports/helpdesk.ts';
import type { HelpdeskTickets, PipelineTicket, RoutingFields } from '#ports/helpdesk-tickets.ts';
import type { TicketWork } from '#ports/inbox.ts';
import type { Logger } from '#ports/logger.ts';
import type { ApplyDecision } from './apply-decision.ts';
import { readOpen } from './assignments.ts';
import type { Gathered, GatherRoutingInputs } from './gather-routing-inputs.ts';
import { isUntouched } from './is-untouched.ts';
import { leftAlone, type NoticeOtherInstallation } from './notice-other-installation.ts';

export interface PipelineDeps {
  tickets: HelpdeskTickets;
  decisions: Decisions;
  isRoutedElsewhere: NoticeOtherInstallation;
  see: RecordFirstState;
  gather: GatherRoutingInputs;
  apply: ApplyDecision;
  /** How long the records of a closed ticket are kept at least. */
  retentionMs: number;
  /** Whether the CRM answers for an org id again. */
  crmAnswers: (orgId: OrgId) => Promise<boolean>;
  routing: RoutingConfig;
  clock: Clock;
  logger: Logger;
}

/** `again`: when to look at the ticket again (epoch milliseconds); null if nothing is left to do. */
export type RunTicketPipeline = (work: TicketWork, signal: AbortSignal) => Promise<{ again: number | null }>;

const minute = 60_000;
const hour = 60 * minute;

/** The CRM is asked again every minute, after an hour every ten; after a week the ticket has been handled by hand. */
const repairing = { forMs: 7 * 24 * hour, pauseAfter: (age: number) => (age < hour ? minute : 10 * minute) };
/** Addresses named by a sender get less: each pause is as long as all before it, up to two hours. */
const shopRepair = { forMs: 24 * hour, pauseAfter: (age: number) => Math.min(2 * hour, Math.max(minute, age)) };

/**
 * Takes one ticket through to the end, from wherever it is: decides if nothing has been decided, finishes what a crash
 * left half done, and decides again if the CRM or a shop's meta.json had failed (docs/decisions.md 26). Must not run
 * twice at once for one ticket. Throws when the helpdesk fails; the work is then tried again.
 */
export function createRunTicketPipeline(deps: PipelineDeps): RunTicketPipeline {
  const { tickets, decisions, clock } = deps;
  const done = { again: null };

  return async (work, signal) => {
    const latest = await decisions.latest(work.ticket);
    const isRouted = latest?.state === 'overruled' || latest?.outcome.fallback === null;
    if (latest?.outcome.fallback === 'crm' && latest.state === 'applied' && !(await crmAnswersFor(latest)))
      return { again: againAt(latest, await firstOf(latest)) };
    const ticket = await readTicket(work.ticket, signal);
    if (ticket === null) return done;
    if (latest === null || isAnother(latest, ticket))
      return (await isPast(ticket, signal)) ? done : decideFirst(ticket, latest, work, signal);
    if (latest.state === 'planned') return finish(latest, foundBefore(latest), signal);
    if (!isRouted) return repair(latest, ticket, signal);
    return isOpenClaim(latest) ? judgeAgain(latest, ticket, signal) : done;
  };

  /** Whether the ticket is no new one: its decisions have been deleted, or may have been (docs/decisions.md 27). */
  async function isPast({ file, creation }: PipelineTicket, signal: AbortSignal): Promise<boolean> {
    if (creation < (await tickets.stampOf(clock() - deps.retentionMs, signal))) return true;
    return decisions.isForgotten(file.ticket.name, creation);
  }

  async function decideFirst(
    ticket: PipelineTicket,
    latest: RoutingDecision | null,
    work: TicketWork,
    signal: AbortSignal,
  ) {
    if (await deps.isRoutedElsewhere(ticket, signal)) return leaveAlone(ticket, latest, work.cause);
    const gathered = await deps.gather(ticket, await deps.see(ticket, signal), signal);
    const before = gathered.inputs.agent_group;
    const cause = before?.set_by === 'deskside' ? 'before_insert' : work.cause;
    return keep(gathered, { cause, after: latest?.number ?? 0 }, await plan(gathered, null, signal), signal);
  }

  /** Recorded, so that the ticket is not looked at again; nothing is written to it. */
  async function leaveAlone(ticket: PipelineTicket, latest: RoutingDecision | null, cause: TicketWork['cause']) {
    await decisions.add(leftAlone(ticket, cause, clock()), latest?.number ?? 0, null);
    return done;
  }

  /** docs/decisions.md 26: only while nobody but the service has dealt with the ticket. */
  async function repair(latest: RoutingDecision, ticket: PipelineTicket, signal: AbortSignal) {
    const again = againAt(latest, await firstOf(latest));
    if (again === null || !(await isStillOurs(latest, ticket, signal))) return done;
    const firstState = await deps.see(ticket, signal);
    const gathered = await deps.gather(ticket, { ...firstState, groupSetBy: 'deskside' }, signal);
    const planned = await plan(gathered, latest, signal);
    if (planned.outcome.fallback === latest.outcome.fallback) return { again };
    const how = { cause: 'repair', after: latest.number, reasonBefore: latest.outcome.reason } as const;
    return keep(gathered, how, planned, signal);
  }

  /**
   * Once someone else vouches for a claim, linking, customer and fields follow; team and agent stay (docs/decisions.md
   * 10).
   */
  async function judgeAgain(latest: RoutingDecision, ticket: PipelineTicket, signal: AbortSignal) {
    const again = claimDueAt(Date.parse((await firstOf(latest)).decided_at), clock());
    const firstState = await deps.see(ticket, signal);
    const groupSetBy = latest.inputs.agent_group?.set_by ?? 'deskside';
    const gathered = await deps.gather(ticket, { ...firstState, groupSetBy }, signal);
    if (gathered.inputs.org_id === null || isClaim(gathered.inputs)) return { again };
    if (gathered.inputs.crm?.status === 'error') return { again: clock() + minute };
    const { team } = latest.outcome;
    const decided = decideRouting(gathered.inputs, deps.routing);
    const outcome = team === null || decided.team === null ? decided : withTeamKept(decided, team);
    const planned = { outcome, turn: null, assignment: latest.assignment };
    return keep(gathered, { cause: 'confirmed', after: latest.number }, planned, signal);
  }

  async function crmAnswersFor({ inputs }: RoutingDecision): Promise<boolean> {
    return inputs.org_id === null || deps.crmAnswers(inputs.org_id.value);
  }

  async function firstOf(latest: RoutingDecision): Promise<RoutingDecision> {
    return latest.number === 1 ? latest : ((await decisions.list(latest.ticket)).at(-1) ?? latest);
  }

  /** When to ask again for what failed; null once that has gone on for too long. */
  function againAt({ outcome }: RoutingDecision, first: RoutingDecision): number | null {
    const age = clock() - Date.parse(first.decided_at);
    const { forMs, pauseAfter } = outcome.fallback === 'meta_json' ? shopRepair : repairing;
    return age > forMs ? null : clock() + pauseAfter(age);
  }

  async function isStillOurs(decision: RoutingDecision, ticket: PipelineTicket, signal: AbortSignal) {
    return isUntouched({ ticket, assignments: await readOpen(deps, decision.ticket, signal), decision });
  }

  interface Planned {
    outcome: RoutingOutcome;
    turn: Turn | null;
    assignment: DecisionDraft['assignment'];
  }

  /** The team, if it can be used, and whose turn it is there. `latest`: the decision that this one would replace. */
  async function plan(
    { ticket, inputs }: Gathered,
    latest: RoutingDecision | null,
    signal: AbortSignal,
  ): Promise<Planned> {
    const outcome = decideRouting(inputs, deps.routing);
    const nobody = { turn: null, assignment: { state: 'none' as const, candidates: [] } };
    if (outcome.team === null) return { outcome, ...nobody };
    const team = await tickets.readTeam(outcome.team, signal);
    if (team === null) return { outcome: withoutTeam(outcome, 'does not exist'), ...nobody };
    if (team.disabled) return { outcome: withoutTeam(outcome, 'is disabled'), ...nobody };
    if (latest !== null && latest.outcome.team === outcome.team)
      return { outcome, turn: null, assignment: latest.assignment };
    const { members, eligible, candidates } = eligibleAgents(team.members);
    // Someone has already dealt with it, for example while the service was down: nobody else gets it.
    if (latest === null && isDealtWith(ticket))
      return { outcome, turn: null, assignment: { state: 'none', candidates } };
    if (await isTaken(ticket, outcome.team, signal))
      return { outcome, turn: null, assignment: { state: 'already_assigned', candidates } };
    if (eligible.length === 0) return { outcome, turn: null, assignment: { state: 'nobody_available', candidates } };
    return { outcome, turn: { team: outcome.team, members, eligible }, assignment: { state: 'planned', candidates } };
  }

  /** Records a decision before its effects, then carries it out. */
  async function keep(
    { ticket, inputs, link, fields }: Gathered,
    how: { cause: RoutingDecision['cause']; after: number; reasonBefore?: string },
    { outcome, turn, assignment }: Planned,
    signal: AbortSignal,
  ) {
    if (outcome.fallback === 'team_missing')
      deps.logger.error({ alert: 'target_team_missing' }, 'The target team of a ticket cannot be used');
    const draft: DecisionDraft = {
      ticket: ticket.file.ticket.name,
      cause: how.cause,
      decided_at: new Date(clock()).toISOString(),
      state: 'planned',
      ...{ inputs, assignment, link },
      outcome: how.reasonBefore ? { ...outcome, reason: `${outcome.reason} Before: ${how.reasonBefore}` } : outcome,
    };
    const decision = await decisions.add(draft, how.after, turn);
    // Another process has decided meanwhile; anything it left open is picked up in the next round.
    return decision === null ? { again: clock() } : finish(decision, fields, signal);
  }

  /**
   * Whether the ticket already has an assignee; if a group is replaced, assignments not made by a person move along.
   */
  async function isTaken({ file }: PipelineTicket, team: string, signal: AbortSignal): Promise<boolean> {
    const { name, agentGroup } = file.ticket;
    const { ours, native, rivals, others } = await readOpen(deps, name, signal);
    const replaces = agentGroup !== null && agentGroup !== team;
    return rivals.length + others.length > 0 || (!replaces && ours.length + native.length > 0);
  }

  async function finish(decision: RoutingDecision, fields: RoutingFields, signal: AbortSignal) {
    const state = await deps.apply(decision, fields, signal).catch((error: unknown) => {
      if (error instanceof HelpdeskError && error.kind === 'not_found') return 'gone' as const;
      throw error;
    });
    const isOpen = decision.outcome.fallback !== null || isOpenClaim(decision);
    return { again: state !== 'gone' && isOpen ? clock() + minute : null };
  }

  async function readTicket(name: string, signal: AbortSignal): Promise<PipelineTicket | null> {
    return tickets.readPipelineTicket(name, signal).catch((error: unknown) => {
      if (error instanceof HelpdeskError && error.kind === 'not_found') return null;
      throw error;
    });
  }
}

/** What intake had found when the decision was made, for a ticket to which a crash kept it from being written. */
function foundBefore({ inputs }: RoutingDecision): RoutingFields {
  if (otherShop(inputs) !== null) return {};
  const { org_id, findings } = inputs;
  const domain = findings.find(({ kind }) => kind === 'platform_domain');
  return {
    ...(org_id && findings.some(({ value }) => value === org_id.value) && { orgId: org_id.value }),
    ...(domain && { platformDomain: domain.value }),
  };
}

/** Ticket names can be reused, and a restored backup of the helpdesk can bring older tickets back. */
function isAnother({ inputs }: RoutingDecision, ticket: PipelineTicket): boolean {
  return inputs.ticket_creation !== undefined && inputs.ticket_creation !== ticket.creation;
}

function isDealtWith({ replied, closed }: PipelineTicket): boolean {
  return replied || closed;
}
