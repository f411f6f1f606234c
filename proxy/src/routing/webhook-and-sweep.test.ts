import { expect, test } from 'vitest';
import { HelpdeskError } from '#helpdesk/errors.ts';
import type { InsertedTicket } from '#helpdesk/tickets.ts';
import { allDecisions } from '#store/testing/decision-draft.ts';
import * as tickets from '#store/tickets.ts';
import { pipelineWorld, withOrgId } from './testing/pipeline-kit.ts';

const minute = 60_000;

/** What a seed says next, between 0 and 1. */
function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** Whatever becomes of webhooks and sweeps: no ticket is lost, none is decided or assigned twice, and turns are exact. */
async function survive(seed: number): Promise<void> {
  const w = pipelineWorld();
  const { desk, clock, store } = w;
  const chance = chances(seed);
  const inserted: string[] = [];
  const delayed: [string, InsertedTicket][] = [];
  const told: [string, InsertedTicket][] = [];
  const hear = async ([name, insert]: [string, InsertedTicket]) => {
    told.push([name, insert]);
    await tickets.accept(store.db, name, insert, clock());
  };
  const list = desk.helpdesk.ticketLists.modifiedSince.bind(desk.helpdesk.ticketLists);
  const sweep = async () => {
    desk.helpdesk.ticketLists.modifiedSince = async (...args) => {
      const page = await list(...args);
      const fate = chance();
      if (fate < 0.15) throw new HelpdeskError('timeout', 'late');
      // Or with half a page taken in.
      if (fate < 0.3) {
        await tickets.enqueue(store.db, page.tickets.slice(0, 2), { dueAt: clock(), now: clock() });
        throw new HelpdeskError('timeout', 'late');
      }
      return page;
    };
    await w.sweep(chance() < 0.1).catch(() => 0);
  };
  await w.sweep();
  let sweepsAgainAt = 0;
  let assigned = 0;
  for (let n = 1; n <= 60; n += 1) {
    clock.advance(1_000 + Math.floor(chance() * 20_000));
    const old = inserted.at(-3);
    if (old !== undefined && chance() < 0.15 && desk.assigned(old).length > 0) {
      // Deleted, and its name is used again.
      assigned += desk.assigned(old).length;
      for (const { name } of desk.assignmentsOf(old)) desk.remove('ToDo', name);
      desk.remove('HD Ticket', old);
      inserted.splice(inserted.indexOf(old), 1);
    }
    const name = old !== undefined && !inserted.includes(old) ? old : `t${n}`;
    desk.insert(name, withOrgId(null));
    inserted.push(name);
    const insert = desk.insertOf(name);
    if (insert === undefined) throw new Error('There is no insert');
    const fate = chance();
    if (fate < 0.4) await hear([name, insert]);
    else if (fate < 0.7) delayed.push([name, insert]);
    // The rest are lost.
    const repeated = told[Math.floor(chance() * told.length)];
    if (repeated && chance() < 0.3) await tickets.accept(store.db, ...repeated, clock());
    if (chance() < 0.3) await w.processInbox();
    if (chance() < 0.05) sweepsAgainAt = clock() + 60 * minute;
    if (chance() < 0.3 && clock() >= sweepsAgainAt) await sweep();
    const late = chance() < 0.3 ? delayed.shift() : undefined;
    if (late) await hear(late);
  }
  desk.helpdesk.ticketLists.modifiedSince = list;
  await w.sweep(true);
  await w.processInbox();
  // What is told and found again changes nothing.
  for (const late of [...delayed, ...told]) await tickets.accept(store.db, ...late, clock());
  await w.sweep(true);
  await w.processInbox();

  expect(await tickets.waiting(store.db)).toBe(0);
  const rows = await store.db.selectFrom('decisions').select(['ticket', 'creation', 'number']).execute();
  expect(rows.every(({ number }) => number === 1)).toBe(true);
  const decided = new Set(rows.map(({ ticket, creation }) => `${ticket} ${creation}`));
  expect(inserted.filter((name) => !decided.has(`${name} ${desk.keyOf(name).creation}`))).toEqual([]);
  expect(decided.size).toBe(rows.length);
  for (const name of inserted) expect([name, desk.assigned(name)]).toEqual([name, [expect.any(String)]]);
  expect(w.counted).toHaveLength(inserted.length + assigned);
  const agents = (await allDecisions(store.db)).map(({ assignment }) => String(assignment.agent));
  const shares = [...Map.groupBy(agents, (agent) => agent).values()].map((one) => one.length);
  expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
}

test.each([1, 2, 3, 4])('no webhook and no sweep is needed, as long as one of them comes: seed %i', survive);
