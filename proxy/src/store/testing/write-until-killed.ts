import { setTimeout as pause } from 'node:timers/promises';
import { openStore } from '#store/database.ts';
import * as decisions from '#store/decisions.ts';
import * as tickets from '#store/tickets.ts';
import { draftOf } from './decision-draft.ts';
import { insertedTicket } from './inserted.ts';

// A process of its own: `node write-until-killed.ts <database> <prefix> <members, comma-separated>`. Accepts events and
// makes decisions forever, with a pause in which others get the file, and prints a line for each that was confirmed. A
// write that is refused ends it.

const [database = '', prefix = '', members = ''] = process.argv.slice(2);
const { db } = await openStore(database);
const ring = members.split(',');
const team = { team: 'CS 60p', members: ring, eligible: ring };
for (let i = 0; ; i += 1) {
  const ticket = `${prefix}-${i}`;
  await tickets.accept(db, ticket, insertedTicket(), 1_000);
  process.stdout.write(`event ${ticket}\n`);
  const decision = await decisions.add(db, draftOf(ticket), 0, team);
  process.stdout.write(`decision ${ticket} ${decision?.assignment.agent}\n`);
  await pause(1);
}
