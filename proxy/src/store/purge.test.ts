import { OrgId } from '@deskside/shared/orgid';
import type { KyselyPlugin } from 'kysely';
import { describe, expect, test } from 'vitest';
import * as decisions from './decisions.ts';
import { describePurge } from './purge.contract.ts';
import { namesSubject, purge, withoutAgent } from './purge.ts';
import { namingTables } from './schema.ts';
import { draftOf } from './testing/decision-draft.ts';
import { memoryStore } from './testing/memory-store.ts';

describe('on SQLite', () => {
  const store = memoryStore();
  const { database } = store;
  const rowsOf = (query: string) => database.prepare<[], object>(query).all();
  const names = database
    .prepare<[], string>("select name from sqlite_master where type = 'table' and name not like 'deskside_%'")
    .pluck()
    .all();
  test('every column of text is searched by a purge, or named here as one that names nobody', () => {
    const texts = database
      .prepare<[], string>(
        `select "table".name || '.' || "column".name from sqlite_master as "table",
          pragma_table_info("table".name) as "column"
          where "table".type = 'table' and "table".name not like 'deskside_%' and "column".type = 'TEXT'`,
      )
      .pluck()
      .all();
    const searched = namingTables.flatMap(({ table, subject, record, agent }) =>
      [record, agent, ...(subject?.({ until: 0 }, 1) ?? [])].map((column) => `${table}.${column}`),
    );
    const ofNobody = [
      ...['tickets', 'claims', 'decisions', 'syncs', 'rejections'].flatMap((table) => [
        `${table}.ticket`,
        `${table}.creation`,
      ]),
      ...['tickets.found_by', 'tickets.taken_by', 'decisions.waiting_team', 'turns.team', 'leases.owner'],
      ...['syncs.id', 'syncs.kind', 'rejections.id', 'rejections.lifted_by', 'crm_cache.portal', 'crm_cache.kind'],
      ...['notes.key', 'notes.note'],
      // What they say the same row says in another column.
      ...['decisions.open_claim', 'syncs.sender_domain', 'syncs.crm_company_id', 'rejections.crm_company_id'],
      'crm_cache.company_id',
    ];
    expect(texts.filter((column) => !searched.includes(column)).toSorted()).toEqual(ofNobody.toSorted());
  });

  describePurge(
    () => ({ ...store, closed: new AbortController().signal, close: async () => {} }),
    async () =>
      Object.fromEntries(
        names.map((name) => [name, rowsOf(`select * from "${name}"`).map((row) => JSON.stringify(row))]),
      ),
  );
});

test('whoever stands behind many hundred others is found as well', async () => {
  const { db, database } = memoryStore();
  const insert = database.prepare('insert into turns (team, last_agent) values (?, ?)');
  for (let n = 0; n < 1_200; n += 1) insert.run(`Team ${n}`, 'binh@desk.example');
  insert.run('Team Z', 'an@desk.example');
  const names = namesSubject({ kind: 'email', value: 'an@desk.example' }, []);
  const { changed } = await purge(db, { tickets: [], names, now: 1, isDry: true });
  expect(changed).toEqual({ turns: 1 });
});

test('what is written to a decision at the moment at which an agent is taken out of it stays', async () => {
  const { db, database, rows } = memoryStore();
  const candidates = [{ user: 'an@desk.example', reason: 'next_in_turn' as const }];
  await decisions.add(db, draftOf('1', { assignment: { state: 'planned', candidates } }), 0, null);
  let isRead = false;
  const meanwhile: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (!isRead && 'record' in (result.rows[0] ?? {})) {
        isRead = true;
        database.exec("update decisions set decision = json_set(decision, '$.state', 'applied')");
      }
      return result;
    },
  };
  const names = namesSubject({ kind: 'email', value: 'an@desk.example' }, []);
  await purge(db.withPlugin(meanwhile), { tickets: [], names, now: 1, isDry: false });
  const removed = [{ user: 'removed', reason: 'next_in_turn' }];
  expect(isRead).toBe(true);
  expect(rows.decisions).toMatchObject([{ state: 'applied', assignment: { candidates: removed } }]);
});

const email = namesSubject({ kind: 'email', value: 'lan+shop@a-b.example' }, []);
const idOf = (id: string, customers: string[] = []) =>
  namesSubject({ kind: 'org_id', value: OrgId.parse(id) }, customers);

test.each([
  ['lan+shop@a-b.example', true],
  ['"e": "Lan+Shop@A-B.example"', true],
  ['write to lan+shop@a-b.example.', true],
  ['<lan+shop@a-b.example>', true],
  ['an.lan+shop@a-b.example', false],
  ['đlan+shop@a-b.example', false],
  ['lan+shop@a-b.example.vn', false],
  ['lan+shop@a-b.examples', false],
  ['lanxshop@a-b.example', false],
])('an address is found as a whole, in %s: %s', (text, found) => {
  expect(email(text)).toBe(found);
});

test.each([
  ['200000001', '{"value":"200000001"}', true],
  ['200000001', 'Gốm Sứ - 200000001', true],
  ['200000001', 'shop 200000001.myplatform.example', true],
  ['200000001', '2000000012', false],
  ['200000001', '1200000001', false],
  ['11', '{"decided_at":"2026-11-20T11:11:11.000Z","number":11}', false],
  ['11', '{"value":"11"}', true],
  ['11', '11', true],
  ['11', '{"customer":"Gốm Sứ - 11"}', true],
  ['11', '{"customer":"11 - Gốm Sứ"}', true],
  ['11', '{"customer":"Shop 11 - Gốm Sứ"}', false],
])('the org id %s in %s: %s', (id, text, found) => {
  expect(idOf(id)(text)).toBe(found);
});

test('a customer is found by the whole name only', () => {
  const names = idOf('200000001', ['O\'Neil "1"', 'Gốm']);
  expect(['Gốm', '{"customer":"Gốm"}', JSON.stringify({ customer: 'O\'Neil "1"' })].map(names)).toEqual([
    true,
    true,
    true,
  ]);
  expect(['Gốm Sứ', '{"customer":"Gốm Sứ"}', 'O'].map(names)).toEqual([false, false, false]);
});

test('an agent is taken out where they acted as one, and nowhere else', () => {
  const names = namesSubject({ kind: 'email', value: 'an@desk.example' }, []);
  const agent = 'an@desk.example';
  const evidence = [{ code: 'linked_by_agent', value: agent }, { code: 'value_on_ticket' }];
  const record = { assignment: { agent, candidates: [{ user: agent }, { user: 'b@desk.example' }] }, evidence };
  expect(withoutAgent(JSON.stringify(record), names)).toBe(JSON.stringify(record).replaceAll(agent, 'removed'));
  const sender = { ...record, evidence: [{ code: 'sender_not_of_customer', value: agent }] };
  expect(withoutAgent(JSON.stringify(sender), names)).toBeNull();
});
