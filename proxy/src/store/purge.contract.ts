import type { RoutingDecision } from '@deskside/shared/routing';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Store } from './database.ts';
import * as decisions from './decisions.ts';
import * as leases from './leases.ts';
import * as profileCache from './profile-cache.ts';
import { namesSubject, type PurgeSubject, purge } from './purge.ts';
import * as rejections from './rejections.ts';
import { isForgotten } from './retention.ts';
import * as syncs from './syncs.ts';
import { insertedTicket } from './testing/inserted.ts';
import { agent, creation, customer, lan, noon, orgId, other, portal, putRecords } from './testing/records-to-purge.ts';
import * as tickets from './tickets.ts';

/** The tables in which a purge searches. */
const searched = ['tickets', 'claims', 'decisions', 'turns', 'syncs', 'rejections', 'leases', 'crm_cache'] as const;

/**
 * Tests of the purge for any store.
 *
 * @param storeOf an open store that no other tests use
 * @param contentOf every row of every table, as text, without what records migrations
 */
export function describePurge(storeOf: () => Store, contentOf: () => Promise<Record<string, string[]>>): void {
  const dump = async () => JSON.stringify(await contentOf());
  const purgeOf = (
    subject: PurgeSubject,
    { tickets = [] as string[], isDry = false, customers = [] as string[] } = {},
  ) =>
    purge(db(), {
      tickets: subject.kind === 'ticket' ? [subject.value] : tickets,
      names: subject.kind === 'ticket' ? null : namesSubject(subject, customers),
      now: noon + 1,
      isDry,
    });

  const db = () => storeOf().db;
  const keyOf = (name: string) => ({ name, creation });

  describe('a purge', () => {
    beforeEach(async () => {
      for (const table of searched) await db().deleteFrom(table).execute();
      await putRecords(storeOf());
    });

    it('of a company leaves nothing of it in any column, and everything of the others', async () => {
      const before = await dump();
      for (const marker of [orgId, customer, lan]) expect(before).toContain(marker);
      const order = { tickets: ['t5', 'never'], customers: [customer] };
      const dry = await purgeOf({ kind: 'org_id', value: orgId }, { ...order, isDry: true });
      expect(await dump()).toBe(before);
      const done = await purgeOf({ kind: 'org_id', value: orgId }, order);
      expect(done).toEqual(dry);
      expect(done.tickets.toSorted()).toEqual(['never', 't1', 't2', 't4', 't5', 't6', 't8']);
      expect(done.deleted).toEqual({ decisions: 4, tickets: 6, claims: 3, syncs: 2, crm_cache: 1, leases: 1 });
      const after = await dump();
      expect(after.replaceAll(other, '')).not.toMatch(/200000376001|Gốm Sứ/);
      expect(after).not.toContain('"t5 quotes');
      const cached = await profileCache.getCompanies(db(), portal, [orgId, other]);
      expect([...cached.keys()]).toEqual([other]);
      expect(await decisions.list(db(), keyOf('t3'))).toHaveLength(1);
      expect(await leases.take(storeOf(), [`enrich ${other}`], 'me', 1)).toEqual(new Set([`enrich ${other}`]));
      const repeated = await purgeOf({ kind: 'org_id', value: orgId }, { customers: [customer] });
      expect(repeated).toEqual({ tickets: [], deleted: {}, changed: {} });
    });

    it('knows every table: a new one has to be searched, or named here as one without data of people', async () => {
      const withoutPeople = ['notes'];
      expect(Object.keys(await contentOf()).toSorted()).toEqual([...searched, ...withoutPeople].toSorted());
    });

    it('of a person leaves nothing of them, in whatever case, and does not take another address for theirs', async () => {
      const done = await purgeOf({ kind: 'email', value: 'Lan.Nguyen@Shop.example' });
      expect(done.tickets.toSorted()).toEqual(['t1', 't6', 't9']);
      expect(done.deleted).toMatchObject({ crm_cache: 2 });
      const after = await dump();
      expect(after).toContain(`an.${lan}`);
      expect(after).toContain(`${lan}.vn`);
      expect(after.replaceAll(`an.${lan}`, '').replaceAll(`${lan}.vn`, '').toLowerCase()).not.toContain(lan);
      expect(await decisions.list(db(), keyOf('t3'))).toHaveLength(1);
    });

    it('of an agent keeps the tickets, without the agent', async () => {
      const before = await decisions.latest(db(), keyOf('t1'));
      const dry = await purgeOf({ kind: 'email', value: agent }, { isDry: true });
      expect(await dump()).toContain(agent);
      const done = await purgeOf({ kind: 'email', value: agent });
      expect(done).toEqual(dry);
      expect(done).toMatchObject({ tickets: [], deleted: {} });
      expect(done.changed).toEqual({ decisions: 3, tickets: 2, syncs: 1, turns: 1 });
      expect(await dump()).not.toContain(agent);
      const renamed = JSON.parse(JSON.stringify(before).replaceAll(agent, 'removed')) as RoutingDecision;
      expect(await decisions.latest(db(), keyOf('t1'))).toEqual(renamed);
      expect((await syncs.latest(db(), keyOf('t4')))?.agent).toBe('removed');
      expect(await tickets.insertOf(db(), keyOf('t1'))).toMatchObject({ owner: 'removed', raisedBy: lan });
    });

    it('takes an account owner, and a company’s owners, from what is noted of a ticket that stays', async () => {
      const ownersOf = async () => [
        await tickets.ownersOf(db(), keyOf('t3'), other),
        await tickets.ownersOf(db(), keyOf('t3'), orgId),
        await tickets.ownersOf(db(), keyOf('t14'), other),
      ];
      const [ha, minh] = ['ha@crm.example', 'minh@crm.example'];
      for (const [ticket, company, owner] of [
        ['t3', other, ha],
        ['t3', other, minh],
        ['t3', orgId, minh],
        ['t14', other, ha],
      ] as const)
        await tickets.noteOwner(db(), keyOf(ticket), company, owner, noon);
      const { tickets: gone, changed } = await purgeOf({ kind: 'email', value: ha });
      expect([gone, changed]).toEqual([[], { tickets: 2 }]);
      expect(await ownersOf()).toEqual([[minh], [minh], []]);
      expect((await purgeOf({ kind: 'org_id', value: orgId })).tickets).not.toContain('t3');
      expect(await ownersOf()).toEqual([[minh], [], []]);
      expect(await decisions.list(db(), keyOf('t3'))).toHaveLength(1);
      expect(await tickets.insertOf(db(), keyOf('t3'))).toMatchObject({ owner: agent });
      expect(await tickets.insertOf(db(), keyOf('t14'))).toBeNull();
    });

    it('takes rejections, syncs and adoptions of a sender or company, and an agent’s name from the others’', async () => {
      const entry = { orgId: other, crmCompanyId: '9', companyName: null, at: noon };
      const reject = (ticket: string, sender: string, by: string, note = '') => {
        const reason = { code: 'other' as const, note };
        return rejections.record(db(), { ...entry, ticket: keyOf(ticket), sender, agent: by, reason });
      };
      await reject('t10', lan, 'an');
      await reject('t11', `an.${lan}`, lan);
      await reject('t12', `an.${lan}`, 'an', `asked ${lan}`);
      const sender = { address: lan, domain: 'shop.example' };
      const synced = { ...entry, agent: 'an', customer: 'x', previousCustomer: null };
      await syncs.record(db(), { ...synced, ticket: keyOf('t13'), sender });
      const adopt = (adopted: string, by: string, changes = {}) => {
        const adoption = { ...entry, customer: adopted, via: 'sync' as const, changes: [], by, ticket: keyOf('t14') };
        return syncs.recordAdoption(db(), { ...adoption, ...changes });
      };
      await adopt(`Cửa hàng ${lan}`, 'an');
      await adopt('b', lan);
      await adopt('c', 'an', { orgId });
      const { tickets: gone, deleted, changed } = await purgeOf({ kind: 'email', value: lan });
      expect(gone.toSorted()).toEqual(['t1', 't10', 't12', 't13', 't6', 't9']);
      // Two of the syncs are of a ticket.
      expect([deleted.rejections, deleted.syncs]).toEqual([2, 3]);
      expect([changed.rejections, changed.syncs]).toEqual([1, 1]);
      const after = (await dump()).replaceAll(`an.${lan}`, '').replaceAll(`${lan}.vn`, '');
      expect(after.toLowerCase()).not.toContain(lan);
      const [left] = await rejections.standing(db(), null, `an.${lan}`);
      expect(left).toMatchObject({ ticket: keyOf('t11'), agent: 'removed' });
      expect(await syncs.adoptionsOf(db(), 'b')).toMatchObject([{ by: 'removed' }]);
      expect((await purgeOf({ kind: 'org_id', value: orgId })).deleted.syncs).toBe(2);
    });

    it('of a ticket takes its records and no others; it is not routed again, whatever a webhook repeats', async () => {
      const done = await purgeOf({ kind: 'ticket', value: 't1' });
      expect(done.tickets).toEqual(['t1']);
      expect(done.deleted).toEqual({ decisions: 2, tickets: 1, claims: 1 });
      expect(await decisions.list(db(), keyOf('t1'))).toEqual([]);
      for (const ticket of ['t2', 't3']) expect(await decisions.list(db(), keyOf(ticket))).toHaveLength(1);
      await tickets.accept(db(), 't1', insertedTicket({ creation, raisedBy: lan }), noon + 1);
      expect(await isForgotten(db(), keyOf('t1'))).toBe(true);
      expect(await tickets.undecidedAmong(db(), ['t1', 't3', 't4'].map(keyOf))).toEqual([keyOf('t4')]);
      expect(await tickets.insertOf(db(), keyOf('t1'))).toBeNull();
      expect((await purgeOf({ kind: 'ticket', value: 't1' })).deleted).toEqual({});
      expect(await isForgotten(db(), keyOf('t1'))).toBe(true);
    });
  });
}
