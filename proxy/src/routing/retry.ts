import type { OrgId } from '@deskside/shared/orgid';
import type { RoutingDecision, RoutingInputs } from '@deskside/shared/routing';
import type { Context } from '#context.ts';
import { searchCompany } from '#crm/lookup.ts';
import type { PipelineTicket } from '#helpdesk/tickets.ts';
import * as decisions from '#store/decisions.ts';
import type { TicketKey } from '#store/schema.ts';
import * as tickets from '#store/tickets.ts';
import { isHeld, isOpenClaim } from '#trust/claims.ts';
import { openOn, type Sorted } from './assign.ts';
import { decideRouting, withTeamKept } from './decide.ts';
import { keepDecision, planDecision } from './decision.ts';
import { gatherRoutingInputs } from './gather.ts';

const done = { again: null };

const minute = 60_000;
const hour = 60 * minute;

/** The CRM is asked again every minute, after an hour every ten; after a week the ticket has been handled by hand. */
const repairing = { forMs: 7 * 24 * hour, pauseAfter: (age: number) => (age < hour ? minute : 10 * minute) };
/** Addresses named by a sender get less: each pause is as long as all before it, up to two hours. */
const shopRepair = { forMs: 24 * hour, pauseAfter: (age: number) => Math.min(2 * hour, Math.max(minute, age)) };

/** When to look again at a ticket that was decided while the CRM failed, as long as it does; null once it answers. */
export async function awaitCrm(ctx: Context, latest: RoutingDecision): Promise<{ again: number | null } | null> {
  const { outcome, inputs, state } = latest;
  if (outcome.fallback !== 'crm' || state !== 'applied' || inputs.org_id === null || ctx.crm === null) return null;
  const { status } = await searchCompany(ctx, inputs.org_id.value, { refresh: false, lane: 'backfill' });
  return status === 'error' ? { again: againAt(ctx, latest, await firstOf(ctx, latest)) } : null;
}

/**
 * Decides again what was decided without an answer of the CRM, of a shop or of the helpdesk's teams, only while nobody but
 * the service has dealt with the ticket (docs/decisions.md 23). Throws HelpdeskError.
 */
export async function repair(ctx: Context, latest: RoutingDecision, ticket: PipelineTicket, signal: AbortSignal) {
  const again = againAt(ctx, latest, await firstOf(ctx, latest));
  if (again === null || !(await isStillOurs(ctx, latest, ticket, signal))) return done;
  const gathered = await gatherRoutingInputs(ctx, ticket, 'deskside', signal);
  const planned = await planDecision(ctx, gathered, latest, signal);
  if (planned.outcome.fallback === latest.outcome.fallback) return { again };
  const { fallback, reason: reasonBefore } = latest.outcome;
  const how = {
    cause: 'repair',
    after: latest.number,
    ...(fallback && { repairs: fallback }),
    reasonBefore,
  } as const;
  return keepDecision(ctx, gathered, how, planned, signal);
}

/**
 * Once someone else vouches for a claim, linking, customer and fields follow; team and agent stay (docs/decisions.md
 * 9). Throws HelpdeskError.
 */
export async function judgeAgain(ctx: Context, latest: RoutingDecision, ticket: PipelineTicket, signal: AbortSignal) {
  const groupSetBy = latest.inputs.agent_group?.set_by ?? 'deskside';
  const gathered = await gatherRoutingInputs(ctx, ticket, groupSetBy, signal);
  if (gathered.inputs.org_id === null || isHeld(gathered.inputs, gathered.inputs.claims)) return done;
  if (gathered.inputs.crm?.status === 'error') return { again: ctx.clock() + minute };
  const { team } = latest.outcome;
  const decided = decideRouting(gathered.inputs, ctx.routing);
  const outcome = team === null || decided.team === null ? decided : withTeamKept(decided, team);
  const planned = { outcome, turn: null, assignment: latest.assignment };
  return keepDecision(ctx, gathered, { cause: 'confirmed', after: latest.number }, planned, signal);
}

/**
 * Decides a ticket again, its team included, as an agent has asked with their Sync (docs/decisions.md 14). Gives the team in
 * which it is by the rules; null if it stays because a person chose its team, closed it, or was faster. Throws HelpdeskError
 * and AppError.
 */
export function reroute(ctx: Context, name: string, callerSignal: AbortSignal): Promise<string | null> {
  return ctx.withLock(`ticket ${name}`, async (own) => {
    const signal = AbortSignal.any([own, callerSignal]);
    const found = await findInOurTeam(ctx, name, signal);
    if (found === null) return null;
    const { latest, ticket } = found;
    const gathered = await gatherRoutingInputs(ctx, ticket, 'deskside', signal);
    const planned = await planDecision(ctx, gathered, latest, signal);
    const { team } = planned.outcome;
    if (team === null || team === latest.outcome.team) return team;
    // If the process dies in between, the pipeline finishes it.
    await tickets.enqueue(ctx.db, [ticket.file.ticket], { dueAt: ctx.clock() + minute, now: ctx.clock() });
    const { state } = await keepDecision(ctx, gathered, { cause: 'sync', after: latest.number }, planned, signal);
    return state === 'applied' ? team : null;
  });
}

/**
 * The other team that the rules would choose once a Sync has linked the ticket to a customer with this segment and plan; null
 * if it stays where it is. Writes nothing. Throws HelpdeskError.
 */
export async function previewReroute(
  ctx: Context,
  name: string,
  {
    orgId: value,
    customer,
  }: { orgId: OrgId; customer: Pick<NonNullable<RoutingInputs['customer']>, 'name' | 'segment' | 'shop_plan'> },
  signal: AbortSignal,
): Promise<string | null> {
  const found = await findInOurTeam(ctx, name, signal);
  if (found === null) return null;
  const { latest, ticket } = found;
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
  const { team } = (await planDecision(ctx, { ticket, inputs }, latest, signal)).outcome;
  return team === latest.outcome.team ? null : team;
}

/** A ticket that is in the team that our decision chose, and that nobody has closed. */
async function findInOurTeam(ctx: Context, name: string, signal: AbortSignal) {
  const ticket = await ctx.helpdesk.tickets.read(name, signal);
  const latest = await decisions.latest(ctx.db, ticket.file.ticket);
  if (latest?.state !== 'applied' || latest.outcome.team === null) return null;
  return ticket.closed || ticket.file.ticket.agentGroup !== latest.outcome.team ? null : { latest, ticket };
}

async function firstOf(ctx: Context, latest: RoutingDecision): Promise<RoutingDecision> {
  return latest.number === 1
    ? latest
    : ((await decisions.list(ctx.db, { name: latest.ticket, creation: latest.inputs.ticket_creation })).at(-1) ??
        latest);
}

/** When to ask again for what failed; null once that has gone on for too long. */
function againAt(ctx: Context, { outcome }: RoutingDecision, first: RoutingDecision): number | null {
  const age = ctx.clock() - Date.parse(first.decided_at);
  const { forMs, pauseAfter } = outcome.fallback === 'meta_json' ? shopRepair : repairing;
  return age > forMs ? null : ctx.clock() + pauseAfter(age);
}

async function isStillOurs(ctx: Context, decision: RoutingDecision, ticket: PipelineTicket, signal: AbortSignal) {
  return isUntouched(decision, ticket, await openOn(ctx, ticket, signal));
}

/**
 * Whether only the service has dealt with a ticket since a decision (docs/decisions.md 23): no reply from the team, the
 * same status and group, no assignment by a person, and none of ours removed. Native assignments do not count, nor do
 * further messages from the sender.
 */
function isUntouched(decision: RoutingDecision, ticket: PipelineTicket, { ours, others }: Sorted): boolean {
  if (ticket.replied || ticket.status !== decision.inputs.ticket_status) return false;
  const standing = decision.outcome.team ?? decision.inputs.agent_group?.name ?? null;
  if (ticket.file.ticket.agentGroup !== standing) return false;
  if (others.length > 0) return false;
  return decision.assignment.state !== 'assigned' || ours.some(({ user }) => user === decision.assignment.agent);
}

/**
 * Sends a ticket that was decided on a claim through the pipeline again at once, because a Sync, or a profile with a
 * different judgement, may vouch for it (docs/decisions.md 9). Another ticket is left alone.
 */
export async function judgeClaimAgain({ db, clock }: Context, ticket: TicketKey): Promise<void> {
  const latest = await decisions.latest(db, ticket);
  if (latest !== null && isOpenClaim(latest)) await tickets.enqueue(db, [ticket], { dueAt: clock(), now: clock() });
}

/** The same for all tickets with a claim to these companies, of which the CRM has announced a change. */
export async function judgeClaimsAgain(ctx: Context, orgIds: readonly OrgId[]): Promise<void> {
  const { db, clock } = ctx;
  if (orgIds.length === 0) return;
  const claimed = await decisions.openClaimsOf(db, orgIds);
  await tickets.enqueue(db, claimed, { dueAt: clock(), now: clock() });
}
