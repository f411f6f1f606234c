import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OrgId } from '@deskside/shared/orgid';
import Sqlite from 'better-sqlite3';
import { CompiledQuery, Kysely } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { describeCustomerAdoptions } from './customers/adoptions.contract.ts';
import { selectAdoptions } from './customers/adoptions.ts';
import { describeCustomerBindings } from './customers/bindings.contract.ts';
import { describeCustomerMatches } from './customers/matches.contract.ts';
import { describeWrittenFacts } from './customers/written-facts.contract.ts';
import { sqliteDialect } from './engine/sqlite-dialect.ts';
import type { PipelineSchema } from './schema.ts';
import { describeCompanyRejections } from './senders/rejections.contract.ts';
import { describeSyncLog } from './senders/sync-log.contract.ts';
import { selectChoices, selectLatest, selectStanding } from './senders/sync-log.ts';
import { openStore } from './store.ts';

describe('on SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'deskside-sync-'));
  const store = await openStore(`file:${folder}`);
  afterAll(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  describeSyncLog(() => store.syncLog);
  describeCompanyRejections(() => store.rejections);
  describeCustomerAdoptions(() => store.adoptions);
  describeCustomerBindings(() => store.bindings);
  describeCustomerMatches(() => store.matches);
  describeWrittenFacts(() => store.writtenFacts);

  it('is seen at once by another process on the same folder, and outlives a restart', async () => {
    const other = await openStore(`file:${folder}`);
    const entry = { ticket: 'T', agent: 'an', orgId: OrgId.parse('1'), crmCompanyId: '1', customer: 'c', at: 1 };
    const id = await store.syncLog.record({ ...entry, previousCustomer: null });
    expect((await other.syncLog.latest('T'))?.id).toBe(id);
    await other.close();
    const again = await openStore(`file:${folder}`);
    expect((await again.syncLog.latest('T'))?.id).toBe(id);
    await again.close();
  });

  it('finds by an index what every profile asks for', async () => {
    const db = new Kysely<PipelineSchema>({ dialect: sqliteDialect(new Sqlite(join(folder, 'state.db'))) });
    const planOf = async (query: { compile(): CompiledQuery }) => {
      const { sql, parameters } = query.compile();
      const { rows } = await db.executeQuery<{ detail: string }>(
        CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]),
      );
      return rows.map(({ detail }) => detail).join();
    };
    const latest = await planOf(selectLatest(db, 'T'));
    const choices = await planOf(selectChoices(db, 'sender_domain', 'shop.example'));
    const standing = await planOf(selectStanding(db, 'T', 'lan@shop.example'));
    const adoptions = await planOf(selectAdoptions(db, 'customer', 'C'));
    await db.destroy();
    expect(latest).toMatch(/USING INDEX sync_log_ticket/);
    expect(choices).toMatch(/USING INDEX sync_log_sender_domain/);
    expect(adoptions).toMatch(/USING INDEX customer_adoption_customer/);
    for (const plan of [latest, choices, adoptions]) expect(plan).not.toMatch(/TEMP B-TREE|SCAN/);
    // One ticket and one sender have a handful of rejections, so that sorting them is no matter.
    expect(standing).toMatch(/company_rejection_ticket.*company_rejection_sender/);
    expect(standing).not.toMatch(/SCAN/);
  });
});
