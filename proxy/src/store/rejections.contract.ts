import { randomUUID } from 'node:crypto';
import { OrgId } from '@deskside/shared/orgid';
import { describe, expect, it } from 'vitest';
import type { TicketKey } from '#helpdesk/ticket-file.ts';
import * as rejections from './rejections.ts';
import type { StateDb } from './schema.ts';
import * as syncs from './syncs.ts';

const creation = '2026-11-20 12:00:00.000001';

/** Tests of the contract of rejected companies for any store. */
export function describeCompanyRejections(dbOf: () => StateDb): void {
  const orgId = OrgId.parse('99999999999999999999');
  const entry = () => ({
    ticket: { name: randomUUID(), creation },
    sender: `${randomUUID()}@shop.example` as string | null,
    orgId,
    crmCompanyId: '63001' as string | null,
    companyName: 'Gốm Sứ',
    agent: 'an@desk.example',
    at: 1_798_000_000_000,
    signedIn: false,
    reason: { code: 'other' as const, note: "O'Neil ' ; drop table company_rejection -- 🛒" },
  });
  const record = (changes: Partial<ReturnType<typeof entry>>) => rejections.record(dbOf(), { ...entry(), ...changes });
  const idsOf = async ({ ticket, sender }: { ticket: TicketKey | null; sender: string | null }) =>
    (await rejections.standing(dbOf(), ticket, sender)).map(({ id }) => id);

  describe('the rejected companies', () => {
    it('gives a rejection back as it was recorded, and those of a ticket and of its sender, newest first', async () => {
      const first = entry();
      const id = await record(first);
      expect(await rejections.get(dbOf(), id)).toEqual({ ...first, id, taken: null, liftedAt: null });
      expect(await rejections.get(dbOf(), randomUUID())).toBeNull();
      const changes = [{ field: 'custom_orgid', from: '1', to: null }];
      const taken = { customer: 'Gốm Sứ', instead: null, changes, sync: randomUUID() };
      await rejections.noteTaken(dbOf(), id, taken);
      expect((await rejections.get(dbOf(), id))?.taken).toEqual(taken);
      const newer = await record({ sender: first.sender, at: first.at + 1 });
      const ofTicketOnly = await record({ ...first, sender: null, at: first.at + 2 });
      expect(await idsOf(first)).toEqual([ofTicketOnly, newer, id]);
      expect(await idsOf({ ticket: null, sender: first.sender })).toEqual([newer, id]);
      expect(await idsOf({ ticket: first.ticket, sender: null })).toEqual([ofTicketOnly, id]);
      const ofSameName = { ...first.ticket, creation: '2026-12-01 12:00:00.000001' };
      expect(await idsOf({ ticket: ofSameName, sender: null })).toEqual([]);
      expect(await idsOf({ ticket: null, sender: null })).toEqual([]);
    });

    it('lifts by the word of a ticket that was not signed in only what such tickets said, and what its own did', async () => {
      const { sender } = entry();
      const ticket = { name: randomUUID(), creation };
      const own = await record({ ticket, sender, signedIn: true });
      const [mailed, signedIn] = [await record({ sender }), await record({ sender, signedIn: true })];
      await rejections.lift(dbOf(), ticket, sender, { orgId, crmCompanyId: null, signedIn: false }, randomUUID(), 5);
      const lifted = async (id: string) => (await rejections.get(dbOf(), id))?.liftedAt;
      expect([await lifted(own), await lifted(mailed), await lifted(signedIn)]).toEqual([5, 5, null]);
      expect((await rejections.get(dbOf(), signedIn))?.signedIn).toBe(true);
    });

    it('lifts those of a company by either id, for the ticket or its sender, until they are restored', async () => {
      const rejected = entry();
      const sync = randomUUID();
      const own = await record(rejected);
      const elsewhere = await record({ sender: rejected.sender, orgId: OrgId.parse('7') });
      const other = await record({ ...rejected, orgId: OrgId.parse('8'), crmCompanyId: null });
      const stranger = entry();
      await record(stranger);
      const lift = (company: Pick<typeof rejected, 'orgId' | 'crmCompanyId'>, by: string, at: number) =>
        rejections.lift(dbOf(), rejected.ticket, rejected.sender, { ...company, signedIn: true }, by, at);
      await lift(rejected, sync, 5);
      expect(await idsOf(rejected)).toEqual([other]);
      expect(await idsOf(stranger)).toHaveLength(1);
      expect((await rejections.get(dbOf(), own))?.liftedAt).toBe(5);
      await lift({ ...rejected, crmCompanyId: null }, 'another', 9);
      expect((await rejections.get(dbOf(), own))?.liftedAt).toBe(5);
      await rejections.restore(dbOf(), sync);
      await rejections.restore(dbOf(), sync);
      expect((await idsOf(rejected)).toSorted()).toEqual([own, elsewhere, other].toSorted());
      await lift(rejected, sync, 12);
      await rejections.takeBack(dbOf(), own, 13);
      await rejections.restore(dbOf(), sync);
      expect((await idsOf(rejected)).toSorted()).toEqual([elsewhere, other].toSorted());
    });

    const elsewhere = { name: randomUUID(), creation };
    it.each([
      ['of the sender', true, {}],
      ['of the ticket alone', true, { sender: null, creation }],
      ['of the company by its id in the CRM', true, { orgId: OrgId.parse('7') }],
      ['of the company by its org id', true, { crmCompanyId: '7' }],
      ['of another company', false, { orgId: OrgId.parse('7'), crmCompanyId: '7' }],
      ['of the sender, of a mail', false, { signedIn: false }],
      ['of another sender', false, { sender: 'other@shop.example' }],
      ['of a ticket of the same name', false, { sender: null, creation: '2026-12-01 12:00:00.000001' }],
      ['from before the rejection', false, { at: entry().at - 1 }],
      ['that was undone', false, { isUndone: true }],
      ['whose link was not seen', false, { isLinked: false }],
    ])('restores what no other Sync has answered, and the rest with that one; one %s: %s', async (_, isAnswer, how) => {
      const rejected = { ...entry(), signedIn: true };
      const id = await record(rejected);
      const sync = { signedIn: true, isUndone: false, isLinked: true, ...how };
      const ticket = 'creation' in how ? { ...rejected.ticket, creation: how.creation } : elsewhere;
      const { sender: address = null } = { ...rejected, ...how };
      const other = await syncs.record(dbOf(), {
        ...{ ...rejected, crmCompanyId: '63001', customer: 'Gốm Sứ', previousCustomer: null, at: rejected.at + 1 },
        ...sync,
        ...{ ticket, sender: address === null ? null : { address, domain: null } },
      });
      if (sync.isLinked) await syncs.noteLinked(dbOf(), other, 9);
      if (sync.isUndone) await syncs.markUndone(dbOf(), other, 9);
      await rejections.lift(dbOf(), rejected.ticket, null, rejected, 'first', 5);
      await rejections.restore(dbOf(), 'first');
      expect(await idsOf(rejected)).toEqual(isAnswer ? [] : [id]);
      const row = dbOf().selectFrom('rejections').select('lifted_by').where('id', '=', id);
      expect(await row.execute()).toEqual([{ lifted_by: isAnswer ? other : null }]);
      await syncs.markUndone(dbOf(), other, 12);
      await rejections.restore(dbOf(), other);
      expect(await idsOf(rejected)).toEqual([id]);
    });
  });
}
