import { expect, test, vi } from 'vitest';
import { HelpdeskError } from '#helpdesk/errors.ts';
import * as notes from '#store/notes.ts';
import { allDecisions } from '#store/testing/decision-draft.ts';
import { waitingIn } from '#store/testing/inserted.ts';
import * as tickets from '#store/tickets.ts';
import { stampAt } from '#testing/desk-people.ts';
import { pipelineWorld, standing, withOrgId } from '#testing/pipeline-kit.ts';
import { sweepTickets } from './inbox.ts';
import { cs } from './testing/pipeline-rules.ts';

test('tickets from before the first sweep are none of ours', async () => {
  const w = pipelineWorld();
  w.desk.insert('old', withOrgId(null));
  w.clock.advance(60_000);
  expect(await w.sweep()).toBe(0);
  w.desk.personSetsStatus('old', 'Replied');
  w.clock.advance(60_000);
  expect(await w.sweep()).toBe(0);
  await w.processInbox();
  expect(standing(w, 'old').group).toBeNull();
});

test('a write that could be seen only after the sweep had passed its stamp is found by the next', async () => {
  const w = pipelineWorld();
  await w.sweep();
  w.clock.advance(100_000);
  const late = w.desk.insert('late', withOrgId(null));
  w.desk.remove('HD Ticket', 'late');
  w.clock.advance(100_000);
  w.desk.insert('other', withOrgId(null));
  expect(await w.sweep()).toBe(1);
  w.desk.put('HD Ticket', 'late', late);
  expect(await w.sweep()).toBe(1);
});

test('a ticket whose stamp a clock has set back by hours is found by a wide sweep', async () => {
  const w = pipelineWorld();
  await w.sweep();
  w.clock.advance(90 * 60_000);
  const late = w.desk.insert('late', withOrgId(null));
  w.desk.remove('HD Ticket', 'late');
  w.clock.advance(150 * 60_000);
  w.desk.insert('other', withOrgId(null));
  expect(await w.sweep()).toBe(1);
  w.desk.put('HD Ticket', 'late', late);
  expect([await w.sweep(), await w.sweep(true)]).toEqual([0, 1]);
});

test('a sweep that failed is made up for from where the last good one ended', async () => {
  const w = pipelineWorld();
  await w.sweep();
  w.clock.advance(1_000);
  w.desk.insert('lost', withOrgId(null));
  for (let hours = 1; hours <= 3; hours += 1) {
    w.clock.advance(3_600_000);
    w.desk.failNext('ticketLists.modifiedSince');
    await expect(w.sweep()).rejects.toThrow();
  }
  expect(await w.sweep()).toBe(1);
});

test('a sweep that finds nothing leaves the mark where it is, and says nothing; one that finds something says how much', async () => {
  const w = pipelineWorld();
  await w.sweep();
  const said = vi.spyOn(w.ctx.logger, 'info');
  const mark = async () => (await notes.swept(w.db))?.until;
  const before = await mark();
  w.clock.advance(60_000);
  await w.sweep();
  expect(await mark()).toBe(before);
  expect(said).not.toHaveBeenCalled();
  w.desk.insert('1', withOrgId(null));
  await w.sweep();
  expect(said.mock.calls).toEqual([[{ found: 1 }, expect.stringContaining('Tickets found')]]);
});

test('a page that is full is followed by what has changed since its last, not by what stands behind it', async () => {
  const w = pipelineWorld();
  await w.sweep();
  w.clock.advance(60_000);
  const { creation } = w.desk.insert('1', withOrgId(null));
  const row = { name: '1', creation: String(creation), modified: String(creation) };
  const asked: unknown[] = [];
  w.desk.helpdesk.ticketLists.modifiedSince = async (since, { offset }) => {
    asked.push([since, offset]);
    return { tickets: asked.length < 3 ? Array.from({ length: 500 }, () => row) : [], unreadable: [] };
  };
  await w.sweep();
  expect(asked).toEqual([
    [expect.any(String), 0],
    [row.modified, 0],
    [row.modified, 500],
  ]);
});

test('a helpdesk whose clock is ten minutes behind ours loses nothing', async () => {
  const w = pipelineWorld();
  w.clock.advance(600_000);
  await w.sweep();
  w.clock.advance(-600_000);
  for (let minute = 1; minute <= 15; minute += 1) {
    w.clock.advance(60_000);
    w.desk.insert(`t${minute}`, withOrgId(null));
    await w.sweep();
  }
  await w.sweep(true);
  await w.processInbox();
  const routed = w.desk.all('HD Ticket').filter(({ agent_group }) => agent_group === cs);
  // Those that were created before the moment that our clock took for the first sweep are left to their webhook.
  expect(routed.map(({ name }) => name)).toEqual(['t10', 't11', 't12', 't13', 't14', 't15']);
});

test('a ticket that waits for its next try is left to wait', async () => {
  const w = pipelineWorld();
  await w.sweep();
  w.clock.advance(1_000);
  w.desk.insert('1', withOrgId(null));
  await tickets.enqueue(w.db, [w.desk.keyOf('1')], { dueAt: w.clock() + 600_000, now: w.clock() });
  expect(await w.sweep()).toBe(0);
  expect(w.rows.work.get('1')?.dueAt).toBe(w.clock() + 600_000);
});

test('a ticket stamped years ahead does not keep the sweep from finding the next one', async () => {
  const w = pipelineWorld();
  await w.sweep();
  w.clock.advance(1_000);
  w.desk.insert('future', withOrgId(null));
  w.desk.put('HD Ticket', 'future', { modified: '2036-01-01 00:00:00.000' });
  expect(await w.sweep()).toBe(1);
  const present = await w.desk.helpdesk.stampOf(w.clock(), new AbortController().signal);
  expect((await notes.swept(w.db))?.until).toBe(present);
  await w.processInbox();
  w.clock.advance(60_000);
  const { modified } = w.desk.insert('lost', withOrgId(null));
  expect(String(modified) < '2036').toBe(true);
  expect(await w.sweep()).toBe(1);
  await w.processInbox();
  expect(standing(w, 'lost').group).toBe(cs);
});

test('a mark that lies in the future, since a clock was set back, is taken back to the present', async () => {
  const w = pipelineWorld();
  await w.sweep();
  await notes.noteSwept(w.db, '2036-01-01 00:00:00.000', w.clock());
  w.clock.advance(1_000);
  w.desk.insert('lost', withOrgId(null));
  expect(await w.sweep()).toBe(1);
});

test('a ticket that cannot be read is set aside with one fault, and the others go on', async () => {
  const w = pipelineWorld();
  await w.sweep();
  w.clock.advance(1_000);
  const modified = stampAt(w.clock());
  for (let n = 1; n <= 600; n += 1) w.desk.put('HD Ticket', `bad${n}`, { creation: null, modified });
  w.desk.insert('good', withOrgId(null));
  expect(await w.sweep()).toBe(1);
  expect(w.rows.waiting).toEqual(['good']);
  expect(w.faults).toEqual(Array.from({ length: 600 }, () => 'ticket_unreadable'));
  expect(w.complaints[0]).toBe('A ticket cannot be read by the sweep and is left out');
  await w.sweep();
  expect(w.faults).toHaveLength(600);
  const reported = new Set(Array.from({ length: 1_000 }, (_, n) => `worse${n}`));
  await sweepTickets(w.ctx, { isWide: false, reported });
  expect(w.faults).toHaveLength(600);
});

test('a long sweep that is cut off goes on from where it stopped', async () => {
  const w = pipelineWorld();
  await w.sweep();
  for (let n = 1; n <= 601; n += 1) {
    w.clock.advance(60_000);
    const now = stampAt(w.clock());
    w.desk.put('HD Ticket', `t${n}`, { creation: now, modified: now });
  }
  const before = (await notes.swept(w.db))?.until ?? '';
  let calls = 0;
  const list = w.desk.helpdesk.ticketLists.modifiedSince;
  w.desk.helpdesk.ticketLists.modifiedSince = async (...args) => {
    calls += 1;
    if (calls === 2) throw new HelpdeskError('timeout', 'late');
    return list(...args);
  };
  await expect(w.sweep()).rejects.toThrow();
  const after = (await notes.swept(w.db))?.until ?? '';
  expect(after > before).toBe(true);
});

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
  const delayed: [string, tickets.Insert][] = [];
  const told: [string, tickets.Insert][] = [];
  const hear = async ([name, insert]: [string, tickets.Insert]) => {
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

  expect(await waitingIn(store.db)).toBe(0);
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
