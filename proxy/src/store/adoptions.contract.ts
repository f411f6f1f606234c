import { randomUUID } from 'node:crypto';
import { OrgId } from '@deskside/shared/orgid';
import { describe, expect, it } from 'vitest';
import * as adoptions from './adoptions.ts';
import type { StateDb } from './schema.ts';

/** Tests of the contract of adopted customers for any store. */
export function describeCustomerAdoptions(dbOf: () => StateDb): void {
  const entry = () => ({
    customer: `Gốm Sứ ' ; drop table customer_adoption -- ${randomUUID()}`,
    orgId: OrgId.parse('99999999999999999999'),
    crmCompanyId: '63001',
    companyName: null,
    by: 'an@desk.example',
    via: 'match' as const,
    ticket: null,
    changes: [{ field: 'custom_platform_orgid', from: "O'Neil 🛒", to: "9'9" }],
    at: 1_798_000_000_000,
  });
  const idsOf = async (customer: string) => (await adoptions.ofCustomer(dbOf(), customer)).map(({ id }) => id);

  describe('the adopted customers', () => {
    it('gives an adoption back as it was recorded', async () => {
      const recorded = entry();
      const id = await adoptions.record(dbOf(), recorded);
      expect(await adoptions.get(dbOf(), id)).toEqual({ ...recorded, id, undoneAt: null });
      expect(await adoptions.get(dbOf(), randomUUID())).toBeNull();
    });

    it('tells those of a customer, newest first', async () => {
      const first = entry();
      const id = await adoptions.record(dbOf(), first);
      const newer = await adoptions.record(dbOf(), { ...first, orgId: OrgId.parse('7'), at: first.at + 1 });
      expect(await idsOf(first.customer)).toEqual([newer, id]);
    });

    it('keeps one that stands for a customer and org id, and all that were undone', async () => {
      const recorded = entry();
      const undone = await adoptions.record(dbOf(), recorded);
      await adoptions.markUndone(dbOf(), undone, 5);
      await adoptions.record(dbOf(), { ...recorded, at: recorded.at + 1 });
      const again = await adoptions.record(dbOf(), { ...recorded, at: recorded.at + 2 });
      expect(await idsOf(recorded.customer)).toEqual([again, undone]);
      const standing = (customer: string, orgId: string = recorded.orgId) =>
        adoptions.standing(dbOf(), customer, orgId);
      expect((await standing(recorded.customer))?.id).toBe(again);
      expect([await standing(recorded.customer, '7'), await standing('another')]).toEqual([null, null]);
      await adoptions.markUndone(dbOf(), again, 9);
      expect(await standing(recorded.customer)).toBeNull();
    });

    it('tells which customers are no more what they were made', async () => {
      const { customer, orgId } = entry();
      const id = await adoptions.record(dbOf(), { ...entry(), customer });
      expect(await adoptions.takenBack(dbOf())).not.toContainEqual({ customer, orgId });
      await adoptions.markUndone(dbOf(), id, 5);
      expect(await adoptions.takenBack(dbOf())).toContainEqual({ customer, orgId });
    });

    it('keeps the first time of an undoing, until it is restored', async () => {
      const id = await adoptions.record(dbOf(), entry());
      await adoptions.markUndone(dbOf(), id, 5);
      await adoptions.markUndone(dbOf(), id, 9);
      expect((await adoptions.get(dbOf(), id))?.undoneAt).toBe(5);
      await adoptions.restore(dbOf(), id);
      expect((await adoptions.get(dbOf(), id))?.undoneAt).toBeNull();
    });
  });
}
