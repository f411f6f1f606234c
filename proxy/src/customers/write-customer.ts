import type { EnrichmentData, FieldChange } from '@deskside/shared/enrichment';
import type { Conflict } from '@deskside/shared/envelope';
import type { OrgId } from '@deskside/shared/orgid';
import type { Company } from '@deskside/shared/profile';
import type { Context } from '#context.ts';
import type { Lookup } from '#crm/lookup.ts';
import type { CustomerRecord } from '#helpdesk/customers.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import type { CustomerFacts } from '#helpdesk/fields.ts';
import type { Helpdesk } from '#helpdesk/helpdesk.ts';
import { AppError, retryIfChanged } from '#runtime/app-error.ts';
import { reasonOf } from '#runtime/jobs.ts';
import type { CrmCompany } from '#store/profile-cache.ts';
import type { Adopting } from '#store/syncs.ts';
import * as syncs from '#store/syncs.ts';
import {
  type CustomerFound,
  type CustomerSearch,
  conflictOf,
  customerNameFor,
  findCustomer,
  orgIdOf,
} from './find-customer.ts';

type Plan = Helpdesk;

/** A company found in the CRM, and when it was asked (epoch milliseconds). */
export interface Match {
  orgId: OrgId;
  company: CrmCompany;
  checkedAt: number;
  /** Host below which the platform gives every org id a domain; null if unknown. */
  platformHost: string | null;
}

/**
 * What a match says about a customer, without timestamps. If the CRM has nothing new, only that it still matches: the
 * values already there, including a person's edits, are left alone. `mends`, where somebody asks for it: then also what is
 * blank; and everything where the CRM has gone back to an older version since the last check (docs/decisions.md 18).
 */
export function matchFacts(
  helpdesk: Plan,
  { orgId, company, checkedAt, platformHost }: Match,
  record: CustomerRecord | null,
  mends: boolean,
): CustomerFacts {
  const facts = companyFacts(company);
  const state = { syncStatus: 'matched', notFoundAt: null } as const;
  const domain = platformHost === null ? {} : { myplatform: `${orgId}.${platformHost}` };
  const version = record?.orgId === orgId ? compareVersions(record, facts) : 'newer';
  const isBack = version === 'older' && mends && isLaterCheck(checkedAt, record?.lastCheckedAt ?? null);
  if (record === null || version === 'newer' || isBack) return { platformOrgId: orgId, ...domain, ...facts, ...state };
  if (!mends || version === 'older') return state;
  const { crmCompanyUrl, matchConfidence, segment, shopPlan } = facts;
  const mendable = { ...domain, matchConfidence, crmCompanyUrl, segment, shopPlan };
  const blank = Object.entries(mendable).filter(([key, value]) => {
    const [change] = value === undefined ? [] : helpdesk.customers.plan(record, { [key]: value });
    return change !== undefined && (change.from === null || change.from === '');
  });
  return { ...Object.fromEntries(blank), ...state };
}

/** `matchFacts` with timestamps: of the check if it is a later one, of the sync if there is anything to sync. */
function withTimes(
  helpdesk: Plan,
  facts: CustomerFacts,
  checkedAt: number,
  record: CustomerRecord | null,
): CustomerFacts {
  const { syncStatus: _, notFoundAt: __, ...ofCompany } = facts;
  const syncs = Object.keys(ofCompany).length > 0 && helpdesk.customers.plan(record, facts).length > 0;
  return {
    ...facts,
    ...(syncs && { lastSyncedAt: checkedAt }),
    ...(isLaterCheck(checkedAt, record?.lastCheckedAt ?? null) && { lastCheckedAt: checkedAt }),
  };
}

export interface MatchApplied extends CustomerWritten {
  /** What was to be written, without the timestamps of the check. */
  plan: CustomerFacts;
  snapshot: NonNullable<EnrichmentData['snapshot']>;
}

/**
 * Brings the helpdesk's customer and the company's snapshot in line with the CRM. Repeatable: what was done is left as
 * it is, and what a crash left out is done. Callers must not run it concurrently for one org id.
 *
 * @param others ids of the other companies that the CRM has for the org id
 * @param mends whether to mend what is blank or out of date although the CRM has nothing new (docs/decisions.md 18)
 * @param adopting why a customer without org id that was named, or is the ticket's, becomes this company
 */
export async function applyMatch(
  store: Context,
  match: Match,
  target: Omit<CustomerSearch, 'target'> & {
    others: readonly string[];
    mends: boolean;
    adopting: Adopting | null;
  },
  signal: AbortSignal,
): Promise<MatchApplied> {
  const { helpdesk } = store;
  const { company, orgId, checkedAt } = match;
  const { fields } = company;
  const { others, mends, adopting, ...search } = target;
  let plan: CustomerFacts = {};
  const written = await writeCustomer(
    store,
    {
      search: { ...search, target: { orgId, crmCompanyId: fields.bitrix_id } },
      companyName: fields.company_name,
      factsFor: async (record) => {
        plan = matchFacts(helpdesk, match, record, mends);
        const facts = withTimes(helpdesk, plan, checkedAt, record);
        const isAdopted = record?.orgId === null && [search.passed, search.ofTicket].includes(record.name);
        if (adopting !== null && isAdopted) {
          const ids = { orgId, crmCompanyId: fields.bitrix_id, companyName: fields.company_name };
          const changes = helpdesk.customers.plan(record, facts);
          await syncs.recordAdoption(store.db, { ...adopting, customer: record.name, ...ids, changes });
        }
        return facts;
      },
    },
    signal,
  );
  if (written === null) throw new TypeError('A customer with a name to create it by was not created.');
  const snapshot = await helpdesk.snapshots.save(
    {
      customer: written.name,
      externalId: fields.bitrix_id,
      externalUrl: fields.url,
      matchKey: `platform_orgid:${company.matchedField}`,
      confidence: 95,
      payload: company.payload,
      syncedAt: checkedAt,
    },
    signal,
  );
  return { ...written, plan, conflict: written.conflict ?? replaced(written, fields.bitrix_id, others), snapshot };
}

/** The customer stood for another of the org id's companies in the CRM (docs/crm.md#lost-filters). */
function replaced({ before }: CustomerWritten, found: string, others: readonly string[]): Conflict | null {
  const asked = before?.crmCompanyId ?? null;
  return asked !== null && others.includes(asked) ? { code: 'other_company_matched', asked, found } : null;
}

/**
 * What the CRM says about a customer, as far as it is written to the helpdesk (docs/decisions.md 18). Values that the
 * CRM does not have are absent, so that they never blank a field; so is a segment whose code has no name.
 */
export interface CompanyFacts {
  crmCompanyId: string;
  crmCompanyUrl?: string;
  /** Fixed for a match by org id (docs/decisions.md 7); how far to trust it is a matter of the trust level. */
  matchConfidence: 95;
  segment?: string;
  shopPlan?: string;
  /** Epoch milliseconds. */
  companyModifiedAt?: number;
}

type Fields = Pick<Company, 'bitrix_id' | 'url' | 'customer_segment' | 'customer_segment_code' | 'current_shopplan'>;

export function companyFacts({ fields, modifiedAt }: { fields: Fields; modifiedAt: number | null }): CompanyFacts {
  const { bitrix_id, url, customer_segment, customer_segment_code, current_shopplan } = fields;
  return {
    crmCompanyId: bitrix_id,
    ...(url !== null && { crmCompanyUrl: url }),
    matchConfidence: 95,
    ...(customer_segment !== null && customer_segment !== customer_segment_code && { segment: customer_segment }),
    ...(current_shopplan !== null && { shopPlan: current_shopplan }),
    ...(modifiedAt !== null && { companyModifiedAt: modifiedAt }),
  };
}

/**
 * What the CRM says about the company that a customer already carries: `same` if its last change there is the one stored,
 * `older` if a later check has been written meanwhile. Compared to the second, which is what both sides store. `newer` if
 * either is unknown, or if the customer carries another company.
 */
export function compareVersions(
  record: { crmCompanyId: string | null; companyModifiedAt: number | null },
  company: { crmCompanyId: string; companyModifiedAt?: number },
): 'same' | 'older' | 'newer' {
  if (record.crmCompanyId !== company.crmCompanyId) return 'newer';
  if (record.companyModifiedAt === null || company.companyModifiedAt === undefined) return 'newer';
  const ahead = seconds(company.companyModifiedAt) - seconds(record.companyModifiedAt);
  if (ahead > 0) return 'newer';
  return ahead === 0 ? 'same' : 'older';
}

/** Whether a check is later than the one on the record, to the second. */
export function isLaterCheck(checkedAt: number, recordedAt: number | null): boolean {
  return recordedAt === null || seconds(checkedAt) > seconds(recordedAt);
}

function seconds(ms: number): number {
  return Math.floor(ms / 1_000);
}

type Search = Omit<CustomerSearch, 'target'>;

/**
 * Records on the customer, if there is one, that the CRM has no company of this org id. Throws HelpdeskError and
 * AppError.
 */
export async function noteNotFound(
  ctx: Context,
  search: Search,
  looked: Lookup,
  signal: AbortSignal,
): Promise<EnrichmentData> {
  const checkedAt = looked.checkedAt ?? 0;
  const noted = await note(ctx, search, looked, (record) => notFoundFacts(checkedAt, record), signal);
  return { status: looked.status, outcome: 'not_found', stale: looked.stale, ...noted };
}

/** That the CRM failed: the failure itself is the answer; if it cannot be recorded as well, that goes to the log. */
export async function noteFailure(
  ctx: Context,
  search: Search,
  looked: Lookup,
  signal: AbortSignal,
): Promise<EnrichmentData> {
  const noted = await note(ctx, search, looked, () => ({ syncStatus: 'error' }), signal).catch((failure: unknown) => {
    if (!(failure instanceof HelpdeskError)) throw failure;
    ctx.logger.warn({ error: reasonOf(failure) }, 'A failed CRM check could not be recorded on the customer');
    return { hd_customer: null, changes: [] };
  });
  const error = { code: looked.error ?? 'bad_answer', request_id: '' };
  return { status: 'error', outcome: looked.outcome, stale: looked.stale, ...noted, error };
}

async function note(
  ctx: Context,
  { requireBind, ...named }: Search,
  { value: orgId }: Lookup,
  factsFor: FactsFor,
  signal: AbortSignal,
) {
  // What is noted makes no customer a company's.
  const search = { ...named, requireBind: requireBind && (async () => {}), target: { orgId, crmCompanyId: null } };
  const written = await writeCustomer(ctx, { search, factsFor }, signal);
  return { hd_customer: written?.name ?? null, changes: written?.changes ?? [], conflict: written?.conflict ?? null };
}

/** What a check that found no company says about a customer. It blanks nothing. */
function notFoundFacts(checkedAt: number, record: CustomerRecord | null): CustomerFacts {
  const later = isLaterCheck(checkedAt, record?.lastCheckedAt ?? null);
  return { syncStatus: 'not_found', ...(later && { lastCheckedAt: checkedAt, notFoundAt: checkedAt }) };
}

interface CustomerWritten {
  name: string;
  created: boolean;
  changes: FieldChange[];
  /** The facts behind the changes. */
  facts: CustomerFacts;
  conflict: Conflict | null;
  /** The record as found; null for a new one. */
  before: CustomerRecord | null;
}

/** What to write, computed again for every version of the record; null stands for a new one. */
type FactsFor = (record: CustomerRecord | null) => Promise<CustomerFacts> | CustomerFacts;

/**
 * Writes what differs to the customer that the search finds; null if it finds none. If someone else has written
 * meanwhile, everything is computed again from the current record, and values that they changed are left alone
 * (docs/decisions.md 18). Throws what `findCustomer` throws, `changed_since` and HelpdeskError.
 */
async function writeCustomer(
  store: Context,
  { search, factsFor, companyName }: { search: CustomerSearch; factsFor: FactsFor; companyName?: string | null },
  signal: AbortSignal,
): Promise<CustomerWritten | null> {
  const { helpdesk } = store;
  let first: CustomerRecord | null = null;
  return retryIfChanged(async (isFirst) => {
    // What was read before somebody else wrote is read again.
    let found = await findCustomer(store, isFirst ? search : { ...search, asRead: null }, signal);
    if (found.record === null) {
      if (companyName === undefined) return null;
      await requireNoTwin(store, search, signal);
      const made = await create(
        store,
        { found, search, name: customerNameFor(companyName ?? '', search.target.orgId), factsFor },
        signal,
      );
      if ('name' in made) return made;
      found = made;
    }
    const { record, conflict } = found;
    // Someone else is just creating a customer of that name: the next search finds it.
    if (record === null) return 'changed_meanwhile';
    const facts = await factsFor(record);
    const target = first?.name === record.name ? withoutEdited(helpdesk, first, record, facts) : facts;
    const changes = await helpdesk.customers.update(record, target, signal);
    if (changes === 'changed_meanwhile') {
      first ??= record;
      return changes;
    }
    const written = differing(helpdesk, record, target);
    return { name: record.name, created: false, changes, facts: written, conflict, before: record };
  });
}

/**
 * Creates the customer. If the name is taken, returns its holder if that has the org id, and else throws a conflict that
 * names it: a name alone finds no customer (docs/decisions.md 11).
 */
async function create(
  store: Context,
  input: { found: CustomerFound; search: CustomerSearch; name: string; factsFor: FactsFor },
  signal: AbortSignal,
): Promise<CustomerWritten | CustomerFound> {
  const { found, search, name } = input;
  const { helpdesk } = store;
  const facts = await input.factsFor(null);
  const created = await helpdesk.customers.create(name, facts, signal);
  if (created !== null) {
    const changes = helpdesk.customers.plan(null, facts);
    return { name: created.name, created: true, changes, facts, conflict: found.conflict, before: null };
  }
  const record = await helpdesk.customers.read(name, signal);
  if (record === null) return { ...found, record };
  if (record.orgId !== search.target.orgId) throw AppError.conflict(conflictOf(record, search.target));
  return { ...found, record };
}

/**
 * The ticket's own customer may carry the org id in a name that a website user could have written: no twin is made beside it.
 * Throws the conflict that names it; an agent's Sync may say that it is the company (docs/decisions.md 11).
 */
async function requireNoTwin(ctx: Context, { ofTicket, target }: CustomerSearch, signal: AbortSignal): Promise<void> {
  const record = ofTicket === null ? null : await ctx.helpdesk.customers.read(ofTicket, signal);
  if (record !== null && orgIdOf(record) === target.orgId) throw AppError.conflict(conflictOf(record, target));
}

function differing(helpdesk: Helpdesk, record: CustomerRecord, facts: CustomerFacts) {
  const changed = Object.entries(facts).filter(
    ([key, value]) => helpdesk.customers.plan(record, { [key]: value }).length,
  );
  return Object.fromEntries(changed) as CustomerFacts;
}

/** The facts without those whose value was edited between two reads of the record. */
function withoutEdited(
  helpdesk: Helpdesk,
  before: CustomerRecord,
  now: CustomerRecord,
  facts: CustomerFacts,
): CustomerFacts {
  const kept = Object.entries(facts).filter(([key, value]) => {
    const one: CustomerFacts = { [key]: value };
    const [was] = helpdesk.customers.plan(before, one);
    const [is] = helpdesk.customers.plan(now, one);
    return is === undefined || (was !== undefined && is.from === was.from);
  });
  return Object.fromEntries(kept);
}
