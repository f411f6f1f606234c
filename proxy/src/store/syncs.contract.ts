import { randomUUID } from 'node:crypto';
import { OrgId } from '@deskside/shared/orgid';
import { describe, expect, it } from 'vitest';
import * as deskList from './desk-list.ts';
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
    it('gives an entry back as it was recorded, and the latest of a ticket that stands', async () => {
      const first = entry();
      expect(await syncs.latest(dbOf(), first.ticket)).toBeNull();
      const older = await syncs.record(dbOf(), first);
      expect(await syncs.get(dbOf(), older)).toEqual({
        ...first,
        id: older,
        sender: null,
        signedIn: false,
        linkedAt: null,
        undoneAt: null,
      });
      expect(await syncs.get(dbOf(), randomUUID())).toBeNull();
      const newer = await syncs.record(dbOf(), { ...first, at: first.at + 1, previousCustomer: 'x' });
      await syncs.record(dbOf(), entry());
      const ofSameName = { ...first.ticket, creation: '2026-12-01 12:00:00.000001' };
      await syncs.record(dbOf(), { ...first, ticket: ofSameName, at: first.at + 9 });
      const latest = async () => (await syncs.latest(dbOf(), first.ticket))?.id;
      expect(await latest()).toBe(newer);
      // The first time that it is undone stays.
      for (const at of [5, 9]) await syncs.markUndone(dbOf(), newer, at);
      await syncs.markUndone(dbOf(), randomUUID(), 1);
      expect((await syncs.get(dbOf(), newer))?.undoneAt).toBe(5);
      expect(await latest()).toBe(older);
      await syncs.restore(dbOf(), newer);
      expect(await latest()).toBe(newer);
    });

    it('knows which later Syncs of a ticket found it linked to the company, as far as they stand', async () => {
      const first = entry();
      const record = (values: object) => syncs.record(dbOf(), { ...first, ...values });
      const again = { previousCustomer: first.customer };
      await record({ ...again, at: first.at - 1 });
      const id = await record({});
      const undone = await record({ ...again, at: first.at + 1 });
      await syncs.markUndone(dbOf(), undone, 9);
      const repeat = await record({ ...again, at: first.at + 2 });
      await record({ at: first.at + 3 });
      await record({ ...again, orgId: OrgId.parse('1'), at: first.at + 4 });
      await record({ ...again, ticket: entry().ticket, at: first.at + 5 });
      const found = await syncs.get(dbOf(), id);
      expect(found && (await syncs.repeatsOf(dbOf(), found))).toEqual([repeat]);
    });

    it('knows every Sync of a sender that stands, latest first, and what was chosen for others of the domain', async () => {
      const [lan, minh] = [`lan-${randomUUID()}@shop.example`, `minh-${randomUUID()}@shop.example`];
      const domain = `${randomUUID()}.example`;
      const record = async (address: string, org: string, at: number) => {
        const choice = { ...entry(), orgId: OrgId.parse(org), crmCompanyId: `6${org}`, at, signedIn: true };
        const id = await syncs.record(dbOf(), { ...choice, sender: { address, domain } });
        // The first time that its link was seen stays.
        for (const seen of [at, 99]) await syncs.noteLinked(dbOf(), id, seen);
        return id;
      };
      const [first, undone, latest] = [await record(lan, '1', 1), await record(lan, '2', 2), await record(lan, '3', 3)];
      await record(minh, '4', 4);
      await syncs.record(dbOf(), { ...entry(), sender: { address: minh, domain: null } });
      await syncs.record(dbOf(), entry());
      await syncs.markUndone(dbOf(), undone, 9);
      // Its link was not seen.
      await syncs.record(dbOf(), { ...entry(), sender: { address: lan, domain } });
      const saidOf = async (address: string) =>
        (await deskList.standingWords(dbOf(), { name: '', creation: '' }, address)).said;
      const known = await saidOf(lan);
      expect(known).toEqual([await syncs.get(dbOf(), latest), await syncs.get(dbOf(), first)]);
      expect(known).toMatchObject([{ signedIn: true, linkedAt: 3 }, { linkedAt: 1 }]);
      expect(await saidOf('nobody')).toEqual([]);
      const ids = async (sender: { address: string; domain: string | null }) =>
        (await syncs.choicesOf(dbOf(), sender)).map(({ orgId, crmCompanyId }) => `${orgId} ${crmCompanyId}`);
      expect(await ids({ address: lan, domain: null })).toEqual(['3 63', '1 61']);
      expect(await ids({ address: lan, domain })).toEqual(['3 63', '1 61', '4 64', '3 63', '1 61']);
      expect(await ids({ address: 'nobody', domain: null })).toEqual([]);
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
    it('gives an adoption back as it was recorded; one stands for a customer and org id, and all undone stay', async () => {
      const recorded = entry();
      const undone = await syncs.recordAdoption(dbOf(), recorded);
      expect(await syncs.adoption(dbOf(), undone)).toEqual({ ...recorded, id: undone, undoneAt: null });
      expect(await syncs.adoption(dbOf(), randomUUID())).toBeNull();
      await syncs.markUndone(dbOf(), undone, 5);
      await syncs.recordAdoption(dbOf(), { ...recorded, at: recorded.at + 1 });
      const again = await syncs.recordAdoption(dbOf(), { ...recorded, at: recorded.at + 2 });
      const ofTicket = { ticket: { name: 'T', creation: '2026-11-20' }, orgId: OrgId.parse('7'), at: recorded.at + 3 };
      const other = await syncs.recordAdoption(dbOf(), { ...recorded, ...ofTicket });
      expect(await syncs.adoption(dbOf(), other)).toMatchObject(ofTicket);
      expect(await idsOf(recorded.customer)).toEqual([other, again, undone]);
      const standing = async (customer: string, orgId: string = recorded.orgId) =>
        (await syncs.standingAdoption(dbOf(), customer, orgId))?.id;
      expect(await standing(recorded.customer)).toBe(again);
      expect([await standing(recorded.customer, '8'), await standing('another')]).toEqual([undefined, undefined]);
      await syncs.markUndone(dbOf(), again, 9);
      expect(await standing(recorded.customer)).toBeUndefined();
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

/** Tests of the contract of the desk's list for any store. */
export function describeDeskList(dbOf: () => StateDb): void {
  const orgId = OrgId.parse('99999999999999999999');
  const accepted = (customer: string, people: string[], at = 1_798_000_000_000) => ({
    customer,
    orgId,
    crmCompanyId: '63001',
    by: 'truong',
    at,
    people,
  });

  describe('the desk’s list', () => {
    it('has who is accepted for a customer in place of who was before, and who stays keeps the date', async () => {
      const customer = `Gốm Sứ ' ; drop table syncs -- ${randomUUID()}`;
      const [lan, ha, moi] = ['lan', 'ha', 'moi'].map((name) => `${name}@${randomUUID()}.example`) as [
        string,
        string,
        string,
      ];
      const datesOf = async (address: string) =>
        (await deskList.standingWords(dbOf(), { name: '', creation: '' }, address)).accepted.map(({ at }) => at);
      // More than one statement takes.
      const many = Array.from({ length: 300 }, (_, n) => `${n}.${lan}`);
      await deskList.listPeople(dbOf(), accepted(customer, [lan, ha, ...many], 1));
      await deskList.listPeople(dbOf(), accepted(customer, [lan, moi, ...many], 2));
      expect([await datesOf(lan), await datesOf(ha), await datesOf(moi)]).toEqual([[1], [], [2]]);
      const ofCustomer = async () => (await deskList.listedPeople(dbOf())).filter((one) => one.customer === customer);
      expect((await ofCustomer()).length).toBe(302);
      // Of another company the same people are accepted anew.
      await deskList.listPeople(dbOf(), { ...accepted(customer, [lan], 3), orgId: OrgId.parse('7') });
      expect(await ofCustomer()).toEqual([
        { address: lan, customer, orgId: '7', crmCompanyId: '63001', by: 'truong', at: 3 },
      ]);
      await deskList.unlistPeople(dbOf(), customer, orgId, 4);
      expect(await datesOf(lan)).toEqual([3]);
      for (const at of [5, 6]) await deskList.unlistPeople(dbOf(), customer, OrgId.parse('7'), at);
      expect(await ofCustomer()).toEqual([]);
    });
  });
}
