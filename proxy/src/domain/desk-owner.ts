/**
 * Whether an account that created a ticket is the desk's own, as far as its name tells: the helpdesk itself (mail) is, and
 * one who is the sender need not be asked about. Null: it takes a look at the helpdesk's agents.
 */
export function isDeskOwner({ owner, raisedBy }: { owner: string; raisedBy: string | null }): boolean | null {
  if (owner === 'Administrator') return true;
  return owner.trim().toLowerCase() === raisedBy?.trim().toLowerCase() ? false : null;
}
