import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { sized } from '@deskside/testing/size';
import Sqlite from 'better-sqlite3';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as lists from './decisions/decision-lists.ts';
import { describeDecisions } from './decisions/decisions.contract.ts';
import * as decisions from './decisions/decisions.ts';
import { describePipelineWatch } from './decisions/pipeline-watch.contract.ts';
import * as watch from './decisions/pipeline-watch.ts';
import * as preliminary from './decisions/preliminary-decisions.ts';
import * as history from './decisions/ticket-history.ts';
import { describeSettings } from './operator/settings.contract.ts';
import type { PipelineSchema } from './schema.ts';
import { openStore, type Store } from './store.ts';
import { allDecisions } from './testing/all-decisions.ts';
import { draftOf } from './testing/decision-draft.ts';
import { type Compiled, plansOf } from './testing/plans.ts';
import { describeInbox, describeSweepMark } from './tickets/inbox.contract.ts';
import * as inbox from './tickets/inbox.ts';
import * as memoryStatements from './tickets/records.ts';
import * as mark from './tickets/sweep-mark.ts';
import { describeTicketMemory } from './tickets/ticket-memory.contract.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deskside-pipeline-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('on SQLite', async () => {
  const shared = mkdtempSync(join(tmpdir(), 'deskside-pipeline-'));
  const stores = [await openStore(`file:${shared}`), await openStore(`file:${shared}`)];
  afterAll(async () => {
    for (const store of stores) await store.close();
    rmSync(shared, { recursive: true, force: true });
  });
  const storeOf = (which: number) => stores[which] as Store;
  describeInbox((which) => storeOf(which).inbox);
  describeSweepMark(() => storeOf(0).sweepMark);
  describeDecisions((which) => storeOf(which).decisions);
  describePipelineWatch(() => storeOf(0));
  describeTicketMemory(storeOf);
  describeSettings((which) => storeOf(which).settings);
});

it('whatever else the process writes to the same file meanwhile neither fails nor waits for a lock', async () => {
  const store = await openStore(`file:${folder}`);
  const turn = { team: 'CS 60p', members: ['an'], eligible: ['an'] };
  const work = Array.from({ length: 50 }, (_, i) => [
    store.decisions.add(draftOf(`T${i}`), 0, turn),
    store.leases.take([`key ${i}`], 'owner', 1_000),
    store.inbox.accept({ digest: `${i}`, ticket: `T${i}`, at: 1_000 }),
    store.syncLog.latest(`T${i}`),
  ]);
  await Promise.all(work.flat());
  expect(await store.decisions.count()).toBe(50);
  expect(await store.inbox.waiting()).toBe(50);
  await store.close();
});

describe('every statement finds its rows by an index', () => {
  it('of the inbox', async () => {
    const plans = await plansOf<PipelineSchema>(folder, 'state.db', {
      insertEvent: (db) => [
        inbox.insertEvent(db, { digest: 'd', ticket: 'T', received_at: 1, inserted: null }).compile(),
      ],
      putWork: (db) => [inbox.putWork(db, [{ ticket: 'T', cause: 'sweep', since: 1, due_at: 1 }]).compile()],
      claimWork: (db) => [inbox.claimWork(db, 'sqlite', { owner: 'o', until: 1, limit: 1, now: 1 }).compile()],
      finishWork: (db) => [inbox.finishWork(db, ['T', 'U'], 1, 'o').compile()],
      giveBackWork: (db) => [inbox.giveBackWork(db, ['T', 'U'], 'o').compile()],
      postponeWork: (db) => [inbox.postponeWork(db, 'T', { revision: 1, owner: 'o', dueAt: 1 }).compile()],
      countWork: (db) => [inbox.countWork(db).compile()],
      selectQueued: (db) => [inbox.selectQueued(db, ['T', 'U']).compile()],
      deleteEvents: (db) => [inbox.deleteEvents(db, 1, 9).compile()],
      deleteEventsOf: (db) => [inbox.deleteEventsOf(db, 'T').compile()],
      deleteFinished: (db) => [inbox.deleteFinished(db, 1, 9).compile()],
      selectMark: (db) => [mark.selectMark(db).compile()],
      putMark: (db) => [mark.putMark(db, { from: 'f', until: 'u' }).compile()],
    } satisfies Compiled<typeof inbox & typeof mark, PipelineSchema>);
    expect(plans.filter((plan) => plan.includes('ticket_work_due'))).toHaveLength(2);
    expect(plans.filter((plan) => plan.startsWith('SEARCH'))).toHaveLength(13);
    expect(plans.filter((plan) => /SCAN (?!due$)|TEMP B-TREE/.test(plan))).toEqual([]);
  });

  it('of what an operator watches', async () => {
    const plans = await plansOf<PipelineSchema>(folder, 'state.db', {
      countDue: (db) => [watch.countDue(db, 1).compile()],
      countWaiting: (db) => [watch.countWaiting(db).compile()],
      selectDecision: (db) => [watch.selectDecision(db, 1).compile()],
      selectBefore: (db) => [watch.selectBefore(db, 9, 9).compile()],
    } satisfies Compiled<typeof watch, PipelineSchema>);
    expect(plans).toEqual([
      'SEARCH ticket_work USING COVERING INDEX ticket_work_due (due_at<?)',
      expect.stringContaining('routing_decision_waiting'),
      'SEARCH routing_decision USING INTEGER PRIMARY KEY (rowid=?)',
      'SEARCH routing_decision USING INTEGER PRIMARY KEY (rowid<?)',
      'CORRELATED SCALAR SUBQUERY 1',
      'SEARCH ticket_event USING COVERING INDEX ticket_event_ticket (ticket=?)',
    ]);
  });

  it('of the memory of tickets', async () => {
    const memory = { ticket: 'T', active_at: 1, gone: 0 };
    const stone = { ticket: 'T', creation: 'c', team: null, forgotten_at: 1 };
    const plans = await plansOf<PipelineSchema>(folder, 'state.db', {
      noteTickets: (db) => [memoryStatements.noteTickets(db, [memory]).compile()],
      selectInactive: (db) => [memoryStatements.selectInactive(db, 1, 9).compile()],
      deleteMemory: (db) => [memoryStatements.deleteMemory(db, 'T', 1).compile()],
      insertTombstone: (db) => [memoryStatements.insertTombstone(db, stone).compile()],
      selectTombstone: (db) => [memoryStatements.selectTombstone(db, 'T', 'c').compile()],
      deleteRecords: (db) => memoryStatements.deleteRecords(db, 'T').map((statement) => statement.compile()),
    } satisfies Compiled<typeof memoryStatements, PipelineSchema>);
    expect(plans.filter((plan) => plan.startsWith('SEARCH'))).toHaveLength(8);
    expect(plans.filter((plan) => /SCAN|TEMP B-TREE/.test(plan))).toEqual([]);
  });

  it('of the decisions; those that wait by an index of nothing else', async () => {
    const row = { ticket: 'T', number: 1, latest: 1, waiting: 0, waiting_team: null, open_claim: null, decision: '{}' };
    const plans = await plansOf<PipelineSchema>(folder, 'state.db', {
      lockCursor: (db) => [decisions.lockCursor(db, 't').compile()],
      selectCursor: (db) => [decisions.selectCursor(db, 't').compile()],
      moveCursor: (db) => [decisions.moveCursor(db, 't', 'a').compile()],
      supersede: (db) => [decisions.supersede(db, 'T', 1).compile()],
      insertDecision: (db) => [decisions.insertDecision(db, row).compile()],
      lockDecision: (db) => [decisions.lockDecision(db, 1).compile()],
      writeDecision: (db) => [decisions.writeDecision(db, 1, row).compile()],
      selectOfTicket: (db) => [history.selectOfTicket(db, 'T').limit(1).compile()],
      selectDecided: (db) => [lists.selectDecided(db, ['T', 'U']).compile()],
      selectWaiting: () => [],
      selectWaitingTeam: (db) => [lists.selectWaitingTeam(db, 't').compile()],
      selectWaitingIn: (db) => [lists.selectWaitingIn(db, { team: 't', after: 1, limit: 1 }).compile()],
      selectOpenClaims: (db) => [lists.selectOpenClaims(db, ['1']).compile()],
      selectNewest: (db) => [lists.selectNewest(db, 9, 1).compile()],
      selectPage: (db) => [lists.selectPage(db, 1, 1).compile()],
      selectUpTo: (db) => [lists.selectUpTo(db, 9).compile()],
      countDecided: () => [],
      insertPreliminary: (db) => [
        preliminary.insertPreliminary(db, { key: 'k', team: 't', reason: 'r', at: 1 }).compile(),
      ],
      selectPreliminary: (db) => [preliminary.selectPreliminary(db, 'k').compile()],
      insertSight: (db) => [history.insertSight(db, { ticket: 'T', creation: 'c', sight: '{}', at: 1 }).compile()],
      selectSight: (db) => [history.selectSight(db, 'T', 'c').compile()],
      selectLastSight: (db) => [history.selectLastSight(db, 'T').compile()],
      selectInserted: (db) => [history.selectInserted(db, 'T').compile()],
      deletePreliminary: (db) => [preliminary.deletePreliminary(db, 1, 9).compile()],
    } satisfies Compiled<typeof decisions & typeof history & typeof lists & typeof preliminary, PipelineSchema>);
    expect(plans.filter((plan) => plan.startsWith('SEARCH'))).toHaveLength(20);
    expect(plans.filter((plan) => plan.includes('routing_decision_waiting_team'))).toHaveLength(2);
    expect(plans.filter((plan) => /SCAN|TEMP B-TREE/.test(plan))).toEqual([]);
    const others = await plansOf<PipelineSchema>(folder, 'state.db', {
      selectWaiting: (db) => [lists.selectWaiting(db, 1).compile()],
      countDecided: (db) => [lists.countDecided(db).compile()],
    });
    expect(others).toEqual([
      'SCAN routing_decision USING INDEX routing_decision_waiting',
      expect.stringMatching(/^SCAN routing_decision USING COVERING INDEX/),
    ]);
  });
});

const rounds = sized({ small: 4, full: 10 });

it('what was confirmed is there after kill -9, and turns are neither skipped nor repeated', async () => {
  const database = `file:${folder}`;
  const members = ['an', 'bình', 'chi', 'dũng', 'hà', 'khoa', 'lan'];
  const script = fileURLToPath(new URL('testing/write-until-killed.ts', import.meta.url));
  const confirmed: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const child = spawn(process.execPath, [script, database, `round${round}`, members.join()], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const closed = once(child, 'close');
    const killAfter = 1 + Math.floor(Math.random() * 60);
    let seen = 0;
    for await (const line of createInterface(child.stdout)) {
      confirmed.push(line);
      seen += 1;
      if (seen === killAfter) child.kill('SIGKILL');
    }
    expect(await closed).toEqual([null, 'SIGKILL']);
  }
  const store = await openStore(database);
  const decided = await allDecisions(store.decisions);
  const agentOf = new Map(decided.map(({ ticket, assignment }) => [ticket, assignment.agent]));
  expect(confirmed.length).toBeGreaterThanOrEqual(10);
  for (const line of confirmed) {
    const [kind, ticket = '', agent] = line.split(' ');
    if (kind === 'decision') expect(agentOf.get(ticket)).toBe(agent);
    else expect(await store.inbox.accept({ digest: ticket, ticket, at: 2_000 })).toBe('known');
  }
  const turns = decided.map(({ assignment }) => assignment.agent);
  expect(turns).toEqual(turns.map((_, i) => members[i % members.length]));
  const turn = { team: 'CS 60p', members, eligible: members };
  const next = await store.decisions.add(draftOf('next'), 0, turn);
  expect(next?.assignment.agent).toBe(members[turns.length % members.length]);
  // An event and its place in the queue are there together or not at all.
  const events = await store.inbox.deleteEventsBefore(3_000, 10_000);
  expect(await store.inbox.waiting()).toBe(events);
  await store.close();
  const file = new Sqlite(join(folder, 'state.db'));
  expect(file.pragma('integrity_check', { simple: true })).toBe('ok');
  file.close();
});
