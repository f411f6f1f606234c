import type { Lookup } from '#app/crm/lookup-company.ts';
import type { Background } from '#app/runtime/background.ts';
import { isLaterCheck } from '#domain/customer/company-facts.ts';
import { orgIdOf } from '#domain/customer/customer-fit.ts';
import type { HelpdeskRecords } from '#ports/helpdesk/helpdesk-records.ts';
import type { Memory } from '#ports/runtime/memory.ts';

/**
 * Records on the customer of this org id when the CRM gave the answer that a profile shows, after the response
 * (docs/decisions.md 16): once an answer, and only if the record's own check is older. As long as the CRM has a newer
 * version than the record, its time stays as it is: the nightly backfill passes over what has been checked (15).
 */
export type RecordCheck = (customer: string, looked: Pick<Lookup, 'value' | 'checkedAt' | 'companies'>) => void;

export function createRecordCheck(deps: {
  records: Pick<HelpdeskRecords, 'readCustomer' | 'updateCustomer'>;
  memory: Memory;
  background: Background;
}): RecordCheck {
  const { records, memory, background } = deps;
  const recorded = memory.area<{ at: number }>({ ttlMs: 24 * 60 * 60_000, max: 10_000 });
  return (customer, { value, checkedAt, companies }) => {
    if (checkedAt === null || recorded.get(customer)?.at === checkedAt) return;
    background.run(`check ${customer}`, async (signal) => {
      const record = await records.readCustomer(customer, signal);
      recorded.set(customer, { at: checkedAt });
      if (record === null || orgIdOf(record) !== value || !isLaterCheck(checkedAt, record.lastCheckedAt)) return;
      const modifiedAt = companies[0]?.modifiedAt ?? null;
      const hasNews =
        modifiedAt !== null && record.companyModifiedAt !== null && isLaterCheck(modifiedAt, record.companyModifiedAt);
      if (!hasNews) await records.updateCustomer(record, { lastCheckedAt: checkedAt }, signal);
    });
  };
}
