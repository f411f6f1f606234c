import { closeSync, fsyncSync, openSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { isPostgres, openStore, stateFile } from '#store/database.ts';
import { cachedCompany } from '#store/testing/cached-company.ts';
import { draftOf } from '#store/testing/decision-draft.ts';

const dayMs = 24 * 3_600_000;

export interface LargeStore {
  tickets: number;
  /** Tickets that wait for an agent, of twenty teams. */
  waiting: number;
  /** Tickets that `makeOld` makes old. */
  old: number;
  /** Epoch milliseconds; the tickets came in evenly within the year before. */
  now: number;
}

const teams = 20;

/** A decision with as many candidates as a team of 24 has: some 2,084 bytes. */
function template(): string {
  const members = Array.from({ length: 24 }, (_, i) => `member.${String(i).padStart(2, '0')}@desk.example`);
  const { ticket: _, ...draft } = draftOf('');
  const candidates = members.map((user, i) => ({ user, reason: i === 0 ? 'next_in_turn' : 'not_their_turn' }));
  const decision = {
    ...draft,
    ticket: '@ticket',
    number: 1,
    decided_at: '@decided',
    state: 'applied',
    outcome: { ...draft.outcome, team: '@team' },
    assignment: { state: '@assignment', agent: null, candidates },
  };
  return JSON.stringify(decision);
}

/** When all tickets were made, by the helpdesk's timestamp. */
const filledCreation = '2026-01-01 00:00:00.000000';

/** A ticket as its webhook told of it. */
const insertTemplate = JSON.stringify({
  ...{ owner: 'Administrator', raisedBy: '@sender', contact: null, agentGroup: null, splitFrom: null },
  orgIds: ['@org_id'],
});

/**
 * Fills an empty store with tickets, in plain SQL: with each its claim and its decision,
 * with every tenth a Sync and a company in the cache, with every twentieth a rejection, and ten thousand org ids that the
 * CRM does not know. A hundred senders share a domain.
 */
export async function fillStore(databaseUrl: string, size: LargeStore): Promise<void> {
  await (await openStore(databaseUrl)).close();
  const { run, close } = await connectionTo(databaseUrl);
  const { tickets, waiting, now } = size;
  const step = (365 * dayMs) / tickets;
  const from = now - 365 * dayMs;
  const dialect = isPostgres(databaseUrl) ? postgres : sqlite;
  const numbers = (count: number) => numbersFrom(1, count);
  const at = `(${from} + cast(cast(i as bigint) * ${step} as bigint))`;
  const ticket = `cast(i as text)`;
  const team = `'Team ' || cast(i % ${teams} as text)`;
  const domain = `'shop-' || cast(i / 100 as text) || '.example'`;
  // Ten tickets of each sender of a Sync.
  const shop = `((i + 9) / 10)`;
  const sender = `('sender.' || cast(${shop} as text) || '@shop-' || cast(${shop} / 100 as text) || '.example')`;
  const orgId = `cast(200000000 + ${shop} as text)`;
  const companies = JSON.stringify([cachedCompany('1')]).replaceAll("'", "''");
  const inserted = [
    ['@sender', sender],
    ['@org_id', orgId],
  ].reduce((sql, [mark, value]) => `replace(${sql}, '${mark}', ${value})`, `'${insertTemplate}'`);
  const decided = [
    ['"@ticket"', `'"' || i || '"'`],
    ['@decided', dialect.iso(at)],
    ['@team', team],
    ['@assignment', `case when i > ${tickets - waiting} then 'nobody_available' else 'assigned' end`],
  ].reduce((sql, [mark, value]) => `replace(${sql}, '${mark}', ${value})`, `'${template().replaceAll("'", "''")}'`);
  const recently = `${now} - (i % 1000)`;
  try {
    await run(`${numbers(tickets)} insert into tickets (ticket, creation, inserted, told_at, found_by, since, revision, active_at)
      select ${ticket}, '${filledCreation}', ${inserted}, ${at}, 'webhook', ${recently}, 1, ${recently} from n`);
    await run(`${numbers(tickets)} insert into claims (sender, org_id, ticket, creation)
      select ${sender}, ${orgId}, ${ticket}, '${filledCreation}' from n`);
    await run(`${numbers(tickets)} insert into decisions (ticket, creation, number, latest, waiting_team, open_claim, decided_at, decision)
      select ${ticket}, '${filledCreation}', 1, 1, case when i > ${tickets - waiting} then ${team} end, null, ${at}, ${decided} from n`);
    await run(`${numbers(Math.ceil(tickets / 10))} insert into syncs (id, kind, ticket, creation, agent, org_id, crm_company_id, customer, before, at, sender, sender_domain)
      select 's' || i, 'sync', cast(i * 10 as text), '${filledCreation}', 'an@desk.example', cast(200000000 + i as text), cast(i as text), 'Customer ' || i,
      '{"customer":null}', ${now},
      'sender.' || i || '@' || ${domain}, ${domain} from n`);
    await run(`${numbers(Math.ceil(tickets / 20))} insert into rejections (id, ticket, creation, sender, org_id, crm_company_id, agent, reason, at)
      select 'r' || i, cast(i * 20 as text), '${filledCreation}', 'sender.' || i || '@' || ${domain}, cast(200000000 + i as text), cast(i as text), 'an@desk.example',
      '{"code":"other_company","note":""}', ${now} from n`);
    await run(`${numbers(Math.ceil(tickets / 10))} insert into crm_cache (portal, kind, key, company_id, answer, found, checked_at)
      select 'p', 'company_id_then_platform_orgid', cast(200000000 + i as text), '1', '${companies}', 1, ${recently} from n`);
    await run(`${numbers(Math.min(10_000, tickets))} insert into crm_cache (portal, kind, key, answer, found, checked_at)
      select 'p', 'company_id_then_platform_orgid', cast(900000000 + i as text), '[]', 0, ${now} from n`);
    await dialect.settle(run);
  } finally {
    await close();
  }
}

/**
 * Makes so many tickets old, and gone from the helpdesk: of what is recorded of them, and of companies in the cache, a
 * clean-up finds as many rows of each kind that it has to delete.
 */
export async function makeOld(databaseUrl: string, { old, now }: LargeStore): Promise<void> {
  const { run, close } = await connectionTo(databaseUrl);
  const numbers = numbersFrom(1, old);
  const longAgo = now - 900 * dayMs;
  const theirs = 'where ticket in (select cast(i as text) from n)';
  try {
    await run(`${numbers} update tickets set active_at = ${longAgo}, gone = 1 ${theirs}`);
    await run(`${numbers} update crm_cache set checked_at = ${longAgo}
      where portal = 'p' and kind = 'company_id_then_platform_orgid' and key in (select cast(200000000 + i as text) from n)`);
  } finally {
    await close();
  }
}

function numbersFrom(first: number, last: number): string {
  return `with recursive n(i) as (select ${first} union all select i + 1 from n where i < ${last})`;
}

type Run = (sql: string) => Promise<unknown>;

const sqlite = {
  iso: (ms: string) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${ms} / 1000.0, 'unixepoch')`,
  settle: async (_: Run) => {},
};
const postgres = {
  iso: (ms: string) => `to_char(to_timestamp(${ms} / 1000.0) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  settle: (run: Run) => run('vacuum analyze'),
};

async function connectionTo(databaseUrl: string): Promise<{ run: Run; close(): Promise<void> }> {
  if (isPostgres(databaseUrl)) {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    return { run: (sql) => client.query(sql), close: () => client.end() };
  }
  const path = stateFile(databaseUrl);
  const database = new Sqlite(path);
  database.pragma('synchronous = off');
  database.pragma('journal_size_limit = 0');
  return {
    run: async (sql) => database.exec(sql),
    async close() {
      database.close();
      // Otherwise the first write of whoever measures would wait for all of it.
      const file = openSync(path, 'r+');
      fsyncSync(file);
      closeSync(file);
    },
  };
}
