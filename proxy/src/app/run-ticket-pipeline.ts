import type { OrgId } from '@deskside/shared/orgid';
import type { RoutingDecision, RoutingOutcome } from '@deskside/shared/routing';
import { eligibleAgents } from '../domain/eligible-agents.ts';
import { decideRouting, type RoutingConfig, withoutTeam } from '../domain/routing.ts';
import type { Clock } from '../ports/clock.ts';
import type { DecisionDraft, Decisions, Turn } from '../ports/decisions.ts';
import { HelpdeskError } from '../ports/helpdesk.ts';
import type { HelpdeskTickets, PipelineTicket, RoutingFields } from '../ports/helpdesk-tickets.ts';
import type { TicketWork } from '../ports/inbox.ts';
import type { Logger } from '../ports/logger.ts';
import type { ApplyDecision } from './apply-decision.ts';
import { sortOpen } from './assignments.ts';
import type { Gathered, GatherRoutingInputs } from './gather-routing-inputs.ts';
import { isUntouched } from './is-untouched.ts';
import type { SeeTicket } from './see-ticket.ts';

export interface PipelineDeps {
  tickets: HelpdeskTickets;
  decisions: Decisions;
  see: SeeTicket;
  gather: GatherRoutingInputs;
  apply: ApplyDecision;
  /** Whether the CRM has an answer for an org id again. */
  crmAnswers: (orgId: OrgId) => Promise<boolean>;
  routing: RoutingConfig;
  clock: Clock;
  logger: Logger;
}

/** `again`: epoch milliseconds at which the ticket is to be looked at once more; null where nothing is left to do. */
export type RunTicketPipeline = (work: TicketWork, signal: AbortSignal) => Promise<{ again: number | null }>;

const minute = 60_000;
const hour = 60 * minute;

/** The CRM is asked again every minute, after an hour every ten; after a week a ticket has been dealt with by hand. */
const repairing = { forMs: 7 * 24 * hour, pauseAfter: (age: number) => (age < hour ? minute : 10 * minute) };
/** Addresses that a sender names get less: each pause is as long as all before it, and the last one two hours. */
const shopRepair = { forMs: 24 * hour, pauseAfter: (age: number) => Math.min(2 * hour, Math.max(minute, age)) };

/**
 * Takes one ticket from wherever it stands to the end: decides where nothing was decided yet, finishes what a crash has
 * left half done, and decides again where the CRM or a shop's meta.json had failed (design.md section 4, decision 26).
 * To be called by one at a time per ticket. Throws what the helpdesk's failures throw; the work is tried again then.
 */
export function createRunTicketPipeline(deps: PipelineDeps): RunTicketPipeline {
  const { tickets, decisions, clock } = deps;
  const done = { again: null };

  return async (work, signal) => {
    const latest = await decisions.latest(work.ticket);
    const isDone = latest?.state === 'overruled' || latest?.outcome.fallback === null;
    if (latest?.outcome.fallback === 'crm' && latest.state === 'applied' && !(await crmAnswersFor(latest)))
      return { again: againAt(latest, await firstOf(latest)) };
    const ticket = await readTicket(work.ticket, signal);
    if (ticket === null) return done;
    if (latest === null || isAnother(latest, ticket)) return decideFirst(ticket, latest, work, signal);
    if (latest.state === 'planned') return finish(latest, foundBefore(latest), signal);
    return isDone ? done : repair(latest, ticket, signal);
  };

  async function decideFirst(
    ticket: PipelineTicket,
    latest: RoutingDecision | null,
    work: TicketWork,
    signal: AbortSignal,
  ) {
    const gathered = await deps.gather(ticket, await deps.see(ticket, signal), signal);
    const before = gathered.inputs.agent_group;
    const cause = before?.set_by === 'deskside' ? 'before_insert' : work.cause;
    return keep(gathered, { cause, after: latest?.number ?? 0 }, await plan(gathered, null, signal), signal);
  }

  /** Decision 26: only while nobody but the service has dealt with the ticket. */
  async function repair(latest: RoutingDecision, ticket: PipelineTicket, signal: AbortSignal) {
    const again = againAt(latest, await firstOf(latest));
    if (again === null || !(await isStillOurs(latest, ticket, signal))) return done;
    const sight = await deps.see(ticket, signal);
    const gathered = await deps.gather(ticket, { ...sight, groupSetBy: 'deskside' }, signal);
    const planned = await plan(gathered, latest, signal);
    if (planned.outcome.fallback === latest.outcome.fallback) return { again };
    const how = { cause: 'repair', after: latest.number, reasonBefore: latest.outcome.reason } as const;
    return keep(gathered, how, planned, signal);
  }

  async function crmAnswersFor({ inputs }: RoutingDecision): Promise<boolean> {
    return inputs.org_id === null || deps.crmAnswers(inputs.org_id.value);
  }

  async function firstOf(latest: RoutingDecision): Promise<RoutingDecision> {
    return latest.number === 1 ? latest : ((await decisions.list(latest.ticket)).at(-1) ?? latest);
  }

  /** When what failed is asked for again; null where that has gone on for too long. */
  function againAt({ outcome }: RoutingDecision, first: RoutingDecision): number | null {
    const age = clock() - Date.parse(first.decided_at);
    const { forMs, pauseAfter } = outcome.fallback === 'meta_json' ? shopRepair : repairing;
    return age > forMs ? null : clock() + pauseAfter(age);
  }

  async function isStillOurs(decision: RoutingDecision, ticket: PipelineTicket, signal: AbortSignal) {
    const assignments = await tickets.listAssignments(decision.ticket, signal);
    return isUntouched({ ticket, assignments, service: await tickets.serviceUser(signal), decision });
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
    // Somebody has dealt with it already, as after a time in which the service was down: nobody is given it any more.
    if (latest === null && isDealtWith(ticket))
      return { outcome, turn: null, assignment: { state: 'none', candidates } };
    if (await isTaken(ticket, outcome.team, signal))
      return { outcome, turn: null, assignment: { state: 'already_assigned', candidates } };
    if (eligible.length === 0) return { outcome, turn: null, assignment: { state: 'nobody_available', candidates } };
    return { outcome, turn: { team: outcome.team, members, eligible }, assignment: { state: 'planned', candidates } };
  }

  /** Keeps a decision before its effects, and then brings them about. */
  async function keep(
    { ticket, inputs, link, fields }: Gathered,
    how: { cause: RoutingDecision['cause']; after: number; reasonBefore?: string },
    { outcome, turn, assignment }: Planned,
    signal: AbortSignal,
  ) {
    if (outcome.fallback === 'team_missing')
      deps.logger.error({ alert: 'target_team_missing' }, 'A ticket has a target team that cannot be used');
    const draft: DecisionDraft = {
      ticket: ticket.file.ticket.name,
      cause: how.cause,
      decided_at: new Date(clock()).toISOString(),
      state: 'planned',
      ...{ inputs, assignment, link },
      outcome: how.reasonBefore ? { ...outcome, reason: `${outcome.reason} Before: ${how.reasonBefore}` } : outcome,
    };
    const decision = await decisions.add(draft, how.after, turn);
    // Somebody else has decided meanwhile; what he left open is found in the next round.
    return decision === null ? { again: clock() } : finish(decision, fields, signal);
  }

  /** Whether somebody has the ticket already; where a group is replaced, what no person assigned is moved along. */
  async function isTaken({ file }: PipelineTicket, team: string, signal: AbortSignal): Promise<boolean> {
    const { name, agentGroup } = file.ticket;
    const service = await tickets.serviceUser(signal);
    const { ours, native, others } = sortOpen(await tickets.listAssignments(name, signal), service);
    const replaces = agentGroup !== null && agentGroup !== team;
    return others.length > 0 || (!replaces && ours.length + native.length > 0);
  }

  async function finish(decision: RoutingDecision, fields: RoutingFields, signal: AbortSignal) {
    const state = await deps.apply(decision, fields, signal).catch((error: unknown) => {
      if (error instanceof HelpdeskError && error.kind === 'not_found') return 'gone' as const;
      throw error;
    });
    const isOpen = state === 'applied' && decision.outcome.fallback !== null;
    return { again: isOpen ? clock() + minute : null };
  }

  async function readTicket(name: string, signal: AbortSignal): Promise<PipelineTicket | null> {
    return tickets.readPipelineTicket(name, signal).catch((error: unknown) => {
      if (error instanceof HelpdeskError && error.kind === 'not_found') return null;
      throw error;
    });
  }
}

/** What intake had found when the decision was made, for a ticket that a crash has kept from being told. */
function foundBefore({ inputs: { org_id, findings } }: RoutingDecision): RoutingFields {
  const domain = findings.find(({ kind }) => kind === 'platform_domain');
  return {
    ...(org_id && findings.some(({ value }) => value === org_id.value) && { orgId: org_id.value }),
    ...(domain && { platformDomain: domain.value }),
  };
}

/** Names of tickets can be used again, and a backup of the helpdesk can bring older ones back. */
function isAnother({ inputs }: RoutingDecision, ticket: PipelineTicket): boolean {
  return inputs.ticket_creation !== undefined && inputs.ticket_creation !== ticket.creation;
}

function isDealtWith({ replied, status }: PipelineTicket): boolean {
  return replied || closed.has(status);
}

/** The helpdesk's own names for what needs nobody any more (facts/frappe.md section 5). */
const closed: ReadonlySet<string> = new Set(['Resolved', 'Closed']);
