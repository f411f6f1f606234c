import type { OrgId } from '@deskside/shared/orgid';
import type { Context } from '#app/context.ts';
import type { SenderRecords } from '#domain/trust/judge-trust.ts';
import type { Store } from '#store/store.ts';

export interface SenderRecordsNeeds extends Pick<Context, 'accountLinks'> {
  helpdesk: Pick<Context['helpdesk'], 'readSenderTies' | 'orgIdIsProtected'>;
  bindings: Pick<Store['bindings'], 'customersOf'>;
}

/**
 * What the helpdesk's records say about a sender and an org id, and how far website users could have written that
 * themselves (docs/routing.md#trust). Throws HelpdeskError.
 */
export async function readSenderRecords(
  ctx: SenderRecordsNeeds,
  sender: string,
  orgId: OrgId,
  signal: AbortSignal,
): Promise<SenderRecords> {
  const [{ customers }, isProtected, hasAccount] = await Promise.all([
    ctx.helpdesk.readSenderTies(sender, orgId, signal),
    ctx.helpdesk.orgIdIsProtected(signal),
    hasSureAccount(ctx, sender, orgId, signal),
  ]);
  const bound = customers.length === 0 ? null : await ctx.bindings.customersOf(orgId);
  const isSure = (name: string) => {
    const binding = bound?.get(name);
    // What a claim made vouches for nobody, wherever the org id stands.
    return binding === undefined ? isProtected : !binding.onClaim;
  };
  return {
    hasAccount,
    customers: customers.map((customer) => ({ ...customer, idIsSure: isSure(customer.name) })),
  };
}

async function hasSureAccount(
  { accountLinks }: SenderRecordsNeeds,
  sender: string,
  orgId: OrgId,
  signal: AbortSignal,
): Promise<boolean> {
  if (!accountLinks?.areThere() || !(await accountLinks.areStaffOnly(signal))) return false;
  return accountLinks.hasOne(sender, orgId, signal);
}
