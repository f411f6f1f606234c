import type { EnrichmentData } from '@deskside/shared/enrichment';
import type { Conflict } from '@deskside/shared/envelope';
import type { OrgId } from '@deskside/shared/orgid';
import type { TrustLevel } from '@deskside/shared/status';
import type { CustomerSearch, CustomerStore } from '#app/customer/find-customer.ts';
import { type CustomerWritten, writeCustomer } from '#app/customer/write-records.ts';
import type { Adopting } from '#domain/customer/adoption.ts';
import { companyFacts, compareVersions, isLaterCheck } from '#domain/customer/company-facts.ts';
import { orgIdInName } from '#domain/intake/org-id-candidates.ts';
import type { CrmCompany } from '#ports/crm/crm.ts';
import type { CustomerFacts, CustomerRecord, HelpdeskRecords } from '#ports/helpdesk/helpdesk-records.ts';
import type { MendableFacts } from '#store/customers/written-facts.ts';

type Plan = Pick<HelpdeskRecords, 'planCustomer'>;

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
 * values already there, including a person's edits, are left alone. `own` is what this service itself wrote last, given
 * where somebody asks for it: then also what is blank, and what reads otherwise by now although nobody else has touched
 * it; and everything where the CRM has gone back to an older version since the last check (docs/decisions.md 15).
 */
export function matchFacts(
  helpdesk: Plan,
  { orgId, company, checkedAt, platformHost }: Match,
  record: CustomerRecord | null,
  own: MendableFacts | null,
): CustomerFacts {
  const facts = companyFacts(company);
  const state = { syncStatus: 'matched', notFoundAt: null } as const;
  const domain = platformHost === null ? {} : { myplatform: `${orgId}.${platformHost}` };
  const version = record?.orgId === orgId ? compareVersions(record, facts) : 'newer';
  const isBack = version === 'older' && own !== null && isLaterCheck(checkedAt, record?.lastCheckedAt ?? null);
  if (record === null || version === 'newer' || isBack) return { platformOrgId: orgId, ...domain, ...facts, ...state };
  if (own === null || version === 'older') return state;
  const { crmCompanyUrl, matchConfidence, segment, shopPlan } = facts;
  const mendable: MendableFacts = {
    ...domain,
    matchConfidence,
    ...(crmCompanyUrl !== undefined && { crmCompanyUrl }),
    ...(segment !== undefined && { segment }),
    ...(shopPlan !== undefined && { shopPlan }),
  };
  return { ...mended(helpdesk, record, mendable, own), ...state };
}

/** Those of the facts whose field is blank, or still holds what this service wrote last and reads otherwise now. */
function mended(helpdesk: Plan, record: CustomerRecord, facts: MendableFacts, own: MendableFacts): MendableFacts {
  const due = Object.entries(facts).filter(([key, value]) => {
    const [change] = helpdesk.planCustomer(record, { [key]: value });
    if (change === undefined) return false;
    if (change.from === null || change.from === '') return true;
    const written = own[key as keyof MendableFacts];
    return written !== undefined && helpdesk.planCustomer(record, { [key]: written }).length === 0;
  });
  return Object.fromEntries(due);
}

/** `matchFacts` with timestamps: of the check if it is a later one, of the sync if there is anything to sync. */
function withTimes(
  helpdesk: Plan,
  facts: CustomerFacts,
  checkedAt: number,
  record: CustomerRecord | null,
): CustomerFacts {
  const { syncStatus: _, notFoundAt: __, ...ofCompany } = facts;
  const syncs = Object.keys(ofCompany).length > 0 && helpdesk.planCustomer(record, facts).length > 0;
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
 * @param mends whether to mend what is blank or out of date although the CRM has nothing new (docs/decisions.md 15)
 * @param adopting why a customer without org id that was named, or is the ticket's, becomes this company
 * @param vouched `agent`: the desk's word for this customer; or how well the ticket's sender is known to be of the company;
 *   null: no ticket led to it
 */
export async function applyMatch(
  store: CustomerStore,
  match: Match,
  target: Omit<CustomerSearch, 'target'> & {
    others: readonly string[];
    mends: boolean;
    adopting: Adopting | null;
    vouched: 'agent' | TrustLevel | null;
  },
  signal: AbortSignal,
): Promise<MatchApplied> {
  const { helpdesk } = store;
  const { company, orgId, checkedAt } = match;
  const { fields } = company;
  const { others, mends, adopting, vouched, ...search } = target;
  let plan: CustomerFacts = {};
  const written = await writeCustomer(
    store,
    {
      search: { ...search, target: { orgId, crmCompanyId: fields.bitrix_id } },
      companyName: fields.company_name,
      factsFor: async (record) => {
        plan = matchFacts(helpdesk, match, record, mends && record ? await store.writtenFacts.of(record.name) : null);
        const facts = withTimes(helpdesk, plan, checkedAt, record);
        const isAdopted = record?.orgId === null && [search.passed, search.ofTicket].includes(record.name);
        if (adopting !== null && isAdopted) {
          const ids = { orgId, crmCompanyId: fields.bitrix_id, companyName: fields.company_name };
          const changes = helpdesk.planCustomer(record, facts);
          await store.adoptions.record({ ...adopting, customer: record.name, ...ids, changes });
        }
        return facts;
      },
    },
    signal,
  );
  if (written === null) throw new TypeError('A customer with a name to create it by was not created.');
  // It had no org id, so this one is ours.
  if ((written.before?.orgId ?? null) === null)
    await store.bindings.record(written.name, orgId, checkedAt, { onClaim: vouched === 'claimed' });
  await followBinding(store, { customer: written.name, orgId, at: checkedAt }, signal);
  if (isBeyondClaim(vouched, written.name, orgId)) await store.bindings.confirm(written.name, orgId);
  const mendable = mendableOf(written.facts);
  if (Object.keys(mendable).length > 0) await store.writtenFacts.record(written.name, mendable, checkedAt);
  const snapshot = await helpdesk.saveSnapshot(
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

/**
 * Whether what was bound on a claim is an ordinary binding from now on. That a sender is of the company says nothing about
 * whom a claim has put in its place: the customer has to be one that was made for it, by its name.
 */
function isBeyondClaim(vouched: 'agent' | TrustLevel | null, name: string, orgId: OrgId): boolean {
  if (vouched === 'agent') return true;
  return (vouched === 'likely' || vouched === 'confirmed') && (name === orgId || orgIdInName(name) === orgId);
}

/**
 * A customer that the helpdesk has joined with another, or renamed, is gone. Its binding follows to the one customer that
 * has the org id, where no website user can write that (docs/decisions.md 11). Repeatable. Throws HelpdeskError.
 */
async function followBinding(
  { helpdesk, bindings }: Pick<CustomerStore, 'helpdesk' | 'bindings'>,
  { customer, orgId, at }: { customer: string; orgId: OrgId; at: number },
  signal: AbortSignal,
): Promise<void> {
  const bound = await bindings.customersOf(orgId);
  if (bound.size === 0 || bound.has(customer) || !(await helpdesk.orgIdIsProtected(signal))) return;
  if ((await helpdesk.findCustomersByOrgId(orgId, signal)).length !== 1) return;
  for (const [name, { onClaim }] of bound) {
    if (onClaim || (await helpdesk.readCustomer(name, signal)) !== null) continue;
    await bindings.record(customer, orgId, at, { onClaim });
    await bindings.remove(name, orgId);
  }
}

function mendableOf({ myplatform, crmCompanyUrl, matchConfidence, segment, shopPlan }: CustomerFacts): MendableFacts {
  return {
    ...(myplatform !== undefined && { myplatform }),
    ...(crmCompanyUrl !== undefined && { crmCompanyUrl }),
    ...(matchConfidence !== undefined && { matchConfidence }),
    ...(segment !== undefined && { segment }),
    ...(shopPlan !== undefined && { shopPlan }),
  };
}

/** The customer stood for another of the org id's companies in the CRM (docs/crm.md#duplicates). */
function replaced({ before }: CustomerWritten, found: string, others: readonly string[]): Conflict | null {
  const asked = before?.crmCompanyId ?? null;
  return asked !== null && others.includes(asked) ? { code: 'other_company_matched', asked, found } : null;
}
