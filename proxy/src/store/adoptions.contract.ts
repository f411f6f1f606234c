import { randomUUID } from 'node:crypto';
import { OrgId } from '@deskside/shared/orgid';
import { describe, expect, it } from 'vitest';
import type { Store } from './store.ts';

/** Tests of the contract of adopted customers for any store. */
export function describeCustomerAdoptions(adoptionsOf: () => Store['adoptions']): void {
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
  const idsOf = async (customer: string) => (await adoptionsOf().ofCustomer(customer)).map(({ id }) => id);

  describe('the adopted customers', () => {
    it('gives an adoption back as it was recorded', async () => {
      const recorded = entry();
      const id = await adoptionsOf().record(recorded);
      expect(await adoptionsOf().get(id)).toEqual({ ...recorded, id, undoneAt: null });
      expect(await adoptionsOf().get(randomUUID())).toBeNull();
    });

    it('tells those of a customer, newest first', async () => {
      const first = entry();
      const id = await adoptionsOf().record(first);
      const newer = await adoptionsOf().record({ ...first, orgId: OrgId.parse('7'), at: first.at + 1 });
      expect(await idsOf(first.customer)).toEqual([newer, id]);
    });

    it('keeps one that stands for a customer and org id, and all that were undone', async () => {
      const recorded = entry();
      const undone = await adoptionsOf().record(recorded);
      await adoptionsOf().markUndone(undone, 5);
      await adoptionsOf().record({ ...recorded, at: recorded.at + 1 });
      const again = await adoptionsOf().record({ ...recorded, at: recorded.at + 2 });
      expect(await idsOf(recorded.customer)).toEqual([again, undone]);
      const standing = (customer: string, orgId: string = recorded.orgId) => adoptionsOf().standing(customer, orgId);
      expect((await standing(recorded.customer))?.id).toBe(again);
      expect([await standing(recorded.customer, '7'), await standing('another')]).toEqual([null, null]);
      await adoptionsOf().markUndone(again, 9);
      expect(await standing(recorded.customer)).toBeNull();
    });

    it('tells which customers are no more what they were made', async () => {
      const { customer, orgId } = entry();
      const id = await adoptionsOf().record({ ...entry(), customer });
      expect(await adoptionsOf().takenBack()).not.toContainEqual({ customer, orgId });
      await adoptionsOf().markUndone(id, 5);
      expect(await adoptionsOf().takenBack()).toContainEqual({ customer, orgId });
    });

    it('keeps the first time of an undoing, until it is restored', async () => {
      const id = await adoptionsOf().record(entry());
      await adoptionsOf().markUndone(id, 5);
      await adoptionsOf().markUndone(id, 9);
      expect((await adoptionsOf().get(id))?.undoneAt).toBe(5);
      await adoptionsOf().restore(id);
      expect((await adoptionsOf().get(id))?.undoneAt).toBeNull();
    });
  });
}
