import type { EnrichmentData } from '@deskside/shared/enrichment';
import type { Conflict } from '@deskside/shared/envelope';
import type { OrgId } from '@deskside/shared/orgid';
import type { Context } from '#context.ts';
import type { CrmCompany } from '#crm/company.ts';
import type { CustomerRecord } from '#helpdesk/customers.ts';
import type { CustomerFacts } from '#helpdesk/fields.ts';
import type { Helpdesk } from '#helpdesk/helpdesk.ts';
import * as adoptions from '#store/adoptions.ts';
import type { Adopting } from './adoption.ts';
import { companyFacts, compareVersions, isLaterCheck } from './company-facts.ts';
import type { CustomerSearch } from './find-customer.ts';
import { type CustomerWritten, writeCustomer } from './write-records.ts';

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
 * blank; and everything where the CRM has gone back to an older version since the last check (docs/decisions.md 15).
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
 * @param mends whether to mend what is blank or out of date although the CRM has nothing new (docs/decisions.md 15)
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
          await adoptions.record(store.db, { ...adopting, customer: record.name, ...ids, changes });
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

/** The customer stood for another of the org id's companies in the CRM (docs/crm.md#duplicates). */
function replaced({ before }: CustomerWritten, found: string, others: readonly string[]): Conflict | null {
  const asked = before?.crmCompanyId ?? null;
  return asked !== null && others.includes(asked) ? { code: 'other_company_matched', asked, found } : null;
}
