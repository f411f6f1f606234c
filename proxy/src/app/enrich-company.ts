import type { EnrichmentData } from '@deskside/shared/enrichment';
import type { OrgId } from '@deskside/shared/orgid';
import type { HelpdeskRecords } from '../ports/helpdesk-records.ts';
import { asReaderOfCustomer } from './as-service.ts';
import type { Enriched, EnrichRecords } from './enrich-records.ts';
import type { Caller, Gate } from './open-ticket.ts';
import { requireTicketWrite } from './require-ticket-write.ts';

export interface EnrichCompanyDeps {
  gate: Gate;
  records: Pick<HelpdeskRecords, 'requireTicketWrite' | 'requireCustomerRead'>;
  crmEnabled: boolean;
  /** Null where no webhook is configured. */
  enrichRecords: EnrichRecords | null;
}

export type EnrichCompany = (input: {
  caller: Caller;
  orgId: OrgId | null;
  force: boolean;
  hdCustomer: string | null;
  ticket: string | null;
  requestId: string;
  signal: AbortSignal;
}) => Promise<EnrichmentData>;

/**
 * Enriches the customer of an org id for an agent, and links the ticket to it (spec.md, "POST
 * …metajson_company_enrichment"). Equal calls at one moment are one. Throws AppError for a caller who may not, a
 * conflict, and a helpdesk that fails; what the CRM does is a status.
 */
export function createEnrichCompany(deps: EnrichCompanyDeps): EnrichCompany {
  const running = new Map<string, Promise<Enriched>>();

  return async ({ caller, orgId, force, hdCustomer, ticket, requestId, signal }) => {
    await deps.gate.requireAgent(caller, signal);
    if (orgId === null) return { status: 'missing_orgid' };
    if (!deps.crmEnabled) return { status: 'disabled' };
    const { enrichRecords } = deps;
    if (enrichRecords === null) return { status: 'missing_config' };
    const opened = ticket === null ? null : await requireTicketWrite(deps, caller, ticket, signal);
    if (hdCustomer !== null) await asReaderOfCustomer(deps.records.requireCustomerRead(caller, hdCustomer, signal));

    const { data } = await once(JSON.stringify([orgId, force, hdCustomer, ticket]), () =>
      enrichRecords({ orgId, force, lane: 'open', hdCustomer, adoptFree: true, file: opened?.file ?? null }),
    );
    return data.error ? { ...data, error: { ...data.error, request_id: requestId } } : data;
  };

  /** A caller who leaves does not stop the work: others wait for it, and it is finished sooner than taken up again. */
  function once(key: string, work: () => Promise<Enriched>): Promise<Enriched> {
    const same = running.get(key);
    if (same) return same;
    const flight = work().finally(() => running.delete(key));
    running.set(key, flight);
    return flight;
  }
}
