import type { AdoptionEvidence } from '@deskside/shared/adoption';
import type { OrgId } from '@deskside/shared/orgid';
import type { Context } from '#app/context.ts';
import type { Match } from '#app/customer/apply-match.ts';
import {
  adoptionEvidence,
  type CompanyMarks,
  type CustomerPeople,
  type OwnRecords,
} from '#domain/customer/judge-adoption.ts';
import { isPublicMailDomain } from '#domain/trust/mail-domains.ts';
import type { Helpdesk } from '#ports/helpdesk/helpdesk.ts';

export interface EvidenceNeeds extends Pick<Context, 'decisions' | 'syncLog' | 'adoptions'> {
  helpdesk: Pick<Helpdesk, 'readCustomerPeople' | 'readTicketsAround'>;
}

interface AboutCustomer {
  customer: string;
  match: Match;
  /** The ticket that leads to it, which says nothing besides, and who raised it, in lower case; null: none does. */
  ticket: { name: string; sender: string | null } | null;
}

/** As many of its last tickets as are looked at. */
const maxTickets = 50;

/**
 * What speaks for a customer being the company and what against it, of the helpdesk's, the CRM's and our own records. Null
 * if there is no such customer. Throws HelpdeskError.
 */
export async function gatherEvidence(
  ctx: EvidenceNeeds,
  { customer: name, match, ticket }: AboutCustomer,
  signal: AbortSignal,
): Promise<{ customer: CustomerPeople; evidence: AdoptionEvidence } | null> {
  const customer = await ctx.helpdesk.readCustomerPeople(name, signal);
  if (customer === null) return null;
  const [vouched, adopted] = await Promise.all([
    vouchedOrgIds(ctx, customer, ticket?.name ?? null, signal),
    ctx.adoptions.ofCustomer(name),
  ]);
  const wasTakenBack = adopted.some(({ orgId, undoneAt }) => orgId === match.orgId && undoneAt !== null);
  const company = companyMarks(match);
  const known = { customer, company, records: { vouched, wasTakenBack }, sender: ticket?.sender ?? null };
  return { customer, evidence: adoptionEvidence(known) };
}

/** What the CRM has of a company by which a customer may be known. */
function companyMarks({ orgId, company, platformHost }: Match): CompanyMarks {
  const { fields, emails, contacts } = company;
  const domains = emails.map((address) => address.slice(address.indexOf('@') + 1));
  return {
    orgId,
    names: [fields.company_name, fields.title_full],
    domains: [
      ...domains.filter((domain) => !isPublicMailDomain(domain)),
      ...(platformHost === null ? [] : [`${orgId}.${platformHost}`]),
    ],
    emails,
    phones: [...(fields.owner_phone === null ? [] : [fields.owner_phone]), ...contacts.flatMap(({ phones }) => phones)],
  };
}

/** Org ids that were likely or confirmed on the customer's last tickets, or on those of its members. */
async function vouchedOrgIds(
  { helpdesk, decisions, syncLog }: EvidenceNeeds,
  { name: customer, members }: CustomerPeople,
  except: string | null,
  signal: AbortSignal,
): Promise<OwnRecords['vouched']> {
  const addresses = members.flatMap(({ emails }) => emails);
  const tickets = await helpdesk.readTicketsAround({ customer, addresses }, maxTickets, signal);
  const found = await Promise.all(
    tickets.map(async (ticket) => {
      if (ticket.name === except) return [];
      const orgId = await vouchedOn(ticket.name);
      const of = ticket.customer === customer ? ('customer' as const) : ('member' as const);
      return orgId === null ? [] : [{ orgId, of, value: of === 'customer' ? ticket.name : (ticket.raisedBy ?? '') }];
    }),
  );
  return found.flat();

  async function vouchedOn(ticket: string): Promise<OrgId | null> {
    const [synced, decided] = await Promise.all([syncLog.latest(ticket), decisions.latest(ticket)]);
    const routed = decided?.inputs.org_id;
    return synced?.orgId ?? (routed?.trust && routed.trust.level !== 'claimed' ? routed.value : null);
  }
}
