import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CompiledQuery, Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Clock } from '#runtime/memory.ts';
import { openStore } from './database.ts';
import { purge } from './purge.ts';
import type { StateDb } from './schema.ts';
import { openSqlite } from './sqlite.ts';
import { describeStore } from './store.contract.ts';
import { inFile } from './testing/state-file.ts';

describe('the store on SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'deskside-store-'));
  const file = join(folder, 'state.db');
  await (await openStore(`file:${folder}`)).close();
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  /** What was sent to it, by its text. */
  const sent = new Map<string, CompiledQuery>();
  async function open(clock: Clock = Date.now) {
    const log = ({ query }: { query: CompiledQuery }) => void sent.set(query.sql, query);
    const db: StateDb = new Kysely({ dialect: openSqlite(file).dialect, log });
    return { db, clock, closed: new AbortController().signal, close: () => db.destroy() };
  }

  describeStore(open);

  describe('of all statements that these tests have sent', () => {
    // A purge reads every table unless it is of a ticket, and has tests of its own.
    beforeAll(async () => {
      const store = await open();
      await purge(store.db, { tickets: ['T'], names: null, now: 1, isDry: false });
      await store.close();
    });
    /** How SQLite runs each of them, step by step; each plan once. */
    const plans = () =>
      inFile(file, (database) => {
        const planned = [...sent.values()].filter(({ sql }) => !/^(begin|commit|rollback|pragma)/.test(sql));
        const all = planned.map(({ sql, parameters }) => {
          const steps = database.prepare<unknown[], { detail: string }>(`explain query plan ${sql}`).all(...parameters);
          return steps.map(({ detail }) => detail).join('; ');
        });
        return [...new Set(all)].sort();
      });

    it('none has a moment in its text, so that it is prepared once and not anew each time', () => {
      expect([...sent.keys()].filter((text) => /\d{12,}/.test(text))).toEqual([]);
    });

    it('none has a bare placeholder, for which it may be planned anew each time', () => {
      expect([...sent.keys()].filter((text) => /(?<!\+)\?/.test(text))).toEqual([]);
    });

    it('each index is there for one of them', () => {
      const used = plans().flatMap((plan) => [...plan.matchAll(/INDEX ([a-z]\w+)/g)].map(([, name]) => name));
      const needed = used.filter((name) => !name?.startsWith('sqlite_'));
      const named = "select name from sqlite_master where type = 'index' and name not like 'sqlite_%' order by 1";
      const made = inFile(file, (database) => database.prepare<[], string>(named).pluck().all());
      expect([...new Set(needed)].sort()).toEqual(made);
    });

    it('only these read a whole table or index, or sort what they have found', () => {
      const whole = plans().filter((plan) => /SCAN (?!\d+-ROW VALUES|CONSTANT ROW|due$)|TEMP B-TREE/.test(plan));
      expect(whole).toEqual([
        // One ticket and one sender have a handful of rejections, so that sorting them is no matter.
        'MULTI-INDEX OR; INDEX 1; SEARCH rejections USING INDEX rejections_ticket (ticket=? AND creation=?); INDEX 2; SEARCH rejections USING INDEX rejections_sender (sender=?); USE TEMP B-TREE FOR ORDER BY',
        // Likewise what was said of them.
        'MULTI-INDEX OR; INDEX 1; SEARCH syncs USING INDEX syncs_ticket (ticket=? AND creation=?); INDEX 2; SEARCH syncs USING INDEX syncs_sender (sender=?); USE TEMP B-TREE FOR ORDER BY',
        // The last decision before a moment: as many as are later.
        'SCAN decisions',
        // What extensions have missed: a row for each thing remembered, a few dozen.
        'SCAN notes',
        // Adoptions that were undone, where an operator has customers matched.
        'SCAN syncs USING INDEX syncs_adopted',
        // The desk's list, where an operator accepts customers.
        'SCAN syncs USING INDEX syncs_listed',
        // What waits in all teams, by an index of nothing else.
        'SEARCH decisions USING INDEX decisions_waiting (waiting_team>?); USE TEMP B-TREE FOR ORDER BY',
        // What is held at one moment are a few dozen rows.
        'SEARCH leases USING INDEX sqlite_autoindex_leases_1 (key=?); LIST SUBQUERY 1; SCAN leases',
        // Which of the due tickets are new: a backlog of 7,500 takes a millisecond.
        'SEARCH tickets USING COVERING INDEX sqlite_autoindex_tickets_1 (ticket=? AND creation=?); LIST SUBQUERY 3; SEARCH tickets USING INDEX tickets_due (due_at<?); USE TEMP B-TREE FOR ORDER BY',
      ]);
    });
  });
});
