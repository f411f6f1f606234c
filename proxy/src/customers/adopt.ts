import type { AdoptionCandidate, FieldChange } from '@deskside/shared/enrichment';
import type { Conflict } from '@deskside/shared/envelope';
import type { Context } from '#context.ts';
import type { Caller } from '#helpdesk/credentials.ts';
import { AppError, explainCustomerRefusal, hideServiceRefusal, retryIfChanged } from '#runtime/app-error.ts';
import type { Adopting, Adoption } from '#store/syncs.ts';
import * as syncs from '#store/syncs.ts';
import { findCustomer, fitOf, nameWithoutId, orgIdOf } from './find-customer.ts';
import { requireCustomerWrite } from '#server/require-write.ts';
import { applyMatch, type Match, type MatchApplied } from './write-customer.ts';

/**
 * `already`: it is this company, by nobody's adopting. `other_identity`: it is another company by now. `company_has_customer`:
 * the company is another customer (`customer`), which this one would be a twin of. `gone`: there is no such customer.
 */
export type AdoptOutcome =
  | { outcome: 'adopted'; adoption: Adoption; changes: MatchApplied['changes'] }
  | { outcome: 'already' | 'gone' }
  | { outcome: 'other_identity'; conflict: Conflict | null }
  | { outcome: 'company_has_customer'; customer: string };

/**
 * Makes a customer without org id the company of a match (docs/decisions.md 11): recorded with what was there before, and
 * then written as every company is. Repeatable, also after `kill -9`. Throws AppError `changed_since` and if the helpdesk
 * fails.
 */
export async function adoptCustomer(
  ctx: Context,
  { customer, match, ...cause }: { customer: string; match: Match } & Omit<Adopting, 'at'>,
  signal: AbortSignal,
): Promise<AdoptOutcome> {
  const company = { orgId: match.orgId, crmCompanyId: match.company.fields.bitrix_id };
  const nobodys = { passed: null, ofTicket: null, requireBind: null };
  return hideServiceRefusal(ctx.withLock(`enrich ${match.orgId}`, (work) => adopt(AbortSignal.any([signal, work]))));

  async function adopt(within: AbortSignal): Promise<AdoptOutcome> {
    const before = await ctx.helpdesk.customers.read(customer, within);
    if (before === null) return { outcome: 'gone' };
    if (before.orgId === match.orgId) return (await adopted([])) ?? { outcome: 'already' };
    const { record: own } = await findCustomer(ctx, { target: company, ...nobodys }, within);
    if (own !== null && own.name !== customer) return { outcome: 'company_has_customer', customer: own.name };
    const adopting = { ...cause, at: ctx.clock() };
    const how = { others: [], mends: false, adopting };
    const target = { ...nobodys, passed: customer, ...how };
    try {
      const { changes } = await applyMatch(ctx, match, target, within);
      return (await adopted(changes)) ?? { outcome: 'already' };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === 'customer_not_found') return { outcome: 'gone' };
      if (error.code === 'identity_conflict') return { outcome: 'other_identity', conflict: error.conflict };
      throw error;
    }
  }

  async function adopted(changes: MatchApplied['changes']): Promise<AdoptOutcome | null> {
    const adoption = await syncs.standingAdoption(ctx.db, customer, match.orgId);
    return adoption && { outcome: 'adopted', adoption, changes };
  }
}

/**
 * Takes an adoption back: the customer is what it was, as far as nobody else has changed it since, and no company's any
 * more. One that is another company by now stays what it is. Repeatable. Null if there is no such adoption; returns it
 * and what changed on the customer. Throws AppError `changed_since` and if the helpdesk fails.
 */
export async function undoAdoption(
  ctx: Context,
  id: string,
  signal: AbortSignal,
): Promise<{ adoption: Adoption; changes: FieldChange[] } | null> {
  const adoption = await syncs.adoption(ctx.db, id);
  if (adoption === null) return null;
  const release = (work: AbortSignal) => releaseCustomer(ctx, adoption, AbortSignal.any([signal, work]));
  return { adoption, changes: await hideServiceRefusal(ctx.withLock(`enrich ${adoption.orgId}`, release)) };
}

/** `undoAdoption` for callers that hold the company's lock. Throws AppError `changed_since` and HelpdeskError. */
export async function releaseCustomer(
  { helpdesk, db, clock }: Context,
  { id, customer, orgId, changes }: Adoption,
  signal: AbortSignal,
): Promise<FieldChange[]> {
  const back = await retryIfChanged(async () => {
    const record = await helpdesk.customers.read(customer, signal);
    return record?.orgId === orgId ? helpdesk.customers.takeBack(record, changes, signal) : [];
  });
  await syncs.markUndone(db, id, clock());
  return back;
}

/**
 * Makes a customer the company again of which an adoption was undone, as far as it still shows what it was before. Nothing
 * if it is a company's by now, or the company has another customer. Repeatable. Throws as `undoAdoption` does.
 */
export async function restoreAdoption(ctx: Context, id: string, signal: AbortSignal): Promise<void> {
  const { helpdesk, db } = ctx;
  const adoption = await syncs.adoption(db, id);
  if (adoption === null || adoption.undoneAt === null) return;
  const { customer, orgId, changes } = adoption;
  const again = changes.map(({ field, from, to }) => ({ field, from: to, to: from }));
  await hideServiceRefusal(
    ctx.withLock(`enrich ${orgId}`, async (work) => {
      const within = AbortSignal.any([signal, work]);
      const given = await retryIfChanged(async () => {
        const record = await helpdesk.customers.read(customer, within);
        const others = await helpdesk.customers.findByOrgId(orgId, within);
        if (record === null || orgIdOf(record) !== null || others.length > 0) return null;
        return helpdesk.customers.takeBack(record, again, within);
      });
      if (given === null) return;
      await syncs.restore(db, id);
    }),
  );
}

/** As many as a person compares at a glance. */
const maxCandidates = 5;

/**
 * The customers made by hand that the company may be: the ticket's own, and those of the company's name that the caller
 * may read, if they belong to no company yet. A name alone proves nothing, so a person decides (docs/decisions.md 11).
 * Throws AppError and HelpdeskError.
 */
export async function listAdoptable(
  ctx: Context,
  { match: { orgId, company }, ofTicket, caller }: { match: Match; ofTicket: string | null; caller: Caller },
  signal: AbortSignal,
): Promise<AdoptionCandidate[]> {
  const { helpdesk } = ctx;
  const name = nameWithoutId(company.fields.company_name ?? '');
  const [own, named] = await Promise.all([
    ofTicket === null ? null : helpdesk.customers.read(ofTicket, signal),
    name === '' ? [] : helpdesk.customers.findNamed(name, signal),
  ]);
  const target = { orgId, crmCompanyId: company.fields.bitrix_id };
  const found = [...(own ? [own] : []), ...named.filter((record) => record.name !== own?.name)]
    .filter((record) => record.orgId === null && fitOf(record, target) !== 'other')
    .slice(0, maxCandidates);
  const candidates = await Promise.all(
    found.map(async (record) => {
      const of_ticket = record.name === own?.name;
      const may_adopt = of_ticket || (await may(requireCustomerWrite(ctx, caller, record.name, signal)));
      const may_see =
        may_adopt ||
        (await may(explainCustomerRefusal(helpdesk.rights.requireCustomerRead(caller, record.name, signal))));
      return may_see ? [{ name: record.name, of_ticket, may_adopt }] : [];
    }),
  );
  return candidates.flat();
}

const refusals: ReadonlySet<string> = new Set(['customer_not_writable', 'customer_not_readable', 'customer_not_found']);

/** Whether the helpdesk lets the caller. */
async function may(asked: Promise<void>): Promise<boolean> {
  try {
    await asked;
    return true;
  } catch (error) {
    if (error instanceof AppError && refusals.has(error.code)) return false;
    throw error;
  }
}
