import type { OrgId } from '@deskside/shared/orgid';
import { afterAll, describe, expect, test } from 'vitest';
import type { InsertedTicket } from '#helpdesk/tickets.ts';
import type { StateDb } from './schema.ts';
import * as tickets from './tickets.ts';

const orgId = '1000069001' as OrgId;
const other = '1000069002' as OrgId;
const creation = '2026-11-20 12:00:00.000001';
const inserted: InsertedTicket = {
  creation,
  owner: 'an@desk.example',
  raisedBy: 'Vy@Shop.example',
  contact: 'Vy',
  agentGroup: null,
  splitFrom: null,
  orgIdFields: [{ field: 'custom_orgid', value: orgId }],
};
const insert = {
  creation,
  owner: 'an@desk.example',
  raisedBy: 'Vy@Shop.example',
  contact: 'Vy',
  agentGroup: null,
  splitFrom: null,
  orgIds: [orgId],
};

/** What every engine promises of the inserts that webhooks told of. */
export function describeInserts(dbOf: () => StateDb): void {
  describe('what tickets were like when they were inserted', () => {
    const accept = (name: string, told: InsertedTicket = inserted) => tickets.accept(dbOf(), name, told, 1);
    const of = (name: string, created = creation) => tickets.insertOf(dbOf(), { name, creation: created });

    afterAll(async () => {
      const db = dbOf();
      await tickets.finish(db, await tickets.claim(db, 'inserts', { limit: 100, now: 1, leaseMs: 1_000 }), 'inserts');
    });

    test('is kept with the event, and never written over by a later one', async () => {
      const db = dbOf();
      expect(await of('insert-1')).toBeNull();
      await accept('insert-1');
      await accept('insert-1', { ...inserted, raisedBy: 'boss@shop.example', orgIdFields: [] });
      expect(await of('insert-1')).toEqual(insert);
      expect(await tickets.latestInsertOf(db, 'insert-1')).toEqual(insert);
    });

    test('fills what the sweep found first, and keeps the org ids that the ticket carried', async () => {
      const db = dbOf();
      await tickets.noteCarried(db, { name: 'insert-2', creation, raisedBy: 'vy@shop.example', orgIds: [other] }, 2);
      expect(await of('insert-2')).toBeNull();
      await accept('insert-2');
      expect(await of('insert-2')).toEqual(insert);
      for (const id of [orgId, other])
        expect(await tickets.carrying(db, 'vy@shop.example', id)).toContainEqual({
          name: 'insert-2',
          creation,
          insert,
        });
    });

    test('counts a claim for whoever the ticket was inserted for, and for whoever it is for since', async () => {
      const db = dbOf();
      await accept('insert-6', { ...inserted, raisedBy: 'mask@web.example' });
      await tickets.noteCarried(db, { name: 'insert-6', creation, raisedBy: 'Thief@web.example', orgIds: [orgId] }, 2);
      for (const sender of ['mask@web.example', 'thief@web.example'])
        expect((await tickets.carrying(db, sender, orgId)).map(({ name }) => name)).toEqual(['insert-6']);
    });

    test('has each org id once, as it is compared, and none of what is no org id', async () => {
      const values = [orgId, ` ${orgId} `, 'none', '', null].map((value, n) => ({ field: `custom_${n}`, value }));
      await accept('insert-7', { ...inserted, splitFrom: 'insert-1', orgIdFields: values });
      expect(await of('insert-7')).toEqual({ ...insert, splitFrom: 'insert-1' });
    });

    test('of another ticket of the same name is another', async () => {
      const db = dbOf();
      const later = '2026-11-21 12:00:00.000001';
      await accept('insert-3');
      await accept('insert-3', { ...inserted, creation: later, raisedBy: null });
      expect(await of('insert-3')).toEqual(insert);
      expect(await tickets.latestInsertOf(db, 'insert-3')).toEqual({ ...insert, creation: later, raisedBy: null });
    });

    test('is found by its sender and every org id that it has carried', async () => {
      const db = dbOf();
      const raisedBy = 'carrier@shop.example';
      await accept('insert-4', { ...inserted, raisedBy });
      await tickets.noteCarried(db, { name: 'insert-4', creation, raisedBy, orgIds: [other] }, 2);
      await tickets.noteCarried(db, { name: 'insert-5', creation, raisedBy, orgIds: [other] }, 2);
      const names = async (id: OrgId) => (await tickets.carrying(db, raisedBy, id)).map(({ name }) => name).sort();
      expect(await names(orgId)).toEqual(['insert-4']);
      expect(await names(other)).toEqual(['insert-4', 'insert-5']);
      const found = await tickets.carrying(db, raisedBy, other);
      expect(found.find(({ name }) => name === 'insert-5')?.insert).toBeNull();
      expect(await tickets.carrying(db, 'nobody@shop.example', orgId)).toEqual([]);
      expect(await names(orgId.slice(1) as OrgId)).toEqual([]);
    });

    test('keeps every org id that it has carried, also where it carries none any more', async () => {
      const db = dbOf();
      const raisedBy = 'once@shop.example';
      for (const orgIds of [[orgId], [other], []])
        await tickets.noteCarried(db, { name: 'insert-8', creation, raisedBy, orgIds }, 2);
      for (const id of [orgId, other]) expect(await tickets.carrying(db, raisedBy, id)).toHaveLength(1);
    });
  });
}
