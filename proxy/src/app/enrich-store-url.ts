import type { FieldChange } from '@deskside/shared/enrichment';
import { parseOrgId } from '@deskside/shared/orgid';
import type { IntakeData } from '@deskside/shared/routing';
import type { HelpdeskRecords } from '../ports/helpdesk-records.ts';
import type { HelpdeskTickets, PipelineTicket, RoutingFields } from '../ports/helpdesk-tickets.ts';
import { AppError } from './app-error.ts';
import { asService } from './as-service.ts';
import type { Intake, IntakeTicket } from './intake-ticket.ts';
import type { Caller, Gate } from './open-ticket.ts';
import { requireTicketWrite } from './require-ticket-write.ts';

export interface EnrichStoreUrlDeps {
  gate: Gate;
  records: Pick<HelpdeskRecords, 'requireTicketWrite'>;
  tickets: Pick<HelpdeskTickets, 'readPipelineTicket' | 'writeRouting'>;
  intake: IntakeTicket;
}

export type EnrichStoreUrl = (input: {
  caller: Caller;
  ticket: string;
  /** Read in place of the addresses on the ticket; null: those. */
  storeUrl: string | null;
  signal: AbortSignal;
}) => Promise<IntakeData>;

/** A write that lost against somebody else's is tried this often in all. */
const mostTries = 3;

/**
 * Runs intake for one ticket on an agent's demand, and writes what it found to a ticket without an org id (spec.md,
 * "Ticket - Store URL Enrich"). An org id that the ticket has is never replaced. Throws AppError: for a caller who may
 * not change the ticket, `changed_since`, and a helpdesk that fails. What the shop's addresses do is a status.
 */
export function createEnrichStoreUrl(deps: EnrichStoreUrlDeps): EnrichStoreUrl {
  const { gate, tickets, intake } = deps;

  return async ({ caller, ticket, storeUrl, signal }) => {
    const { file } = await requireTicketWrite(deps, caller, ticket, signal);
    const { name } = file.ticket;
    const seen = await asService(tickets.readPipelineTicket(name, signal));
    const found = await asService(intake(seen, signal, { storeUrl: storeUrl ?? undefined }));
    return {
      status: statusOf(found),
      orgid: found.orgId,
      platform_domain: found.platformDomain,
      findings: found.findings,
      meta_failures: found.metaFailures,
      ticket: { name },
      changes: await write(seen, found, signal),
    };
  };

  async function write(seen: PipelineTicket, found: Intake, signal: AbortSignal): Promise<FieldChange[]> {
    const { name } = seen.file.ticket;
    const fields = fieldsOf(found);
    let ticket = seen;
    for (let attempt = 1; !hasOrgId(ticket) && Object.keys(fields).length > 0; attempt += 1) {
      const changes = await asService(tickets.writeRouting(ticket, fields, signal));
      gate.forgetTicket(name);
      if (changes !== 'changed_meanwhile') return changes;
      if (attempt === mostTries) throw new AppError('changed_since');
      ticket = await asService(tickets.readPipelineTicket(name, signal));
    }
    return [];
  }
}

function hasOrgId({ file }: PipelineTicket): boolean {
  return file.ticket.orgIdFields.some(({ value }) => parseOrgId(value) !== null);
}

function fieldsOf({ orgId, platformDomain }: Intake): RoutingFields {
  return { ...(orgId !== null && { orgId }), ...(platformDomain !== null && { platformDomain }) };
}

function statusOf({ orgId, failed }: Intake): IntakeData['status'] {
  if (orgId !== null) return 'found';
  return failed ? 'failed' : 'not_found';
}
