import { contract } from '@deskside/shared/contract';
import type { FieldChange } from '@deskside/shared/enrichment';
import { parseOrgId } from '@deskside/shared/orgid';
import type { IntakeData } from '@deskside/shared/routing';
import { type Asked, type Call, endpoint } from '#context.ts';
import { hideServiceRefusal } from '#helpdesk/errors.ts';
import type { RoutingFields } from '#helpdesk/fields.ts';
import type { PipelineTicket } from '#helpdesk/tickets.ts';
import { retryIfChanged } from '#runtime/app-error.ts';
import { type Intake, intakeTicket } from './intake-ticket.ts';

/**
 * Runs intake for one ticket when an agent asks for it, and writes what it found to empty fields (docs/routing.md#intake).
 * An existing org id is never replaced, and another shop's domain not written beside it. Throws AppError: if the caller may not change the
 * ticket, `changed_since`, and if the helpdesk fails. Whatever the shop's addresses do is a status.
 */
export async function enrichStoreUrl(
  ctx: Call,
  { ticket: name, storeUrl }: Asked<typeof contract.storeUrlEnrich>,
): Promise<IntakeData> {
  await ctx.gate.requireTicketWrite(ctx.caller, name, ctx.signal);
  const seen = await hideServiceRefusal(ctx.helpdesk.tickets.read(name, ctx.signal));
  const found = await hideServiceRefusal(intakeTicket(ctx, seen, { storeUrl: storeUrl ?? undefined }, ctx.signal));
  return {
    status: statusOf(found),
    orgid: found.orgId,
    platform_domain: found.platformDomain,
    findings: found.findings,
    meta_failures: found.metaFailures,
    ticket: { name },
    changes: await hideServiceRefusal(write(ctx, seen, found)),
  };
}

function write({ helpdesk: { tickets }, signal }: Call, seen: PipelineTicket, found: Intake): Promise<FieldChange[]> {
  return retryIfChanged(async (isFirst) => {
    const ticket = isFirst ? seen : await tickets.read(seen.file.ticket.name, signal);
    const fields = fieldsOf(found, ticket);
    return Object.keys(fields).length === 0 ? [] : tickets.write(ticket, fields, signal);
  });
}

/** What belongs on the ticket: an org id if it has none, and the domain of the shop that it is about. */
function fieldsOf({ orgId, platformDomain }: Intake, { file, ...ticket }: PipelineTicket): RoutingFields {
  const own = file.ticket.orgIdFields.flatMap(({ value }) => parseOrgId(value) ?? [])[0] ?? null;
  const isOther = own !== null && orgId !== null && orgId !== own;
  return {
    ...(own === null && orgId !== null && { orgId }),
    ...(platformDomain !== null && !isOther && ticket.platformDomain === null && { platformDomain }),
  };
}

function statusOf({ orgId, failed }: Intake): IntakeData['status'] {
  if (orgId !== null) return 'found';
  return failed ? 'failed' : 'not_found';
}

export const storeUrlEndpoint = endpoint(contract.storeUrlEnrich, {
  who: 'agent',
  handle: enrichStoreUrl,
  message: ({ status }) => intakeMessages[status],
  success: ({ status }) => status !== 'failed',
});

const intakeMessages: Readonly<Record<IntakeData['status'], string>> = {
  found: 'Org id found.',
  not_found: 'No org id found.',
  failed: 'No org id found, and a store address did not respond.',
};
