import type { AdoptionEvidence } from '@deskside/shared/adoption';
import type { OrgId } from '@deskside/shared/orgid';
import { normalizePhone } from '@deskside/shared/phone';
import type { TrustLevel } from '@deskside/shared/status';

import { orgIdInName } from '#domain/intake/org-id-candidates.ts';
import { plainDomain, plainName } from './plain-name.ts';

/** A Contact of a customer. Addresses in lower case. */
export interface CustomerMember {
  emails: string[];
  phones: string[];
  /** The desk made it a member: the customer lists it or, before 1.28, it was an account of the desk that linked it. */
  isPutThere: boolean;
  /** The Contact is the desk's, so that no website user has written what stands in it. */
  isDesks: boolean;
}

/** A customer as the helpdesk knows it. `domain`: null as well where website users can write it. */
export interface CustomerPeople {
  name: string;
  domain: string | null;
  members: CustomerMember[];
  /** Website users who may have written it, its name and members included (docs/helpdesk.md#roles). In lower case. */
  writers: string[];
}

/** What the CRM has of a company. */
export interface CompanyMarks {
  orgId: OrgId;
  names: (string | null)[];
  /** Of its addresses, none that everybody can have, and of its shop. */
  domains: string[];
  emails: string[];
  phones: string[];
}

/** What our own records say of a customer. */
export interface OwnRecords {
  /** Org ids that were likely or confirmed on its tickets, or for its members; `value` names the ticket or the member. */
  vouched: { orgId: OrgId; of: 'customer' | 'member'; value: string }[];
  /** Whether it was made this very company before, and somebody undid that. */
  wasTakenBack: boolean;
}

/**
 * What speaks for a customer being a company, and what against it (docs/decisions.md 11): nothing that a website user who is
 * not of the company could have written. `sender`: who raised the ticket that leads to it; their own address has been judged already and is no fact
 * again. Null: no ticket does.
 */
export function adoptionEvidence({
  customer,
  company,
  records,
  sender,
}: {
  customer: CustomerPeople;
  company: CompanyMarks;
  records: OwnRecords;
  sender: string | null;
}): AdoptionEvidence {
  const { members } = customer;
  const others = members.filter(({ emails, isDesks }) => isDesks && !emails.includes(sender ?? ''));
  const known = new Set(company.phones.map(normalizePhone));
  const name = plainName(customer.name);
  const domain = plainDomain(customer.domain ?? '');
  const own = (orgId: OrgId) => orgId === company.orgId;
  const facts: AdoptionEvidence['for'] = [];
  if (name !== '' && company.names.some((one) => plainName(one ?? '') === name))
    facts.push({ code: 'same_name', value: customer.name });
  if (domain !== '' && company.domains.some((one) => plainDomain(one) === domain))
    facts.push({ code: 'same_domain', value: domain });
  for (const address of new Set(others.flatMap(({ emails }) => emails)))
    if (company.emails.includes(address)) facts.push({ code: 'member_address', value: address });
  for (const phone of new Set(others.flatMap(({ phones }) => phones)))
    if (normalizePhone(phone) !== null && known.has(normalizePhone(phone)))
      facts.push({ code: 'member_phone', value: phone });
  if (sender !== null && members.length === 1 && members[0]?.emails.includes(sender))
    facts.push({ code: 'sole_member', value: sender });
  if (orgIdInName(customer.name) === company.orgId) facts.push({ code: 'org_id_in_name', value: company.orgId });
  const [ticket] = records.vouched.filter((one) => one.of === 'customer' && own(one.orgId));
  if (ticket) facts.push({ code: 'ticket_org_id', value: ticket.value });
  const against: AdoptionEvidence['against'] = records.vouched
    .filter(({ orgId }) => !own(orgId))
    .map(({ orgId, of, value }) =>
      of === 'customer' ? { code: 'other_company', value: orgId } : { code: 'member_elsewhere', value },
    );
  for (const value of customer.writers)
    if (!company.emails.includes(value)) against.push({ code: 'written_by_other', value });
  if (records.wasTakenBack) against.push({ code: 'taken_back', value: company.orgId });
  return { for: once(facts), against: once(against) };
}

/** Of these one has to agree before a customer becomes a company by itself. */
const enough: ReadonlySet<string> = new Set(['same_name', 'same_domain', 'member_address', 'sole_member']);

/**
 * Whether a ticket's customer becomes the company by itself: never on a claim, only where the desk put the sender there,
 * one more fact agrees, and none is against it. Else an agent decides (docs/decisions.md 11).
 */
export function mayAdoptByItself(
  evidence: AdoptionEvidence,
  { level, sender, customer }: { level: TrustLevel; sender: string | null; customer: CustomerPeople },
): boolean {
  if (level === 'claimed' || sender === null || evidence.against.length > 0) return false;
  const isPutThere = customer.members.some((member) => member.isPutThere && member.emails.includes(sender));
  return isPutThere && evidence.for.some(({ code }) => enough.has(code));
}

function once<Fact extends { code: string; value: string }>(facts: Fact[]): Fact[] {
  return [...new Map(facts.map((fact) => [`${fact.code} ${fact.value}`, fact])).values()];
}
