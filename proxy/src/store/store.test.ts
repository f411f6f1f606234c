import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OrgId } from '@deskside/shared/orgid';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as decisions from './decisions.ts';
import * as leases from './leases.ts';
import { describeStore } from './store.contract.ts';
import { openStore } from './store.ts';
import * as syncs from './syncs.ts';
import { draftOf } from './testing/decision-draft.ts';
import { recordedStore } from './testing/recorded-store.ts';
import * as tickets from './tickets.ts';

describe('the store on SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'deskside-store-'));
  const recorded = await recordedStore(folder);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  describeStore(recorded.open);

  describe('of all statements that these tests have sent', () => {
    // A purge reads every table unless it is of a ticket, and has tests of its own.
    beforeAll(async () => {
      const store = await recorded.open();
      await store.purge({ tickets: ['T'], names: null, now: 1, isDry: false });
      await store.close();
    });

    it('none has a moment in its text, so that it is prepared once and not anew each time', () => {
      expect(recorded.statements().filter((text) => /\d{12,}/.test(text))).toEqual([]);
    });

    it('each finds its rows by the index that is there for it, or by the key', () => {
      const steps = recorded.plans().flatMap((plan) => plan.split('; '));
      const byIndex = steps.filter((step) => /^SEARCH/.test(step) && !/sqlite_autoindex|rowid=/.test(step));
      expect([...new Set(byIndex)].sort()).toEqual([
        'SEARCH company_rejection USING COVERING INDEX company_rejection_ticket (ticket=?)',
        'SEARCH company_rejection USING INDEX company_rejection_lifted_by (lifted_by=?)',
        'SEARCH company_rejection USING INDEX company_rejection_sender (sender=?)',
        'SEARCH company_rejection USING INDEX company_rejection_ticket (ticket=?)',
        'SEARCH crm_company_cache USING COVERING INDEX crm_company_cache_negatives (portal=? AND found=?)',
        'SEARCH crm_company_cache USING INDEX crm_company_cache_checked_at (checked_at<?)',
        'SEARCH crm_company_cache USING INDEX crm_company_cache_negatives (portal=? AND found=? AND checked_at<?)',
        'SEARCH crm_company_cache USING INDEX crm_company_cache_negatives (portal=? AND found=?)',
        'SEARCH crm_company_key USING INDEX crm_company_key_checked_at (checked_at<?)',
        'SEARCH crm_user_cache USING INDEX crm_user_cache_checked_at (checked_at<?)',
        'SEARCH customer_adoption USING INDEX customer_adoption_customer (customer=?)',
        'SEARCH old USING INDEX preliminary_decision_at (at<?)',
        'SEARCH old USING INDEX ticket_event_received (received_at<?)',
        'SEARCH old USING INDEX ticket_work_finished (since<?)',
        'SEARCH routing_decision USING COVERING INDEX routing_decision_waiting_team (waiting_team>?)',
        'SEARCH routing_decision USING INDEX routing_decision_open_claim (open_claim=?)',
        'SEARCH routing_decision USING INDEX routing_decision_waiting_team (waiting_team=? AND id>?)',
        'SEARCH routing_decision USING INTEGER PRIMARY KEY (rowid<?)',
        'SEARCH routing_decision USING INTEGER PRIMARY KEY (rowid>?)',
        'SEARCH sync_log USING COVERING INDEX sync_log_ticket (ticket=?)',
        'SEARCH sync_log USING INDEX sync_log_sender (sender=?)',
        'SEARCH sync_log USING INDEX sync_log_sender_domain (sender_domain=?)',
        'SEARCH sync_log USING INDEX sync_log_ticket (ticket=?)',
        'SEARCH ticket_event USING COVERING INDEX ticket_event_ticket (ticket=?)',
        'SEARCH ticket_event USING INDEX ticket_event_ticket (ticket=?)',
        'SEARCH ticket_insert USING INDEX ticket_insert_sender (sender=?)',
        'SEARCH ticket_memory USING INDEX ticket_memory_active (active_at<?)',
        'SEARCH ticket_work USING COVERING INDEX ticket_work_due (due_at<?)',
        'SEARCH ticket_work USING COVERING INDEX ticket_work_due (due_at>?)',
        'SEARCH ticket_work USING INDEX ticket_work_due (due_at<?)',
      ]);
    });

    it('only these read a whole table or index, or sort what they have found', () => {
      const whole = recorded.plans().filter((plan) => /SCAN (?!\d+-ROW VALUES|due$)|TEMP B-TREE/.test(plan));
      expect(whole).toEqual([
        // One ticket and one sender have a handful of rejections, so that sorting them is no matter.
        'MULTI-INDEX OR; INDEX 1; SEARCH company_rejection USING INDEX company_rejection_ticket (ticket=?); INDEX 2; SEARCH company_rejection USING INDEX company_rejection_sender (sender=?); USE TEMP B-TREE FOR ORDER BY',
        // Adoptions that were undone, where an operator has customers matched.
        'SCAN customer_adoption',
        // A row for each thing that the extension looks for.
        'SCAN missing_anchor',
        // Those that wait by an index of nothing else, and how many tickets have a decision.
        'SCAN routing_decision USING COVERING INDEX routing_decision_waiting',
        'SCAN routing_decision USING COVERING INDEX sqlite_autoindex_routing_decision_1',
        // What is held at one moment are a few dozen rows.
        'SEARCH lease USING INDEX sqlite_autoindex_lease_1 (key=?); LIST SUBQUERY 1; SCAN old',
      ]);
    });
  });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'deskside-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it('a record is seen at once by another process on the same folder, and outlives a restart', async () => {
  const url = `file:${newFolder()}`;
  const [store, other] = [await openStore(url), await openStore(url)];
  const entry = { ticket: 'T', agent: 'an', orgId: OrgId.parse('1'), crmCompanyId: '1', customer: 'c', at: 1 };
  const id = await syncs.record(store.db, { ...entry, previousCustomer: null });
  expect((await syncs.latest(other.db, 'T'))?.id).toBe(id);
  await Promise.all([store.close(), other.close()]);
  const again = await openStore(url);
  expect((await syncs.latest(again.db, 'T'))?.id).toBe(id);
  await again.close();
});

it('whatever else the process writes to the same file meanwhile neither fails nor waits for a lock', async () => {
  const store = await openStore(`file:${newFolder()}`);
  const turn = { team: 'CS 60p', members: ['an'], eligible: ['an'] };
  const work = Array.from({ length: 50 }, (_, i) => [
    decisions.add(store.db, draftOf(`T${i}`), 0, turn),
    leases.take(store, [`key ${i}`], 'owner', 1_000),
    tickets.accept(store.db, { digest: `${i}`, ticket: `T${i}`, at: 1_000 }),
    syncs.latest(store.db, `T${i}`),
  ]);
  await Promise.all(work.flat());
  expect(await decisions.count(store.db)).toBe(50);
  expect(await tickets.waiting(store.db)).toBe(50);
  await store.close();
});
