import type { Conflict } from '@deskside/shared/envelope';
import { fitOf, orgIdOf, type Wanted } from '../domain/resolve-customer.ts';
import type { CustomerRecord, HelpdeskRecords } from '../ports/helpdesk-records.ts';
import { AppError } from './app-error.ts';

export interface CustomerSearch {
  wanted: Wanted;
  /** Named by the caller. */
  passed: string | null;
  /** The ticket's customer. */
  ofTicket: string | null;
  /** Whether the ticket's customer is taken although it carries no identity yet, as the specification's order has it. */
  adoptFree: boolean;
}

export interface CustomerFound {
  /** Null: there is none yet. */
  record: CustomerRecord | null;
  /** A customer that was passed over because it is somebody else's (design.md, decision 11). */
  conflict: Conflict | null;
}

/**
 * Finds the customer to write, in the specification's order: passed by the caller, the ticket's, by org id, by CRM id.
 * Throws `customer_not_found` and `identity_conflict` for one passed by the caller, and HelpdeskError.
 */
export async function findCustomer(
  records: HelpdeskRecords,
  { wanted, passed, ofTicket, adoptFree }: CustomerSearch,
  signal: AbortSignal,
): Promise<CustomerFound> {
  if (passed !== null) {
    const record = await records.readCustomer(passed, signal);
    if (record === null) throw new AppError('customer_not_found');
    if (fitOf(record, wanted) !== 'other') return { record, conflict: null };
    const conflict = conflictOf(record, wanted);
    // Without a company there is nothing that its own could stand against: it is just left alone.
    if (orgIdOf(record) === null && wanted.crmCompanyId === null) return { record: null, conflict };
    throw AppError.conflict(conflict);
  }
  let conflict: Conflict | null = null;
  if (ofTicket !== null) {
    const record = await records.readCustomer(ofTicket, signal);
    const fit = record && fitOf(record, wanted);
    if (fit === 'same' || (fit === 'free' && adoptFree)) return { record, conflict: null };
    if (record && fit === 'other') conflict = conflictOf(record, wanted);
  }
  const byOrgId = await records.findCustomersByOrgId(wanted.orgId, signal);
  const own = byOrgId.find((record) => fitOf(record, wanted) === 'same');
  if (own) return { record: own, conflict };
  if (wanted.crmCompanyId === null) return { record: null, conflict };
  for (const record of await records.findCustomersByCrmId(wanted.crmCompanyId, signal)) {
    if (fitOf(record, wanted) === 'same') return { record, conflict };
    conflict ??= conflictOf(record, wanted);
  }
  return { record: null, conflict };
}

/** What a customer that is somebody else's stands for, against what was wanted. */
export function conflictOf(record: CustomerRecord, wanted: Wanted): Conflict {
  const carried = orgIdOf(record);
  if (carried !== null) return { code: 'customer_has_other_orgid', asked: wanted.orgId, found: carried };
  const asked = wanted.crmCompanyId ?? wanted.orgId;
  return { code: 'other_company_matched', asked, found: record.crmCompanyId ?? record.name };
}
