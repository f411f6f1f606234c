import type { RoutingDecision, RoutingInputs } from '@deskside/shared/routing';
import { type Context, hasCrm } from '#app/context.ts';
import { searchCompany } from '#app/crm/search-company.ts';
import { type MeetNeeds, meetProof } from '#app/prove/meet-proof.ts';
import { type FirstStateNeeds, recordFirstState } from '#app/trust/first-state.ts';
import { claimDueAt, isClaim, isOpenClaim } from '#domain/routing/claims.ts';
import { decideRouting, otherShop, withTeamKept } from '#domain/routing/decide-routing.ts';
import type { PipelineTicket, RoutingFields } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { TicketWork } from '#ports/intake/inbox.ts';
import { type AdoptNeeds, adoptTicket } from './after-restore.ts';
import { isRoutedElsewhere, leftAlone, openOn, readIfThere, type Sorted } from './assignments.ts';
import { finishDecision, keepDecision, type Planned, planDecision, type WriterNeeds } from './decision-writer.ts';
import { type GatherNeeds, gatherRoutingInputs } from './gather-routing-inputs.ts';

export type RunNeeds = GatherNeeds &
  WriterNeeds &
  AdoptNeeds &
  FirstStateNeeds &
  MeetNeeds &
  Pick<Context, 'sweepMark' | 'retentionMs'>;

const done = { again: null };

const minute = 60_000;
const hour = 60 * minute;

/** The CRM is asked again every minute, after an hour every ten; after a week the ticket has been handled by hand. */
const repairing = { forMs: 7 * 24 * hour, pauseAfter: (age: number) => (age < hour ? minute : 10 * minute) };
/** Half a minute in all; after that a ticket is routed without its customer. */
const enrichTries = 5;
/** Addresses named by a sender get less: each pause is as long as all before it, up to two hours. */
const shopRepair = { forMs: 24 * hour, pauseAfter: (age: number) => Math.min(2 * hour, Math.max(minute, age)) };

/**
 * Takes one ticket through to the end, from wherever it is: decides if nothing has been decided, finishes what a crash
 * left half done, and decides again if the CRM or a shop's meta.json had failed (docs/decisions.md 26). Must not run
 * twice at once for one ticket. Throws when the helpdesk fails; the work is then tried again. `again`: when to look at the
 * ticket again (epoch milliseconds); null if nothing is left to do.
 */
export async function runTicketPipeline(
  ctx: RunNeeds,
  work: TicketWork,
  signal: AbortSignal,
): Promise<{ again: number | null }> {
  const { again } = await advance(ctx, work, signal);
  return { again };
}

async function advance(ctx: RunNeeds, work: TicketWork, signal: AbortSignal): Promise<{ again: number | null }> {
  const latest = await ctx.decisions.latest(work.ticket);
  const isRouted = latest?.state === 'overruled' || latest?.outcome.fallback === null;
  if (latest?.outcome.fallback === 'crm' && latest.state === 'applied' && !(await crmAnswersFor(ctx, latest)))
    return { again: againAt(ctx, latest, await firstOf(ctx, latest)) };
  const ticket = await readIfThere(ctx, work.ticket, signal);
  if (ticket === null) return done;
  if (latest === null || isAnother(latest, ticket)) {
    const met = await meetProof(ctx, work, ticket, signal);
    if (met !== null) return met;
    return (await isPast(ctx, ticket, signal)) ? done : decideFirst(ctx, ticket, latest, work, signal);
  }
  if (latest.state === 'planned') return finishDecision(ctx, latest, foundBefore(latest), signal);
  if (!isRouted) return repair(ctx, latest, ticket, signal);
  return isOpenClaim(latest) ? judgeAgain(ctx, latest, ticket, signal) : done;
}

/** Whether the ticket is no new one: its decisions have been deleted, or may have been (docs/decisions.md 27). */
async function isPast(ctx: RunNeeds, { file, creation }: PipelineTicket, signal: AbortSignal): Promise<boolean> {
  if (creation < (await ctx.helpdesk.stampOf(ctx.clock() - ctx.retentionMs, signal))) return true;
  return ctx.decisions.isForgotten(file.ticket.name, creation);
}

async function decideFirst(
  ctx: RunNeeds,
  ticket: PipelineTicket,
  latest: RoutingDecision | null,
  work: TicketWork,
  signal: AbortSignal,
) {
  const adopted = await adoptTicket(ctx, ticket, work.cause, signal);
  if (adopted?.kind === 'whole') {
    await ctx.decisions.add(adopted.draft, latest?.number ?? 0, null);
    return { again: adopted.draft.outcome.fallback === null ? null : ctx.clock() + minute };
  }
  if (adopted === null && (await isRoutedElsewhere(ctx, ticket, signal)))
    return leaveAlone(ctx, ticket, latest, work.cause);
  const insists = work.attempts < enrichTries;
  const gathered = await gatherRoutingInputs(ctx, ticket, await recordFirstState(ctx, ticket, signal), signal, insists);
  const before = gathered.inputs.agent_group;
  const cause = before?.set_by === 'deskside' ? 'before_insert' : work.cause;
  const planned = await planDecision(ctx, gathered, null, signal);
  const after = latest?.number ?? 0;
  return keepDecision(
    ctx,
    gathered,
    { cause, found_by: work.cause, after },
    adopted ? asAssigned(planned, adopted) : planned,
    signal,
  );
}

/** Recorded, so that the ticket is not looked at again; nothing is written to it. */
async function leaveAlone(
  ctx: RunNeeds,
  ticket: PipelineTicket,
  latest: RoutingDecision | null,
  cause: TicketWork['cause'],
) {
  await ctx.decisions.add(leftAlone(ticket, cause, ctx.clock()), latest?.number ?? 0, null);
  return done;
}

/** docs/decisions.md 26: only while nobody but the service has dealt with the ticket. */
async function repair(ctx: RunNeeds, latest: RoutingDecision, ticket: PipelineTicket, signal: AbortSignal) {
  const again = againAt(ctx, latest, await firstOf(ctx, latest));
  if (again === null || !(await isStillOurs(ctx, latest, ticket, signal))) return done;
  const firstState = await recordFirstState(ctx, ticket, signal);
  const gathered = await gatherRoutingInputs(ctx, ticket, { ...firstState, groupSetBy: 'deskside' }, signal);
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
 * 10).
 */
async function judgeAgain(ctx: RunNeeds, latest: RoutingDecision, ticket: PipelineTicket, signal: AbortSignal) {
  const again = claimDueAt(Date.parse((await firstOf(ctx, latest)).decided_at), ctx.clock());
  const firstState = await recordFirstState(ctx, ticket, signal);
  const groupSetBy = latest.inputs.agent_group?.set_by ?? 'deskside';
  const gathered = await gatherRoutingInputs(ctx, ticket, { ...firstState, groupSetBy }, signal);
  if (gathered.inputs.org_id === null || isClaim(gathered.inputs)) return { again };
  if (gathered.inputs.crm?.status === 'error') return { again: ctx.clock() + minute };
  const { team } = latest.outcome;
  const decided = decideRouting(gathered.inputs, ctx.routing);
  const outcome = team === null || decided.team === null ? decided : withTeamKept(decided, team);
  const planned = { outcome, turn: null, assignment: latest.assignment };
  return keepDecision(ctx, gathered, { cause: 'confirmed', after: latest.number }, planned, signal);
}

/** Whether the CRM answers for the ticket's org id again. */
async function crmAnswersFor(ctx: RunNeeds, { inputs }: RoutingDecision): Promise<boolean> {
  if (inputs.org_id === null || !hasCrm(ctx)) return true;
  const { status } = await searchCompany(ctx, inputs.org_id.value, { refresh: false, lane: 'backfill' });
  return status !== 'error';
}

async function firstOf(ctx: RunNeeds, latest: RoutingDecision): Promise<RoutingDecision> {
  return latest.number === 1 ? latest : ((await ctx.decisions.list(latest.ticket)).at(-1) ?? latest);
}

/** When to ask again for what failed; null once that has gone on for too long. */
function againAt(ctx: RunNeeds, { outcome }: RoutingDecision, first: RoutingDecision): number | null {
  const age = ctx.clock() - Date.parse(first.decided_at);
  const { forMs, pauseAfter } = outcome.fallback === 'meta_json' ? shopRepair : repairing;
  return age > forMs ? null : ctx.clock() + pauseAfter(age);
}

async function isStillOurs(ctx: RunNeeds, decision: RoutingDecision, ticket: PipelineTicket, signal: AbortSignal) {
  return isUntouched(decision, ticket, await openOn(ctx, ticket, signal));
}

/**
 * Whether only the service has dealt with a ticket since a decision (docs/decisions.md 26): no reply from the team, the
 * same status and group, no assignment by a person, and none of ours removed. Native assignments do not count, nor do
 * further messages from the sender.
 */
function isUntouched(decision: RoutingDecision, ticket: PipelineTicket, { ours, rivals, others }: Sorted): boolean {
  if (ticket.replied || ticket.status !== decision.inputs.ticket_status) return false;
  const standing = decision.outcome.team ?? decision.inputs.agent_group?.name ?? null;
  if (ticket.file.ticket.agentGroup !== standing) return false;
  if (rivals.length + others.length > 0) return false;
  return decision.assignment.state !== 'assigned' || ours.some(({ user }) => user === decision.assignment.agent);
}

/** What else was to be written when the decision was made, for a ticket to which a crash kept it from being written. */
function foundBefore({ inputs }: RoutingDecision): RoutingFields {
  return { ...intakeOf(inputs), ...((!isClaim(inputs) || inputs.claims === 'accept') && checkOf(inputs)) };
}

/** When the CRM was asked; that it had nothing is known where it has just said so. */
function checkOf({ crm }: RoutingInputs): RoutingFields {
  if (crm === null || crm.status === 'error' || crm.checked_at === null) return {};
  const crmLastCheckedAt = Date.parse(crm.checked_at);
  return { crmLastCheckedAt, ...(crm.status === 'not_found' && { crmNotFoundAt: crmLastCheckedAt }) };
}

function intakeOf(inputs: RoutingInputs): RoutingFields {
  if (otherShop(inputs) !== null) return {};
  const { org_id, findings } = inputs;
  const domain = findings.find(({ kind }) => kind === 'platform_domain');
  return {
    ...(org_id && findings.some(({ value }) => value === org_id.value) && { orgId: org_id.value }),
    ...(domain && { platformDomain: domain.value }),
  };
}

/** The team and the agent are those of before the restore. */
function asAssigned({ outcome }: Planned, { team, agent }: { team: string; agent: string }): Planned {
  return {
    outcome: outcome.team === team ? outcome : withTeamKept(outcome, team),
    turn: null,
    assignment: { state: 'planned', agent, candidates: [] },
  };
}

/** Ticket names can be reused, and a restored backup of the helpdesk can bring older tickets back. */
function isAnother({ inputs }: RoutingDecision, ticket: PipelineTicket): boolean {
  return inputs.ticket_creation !== undefined && inputs.ticket_creation !== ticket.creation;
}
