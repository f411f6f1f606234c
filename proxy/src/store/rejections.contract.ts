import { randomUUID } from 'node:crypto';
import { OrgId } from '@deskside/shared/orgid';
import { describe, expect, it } from 'vitest';
import type { Store } from './store.ts';

/** Tests of the contract of rejected companies for any store. */
export function describeCompanyRejections(rejectionsOf: () => Store['rejections']): void {
  const orgId = OrgId.parse('99999999999999999999');
  const entry = () => ({
    ticket: randomUUID(),
    sender: `${randomUUID()}@shop.example`,
    orgId,
    crmCompanyId: '63001' as string | null,
    companyName: 'Gốm Sứ',
    agent: 'an@desk.example',
    at: 1_798_000_000_000,
    reason: { code: 'other' as const, note: "O'Neil ' ; drop table company_rejection -- 🛒" },
  });
  const idsOf = async (of: { ticket: string; sender: string | null }) =>
    (await rejectionsOf().standing(of)).map(({ id }) => id);

  describe('the rejected companies', () => {
    it('gives a rejection back as it was recorded, and what was taken back by it', async () => {
      const recorded = entry();
      const id = await rejectionsOf().record(recorded);
      expect(await rejectionsOf().get(id)).toEqual({ ...recorded, id, taken: null, liftedAt: null });
      const changes = [{ field: 'custom_orgid', from: '1', to: null }];
      const taken = { customer: 'Gốm Sứ', instead: null, changes, sync: randomUUID() };
      await rejectionsOf().noteTaken(id, taken);
      expect((await rejectionsOf().get(id))?.taken).toEqual(taken);
      expect(await rejectionsOf().get(randomUUID())).toBeNull();
    });

    it('tells those of the ticket and those of its sender, newest first, and nobody else’s', async () => {
      const first = entry();
      const id = await rejectionsOf().record(first);
      const newer = await rejectionsOf().record({ ...entry(), sender: first.sender, at: first.at + 1 });
      const ofTicketOnly = await rejectionsOf().record({ ...first, sender: null, at: first.at + 2 });
      expect(await idsOf(first)).toEqual([ofTicketOnly, newer, id]);
      expect(await idsOf({ ticket: randomUUID(), sender: first.sender })).toEqual([newer, id]);
      expect(await idsOf({ ticket: first.ticket, sender: null })).toEqual([ofTicketOnly, id]);
      expect(await idsOf({ ticket: randomUUID(), sender: null })).toEqual([]);
    });

    it('lifts those of a company by either id, for the ticket or its sender, until they are restored', async () => {
      const rejected = entry();
      const sync = randomUUID();
      const own = await rejectionsOf().record(rejected);
      const elsewhere = await rejectionsOf().record({ ...entry(), sender: rejected.sender, orgId: OrgId.parse('7') });
      const other = await rejectionsOf().record({ ...rejected, orgId: OrgId.parse('8'), crmCompanyId: null });
      const stranger = entry();
      await rejectionsOf().record(stranger);
      await rejectionsOf().lift(rejected, sync, 5);
      expect(await idsOf(rejected)).toEqual([other]);
      expect(await idsOf(stranger)).toHaveLength(1);
      expect((await rejectionsOf().get(own))?.liftedAt).toBe(5);
      await rejectionsOf().lift({ ...rejected, crmCompanyId: null }, 'another', 9);
      expect((await rejectionsOf().get(own))?.liftedAt).toBe(5);
      await rejectionsOf().restore(sync);
      await rejectionsOf().restore(sync);
      expect((await idsOf(rejected)).toSorted()).toEqual([own, elsewhere, other].toSorted());
    });
  });
}
