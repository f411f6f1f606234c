import { randomUUID } from 'node:crypto';
import { OrgId } from '@deskside/shared/orgid';
import { describe, expect, it } from 'vitest';
import type { StateDb } from './schema.ts';
import * as syncs from './syncs.ts';

/** Tests of the sync log's contract for any store. */
export function describeSyncLog(dbOf: () => StateDb): void {
  const entry = () => ({
    ticket: { name: randomUUID(), creation: '2026-11-20 12:00:00.000001' },
    agent: 'an@desk.example',
    orgId: OrgId.parse('99999999999999999999'),
    crmCompanyId: '63001',
    customer: "O'Neil ' ; drop table sync_log -- 🛒",
    previousCustomer: null,
    changes: [{ field: 'custom_orgid', from: null, to: '99999999999999999999' }],
    at: 1_798_000_000_000,
  });

  describe('the sync log', () => {
    it('gives an entry back as it was recorded', async () => {
      const recorded = entry();
      const id = await syncs.record(dbOf(), recorded);
      expect(await syncs.get(dbOf(), id)).toEqual({ ...recorded, id, undoneAt: null });
      expect(await syncs.get(dbOf(), randomUUID())).toBeNull();
    });

    it('knows the latest sync of a ticket that stands', async () => {
      const first = entry();
      expect(await syncs.latest(dbOf(), first.ticket)).toBeNull();
      const older = await syncs.record(dbOf(), first);
      const newer = await syncs.record(dbOf(), { ...first, at: first.at + 1, previousCustomer: 'x' });
      await syncs.record(dbOf(), entry());
      const ofSameName = { ...first.ticket, creation: '2026-12-01 12:00:00.000001' };
      await syncs.record(dbOf(), { ...first, ticket: ofSameName, at: first.at + 9 });
      expect((await syncs.latest(dbOf(), first.ticket))?.id).toBe(newer);
      await syncs.markUndone(dbOf(), newer, first.at + 2);
      expect((await syncs.latest(dbOf(), first.ticket))?.id).toBe(older);
    });

    it('knows what agents chose for a sender, then for others of the domain, and forgets what was undone', async () => {
      const [lan, minh] = [`lan-${randomUUID()}@shop.example`, `minh-${randomUUID()}@shop.example`];
      const domain = `${randomUUID()}.example`;
      const choose = (address: string, org: string, at: number) => {
        const choice = { ...entry(), orgId: OrgId.parse(org), crmCompanyId: `6${org}`, at };
        return syncs.record(dbOf(), { ...choice, sender: { address, domain } });
      };
      await choose(lan, '1', 1);
      const undone = await choose(lan, '2', 2);
      await choose(lan, '3', 3);
      await choose(minh, '4', 4);
      await syncs.record(dbOf(), { ...entry(), sender: { address: minh, domain: null } });
      await syncs.markUndone(dbOf(), undone, 9);
      const ids = async (sender: { address: string; domain: string | null }) =>
        (await syncs.choicesOf(dbOf(), sender)).map(({ orgId, crmCompanyId }) => `${orgId} ${crmCompanyId}`);
      expect(await ids({ address: lan, domain: null })).toEqual(['3 63', '1 61']);
      expect(await ids({ address: lan, domain })).toEqual(['3 63', '1 61', '4 64', '3 63', '1 61']);
      expect(await ids({ address: 'nobody', domain: null })).toEqual([]);
    });

    it('knows every Sync of a sender that stands, latest first, and of nobody else', async () => {
      const [lan, minh] = [`lan-${randomUUID()}@shop.example`, `minh-${randomUUID()}@shop.example`];
      const domain = 'shop.example';
      const record = (address: string, at: number) =>
        syncs.record(dbOf(), { ...entry(), at, sender: { address, domain } });
      const [first, undone, latest] = [await record(lan, 1), await record(lan, 2), await record(lan, 3)];
      await record(minh, 4);
      await syncs.record(dbOf(), entry());
      await syncs.markUndone(dbOf(), undone, 9);
      const known = await syncs.ofSender(dbOf(), lan);
      expect(known.map(({ id }) => id)).toEqual([latest, first]);
      expect(known[0]).toEqual(await syncs.get(dbOf(), latest));
      expect(await syncs.ofSender(dbOf(), 'nobody')).toEqual([]);
    });

    it('keeps an undone entry with the first time of its undoing', async () => {
      const recorded = entry();
      const id = await syncs.record(dbOf(), recorded);
      await syncs.markUndone(dbOf(), id, 5);
      await syncs.markUndone(dbOf(), id, 9);
      expect((await syncs.get(dbOf(), id))?.undoneAt).toBe(5);
      await syncs.markUndone(dbOf(), randomUUID(), 1);
      await syncs.restore(dbOf(), id);
      expect((await syncs.latest(dbOf(), recorded.ticket))?.id).toBe(id);
    });
  });
}

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
  const idsOf = async (customer: string) => (await syncs.adoptionsOf(dbOf(), customer)).map(({ id }) => id);

  describe('the adopted customers', () => {
    it('gives an adoption back as it was recorded', async () => {
      const recorded = entry();
      const id = await syncs.recordAdoption(dbOf(), recorded);
      expect(await syncs.adoption(dbOf(), id)).toEqual({ ...recorded, id, undoneAt: null });
      expect(await syncs.adoption(dbOf(), randomUUID())).toBeNull();
    });

    it('tells those of a customer, newest first', async () => {
      const first = entry();
      const id = await syncs.recordAdoption(dbOf(), first);
      const newer = await syncs.recordAdoption(dbOf(), { ...first, orgId: OrgId.parse('7'), at: first.at + 1 });
      expect(await idsOf(first.customer)).toEqual([newer, id]);
    });

    it('keeps one that stands for a customer and org id, and all that were undone', async () => {
      const recorded = entry();
      const undone = await syncs.recordAdoption(dbOf(), recorded);
      await syncs.markUndone(dbOf(), undone, 5);
      await syncs.recordAdoption(dbOf(), { ...recorded, at: recorded.at + 1 });
      const again = await syncs.recordAdoption(dbOf(), { ...recorded, at: recorded.at + 2 });
      expect(await idsOf(recorded.customer)).toEqual([again, undone]);
      const standing = (customer: string, orgId: string = recorded.orgId) =>
        syncs.standingAdoption(dbOf(), customer, orgId);
      expect((await standing(recorded.customer))?.id).toBe(again);
      expect([await standing(recorded.customer, '7'), await standing('another')]).toEqual([null, null]);
      await syncs.markUndone(dbOf(), again, 9);
      expect(await standing(recorded.customer)).toBeNull();
    });

    it('tells which customers are no more what they were made', async () => {
      const id = await syncs.recordAdoption(dbOf(), entry());
      const ids = async () => (await syncs.takenBackAdoptions(dbOf())).map((one) => one.id);
      expect(await ids()).not.toContain(id);
      await syncs.markUndone(dbOf(), id, 5);
      expect(await ids()).toContain(id);
    });
  });
}
