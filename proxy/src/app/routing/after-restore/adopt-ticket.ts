import { isRoutingOf, teamOf } from '#app/routing/assignments.ts';
import { adoptedAssignment, adoptedOutcome } from '#domain/routing/adopted-outcome.ts';
import type { RoutingConfig } from '#domain/routing/decide-routing.ts';
import { isKeptReason } from '#domain/routing/decide-routing.ts';
import type { HelpdeskTickets, PipelineTicket } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { TicketWork } from '#ports/intake/inbox.ts';
import type { Upkeep } from '#ports/operator/upkeep.ts';
import type { DecisionDraft } from '#ports/routing/decisions.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { LearnTurns } from './learn-turns.ts';

/**
 * What this service had done with a ticket before its store was replaced by an older one. `whole`: the decision as the
 * ticket shows it, to be recorded. `half`: it was assigned, and nothing more.
 */
type Adopted = { kind: 'whole'; draft: DecisionDraft } | { kind: 'half'; team: string; agent: string };

/**
 * Recognises a ticket that was routed between the backup and the restore (docs/decisions.md 36); null for every other.
 * Throws HelpdeskError.
 */
export type AdoptTicket = (
  ticket: PipelineTicket,
  cause: TicketWork['cause'],
  signal: AbortSignal,
) => Promise<Adopted | null>;

/** How far the helpdesk's clock may be ahead of ours. Its stamps have fractions of a second, too. */
const aheadMs = 5 * 60_000;

export function createAdoptTicket(deps: {
  tickets: Pick<HelpdeskTickets, 'serviceUser' | 'stampOf' | 'listAssignments' | 'isDesk'>;
  upkeep: Pick<Upkeep, 'lastRestore'>;
  learnTurns: LearnTurns;
  teams: RoutingConfig['teams'];
  clock: Clock;
}): AdoptTicket {
  const { tickets } = deps;

  return async (ticket, cause, signal) => {
    const restore = await deps.upkeep.lastRestore();
    if (restore === null || ticket.creation > (await tickets.stampOf(restore.at + aheadMs, signal))) return null;
    // Before anything is recorded: by what the records lack, the turns are told.
    await deps.learnTurns();
    const { name, agentGroup } = ticket.file.ticket;
    const service = await tickets.serviceUser(signal);
    const all = await tickets.listAssignments(name, signal);
    const ours = all.filter((assignment) => isRoutingOf(service, assignment));
    const current = ours.findLast(({ open }) => open) ?? null;
    if (agentGroup === null) return current && { kind: 'half', team: teamOf(current), agent: current.user };
    if (ours.length === 0 && !(await isWritten(ticket, service, signal))) return null;
    const seen = { group: agentGroup, reason: ticket.reason ?? '' };
    const outcome = adoptedOutcome(seen, deps.teams);
    const assignment = adoptedAssignment(seen, {
      agent: current?.user ?? null,
      wasOurs: ours.length > 0,
      isTaken: all.some(({ open }) => open),
    });
    return { kind: 'whole', draft: draftOf(ticket, { cause, found_by: cause, outcome, assignment }, deps.clock()) };
  };

  /** Group and reason can be the sender's own, unless we or the desk have written to the ticket since. */
  async function isWritten({ modifiedBy, reason, file }: PipelineTicket, service: string, signal: AbortSignal) {
    const group = file.ticket.agentGroup;
    const isOurs =
      reason?.includes(`Target team=${group}.`) || (group !== null && reason !== null && isKeptReason(reason, group));
    return isOurs && (modifiedBy === service || (await tickets.isDesk(modifiedBy, signal)));
  }
}

function draftOf(
  { file, ...seen }: PipelineTicket,
  decided: Pick<DecisionDraft, 'cause' | 'found_by' | 'outcome' | 'assignment'>,
  now: number,
): DecisionDraft {
  const { name, agentGroup } = file.ticket;
  const { fallback } = decided.outcome;
  return {
    ticket: name,
    decided_at: new Date(now).toISOString(),
    state: 'applied',
    ...decided,
    inputs: {
      ...{ org_id: null, customer: null, findings: [], meta_failures: [] },
      crm: fallback === 'crm' ? { status: 'error', error: null, checked_at: null, stale: false } : null,
      ...{ ticket_segment: seen.segment, ticket_status: seen.status, ticket_creation: seen.creation },
      agent_group: agentGroup === null ? null : { name: agentGroup, set_by: 'deskside' },
    },
    link: null,
  };
}
