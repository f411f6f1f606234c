import type { CustomerMatch } from '@deskside/shared/customer-matches';
import { OrgId } from '@deskside/shared/orgid';
import { describe, expect, it } from 'vitest';
import type { Store } from '#store/store.ts';

/** Tests of the contract of kept matches for any store. */
export function describeCustomerMatches(matchesOf: () => Store['matches']): void {
  const fact = { code: 'same_name' as const, value: "O'Neil ; --", of: 'Gốm Sứ 🛒', weight: 'full' as const };
  const entry = (customer: string, at: number, verdict: CustomerMatch['verdict'] = 'likely'): CustomerMatch => ({
    customer,
    verdict,
    at: new Date(at).toISOString(),
    candidates: [{ org_id: OrgId.parse('7'), crm_id: '1', name: null, url: null, customer: null, facts: [fact] }],
  });

  describe('the matches of customers', () => {
    it('are given back as they were kept, the latest of each customer, and the old ones are forgotten', async () => {
      const matches = matchesOf();
      await matches.keep([]);
      await matches.keep([entry('B', 1_000), entry("A' or 1=1", 1_000)]);
      await matches.keep([entry('B', 3_000, 'none'), entry('C', 2_000)]);
      expect(await matches.list()).toEqual([entry("A' or 1=1", 1_000), entry('B', 3_000, 'none'), entry('C', 2_000)]);
      expect(await matches.get('B')).toEqual(entry('B', 3_000, 'none'));
      expect(await matches.get('b')).toBeNull();
      await matches.forgetBefore(2_000);
      expect((await matches.list()).map(({ customer }) => customer)).toEqual(['B', 'C']);
      await matches.forgetBefore(9_000);
      expect(await matches.list()).toEqual([]);
    });
  });
}
