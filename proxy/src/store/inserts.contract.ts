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
    const accept = (ticket: string, digest: string, told: InsertedTicket | null = inserted) =>
      tickets.accept(dbOf(), { digest, ticket, inserted: told, at: 1 });

    afterAll(async () => {
      const db = dbOf();
      await tickets.finish(db, await tickets.claim(db, 'inserts', { limit: 100, now: 1, leaseMs: 1_000 }), 'inserts');
    });

    test('is kept with the event, and never written over by a later one', async () => {
      const db = dbOf();
      expect(await tickets.insertOf(db, 'insert-1', creation)).toBeNull();
      await accept('insert-1', 'insert-1-a');
      await accept('insert-1', 'insert-1-b', { ...inserted, raisedBy: 'boss@shop.example', orgIdFields: [] });
      expect(await tickets.insertOf(db, 'insert-1', creation)).toEqual(insert);
      expect(await tickets.latestInsertOf(db, 'insert-1')).toEqual(insert);
    });

    test('fills what the sweep found first, and keeps the org ids that the ticket carried', async () => {
      const db = dbOf();
      await tickets.noteCarried(db, { ticket: 'insert-2', creation, raisedBy: 'vy@shop.example', orgIds: [other] }, 2);
      expect(await tickets.insertOf(db, 'insert-2', creation)).toBeNull();
      await accept('insert-2', 'insert-2-a');
      expect(await tickets.insertOf(db, 'insert-2', creation)).toEqual(insert);
      for (const id of [orgId, other])
        expect(await tickets.carrying(db, 'vy@shop.example', id)).toContainEqual({
          ticket: 'insert-2',
          creation,
          insert,
        });
    });

    test('is what of an event that tells nothing of it cannot be said', async () => {
      const db = dbOf();
      await accept('insert-6', 'insert-6-a', null);
      expect([await tickets.insertOf(db, 'insert-6', creation), await tickets.latestInsertOf(db, 'insert-6')]).toEqual([
        null,
        null,
      ]);
    });

    test('has each org id once, as it is compared, and none of what is no org id', async () => {
      const db = dbOf();
      const values = [orgId, ` ${orgId} `, 'none', '', null].map((value, n) => ({ field: `custom_${n}`, value }));
      await accept('insert-7', 'insert-7-a', { ...inserted, splitFrom: 'insert-1', orgIdFields: values });
      expect(await tickets.insertOf(db, 'insert-7', creation)).toEqual({ ...insert, splitFrom: 'insert-1' });
    });

    test('of another ticket of the same name is another', async () => {
      const db = dbOf();
      const later = '2026-11-21 12:00:00.000001';
      await accept('insert-3', 'insert-3-a');
      await accept('insert-3', 'insert-3-b', { ...inserted, creation: later, raisedBy: null });
      expect(await tickets.insertOf(db, 'insert-3', creation)).toEqual(insert);
      expect(await tickets.latestInsertOf(db, 'insert-3')).toEqual({ ...insert, creation: later, raisedBy: null });
    });

    test('is found by its sender and every org id that it has carried', async () => {
      const db = dbOf();
      const raisedBy = 'carrier@shop.example';
      await accept('insert-4', 'insert-4-a', { ...inserted, raisedBy });
      await tickets.noteCarried(db, { ticket: 'insert-4', creation, raisedBy, orgIds: [other] }, 2);
      await tickets.noteCarried(db, { ticket: 'insert-5', creation, raisedBy, orgIds: [other] }, 2);
      const names = async (id: OrgId) => (await tickets.carrying(db, raisedBy, id)).map(({ ticket }) => ticket).sort();
      expect(await names(orgId)).toEqual(['insert-4']);
      expect(await names(other)).toEqual(['insert-4', 'insert-5']);
      const found = await tickets.carrying(db, raisedBy, other);
      expect(found.find(({ ticket }) => ticket === 'insert-5')?.insert).toBeNull();
      expect(await tickets.carrying(db, 'nobody@shop.example', orgId)).toEqual([]);
      expect(await names(orgId.slice(1) as OrgId)).toEqual([]);
    });

    test('keeps every org id that it has carried, also where it carries none any more', async () => {
      const db = dbOf();
      const raisedBy = 'once@shop.example';
      for (const orgIds of [[orgId], [other], []])
        await tickets.noteCarried(db, { ticket: 'insert-8', creation, raisedBy, orgIds }, 2);
      for (const id of [orgId, other]) expect(await tickets.carrying(db, raisedBy, id)).toHaveLength(1);
    });
  });
}
