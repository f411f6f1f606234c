import type { EnrichmentData } from '@deskside/shared/enrichment';
import type { Context } from '#context.ts';
import type { Lookup } from '#crm/lookup.ts';
import type { CustomerRecord } from '#helpdesk/customers.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import type { CustomerFacts } from '#helpdesk/fields.ts';
import { reasonOf } from '#runtime/background.ts';
import { isLaterCheck } from './company-facts.ts';
import type { CustomerSearch } from './find-customer.ts';
import { type FactsFor, writeCustomer } from './write-records.ts';

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
