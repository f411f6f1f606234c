import type { Context } from '#context.ts';
import type { Caller } from '#helpdesk/credentials.ts';
import type { CustomerRecord } from '#helpdesk/customers.ts';
import { AppError } from '#runtime/app-error.ts';
import { requireCustomerWrite } from '#server/require-write.ts';
import type { Match } from './apply-match.ts';
import { type CustomerSearch, findCustomer } from './find-customer.ts';

interface Aim {
  match: Match;
  caller: Caller;
  /** The ticket's customer. */
  ofTicket: string | null;
  /** The customer that the caller says is the company; null if they named none. */
  adopt: string | null;
}

/** How to search for the customer of a Sync, which one that is now, and whether the company had one already. */
interface Aimed {
  search: Omit<CustomerSearch, 'target'>;
  record: CustomerRecord | null;
  isKnown: boolean;
}

/**
 * Finds the customer that a Sync is about. One without an identity of its own, such as one shared by walk-ins, is not
 * turned into this company unless the caller names it; one that is not the ticket's they have to be allowed to write
 * (docs/decisions.md 11). Throws `changed_since` if
 * the company has another customer by now, which the named one would be a twin of, `customer_not_writable`,
 * `customer_not_found`, `identity_conflict`, and HelpdeskError.
 */
export async function aimSync(
  store: Context,
  { match, caller, ofTicket, adopt }: Aim,
  signal: AbortSignal,
): Promise<Aimed> {
  const target = { orgId: match.orgId, crmCompanyId: match.company.fields.bitrix_id };
  const search = { passed: null, ofTicket, requireBind: null };
  const { record } = await findCustomer(store, { target, ...search }, signal);
  const isKnown = record !== null;
  if (adopt === null) return { search, record, isKnown };
  if (record !== null && record.name !== adopt) throw new AppError('changed_since');
  // Before anything of the customer is told, a conflict included.
  if (adopt !== ofTicket) await requireCustomerWrite(store, caller, adopt, signal);
  const named = { passed: adopt, ofTicket: null, requireBind: async () => {} };
  return { search: named, record: (await findCustomer(store, { target, ...named }, signal)).record, isKnown };
}
