import type { EnrichmentData } from '@deskside/shared/enrichment';
import type { OrgId } from '@deskside/shared/orgid';
import type { Context } from '#context.ts';
import type { Caller } from '#helpdesk/credentials.ts';
import type { Ticket } from '#helpdesk/tickets.ts';
import { AppError } from '#runtime/app-error.ts';
import { explainCustomerRefusal, hideServiceRefusal } from '#runtime/helpdesk-refusal.ts';
import { requireCustomerWrite, requireTicketWrite } from '#server/require-write.ts';
import { clearIfRead } from '#trust/clear-if-read.ts';
import { enrichRecords } from './enrich-records.ts';
import type { Enriched } from './enrichment-runs.ts';
import { noteCheck } from './note-check.ts';

export interface EnrichmentAsked {
  caller: Caller;
  orgId: OrgId | null;
  force: boolean;
  hdCustomer: string | null;
  ticket: string | null;
  requestId: string;
}

/**
 * Enriches an org id's customer for an agent, and links the ticket to it (docs/api.md#enrichment). Identical
 * simultaneous calls share one run. Throws AppError if the caller is not permitted or asks for too much, on a conflict,
 * `ticket_read_by_other`, and if the helpdesk fails; whatever the CRM does is a status.
 */
export async function enrichCompany(
  ctx: Context,
  { caller, orgId, force, hdCustomer, ticket, requestId }: EnrichmentAsked,
  signal: AbortSignal,
): Promise<EnrichmentData> {
  const { gate, helpdesk } = ctx;
  const agent = await gate.requireAgent(caller, signal);
  if (orgId === null) return { status: 'missing_orgid' };
  if (!ctx.crmEnabled) return { status: 'disabled' };
  if (ctx.crm === null) return { status: 'missing_config' };
  if (force) ctx.limitRefreshes(agent);
  const opened = ticket === null ? null : await requireTicketWrite(ctx, caller, ticket, signal);
  if (hdCustomer !== null)
    await explainCustomerRefusal(helpdesk.rights.requireCustomerRead(caller, hdCustomer, signal));

  const file = opened?.file ?? null;
  const linksClaims = ctx.routing.claims === 'accept';
  // What a caller may do with a customer is theirs alone, so callers share no run that could depend on it.
  const named = hdCustomer ?? ticket;
  const key = JSON.stringify([orgId, force, hdCustomer, ticket, named === null ? '' : caller.digest]);
  const { data } = await ctx.enrichmentRuns(key, agent.id, async () => {
    const enriched = await enrichRecords(ctx, {
      orgId,
      force,
      lane: 'open',
      hdCustomer,
      level: null,
      linksClaims,
      // Who may write a ticket may say which company its customer is, unless a website user may write that one, too
      // (docs/decisions.md 11).
      requireBind: async (name) => {
        if (name === file?.ticket.customer && (await helpdesk.rights.isDeskOnly(name, signal))) return;
        await requireCustomerWrite(ctx, caller, name, signal);
      },
      adopting: { by: agent.id, via: 'enrichment', ticket, at: ctx.clock() },
      file,
    });
    const { looked, level } = enriched;
    const tells = (linksClaims || level !== 'claimed') && !isOtherCompanys(enriched);
    if (file === null) return enriched;
    await unlinkIfRead(ctx, file.ticket, enriched);
    await noteCheck(ctx, { ticket: file.ticket, looked, tells });
    return enriched;
  });
  return data.error ? { ...data, error: { ...data.error, request_id: requestId } } : data;
}

const unlinkWithinMs = 20_000;

/** Takes the customer off again that was just linked, if somebody else reads the ticket since, and throws that they do. */
async function unlinkIfRead(ctx: Context, ticket: Ticket, { data }: Enriched): Promise<void> {
  const customer = data.hd_customer ?? null;
  if (customer === null || !data.ticket?.linked || data.ticket.previous_customer === customer) return;
  const written = { fields: {}, instead: {}, customer };
  const cleared = clearIfRead(ctx, ticket, written, AbortSignal.timeout(unlinkWithinMs));
  const reader = await hideServiceRefusal(cleared);
  if (reader !== null) throw AppError.readByOther(ticket.name, reader);
}

/** The ticket keeps another company's customer, so the times of this check are not its own. */
function isOtherCompanys({ looked, data }: Enriched): boolean {
  return looked.outcome === 'matched' && data.ticket?.linked !== true;
}
