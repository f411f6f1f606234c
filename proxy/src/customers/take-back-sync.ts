import type { OrgId } from '@deskside/shared/orgid';
import type { RoutingDecision } from '@deskside/shared/routing';
import type { Context } from '#context.ts';
import type { RoutingFields } from '#helpdesk/fields.ts';
import type { PipelineTicket } from '#helpdesk/tickets.ts';
import { isHeld, restsOnSync } from '#routing/claims.ts';
import { finishDecision } from '#routing/decision-writer.ts';
import { writtenFields } from '#routing/written-fields.ts';
import { hasGiven, takenBackReason } from '#routing/written-of.ts';
import { retryIfChanged } from '#runtime/retry-if-changed.ts';
import * as decisions from '#store/decisions.ts';
import type { SyncEntry } from '#store/syncs.ts';
import * as syncs from '#store/syncs.ts';
import * as tickets from '#store/tickets.ts';
import { standsOn } from '#trust/agents-word.ts';
import { readerOf } from '#trust/evidence.ts';
import { describeCompany } from './describe-company.ts';

/** Decisions on a ticket, newest first: those that rest on a Sync, and those before. */
interface Decided {
  resting: readonly [RoutingDecision, ...RoutingDecision[]];
  earlier: readonly [RoutingDecision, ...RoutingDecision[]];
}

/**
 * Takes back what the pipeline wrote to a ticket because of a Sync that is undone (docs/decisions.md 30): its fields show what
 * they showed before, as far as they still stand as we wrote them, and a claim that it had confirmed is open again. Team
 * and agent stay. Nothing while another Sync vouches for the company. Repeatable. Throws HelpdeskError and AppError.
 */
export function takeBackSync(
  ctx: Context,
  { ticket: name, orgId, crmCompanyId }: SyncEntry,
  callerSignal: AbortSignal,
): Promise<void> {
  return ctx.withLock(`ticket ${name}`, async (own) => {
    const signal = AbortSignal.any([own, callerSignal]);
    const found = await decisions.latest(ctx.db, name);
    if (found === null || !restsOnSync(found, orgId)) return;
    const standing = await syncs.latest(ctx.db, name);
    const { file } = await ctx.helpdesk.tickets.read(name, signal);
    if (standing?.orgId === orgId && standsOn(standing, file.ticket)) return;
    // Half of it may have been written, by which nobody could tell what to take back.
    if (found.state === 'planned') await finishDecision(ctx, found, {}, signal);
    const decided = decidedOf(await decisions.list(ctx.db, name), orgId);
    if (decided === null) return;
    const { ownerEmail } = await describeCompany(ctx, orgId, crmCompanyId);
    const [latest, before] = [decided.resting[0], decided.earlier[0]];
    let { reason } = before.outcome;
    await retryIfChanged(async () => {
      const ticket = await ctx.helpdesk.tickets.read(name, signal);
      // What it showed of another company is not for whoever else reads it by now.
      const isRead = (await readerOf(ctx, ticket.file.ticket, signal)) !== null;
      reason = reasonOf(before, ticket.file.ticket.agentGroup ?? latest.outcome.team, isRead);
      const { written, instead } = fieldsOf(decided, ticket, { orgId, ownerEmail, reason });
      return ctx.helpdesk.tickets.clear(ticket, written, isRead ? withoutCompany(instead) : instead, signal);
    });
    // The claim that it may have been decided on is open again.
    await tickets.enqueue(ctx.db, [name], ctx.clock(), ctx.clock());
    const { inputs, outcome, link } = before;
    const record = {
      ...{ ticket: name, cause: 'sync_undone' as const, decided_at: new Date(ctx.clock()).toISOString() },
      ...{ state: latest.state, inputs, link, assignment: latest.assignment },
      outcome: { ...outcome, team: latest.outcome.team, reason },
    };
    await decisions.add(ctx.db, record, latest.number, null);
  });
}

function withoutCompany({ segment: _, shopplan: __, servicePlan: ___, ...fields }: RoutingFields): RoutingFields {
  return fields;
}

/** Null if nothing is known of what was before. */
function decidedOf(all: readonly RoutingDecision[], orgId: OrgId): Decided | null {
  const count = all.findIndex((decision) => !restsOnSync(decision, orgId));
  const [latest, ...others] = all.slice(0, count);
  const [before, ...first] = all.slice(count);
  if (count === -1 || latest === undefined || before === undefined) return null;
  return { resting: [latest, ...others], earlier: [before, ...first] };
}

/** The reason of before; where the ticket has another team since, or somebody else reads it, one that names the team alone. */
function reasonOf({ outcome }: RoutingDecision, team: string | null, isRead: boolean): string {
  const isSame = outcome.team === null || outcome.team === team;
  return team === null || (isSame && !isRead) ? outcome.reason : takenBackReason(team);
}

/** What the decisions that rest on the Sync wrote, and what belongs in its place. */
function fieldsOf(
  { resting, earlier }: Decided,
  ticket: PipelineTicket,
  { orgId, ownerEmail, reason }: { orgId: OrgId; ownerEmail: string | null; reason: string },
): { written: RoutingFields; instead: RoutingFields } {
  const [latest, before] = [resting[0], earlier[0]];
  const shownOf = (decision: RoutingDecision) => writtenFields(decision, latest.assignment.state, ticket, {});
  const { agentGroup: _, ...written } = shownOf(latest);
  const then = {
    ...shownOf({ ...before, outcome: { ...before.outcome, reason } }),
    segment: (resting.at(-1) ?? latest).inputs.ticket_segment ?? '',
  };
  const instead = Object.fromEntries(Object.entries(then).filter(([member]) => member in written));
  const isGiven = resting.some((one) => hasGiven(one, orgId)) && !earlier.some((one) => hasGiven(one, orgId));
  const wasShown = before.inputs.org_id?.value === orgId && !isHeld(before.inputs, before.inputs.claims);
  return {
    written: {
      ...written,
      ...(isGiven && { orgId, profileOrgId: orgId, olderOrgId: orgId }),
      ...(ownerEmail !== null && !wasShown && { responsible: ownerEmail }),
    },
    instead: { ...instead, ...(!wasShown && { crmLastCheckedAt: null, crmNotFoundAt: null }) },
  };
}
