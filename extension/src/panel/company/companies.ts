import type { AlsoNamed, ProfileData, TrustEvidence } from '@deskside/shared/profile';
import { labelFor } from '#i18n/format.ts';
import type { Texts } from '#panel/texts/texts.ts';
import { type ShownTrust, shownTrust } from '#status/status.ts';

export function companyName(company: { company_name: string | null; title_full: string | null }, t: Texts): string {
  return company.company_name ?? company.title_full ?? t.fields.noName;
}

interface NamedCompany {
  orgId: string;
  name: string;
  trust: ShownTrust;
  /** Where it is named; null if the evidence does not say. */
  where: string | null;
}

/** All companies of a ticket, the best vouched for first. Empty if there is none. */
export function companiesOf(profile: ProfileData, t: Texts): NamedCompany[] {
  const { company, lookup_value, lookup_trust, also_named } = profile.bitrix;
  if (!company || lookup_value === null) return [];
  return [
    {
      orgId: lookup_value,
      name: companyName(company, t),
      trust: shownTrust(profile) ?? 'unknown',
      where: whereOf(lookup_trust?.evidence ?? [], t),
    },
    ...also_named.map(({ org_id, company_name, source, field, trust }) => ({
      orgId: org_id,
      name: company_name ?? t.fields.noName,
      trust: trust?.level ?? ('unknown' as const),
      where: t.fields.namedBy[source](labelFor(t.trust.field, field)),
    })),
  ];
}

/** The profile with another of the ticket's companies in place of the leading one; null if it does not have it. */
export function profileOf(profile: ProfileData, orgId: string | null): ProfileData | null {
  if (orgId === null || orgId === profile.bitrix.lookup_value) return profile;
  const other = profile.bitrix.also_named.find(({ org_id }) => org_id === orgId);
  if (!other) return null;
  const { org_id: lookup_value, trust: lookup_trust, file } = other;
  return {
    ...profile,
    // Where there are several, nothing of their trust is still being worked out.
    pending: profile.pending.filter((part) => part !== 'lookup_trust'),
    bitrix: { ...profile.bitrix, ...file, lookup_value, lookup_trust },
  };
}

/** The ticket's customer, if it is none of the ticket's companies; null otherwise, and without a company. */
export function otherCustomer({ customer, bitrix }: ProfileData): string | null {
  if (!customer || !bitrix.company) return null;
  const orgIds = [bitrix.lookup_value, bitrix.company.company_id, ...bitrix.also_named.map(({ org_id }) => org_id)];
  const crmIds = [bitrix.company.bitrix_id, ...bitrix.also_named.map(({ bitrix_id }) => bitrix_id)];
  const { custom_platform_orgid: orgId, custom_crm_company_id: crmId, customer_name, name } = customer;
  if ((orgId && orgIds.includes(orgId)) || (crmId && crmIds.includes(crmId))) return null;
  // Without an id of its own a customer may carry it in its name (decision 5: order of org ids).
  const numbers = name.match(/\d+/g) ?? [];
  if (!orgId && numbers.some((number) => orgIds.includes(number))) return null;
  return customer_name ?? name;
}

/** Where an org id stands; null if the evidence does not say. */
function whereOf(evidence: readonly TrustEvidence[], t: Texts): string | null {
  for (const { code, field } of evidence) {
    const source = sources[code];
    if (source) return t.fields.namedBy[source](labelFor(t.trust.field, field ?? ''));
  }
  return null;
}

const sources: Partial<Record<TrustEvidence['code'], AlsoNamed['source']>> = {
  value_on_ticket: 'ticket',
  value_on_customer: 'customer',
  value_in_customer_name: 'customer_name',
};
