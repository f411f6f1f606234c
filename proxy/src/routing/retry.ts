import type { OrgId } from '@deskside/shared/orgid';
import type { RoutingDecision, RoutingInputs } from '@deskside/shared/routing';
import { type Context, lockTicket, type Work } from '#context.ts';
import { searchCompany } from '#crm/lookup.ts';
import type { PipelineTicket, TicketKey } from '#helpdesk/ticket-file.ts';
import * as decisions from '#store/decisions.ts';
import * as syncs from '#store/syncs.ts';
import * as tickets from '#store/tickets.ts';
import { isHeld, isOpenClaim, restsOnSync } from '#trust/companies.ts';
import { applyDecision, carryOut, type Due, never, type OpenAssignments, openOn } from './assign.ts';
import { decideRouting, withTeamKept } from './decide.ts';
import { planDecision, recordDecision } from './decision.ts';
import { type EnrichedCase, enrichAndLink } from './enrich-and-link.ts';
import { fieldsOf } from './written-fields.ts';

const minute = 60_000;
const hour = 60 * minute;

/** What failed is asked again for a day; after that the ticket has been handled by hand. */
const repairsForMs = 24 * hour;
/** The CRM every minute, after an hour every ten. */
const pauseForCrm = (age: number) => (age < hour ? minute : 10 * minute);
/** Addresses named by a sender more seldom: each pause is as long as all before it, up to two hours. */
const pauseForShop = (age: number) => Math.min(2 * hour, Math.max(minute, age));

/** Whether the CRM, without which a ticket was decided, still does not answer. */
export async function isCrmStillFailing(ctx: Work, { outcome, inputs, state }: RoutingDecision): Promise<boolean> {
  if (outcome.fallback !== 'crm' || state !== 'applied' || inputs.org_id === null || ctx.crm === null) return false;
  const { status } = await searchCompany(ctx, inputs.org_id.value, { refresh: false, lane: 'bulk' });
  return status === 'error';
}

/** When to ask again for what a decision went without; null once that has gone on for too long. */
export async function whenToRepair(
  ctx: Work,
  { ticket: name, inputs, outcome, ...latest }: RoutingDecision,
): Promise<Due> {
  const first = (await decisions.list(ctx.db, { name, creation: inputs.ticket_creation })).at(-1);
  const age = ctx.clock() - Date.parse((first ?? latest).decided_at);
  const pauseAfter = outcome.fallback === 'meta_json' ? pauseForShop : pauseForCrm;
  return age > repairsForMs ? never : ctx.clock() + pauseAfter(age);
}

/**
 * Decides again what was decided without an answer of the CRM, of a shop or of the helpdesk's teams, only while nobody but
 * the service has dealt with the ticket (decision 23: assign first). Throws HelpdeskError.
 */
export async function repair(ctx: Work, ticket: PipelineTicket, latest: RoutingDecision): Promise<Due> {
  const again = await whenToRepair(ctx, latest);
  if (again === never || !isUntouched(latest, ticket, await openOn(ctx, ticket))) return never;
  const setBy = await whoSetGroupSince(ctx, ticket, latest);
  if (setBy === 'the desk since') return never;
  const enriched = await enrichAndLink(ctx, ticket, setBy);
  const { outcome, ...plan } = await planDecision(ctx, enriched, latest);
  const { fallback, reason } = latest.outcome;
  if (outcome.fallback === fallback) return again;
  const { claims } = ctx.routing;
  // A former reason may name a company of which nothing may be told any more.
  const tellsBefore = !isHeld(enriched.inputs, claims) || isHeld(latest.inputs, claims);
  const told = tellsBefore ? { ...outcome, reason: `${outcome.reason} Before: ${reason}` } : outcome;
  const cause = { cause: 'repair', ...(fallback && { repairs: fallback }), after: latest.number } as const;
  const decision = await recordDecision(ctx, enriched, { ...plan, outcome: told }, cause);
  return carryOut(ctx, decision, enriched);
}

/**
 * Decides anew a ticket to which the helpdesk refused to have the decision written, and which somebody has saved since. Whoever
 * was given it keeps it where the team is the same. Throws HelpdeskError.
 */
export async function decideAfresh(ctx: Work, ticket: PipelineTicket, latest: RoutingDecision): Promise<Due> {
  const setBy = await whoSetGroupByNow(ctx, ticket, latest);
  const enriched = await enrichAndLink(ctx, ticket, setBy);
  const { inputs } = enriched;
  const { cause, assignment } = latest;
  // Who was just being assigned does not get what somebody has moved to another team meanwhile.
  const isTakenAway = assignment.state === 'planned' && setBy !== null && setBy !== 'deskside';
  const isKept = staysInTeam(cause) && !isTakenAway;
  // What is decided without the CRM is decided again, the team included: what was decided with it counts.
  if (isKept && inputs.crm?.status === 'error') return carryOut(ctx, latest, null);
  const plan = isKept
    ? planInTeam(ctx, enriched, latest)
    : await planDecision(ctx, { inputs, ticket: await withoutFormerAgent(ctx, enriched, latest) }, latest);
  const decision = await recordDecision(ctx, enriched, plan, { cause, after: latest.number });
  return carryOut(ctx, decision, null);
}

/** Whether team and agent stay, whatever a decision of this cause has to say of the company (decision 9: claims). */
const staysInTeam = (cause: RoutingDecision['cause']) => cause === 'confirmed' || cause === 'sync_undone';

/** The decision by what is known now, while the ticket stays with the team and the agent of its latest one. */
function planInTeam({ routing }: Work, { inputs }: EnrichedCase, { outcome, assignment }: RoutingDecision) {
  const { team } = outcome;
  const decided = decideRouting(inputs, routing);
  const kept = team === null || decided.team === null ? decided : withTeamKept(decided, team);
  return { outcome: kept, turn: null, assignment };
}

/** The ticket without our assignment, which is withdrawn where the team is another one than before. */
async function withoutFormerAgent(ctx: Work, { ticket, inputs }: EnrichedCase, latest: RoutingDecision) {
  if (decideRouting(inputs, ctx.routing).team === latest.outcome.team) return ticket;
  const { ours, native, others } = await openOn(ctx, ticket);
  for (const assignment of ours) await ctx.helpdesk.assignments.withdraw(assignment, ctx.signal);
  return { ...ticket, assignees: [...native, ...others].map(({ user }) => user) };
}

/**
 * Once someone else vouches for a claim, linking, customer and fields follow; team and agent stay (decision 9: claims).
 * Throws HelpdeskError.
 */
export async function confirmClaim(ctx: Work, ticket: PipelineTicket, latest: RoutingDecision): Promise<Due> {
  const groupSetBy = latest.inputs.agent_group?.set_by ?? 'deskside';
  const enriched = await enrichAndLink(ctx, ticket, groupSetBy);
  const { inputs } = enriched;
  if (inputs.org_id === null) return never;
  // What the CRM said last may not be what it was asked again for.
  if (inputs.crm?.status === 'error') return ctx.clock() + minute;
  if (isHeld(inputs, inputs.claims)) return never;
  const plan = planInTeam(ctx, enriched, latest);
  const decision = await recordDecision(ctx, enriched, plan, { cause: 'confirmed', after: latest.number });
  return carryOut(ctx, decision, enriched);
}

/**
 * Decides a ticket again, its team included, as an agent has asked with their Sync (decision 14: Sync and team). Returns its
 * team by the rules; null if it stays where it is, because a person chose the team, closed the ticket, or was faster. Throws
 * HelpdeskError and AppError.
 */
export function reroute(caller: Work, name: string): Promise<string | null> {
  return lockTicket(caller, name, async (ctx) => {
    const ticket = await ctx.helpdesk.tickets.read(name, ctx.signal);
    const latest = await decisionOfOurTeam(ctx, ticket);
    if (latest === null) return null;
    const enriched = await enrichAndLink(ctx, ticket, 'deskside');
    const plan = await planDecision(ctx, enriched, latest);
    const { team } = plan.outcome;
    if (team === null || team === latest.outcome.team) return team;
    // If the process dies in between, the pipeline finishes it.
    await tickets.enqueue(ctx.db, [ticket.file.ticket], { dueAt: ctx.clock() + minute, now: ctx.clock() });
    const decision = await recordDecision(ctx, enriched, plan, { cause: 'sync', after: latest.number });
    if (decision === null) return null;
    return (await applyDecision(ctx, decision, enriched, fieldsOf(decision))) === 'applied' ? team : null;
  });
}

/**
 * The other team that the rules would choose once a Sync has linked the ticket to a customer with this segment and plan; null
 * if it stays where it is. Writes nothing. Throws HelpdeskError.
 */
export async function previewReroute(
  ctx: Work,
  ticket: PipelineTicket,
  {
    orgId: value,
    customer,
  }: { orgId: OrgId; customer: Pick<NonNullable<RoutingInputs['customer']>, 'name' | 'segment' | 'shop_plan'> },
): Promise<string | null> {
  const latest = await decisionOfOurTeam(ctx, ticket);
  if (latest === null) return null;
  const inputs = {
    ...latest.inputs,
    org_id: { value, source: 'customer', field: '', trust: { level: 'confirmed' as const, evidence: [] } },
    customer: { ...customer, org_id: value, checked_at: null, source: 'hd_customer' as const },
    looked_up: null,
    agent_group: null,
    crm: null,
    findings: [],
    meta_failures: [],
  };
  const { team } = (await planDecision(ctx, { ticket, inputs }, latest)).outcome;
  return team === latest.outcome.team ? null : team;
}

/** The decision that chose the ticket's team; null: somebody else did, or has closed it. */
async function decisionOfOurTeam(ctx: Work, { file: { ticket }, closed }: PipelineTicket) {
  const latest = await decisions.latest(ctx.db, ticket);
  if (latest?.state !== 'applied' || latest.outcome.team === null) return null;
  return closed || ticket.agentGroup !== latest.outcome.team ? null : latest;
}

/**
 * Whether only the service has dealt with a ticket since a decision (decision 23: assign first): no reply from the team, the
 * same status, no assignment by a person, and none of ours removed. Native assignments do not count, nor do further messages
 * from the sender.
 */
function isUntouched(decision: RoutingDecision, ticket: PipelineTicket, { ours, others }: OpenAssignments): boolean {
  if (ticket.replied || ticket.status !== decision.inputs.ticket_status) return false;
  if (others.length > 0) return false;
  return decision.assignment.state !== 'assigned' || ours.length > 0;
}

/**
 * Who set the group that a decided ticket has by now. What a decision left as somebody had set it is theirs still; what a sender
 * has set since is the sender's, even if we had chosen the same one. Costs a request, which no ticket pays that is routed at
 * once. Throws HelpdeskError.
 */
async function whoSetGroupSince(
  { helpdesk, signal }: Work,
  { file }: PipelineTicket,
  { outcome, inputs }: RoutingDecision,
) {
  const { name, agentGroup } = file.ticket;
  const { name: kept = null, set_by: setBy = null } = inputs.agent_group ?? {};
  if (outcome.team === null && agentGroup === kept) return setBy;
  const writer = await helpdesk.tickets.lastWriterOf(name, 'agent_group', signal);
  if (writer === null || writer === (await helpdesk.people.serviceUser(signal)))
    return agentGroup === outcome.team ? 'deskside' : 'the desk since';
  return (await helpdesk.people.isDesk(writer, signal)) ? 'the desk since' : 'sender';
}

/**
 * The same of a ticket whose decision could not be written: the group that it had by then is whosever it was, and one of ours
 * may be there from before, as where the ticket has waited. Null if it has none. Throws HelpdeskError.
 */
async function whoSetGroupByNow(ctx: Work, ticket: PipelineTicket, latest: RoutingDecision) {
  const { agentGroup } = ticket.file.ticket;
  if (agentGroup === null) return null;
  const { agent_group: known } = latest.inputs;
  if (agentGroup === known?.name) return known.set_by;
  const setBy = await whoSetGroupSince(ctx, ticket, latest);
  return setBy === 'the desk since' ? 'person' : setBy;
}

/**
 * Sends a ticket through the pipeline again at once, because a Sync, or a profile with a different judgement, may vouch for
 * what its decision took for a claim, or did not know (decision 9: claims). Any other ticket is left alone.
 */
export async function judgeTicketAgain(ctx: Context, ticket: TicketKey): Promise<void> {
  const { db, clock } = ctx;
  const latest = await decisions.latest(db, ticket);
  if (latest !== null && (await isOutdated(ctx, latest)))
    await tickets.enqueue(db, [ticket], { dueAt: clock(), now: clock() });
}

/** Whether a decision was made on a claim that is open, or is ours and an agent has synced the ticket since. */
export async function isOutdated({ db }: Context, latest: RoutingDecision): Promise<boolean> {
  if (isOpenClaim(latest)) return true;
  if (latest.state !== 'applied' || latest.outcome.team === null) return false;
  const sync = await syncs.latest(db, { name: latest.ticket, creation: latest.inputs.ticket_creation });
  return sync !== null && sync.at >= Date.parse(latest.decided_at) && !restsOnSync(latest, sync.orgId);
}

/** Sends all tickets with an open claim to these companies through the pipeline again: the CRM has announced a change of them. */
export async function judgeClaimsAgain(ctx: Context, orgIds: readonly OrgId[]): Promise<void> {
  const { db, clock } = ctx;
  const claimed = await decisions.openClaimsOf(db, orgIds);
  await tickets.enqueue(db, claimed, { dueAt: clock(), now: clock() });
}
