import { type OrgId, parseOrgId } from '@deskside/shared/orgid';
import type { Context } from '#context.ts';
import { type Lookup, searchCompany } from '#crm/lookup.ts';
import { unlessAborted } from '#runtime/concurrency.ts';
import { reasonOf } from '#runtime/jobs.ts';
import { enrichRecords } from './enrich.ts';

/** How many customers came to what. `failed`: by reason. */
export interface Refreshed {
  ended: 'done' | 'stopped' | 'crm_failing';
  updated: number;
  unchanged: number;
  notFound: number;
  failed: Record<string, number>;
}

/**
 * Asks the CRM about every customer with an org id and brings it up to date, those first that it was asked about longest
 * ago, so that a run that ended early needs no place kept (docs/operate.md#refreshing-customers). It asks in the lane that
 * only gets what the others leave. Throws HelpdeskError if the customers cannot be listed.
 */
export async function refreshCustomers(
  ctx: Context,
  onProgress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<Refreshed> {
  const report: Refreshed = { ended: 'done', updated: 0, unchanged: 0, notFound: 0, failed: {} };
  const due: { name: string; checkedAt: string; orgId: OrgId }[] = [];
  for await (const { name, checkedAt, orgId: text } of ctx.helpdesk.whole.customers(signal)) {
    const orgId = parseOrgId(text);
    if (orgId !== null) due.push({ name, checkedAt, orgId });
  }
  // ISO-like stamps of one zone; the empty one of a customer never asked about comes first.
  due.sort((a, b) => (a.checkedAt < b.checkedAt ? -1 : 1));
  for (let at = 0; at < due.length; at += portion) {
    onProgress(at, due.length);
    const some = due.slice(at, at + portion);
    const ask = () =>
      Promise.all(some.map(({ orgId }) => searchCompany(ctx, orgId, { refresh: false, lane: 'backfill' })));
    const looked = await askPatiently(ctx, { ask, hasFailed: ({ status }) => status === 'error' }, signal);
    if (signal.aborted) return { ...report, ended: 'stopped' };
    if (looked === null) return { ...report, ended: 'crm_failing' };
    for (const [which, one] of looked.entries()) await refresh(ctx, some[which]?.name ?? '', one, report);
  }
  onProgress(due.length, due.length);
  return report;
}

async function refresh(ctx: Context, hdCustomer: string, looked: Lookup, report: Refreshed): Promise<void> {
  const fail = (reason: string) => {
    report.failed[reason] = (report.failed[reason] ?? 0) + 1;
  };
  if (looked.status === 'error') return fail(looked.error ?? 'bad_answer');
  const nobodys = { requireBind: null, level: null, linksClaims: false, file: null };
  try {
    const order = { orgId: looked.value, force: false, lane: 'backfill', hdCustomer, looked, ...nobodys } as const;
    const { data } = await enrichRecords(ctx, order);
    // The time of the check alone is no news.
    if (data.outcome === 'not_found') report.notFound += 1;
    else if ((data.changes?.length ?? 0) > 1) report.updated += 1;
    else report.unchanged += 1;
  } catch (error) {
    fail(reasonOf(error));
  }
}

/** Customers about whom the CRM is asked together: as many as one of its requests takes. */
export const portion = 16;
/** When the CRM fails, it is asked again after these pauses; then the run ends. */
const pausesMs = [2_000, 10_000];

/** What the CRM answers about a portion; null once it has failed too often, and if the run is to end. */
export async function askPatiently<T>(
  { pause }: Context,
  { ask, hasFailed }: { ask: () => Promise<T[]>; hasFailed: (answer: T) => boolean },
  signal: AbortSignal,
): Promise<T[] | null> {
  for (const [attempt, pauseMs] of [0, ...pausesMs].entries()) {
    if (attempt > 0) await pause(pauseMs, signal).catch(() => {});
    if (signal.aborted) return null;
    const answers = await unlessAborted(ask(), signal).catch((error: unknown) => {
      if (signal.aborted) return null;
      throw error;
    });
    if (answers === null) return null;
    const failed = answers.filter(hasFailed).length;
    // Those that still fail while others are answered are at fault themselves.
    if (failed === 0 || (attempt > 0 && failed < answers.length)) return answers;
  }
  return null;
}
