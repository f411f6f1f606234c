import type { Conflict } from '@deskside/shared/envelope';
import type { Context } from '#context.ts';
import { AppError } from '#runtime/app-error.ts';
import { hideServiceRefusal } from '#runtime/helpdesk-refusal.ts';
import type { Adoption } from '#store/adoptions.ts';
import * as adoptions from '#store/adoptions.ts';
import type { Adopting } from './adoption.ts';
import type { Match } from './apply-match.ts';
import { applyMatch, type MatchApplied } from './apply-match.ts';
import { findCustomer } from './find-customer.ts';
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
    const adoption = await adoptions.standing(ctx.db, customer, match.orgId);
    return adoption && { outcome: 'adopted', adoption, changes };
  }
}
