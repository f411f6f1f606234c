import type { Context } from '#app/context.ts';
import type { Lookup } from '#app/crm/lookup-company.ts';
import { isLaterCheck } from '#domain/customer/company-facts.ts';
import { orgIdOf } from '#domain/customer/customer-fit.ts';

export interface RecordCheckNeeds extends Pick<Context, 'background' | 'remembered'> {
  helpdesk: Pick<Context['helpdesk'], 'readCustomer' | 'updateCustomer'>;
}

/**
 * Records on the customer of this org id when the CRM gave the answer that a profile shows, after the response
 * (docs/decisions.md 16): once an answer, and only if the record's own check is older. As long as the CRM has a newer
 * version than the record, its time stays as it is: the nightly backfill passes over what has been checked (15).
 */
export function recordCheck(
  { background, helpdesk, remembered: { checks } }: RecordCheckNeeds,
  customer: string,
  { value, checkedAt, companies }: Pick<Lookup, 'value' | 'checkedAt' | 'companies'>,
): void {
  if (checkedAt === null || checks.get(customer)?.at === checkedAt) return;
  background.run(`check ${customer}`, async (signal) => {
    const record = await helpdesk.readCustomer(customer, signal);
    checks.set(customer, { at: checkedAt });
    if (record === null || orgIdOf(record) !== value || !isLaterCheck(checkedAt, record.lastCheckedAt)) return;
    const modifiedAt = companies[0]?.modifiedAt ?? null;
    const hasNews =
      modifiedAt !== null && record.companyModifiedAt !== null && isLaterCheck(modifiedAt, record.companyModifiedAt);
    if (!hasNews) await helpdesk.updateCustomer(record, { lastCheckedAt: checkedAt }, signal);
  });
}
