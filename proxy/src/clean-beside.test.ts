import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { sized } from '@deskside/testing/size';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { cleanUp } from '#store/clean-up.ts';
import { openStore, stateFile } from '#store/database.ts';
import { cachedCompany } from '#store/testing/cached-company.ts';
import { draftOf } from '#store/testing/decision-draft.ts';
import { partOfContext } from '#testing/part-of-context.ts';
import { silent } from '#testing/quiet.ts';

const old = sized({ small: 1_500, full: 100_000 });
const dayMs = 24 * 3_600_000;
const creation = '2024-01-01 00:00:00.000000';

/** Fills an empty store with tickets of long ago that the helpdesk has no more, each with its claim, its decision and a company. */
async function fillWithOld(url: string): Promise<void> {
  await (await openStore(url)).close();
  const at = Date.now() - 900 * dayMs;
  const decision = { ...draftOf('1'), number: 1, decided_at: new Date(at).toISOString(), state: 'applied' };
  const [decided, companies] = [decision, [cachedCompany('1')]].map((value) =>
    JSON.stringify(value).replaceAll("'", "''"),
  );
  const database = new Sqlite(stateFile(url));
  const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${old})`;
  database.exec(`${numbers} insert into tickets (ticket, creation, told_at, found_by, since, revision, active_at, gone)
    select cast(i as text), '${creation}', ${at}, 'webhook', ${at}, 1, ${at}, 1 from n`);
  database.exec(`${numbers} insert into claims (sender, org_id, ticket, creation)
    select 'sender.' || i || '@shop.example', cast(200000000 + i as text), cast(i as text), '${creation}' from n`);
  database.exec(`${numbers} insert into decisions (ticket, creation, number, latest, decided_at, decision)
    select cast(i as text), '${creation}', 1, 1, ${at}, '${decided}' from n`);
  database.exec(`${numbers} insert into crm_cache (portal, kind, key, company_id, answer, found, checked_at)
    select 'p', 'company_id_then_platform_orgid', cast(200000000 + i as text), '1', '${companies}', 1, ${at} from n`);
  database.close();
}

/** Deletes what is old, as the service does. */
async function clean(url: string): Promise<void> {
  const store = await openStore(url);
  const helpdesk = { ticketLists: { lookAt: async () => new Map() } };
  const ctx = partOfContext({ ...store, helpdesk, retentionMs: 400 * dayMs, clock: Date.now, logger: silent });
  await cleanUp(ctx, new AbortController().signal).finally(() => store.close());
}

/** How many decisions are left. */
function decisionsIn(url: string): unknown {
  const database = new Sqlite(stateFile(url), { readonly: true });
  const count = database.prepare('select count(*) from decisions').pluck().get();
  database.close();
  return count;
}

test('another process on the same SQLite store writes all the while old data is deleted, and is never refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'deskside-beside-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const url = `file:${folder}`;
  await fillWithOld(url);
  const script = fileURLToPath(new URL('testing/write-beside.ts', import.meta.url));
  const other = spawn(process.execPath, [script, url], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(other.stdout)[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe('ready');
  await clean(url);

  other.stdin.end();
  const outcomes = JSON.parse((await lines.next()).value ?? '{}');
  expect(Object.keys(outcomes)).toEqual(['written']);
  expect(decisionsIn(url)).toBe(0);
});
