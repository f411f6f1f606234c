import type { AcceptedMatch } from '@deskside/shared/customer-matches';
import type { OrgId } from '@deskside/shared/orgid';
import type { Context } from '#app/context.ts';
import { type SearchNeeds, searchCompany } from '#app/crm/lookup-company.ts';
import { type AdoptNeeds, adoptCustomer } from '#app/customer/adopt/adopt-customer.ts';
import { undoAdoption } from '#app/customer/adopt/undo-adoption.ts';
import { portion } from '#app/customer/bulk-run.ts';
import { AppError } from '#app/runtime/app-error.ts';
import { createSemaphore } from '#concurrency/semaphore.ts';
import { type ListMatchesNeeds, listMatches } from './list-matches.ts';

export type AcceptNeeds = AdoptNeeds & SearchNeeds & Pick<Context, 'matches' | 'platformHost'>;

/** The helpdesk has few workers, and people come first. */
const writesAtOnce = 2;

/**
 * Makes a customer the company that an operator says it is: adopted at their word, on what was found for it, with the
 * company as the CRM has it now. What stands in the way is an outcome. Throws AppError if the helpdesk fails.
 */
export async function acceptMatch(
  ctx: AcceptNeeds,
  { by, customer, orgId, batch = null }: { by: string; customer: string; orgId: OrgId; batch?: string | null },
  signal: AbortSignal,
): Promise<AcceptedMatch> {
  const lane = batch === null ? 'click' : 'backfill';
  const looked = await searchCompany(ctx, orgId, { refresh: false, lane });
  const [company] = looked.companies;
  const accepted = { customer, org_id: orgId, id: null, other: null };
  if (looked.status === 'error') return { ...accepted, outcome: 'crm_failed' };
  if (company === undefined || looked.checkedAt === null) return { ...accepted, outcome: 'not_in_crm' };
  const match = { orgId, company, checkedAt: looked.checkedAt, platformHost: ctx.platformHost };
  const done = await adoptCustomer(ctx, { customer, match, by, via: 'match', ticket: null, batch }, signal);
  switch (done.outcome) {
    case 'adopted':
      return { ...accepted, outcome: 'adopted', id: done.adoption.id };
    case 'company_has_customer':
      return { ...accepted, outcome: done.outcome, other: done.customer };
    case 'other_identity':
      return { ...accepted, outcome: done.outcome, other: done.conflict?.found ?? null };
    default:
      return { ...accepted, outcome: done.outcome };
  }
}

/**
 * Accepts the next few matches that are certain, under one batch, in the order of the customers' names: those after
 * `after`, until `next` is null. `judgedAt`: of the run that the operator has looked at; another one since is
 * `changed_since`. Throws AppError, also if the helpdesk fails half-way: what was accepted stands.
 */
export async function acceptCertain(
  ctx: AcceptNeeds & ListMatchesNeeds,
  order: { by: string; judgedAt: string; batch: string; after: string | null },
  signal: AbortSignal,
): Promise<{ accepted: AcceptedMatch[]; next: string | null }> {
  const { by, batch, after } = order;
  const { run, matches } = await listMatches(ctx);
  if (run?.begun_at !== order.judgedAt) throw new AppError('changed_since');
  const left = matches.flatMap(({ customer, verdict, candidates: [first] }) =>
    verdict === 'certain' && first?.org_id && (after === null || customer > after)
      ? [{ customer, orgId: first.org_id }]
      : [],
  );
  const some = left.toSorted((a, b) => (a.customer < b.customer ? -1 : 1)).slice(0, portion);
  // Asked for together, and fresh when they are written.
  await Promise.all(some.map(({ orgId }) => searchCompany(ctx, orgId, { refresh: false, lane: 'backfill' })));
  const oneOfFew = createSemaphore(writesAtOnce);
  const accept = (one: (typeof some)[number]) => oneOfFew(() => acceptMatch(ctx, { ...one, by, batch }, signal));
  const accepted = await Promise.all(some.map(accept));
  return { accepted, next: left.length > portion ? (some.at(-1)?.customer ?? null) : null };
}

/**
 * Takes back one that was accepted, or the next few of a batch; returns the customers' names, and how many are left.
 * Repeatable. Throws AppError.
 */
export async function undoAccepted(
  ctx: AdoptNeeds,
  what: { id: string } | { batch: string },
  signal: AbortSignal,
): Promise<{ customers: string[]; left: number }> {
  const ofBatch = 'id' in what ? [] : (await ctx.adoptions.ofBatch(what.batch)).filter((one) => one.undoneAt === null);
  const ids = 'id' in what ? [what.id] : ofBatch.slice(0, portion).map(({ id }) => id);
  const customers: string[] = [];
  for (const id of ids) {
    const taken = await undoAdoption(ctx, id, signal);
    if (taken !== null) customers.push(taken.adoption.customer);
  }
  return { customers, left: Math.max(0, ofBatch.length - ids.length) };
}
