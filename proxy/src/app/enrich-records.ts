import type { EnrichmentData } from '@deskside/shared/enrichment';
import type { OrgId } from '@deskside/shared/orgid';
import type { LookupFields } from '../ports/crm.ts';
import { HelpdeskError, type TicketFile } from '../ports/helpdesk.ts';
import type { HelpdeskRecords } from '../ports/helpdesk-records.ts';
import type { Logger } from '../ports/logger.ts';
import type { SyncLog } from '../ports/sync-log.ts';
import { alternativesOf } from './alternatives.ts';
import { applyMatch } from './apply-match.ts';
import { asService } from './as-service.ts';
import { reasonOf } from './background.ts';
import { type Match, notFoundFacts } from './customer-facts-for.ts';
import type { Exclusively } from './exclusively.ts';
import { linkTicket } from './link-ticket.ts';
import type { Lookup } from './lookup-company.ts';
import { mayReplaceCustomer, type SenderFacts } from './may-replace-customer.ts';
import type { Gate } from './open-ticket.ts';
import { type FactsFor, writeCustomer } from './write-customer.ts';

/** Looks up the companies of one org id, from the cache while fresh unless `refresh` is set. Never throws for the CRM. */
export type SearchCompany = (orgId: OrgId, how: SearchHow) => Promise<Lookup>;

export interface SearchHow {
  by: LookupFields;
  refresh: boolean;
  /** Whether an agent waits for it on screen (`click`), a workflow asks (`open`), or nobody waits (`backfill`). */
  lane: 'click' | 'open' | 'backfill';
}

export interface EnrichRecordsDeps {
  gate: Pick<Gate, 'forgetTicket'>;
  helpdesk: SenderFacts;
  records: HelpdeskRecords;
  syncLog: SyncLog;
  exclusively: Exclusively;
  /** See `Match`. */
  platformHost: string | null;
  searchCompany: SearchCompany;
  logger: Logger;
}

export interface EnrichRecordsInput {
  orgId: OrgId;
  /** Asks the CRM although a fresh answer is at hand. */
  force: boolean;
  lane: SearchHow['lane'];
  /** The customer to write, where the caller named one. */
  hdCustomer: string | null;
  /**
   * Whether the ticket's customer is made into this company where he carries no identity yet: the specification's order,
   * for an agent who asks for it. The link may be the sender's own doing, so nobody else may.
   */
  adoptFree: boolean;
  /** The ticket to link; the caller has been found to be allowed to change it. */
  file: TicketFile | null;
}

/** What the CRM said, and what came of it. `data.error.request_id` is left to the caller. */
export interface Enriched {
  looked: Lookup;
  data: EnrichmentData;
}

/**
 * Looks an org id up and brings customer, snapshot and ticket to what was found. For one org id one writes at a time,
 * in all processes together; the CRM is asked before that, so that a slow one keeps nobody waiting for his turn. Throws
 * AppError for a conflict and a helpdesk that fails.
 */
export type EnrichRecords = (input: EnrichRecordsInput) => Promise<Enriched>;

export function createEnrichRecords(deps: EnrichRecordsDeps): EnrichRecords {
  const { records } = deps;

  return async (input) => {
    const how = { by: 'platform_orgid_then_company_id', refresh: input.force, lane: input.lane } as const;
    const looked = await deps.searchCompany(input.orgId, how);
    const write = (signal: AbortSignal) => {
      if (looked.status === 'error') return noteFailure(input, looked, signal);
      if (looked.outcome === 'matched') return applyFound(input, looked, signal);
      return noteNotFound(input, looked, signal);
    };
    return { looked, data: await asService(deps.exclusively(`enrich ${input.orgId}`, write)) };
  };

  async function applyFound(input: EnrichRecordsInput, looked: Lookup, signal: AbortSignal): Promise<EnrichmentData> {
    const [company, ...others] = looked.companies;
    if (!company || looked.checkedAt === null) throw new TypeError('A match without its company.');
    const match: Match = { orgId: input.orgId, company, checkedAt: looked.checkedAt, platformHost: deps.platformHost };
    const target = { ...targetOf(input), others: others.map(({ fields }) => fields.bitrix_id) };
    const applied = await applyMatch(records, match, target, signal);
    const ticket = input.file && (await link(input.file, applied.name, match, signal));
    const kept = ticket?.linked === false ? ticket.previous_customer : null;
    return {
      status: looked.status,
      outcome: 'matched',
      hd_customer: applied.name,
      created: applied.created,
      ticket: ticket ?? { name: '', linked: false, previous_customer: null },
      company: {
        id: company.fields.bitrix_id,
        title: company.fields.title_full,
        date_modify: company.modifiedAt === null ? null : new Date(company.modifiedAt).toISOString(),
      },
      changes: applied.changes,
      snapshot: applied.snapshot,
      alternatives: alternativesOf(looked.companies),
      conflict:
        applied.conflict ??
        (kept === null ? null : { code: 'ticket_has_other_customer', asked: applied.name, found: kept }),
    };
  }

  async function link(file: TicketFile, customer: string, match: Match, signal: AbortSignal) {
    const { name, customer: seen } = file.ticket;
    const replaceable =
      seen !== null && seen !== customer && (await mayReplaceCustomer(deps, { file, ...match }, signal));
    const mayReplace = (present: string | null) => present === null || (replaceable && present === seen);
    const linked = await linkTicket(records, { ticket: name, customer, mayReplace }, signal);
    if (linked.linked && linked.previous_customer !== customer) deps.gate.forgetTicket(name);
    return linked;
  }

  async function noteNotFound(input: EnrichRecordsInput, looked: Lookup, signal: AbortSignal): Promise<EnrichmentData> {
    const checkedAt = looked.checkedAt ?? 0;
    const noted = await note(input, (record) => notFoundFacts(checkedAt, record), signal);
    return { status: looked.status, outcome: 'not_found', ...noted };
  }

  /** The failure itself is the answer; that it could not be noted as well is for the log. */
  async function noteFailure(input: EnrichRecordsInput, looked: Lookup, signal: AbortSignal): Promise<EnrichmentData> {
    const noted = await note(input, () => ({ syncStatus: 'error' }), signal).catch((failure: unknown) => {
      if (!(failure instanceof HelpdeskError)) throw failure;
      deps.logger.warn({ error: reasonOf(failure) }, 'A failed CRM check could not be noted on the customer');
      return { hd_customer: null, changes: [] };
    });
    const error = { code: looked.error ?? 'bad_answer', request_id: '' };
    return { status: 'error', outcome: looked.outcome, ...noted, error };
  }

  async function note(input: EnrichRecordsInput, factsFor: FactsFor, signal: AbortSignal) {
    const search = { ...targetOf(input), wanted: { orgId: input.orgId, crmCompanyId: null } };
    const written = await writeCustomer(records, { search, factsFor }, signal);
    return { hd_customer: written?.name ?? null, changes: written?.changes ?? [], conflict: written?.conflict ?? null };
  }
}

function targetOf({ hdCustomer, file, adoptFree }: EnrichRecordsInput) {
  return { passed: hdCustomer, ofTicket: file?.ticket.customer ?? null, adoptFree };
}
