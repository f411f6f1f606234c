import type { AdoptionEvidence, OfferedAdoption } from '@deskside/shared/adoption';
import type { LookupTrust } from '@deskside/shared/profile';
import type { Context } from '#app/context.ts';
import type { CrmLayers } from '#app/crm/crm-layers.ts';
import type { Lookup } from '#app/crm/lookup-company.ts';
import { fitFor } from '#app/customer/find-customer.ts';
import { type CustomerPeople, mayAdoptByItself } from '#domain/customer/judge-adoption.ts';
import type { CompanyHit } from '#domain/find/found-company.ts';
import { matchReasons } from '#domain/find/match-reasons.ts';
import type { Candidate } from '#domain/intake/org-id-candidates.ts';
import { senderAddress } from '#domain/trust/sender.ts';
import type { TicketFile } from '#ports/helpdesk/helpdesk.ts';
import { type AdoptNeeds, adoptCustomer } from './adopt-customer.ts';
import { type EvidenceNeeds, gatherEvidence } from './gather-evidence.ts';

export type ConsiderNeeds = AdoptNeeds & EvidenceNeeds & SearchedCrm & Pick<Context, 'platformHost'>;

interface SearchedCrm {
  crm: Pick<CrmLayers, 'searchCompanies'> | null;
}

/** `done`: the customer has become the company. Else it is offered to an agent. */
export interface Considered extends OfferedAdoption {
  done: boolean;
}

/** A ticket, and the company that leads among those it names. */
export interface AboutAdoption {
  file: TicketFile;
  candidate: Pick<Candidate, 'orgId'>;
  looked: Lookup;
  trust: LookupTrust;
}

/**
 * Makes the customer of a ticket that somebody made by hand the company, if the evidence is enough, and otherwise says what
 * there is of it (docs/decisions.md 11). Null where the company has another customer, or this one is known to be another
 * company. Throws HelpdeskError and AppError if the helpdesk fails.
 */
export async function considerAdoption(
  ctx: ConsiderNeeds,
  { file, candidate: { orgId }, looked, trust: { level } }: AboutAdoption,
  signal: AbortSignal,
): Promise<Considered | null> {
  const [company] = looked.companies;
  if (file.customer === null || !company || looked.status === 'error' || looked.checkedAt === null) return null;
  const { helpdesk, platformHost } = ctx;
  const { name } = file.customer;
  const record = await helpdesk.readCustomer(name, signal);
  const target = { orgId, crmCompanyId: company.fields.bitrix_id };
  if (record === null || (await fitFor(ctx, record, target, signal)) !== 'free') return null;
  if ((await helpdesk.findCustomersByOrgId(orgId, signal)).length > 0) return null;
  const match = { orgId, company, checkedAt: looked.checkedAt, platformHost };
  const sender = senderAddress(file.ticket.origin);
  const about = { customer: name, match, ticket: { name: file.ticket.name, sender } };
  const gathered = await gatherEvidence(ctx, about, signal);
  if (gathered === null) return null;
  const judged = { level, sender, customer: gathered.customer };
  const mayBe = mayAdoptByItself(gathered.evidence, judged);
  const evidence = mayBe ? await withOtherCompanies(gathered.evidence, gathered.customer) : null;
  const offered = { customer: name, evidence: evidence ?? gathered.evidence, done: false };
  if (evidence === null || !mayAdoptByItself(evidence, judged)) return offered;
  const cause = { by: null, via: 'pipeline', ticket: file.ticket.name, batch: null, evidence } as const;
  const { outcome } = await adoptCustomer(ctx, { customer: name, match, ...cause }, signal);
  return { ...offered, done: outcome === 'adopted' };

  /**
   * Where nothing but its only member speaks for it, the CRM must know them at no other company: a bookkeeper works for
   * several. Null if it did not say.
   */
  async function withOtherCompanies(facts: AdoptionEvidence, { members }: CustomerPeople) {
    if (facts.for.some(({ code }) => code !== 'sole_member')) return facts;
    const against = [...facts.against];
    for (const address of members.flatMap(({ emails }) => emails)) {
      const companies = await companiesOf(ctx, address);
      if (companies === null) return null;
      if (companies.some((one) => one.crmId !== target.crmCompanyId && one.orgId !== orgId))
        against.push({ code: 'member_elsewhere', value: address });
    }
    return { ...facts, against };
  }
}

/** The companies that the CRM has for an address; null if it did not say. */
async function companiesOf({ crm }: SearchedCrm, value: string): Promise<CompanyHit[] | null> {
  const readings = [{ kind: 'email', value }] as const;
  const answer = await crm?.searchCompanies(readings, 'open');
  if (answer?.failed !== null) return null;
  return answer.companies.filter(({ marks }) => matchReasons(readings, marks).length > 0);
}
