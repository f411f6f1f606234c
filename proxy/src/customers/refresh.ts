import { contract } from '@deskside/shared/contract';
import type { CustomerRefreshData, LegacyCustomer } from '@deskside/shared/enrichment';
import { type OrgId, parseOrgId } from '@deskside/shared/orgid';
import type { CompanyFile, HelpdeskContact, HelpdeskCustomer } from '@deskside/shared/profile';
import type { LookupStatus } from '@deskside/shared/status';
import { type Call, type Context, type EntryInput, endpoint, type Work } from '#context.ts';
import { maxOrgIds } from '#crm/bitrix24.ts';
import { planStatus } from '#crm/company.ts';
import { chooseContact, findOwner, type Lookup, searchCompany } from '#crm/lookup.ts';
import type { CustomerFile } from '#helpdesk/customers.ts';
import { explainCustomerRefusal, hideServiceRefusal } from '#helpdesk/errors.ts';
import { orderCandidates } from '#intake/org-id.ts';
import { unlessAborted } from '#runtime/concurrency.ts';
import { reasonOf } from '#runtime/jobs.ts';
import type { CrmCompany } from '#store/profile-cache.ts';
import { enrichRecords } from './enrich.ts';

/** An agent who presses a button waits longer for the owner than one who opens a ticket, but not indefinitely. */
const ownerWithinMs = 5_000;

/**
 * Asks the CRM about a customer, writes what is new, and returns the profile (docs/api.md#refresh), for an agent who
 * may read the customer and the contact. Throws AppError if the caller is not permitted or refreshes too
 * often, and if the helpdesk fails.
 */
export async function refreshCustomer(
  ctx: Call,
  { hd_customer: customer, contact }: EntryInput<typeof contract.refreshCustomer>,
): Promise<CustomerRefreshData> {
  const { gate, helpdesk, caller, signal } = ctx;
  const startedAt = ctx.clock();
  ctx.refreshes.spend(await gate.requireAgent(caller, signal));
  const read = () => explainCustomerRefusal(helpdesk.customers.readAs(caller, { customer, contact }, signal));
  const before = await read();
  const [candidate] = orderCandidates([], before.customer).candidates;
  const enriched =
    candidate && ctx.crmEnabled && ctx.crm !== null
      ? await enrichRecords(ctx, {
          lookup: await searchCompany(ctx, candidate.orgId, { refresh: true, lane: 'click' }),
          mends: true,
          hdCustomer: customer,
          requireBind: (name) => gate.requireCustomerWrite(caller, name, signal),
        })
      : null;
  const changes = enriched?.data.changes ?? [];
  const company = enriched?.looked.companies[0] ?? null;
  const [after, haravan, found] = await Promise.all([
    changes.length > 0 ? read() : before,
    ctx.accountLinks ? hideServiceRefusal(ctx.accountLinks.of(customer, signal)) : [],
    shownOf(ctx, company, before.contact, startedAt),
  ]);
  return {
    ticket: {},
    customer: legacyCustomer(after.customer),
    contact: after.contact,
    haravan,
    bitrix: {
      enabled: ctx.crmEnabled,
      configured: ctx.crm !== null,
      status: enriched?.data.status ?? withoutAsking(ctx, before),
      ...(enriched && { stale: enriched.looked.stale }),
      ...found,
    },
    changes,
  };
}

/**
 * A customer with the keys that the older panel reads, beside today's (docs/api.md#refresh). What only that
 * panel's own scripts kept on a customer is null: Deskside does not write it.
 */
export function legacyCustomer(record: HelpdeskCustomer): LegacyCustomer {
  return {
    ...record,
    haravan_orgid: record.custom_platform_orgid,
    haravan_company_id: null,
    myharavan: record.custom_myplatform,
    customer_segment: record.custom_customer_segment,
    first_paid_date: null,
    shopplan_name: record.custom_shopplan_name,
    expired_date: null,
    hsi_segment: null,
    bitrix_company_id: record.custom_crm_company_id,
    bitrix_company_url: record.custom_crm_company_url,
    bitrix_sync_status: record.custom_crm_sync_status,
    bitrix_last_synced_at: record.custom_crm_last_synced_at,
  };
}

async function shownOf(
  { crm, clock }: Context,
  company: CrmCompany | null,
  contact: HelpdeskContact | null,
  startedAt: number,
): Promise<Pick<CustomerRefreshData['bitrix'], 'company' | 'contact' | 'responsible'>> {
  if (company === null || crm === null) return { company: null, contact: null, responsible: null };
  const owner = { id: company.fields.assigned_by_id, refresh: true, startedAt, deadlineMs: ownerWithinMs };
  const { bitrix_id: id, title_full: title } = company.fields;
  return {
    company: { ...company.fields, ...planStatus(company.planExpiresAt, clock()), id, title },
    contact: chooseContact(company.contacts, contact?.email_id ? [contact.email_id] : []),
    responsible: await findOwner(crm, owner),
  };
}

function withoutAsking({ crmEnabled, crm }: Context, { customer }: CustomerFile): LookupStatus {
  if (!crmEnabled) return 'disabled';
  if (crm === null) return 'missing_config';
  return orderCandidates([], customer).candidates.length === 0 ? 'missing_orgid' : 'error';
}

export const refreshEndpoint = endpoint(contract.refreshCustomer, {
  who: 'agent',
  handle: refreshCustomer,
  message: refreshMessage,
});

/** What is said of a profile: that an answer comes from the cache does not change what it says. */
export function profileMessage({ status, outcome }: Pick<CompanyFile, 'status' | 'outcome'>): string {
  return profileMessages[status === 'cached' && outcome === 'not_found' ? outcome : status];
}

const profileMessages: Readonly<Record<LookupStatus, string>> = {
  matched: 'Customer profile loaded.',
  cached: 'Customer profile loaded.',
  not_found: 'No CRM company found.',
  missing_orgid: 'No Company ID for CRM lookup.',
  disabled: 'CRM enrichment is disabled.',
  missing_config: 'CRM is not configured.',
  error: 'CRM fetch failed.',
};

const refreshMessages: Readonly<Record<string, string>> = {
  ...profileMessages,
  idle: 'Ticket has no linked HD Customer.',
};

export function refreshMessage({ bitrix: { enabled, status } }: CustomerRefreshData): string {
  const isStored = enabled === null;
  return (isStored ? undefined : refreshMessages[status]) ?? profileMessages.matched;
}

/** How many customers came to what. `failed`: by reason. */
export interface RefreshCounts {
  /** `crm_failing`: too often to go on. */
  ended: 'done' | 'stopped' | 'crm_failing';
  updated: number;
  unchanged: number;
  notFound: number;
  failed: Record<string, number>;
}

/**
 * Asks the CRM about every customer with an org id and brings it up to date, those first that it was asked about longest
 * ago, so that a run that ended early needs no place kept (docs/operate.md#customers-made-by-hand). It asks in the lane that
 * only gets what the others leave. Throws HelpdeskError if the customers cannot be listed.
 */
export async function refreshCustomers(ctx: Work, onProgress: ProgressListener): Promise<RefreshCounts> {
  const report: RefreshCounts = { ended: 'done', updated: 0, unchanged: 0, notFound: 0, failed: {} };
  const due: { name: string; checkedAt: string; orgId: OrgId }[] = [];
  for await (const { name, checkedAt, orgId: text } of ctx.helpdesk.whole.customers(ctx.signal)) {
    const orgId = parseOrgId(text);
    if (orgId !== null) due.push({ name, checkedAt, orgId });
  }
  // ISO-like stamps of one zone; the empty one of a customer never asked about comes first.
  due.sort((a, b) => (a.checkedAt < b.checkedAt ? -1 : 1));
  report.ended = await askInPortions(ctx, due, onProgress, {
    ask: ({ orgId }) => searchCompany(ctx, orgId, inSpareBudget),
    hasFailed: ({ status }) => status === 'error',
    take: ({ name }, looked) => refresh(ctx, name, looked, report),
  });
  return report;
}

async function refresh(ctx: Context, hdCustomer: string, looked: Lookup, report: RefreshCounts): Promise<void> {
  const fail = (reason: string) => {
    report.failed[reason] = (report.failed[reason] ?? 0) + 1;
  };
  if (looked.status === 'error') return fail(looked.error ?? 'bad_answer');
  try {
    const { data } = await enrichRecords(ctx, { lookup: looked, mends: false, hdCustomer });
    // The time of the check alone is no news.
    if (data.outcome === 'not_found') report.notFound += 1;
    else if ((data.changes?.length ?? 0) > 1) report.updated += 1;
    else report.unchanged += 1;
  } catch (error) {
    fail(reasonOf(error));
  }
}

/** How commands ask the CRM about companies. */
export const inSpareBudget = { refresh: false, lane: 'bulk' } as const;

export type ProgressListener = (done: number, total: number) => void;

/** Customers about whom the CRM is asked together: as many as one of its requests takes. */
export const portion = maxOrgIds;
/** When the CRM fails, it is asked again after these pauses; then the run ends. */
const pausesMs = [2_000, 10_000];

/** Asks the CRM about one portion after the other, and takes what it answers about each. */
export async function askInPortions<Item, Answer>(
  ctx: Work,
  items: readonly Item[],
  onProgress: ProgressListener,
  how: {
    ask: (item: Item) => Promise<Answer>;
    hasFailed: (answer: Answer) => boolean;
    take: (item: Item, answer: Answer) => Promise<void> | void;
  },
): Promise<RefreshCounts['ended']> {
  for (let at = 0; at < items.length; at += portion) {
    onProgress(at, items.length);
    const some = items.slice(at, at + portion);
    const answers = await askPatiently(ctx, () => Promise.all(some.map(how.ask)), how.hasFailed);
    if (ctx.signal.aborted) return 'stopped';
    if (answers === null) return 'crm_failing';
    for (const [which, answer] of answers.entries()) await how.take(some[which] as Item, answer);
  }
  onProgress(items.length, items.length);
  return 'done';
}

/** Null once the CRM has failed too often, and if the run is to end. */
async function askPatiently<Answer>(
  { pause, signal }: Work,
  ask: () => Promise<Answer[]>,
  hasFailed: (answer: Answer) => boolean,
): Promise<Answer[] | null> {
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
