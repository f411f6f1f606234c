import type { CrmBlock } from '@deskside/shared/profile';
import { standingAdoption } from '#app/customer/adopt/adopt-customer.ts';
import { type Candidate, orderCandidates } from '#domain/customer/org-id-candidates.ts';
import type { CustomerAdoptions } from '#ports/customer/customer-adoptions.ts';
import type { TicketFile } from '#ports/helpdesk/helpdesk.ts';
import type { Decisions } from '#ports/routing/decisions.ts';

interface Needs {
  adoptions: Pick<CustomerAdoptions, 'ofCustomer'>;
  decisions: Pick<Decisions, 'latest'>;
}

/**
 * Whether the ticket's customer, made by hand, became the leading company (docs/decisions.md 11), or may be it, as its last
 * decision says. Throws for our own records.
 */
export async function adoptionBlock(
  ctx: Needs,
  { ticket, customer }: TicketFile,
  { orgId }: Pick<Candidate, 'orgId'>,
): Promise<Pick<CrmBlock, 'adoption' | 'adopted'>> {
  if (customer === null) return {};
  const { name } = customer;
  const [held] = orderCandidates([], customer).candidates;
  if (held !== undefined) {
    const adoption = held.orgId === orgId ? await standingAdoption(ctx, name, orgId) : null;
    if (adoption === null) return {};
    const { id, by, via, evidence, at } = adoption;
    return { adopted: { id, customer: name, by, via, evidence, at: new Date(at).toISOString() } };
  }
  const latest = await ctx.decisions.latest(ticket.name);
  const offered = latest?.inputs.org_id?.value === orgId ? latest.inputs.adoption : undefined;
  if (offered?.customer !== name || offered.done) return {};
  return { adoption: { customer: name, evidence: offered.evidence } };
}
