import { type OrgId, parseOrgId } from '@deskside/shared/orgid';
import type { Context } from '#app/context.ts';
import { type Lookup, searchCompany } from '#app/crm/lookup-company.ts';
import { askPatiently, portion, runAlone } from '#app/customer/bulk-run.ts';
import { type EnrichNeeds, enrichRecords } from '#app/customer/enrich-records.ts';
import { AppError } from '#app/runtime/app-error.ts';
import { reasonOf } from '#app/runtime/background.ts';
import { createSemaphore } from '#concurrency/semaphore.ts';
import type { HelpdeskSearch, ListedCustomer } from '#ports/helpdesk/helpdesk-search.ts';
import type { HelpdeskTickets } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { BackfillCounts, BackfillNote } from '#store/upkeep/run-notes.ts';

export type BackfillNeeds = EnrichNeeds &
  Pick<Context, 'upkeep' | 'leases' | 'clock' | 'pause'> & {
    search: Pick<HelpdeskSearch, 'customers'>;
    helpdesk: Pick<HelpdeskTickets, 'stampOf'>;
  };

/** What is to be done. */
interface BackfillOrder {
  /** Only customers that the CRM was last asked about longer ago than this, in milliseconds; null: all. */
  staleAfterMs: number | null;
  /** Only counts: asks the CRM nothing and writes nothing. */
  isDry: boolean;
  onProgress(done: number, total: number): void;
}

/** `ended`: why it did; `busy`: another process is at it. What is left is found again by the next run. */
export interface BackfillReport extends BackfillCounts {
  ended: 'done' | 'busy' | 'stopped' | 'crm_failing';
  /** Customers that this run was to look at, those before where it went on not counted. */
  total: number;
  /** Whether it went on where an earlier run had stopped. */
  resumed: boolean;
}

const how = { refresh: false, lane: 'backfill' } as const;
/** The helpdesk has few workers, and people come first. */
const writesAtOnce = 2;

/**
 * Asks the CRM about every customer with an org id, and brings it up to date (docs/operations.md#backfill). It asks in
 * the lane that only gets what the others leave, so nobody waits for it, and writes a few customers at a time. Its place
 * is kept after every portion: a run that ended early goes on there. One run at a time, across all processes. Throws
 * HelpdeskError if the customers cannot be listed.
 */
export async function backfillCustomers(
  ctx: BackfillNeeds,
  order: BackfillOrder,
  signal: AbortSignal,
): Promise<BackfillReport> {
  if (order.isDry) return countOnly(ctx, order, signal);
  const report = await runAlone(ctx, 'backfill', (hold) => run(ctx, order, hold, signal));
  return report ?? { ...nothing(), ended: 'busy', total: 0, resumed: false };
}

async function countOnly(ctx: BackfillNeeds, order: BackfillOrder, signal: AbortSignal): Promise<BackfillReport> {
  const { due, skipped } = await listDue(ctx, order, null, signal);
  return { ...nothing(), ...skipped, ended: 'done', total: due.length, resumed: false };
}

async function run(
  ctx: BackfillNeeds,
  order: BackfillOrder,
  hold: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<BackfillReport> {
  const { upkeep, clock } = ctx;
  const before = await upkeep.lastBackfill();
  const left = before?.after != null && before.staleAfterMs === order.staleAfterMs ? before : null;
  const { due, skipped } = await listDue(ctx, order, left?.after ?? null, signal);
  const counts: BackfillCounts = left?.counts ?? { ...nothing(), ...skipped };
  const note: BackfillNote = {
    begunAt: left?.begunAt ?? clock(),
    staleAfterMs: order.staleAfterMs,
    after: left?.after ?? { creation: '', name: '' },
    counts,
  };
  const report = (ended: BackfillReport['ended']) => ({
    ...counts,
    ended,
    total: due.length,
    resumed: left !== null,
  });
  // Known from the first moment on, so that the same night does not begin it twice.
  await upkeep.noteBackfill(note);
  for (let at = 0; at < due.length; at += portion) {
    order.onProgress(at, due.length);
    const some = due.slice(at, at + portion);
    const ask = () => Promise.all(some.map(({ orgId }) => searchCompany(ctx, orgId, how)));
    const looked = await askPatiently(ctx, { ask, failures: ({ status }) => [status === 'error'], hold }, signal);
    if (signal.aborted) return report('stopped');
    if (looked === null) return report('crm_failing');
    await writeAll(ctx, some, looked, counts);
    const last = some.at(-1);
    if (last) note.after = { creation: last.creation, name: last.name };
    await upkeep.noteBackfill(note);
    // Another process may have taken over from one that was asleep for minutes.
    if (!(await hold())) return report('busy');
  }
  order.onProgress(due.length, due.length);
  await upkeep.noteBackfill({ ...note, after: null });
  return report('done');
}

async function listDue(
  { search, helpdesk, clock }: BackfillNeeds,
  { staleAfterMs }: BackfillOrder,
  after: BackfillNote['after'],
  signal: AbortSignal,
): Promise<{ due: Due[]; skipped: Pick<BackfillCounts, 'withoutOrgId' | 'fresh'> }> {
  const freshFrom = staleAfterMs === null ? null : await helpdesk.stampOf(clock() - staleAfterMs, signal);
  const due: Due[] = [];
  const skipped = { withoutOrgId: 0, fresh: 0 };
  for await (const customer of search.customers(signal)) {
    const { creation, name } = customer;
    const isDone = after !== null && (creation < after.creation || (creation === after.creation && name <= after.name));
    if (isDone) continue;
    const orgId = parseOrgId(customer.orgId);
    if (orgId === null) skipped.withoutOrgId += 1;
    else if (freshFrom !== null && customer.checkedAt >= freshFrom) skipped.fresh += 1;
    else due.push({ ...customer, orgId });
  }
  return { due, skipped };
}

async function writeAll(
  ctx: EnrichNeeds,
  customers: readonly Due[],
  looked: readonly Lookup[],
  counts: BackfillCounts,
) {
  const oneOfFew = createSemaphore(writesAtOnce);
  await Promise.all(
    customers.map(async (customer, index) => {
      const found = looked[index];
      if (found) await oneOfFew(() => write(ctx, customer, found, counts));
    }),
  );
}

async function write(ctx: EnrichNeeds, { name, orgId }: Due, looked: Lookup, counts: BackfillCounts): Promise<void> {
  const fail = (reason: string) => {
    counts.failed[reason] = (counts.failed[reason] ?? 0) + 1;
  };
  if (looked.status === 'error') return fail(looked.error ?? 'bad_answer');
  try {
    const { data } = await enrichRecords(ctx, {
      orgId,
      force: false,
      lane: 'backfill',
      hdCustomer: name,
      requireBind: null,
      level: null,
      linksClaims: false,
      looked,
      file: null,
    });
    // The time of the check alone is no news.
    if (data.outcome === 'not_found') counts.notFound += 1;
    else if ((data.changes?.length ?? 0) > 1) counts.updated += 1;
    else counts.unchanged += 1;
  } catch (error) {
    fail(error instanceof AppError ? error.code : reasonOf(error));
  }
}

interface Due extends Omit<ListedCustomer, 'orgId'> {
  orgId: OrgId;
}

function nothing(): BackfillCounts {
  return { updated: 0, unchanged: 0, notFound: 0, withoutOrgId: 0, fresh: 0, failed: {} };
}
