import type { OrgId } from '@deskside/shared/orgid';
import type { CustomerStore } from './find-customer.ts';

/**
 * A customer that the helpdesk has joined with another, or renamed, is gone. Its binding follows to the one customer that
 * has the org id, where no website user can write that (docs/decisions.md 11). Repeatable. Throws HelpdeskError.
 */
export async function followBinding(
  { helpdesk, bindings }: Pick<CustomerStore, 'helpdesk' | 'bindings'>,
  { customer, orgId, at }: { customer: string; orgId: OrgId; at: number },
  signal: AbortSignal,
): Promise<void> {
  const bound = await bindings.customersOf(orgId);
  if (bound.size === 0 || bound.has(customer) || !(await helpdesk.orgIdIsProtected(signal))) return;
  if ((await helpdesk.findCustomersByOrgId(orgId, signal)).length !== 1) return;
  for (const [name, { onClaim }] of bound) {
    if (onClaim || (await helpdesk.readCustomer(name, signal)) !== null) continue;
    await bindings.record(customer, orgId, at, { onClaim });
    await bindings.remove(name, orgId);
  }
}
