import { sized } from '@deskside/testing/size';
import { expect, it } from 'vitest';
import { allDecisions } from '#store/testing/decision-draft.ts';
import { openStore, stateFile } from './database.ts';
import * as decisions from './decisions.ts';
import { draftOf } from './testing/decision-draft.ts';
import { insertedTicket, waitingIn } from './testing/inserted.ts';
import { inFile, temporaryFolder, writtenUntilKilled } from './testing/state-file.ts';
import * as tickets from './tickets.ts';

const rounds = sized({ small: 4, full: 10 });

it('what was confirmed is there after kill -9, and turns are neither skipped nor repeated', async () => {
  const database = `file:${temporaryFolder()}`;
  const members = ['an', 'bình', 'chi', 'dũng', 'hà', 'khoa', 'lan'];
  const confirmed: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const killAfter = 1 + Math.floor(Math.random() * 60);
    confirmed.push(...(await writtenUntilKilled(database, `round${round}`, members, (lines) => lines === killAfter)));
  }
  const store = await openStore(database);
  const decided = await allDecisions(store.db);
  const agentOf = new Map(decided.map(({ ticket, assignment }) => [ticket, assignment.agent]));
  expect(confirmed.length).toBeGreaterThanOrEqual(10);
  for (const line of confirmed) {
    const [kind, ticket = '', agent] = line.split(' ');
    if (kind === 'decision') expect(agentOf.get(ticket)).toBe(agent);
    else expect(await tickets.accept(store.db, ticket, insertedTicket(), 2_000)).toBe('known');
  }
  const turns = decided.map(({ assignment }) => assignment.agent);
  expect(turns).toEqual(turns.map((_, i) => members[i % members.length]));
  const turn = { team: 'CS 60p', members, eligible: members };
  const next = await decisions.add(store.db, draftOf('next'), 0, turn);
  expect(next?.assignment.agent).toBe(members[turns.length % members.length]);
  // What is known of a ticket and its place in the queue are there together or not at all.
  const told = await store.db.selectFrom('tickets').select('ticket').where('inserted', 'is not', null).execute();
  expect(await waitingIn(store.db)).toBe(told.length);
  await store.close();
  const soundness = inFile(stateFile(database), (file) => file.pragma('integrity_check', { simple: true }));
  expect(soundness).toBe('ok');
});
