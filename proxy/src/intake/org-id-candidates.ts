import { type OrgId, parseOrgId } from '@deskside/shared/orgid';

/** An org id that may be the ticket's, and where it was found. */
export interface Candidate {
  orgId: OrgId;
  source: 'ticket' | 'customer' | 'customer_name';
  field: string;
}

export interface Candidates {
  /** In the order in which to try them, each org id once. */
  candidates: Candidate[];
  /** Fields that hold something other than an org id. */
  unusable: string[];
}

/**
 * Orders the org ids found on a ticket and its customer (docs/decisions.md 5): the ticket's fields in the given order,
 * the customer's field, then the id in a customer name of the form `<name> - <digits>` or `<digits> - <name>`. Digits
 * elsewhere in a name are never used: "360 Store" is a shop, not an id.
 */
export function orderCandidates(
  ticketFields: readonly { field: string; value: unknown }[],
  customer: { name: string; orgIdField: { field: string; value: unknown } } | null,
): Candidates {
  const found = new Map<OrgId, Candidate>();
  const unusable: string[] = [];
  const consider = (source: Candidate['source'], field: string, value: unknown) => {
    if (value === null || value === undefined || value === 0) return;
    if (typeof value === 'string' && value.trim() === '') return;
    const orgId = parseOrgId(value);
    if (!orgId) unusable.push(field);
    else if (!found.has(orgId)) found.set(orgId, { orgId, source, field });
  };
  for (const { field, value } of ticketFields) consider('ticket', field, value);
  if (customer) {
    consider('customer', customer.orgIdField.field, customer.orgIdField.value);
    consider('customer_name', 'name', orgIdInName(customer.name));
  }
  return { candidates: [...found.values()], unusable };
}

/** The org id in a customer's name, in either naming convention (docs/decisions.md 5); null if there is none. */
export function orgIdInName(name: string): OrgId | null {
  const match = /\S\s+-\s+(\d{1,20})\s*$/.exec(name) ?? /^\s*(\d{1,20})\s+-\s+\S/.exec(name);
  return parseOrgId(match?.[1]);
}
