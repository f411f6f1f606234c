import type { Company, ExtraField, ProfileData, Responsible } from '@deskside/shared/profile';
import type { Texts } from '#i18n/panel/texts.ts';
import { personName } from '#panel/rows/person-name.ts';
import type { Part, Row, RowGroup } from '#panel/rows/row.ts';
import { mailtoUrl, telUrl } from '#ui/links/safe-url.ts';

/** The rows of a company: the operator's own fields, and the rest, collapsed. */
export function companySections(profile: ProfileData, t: Texts, before: ProfileData | null): RowGroup[] {
  const { company } = profile.bitrix;
  if (!company) return [];
  const earlier = before?.bitrix.company;
  const extra = (id: 'metrics' | 'profit' | 'context'): RowGroup => ({
    id,
    title: t.fields.sections[id],
    rows: extraRows(id, company[id] ?? [], earlier?.[id] ?? []),
  });
  return [
    {
      id: 'company',
      title: t.fields.company,
      rows: [
        row(t.fields.companyId, [{ key: 'company.id', text: company.company_id, copies: true, inserts: true }]),
        row(t.fields.membership, [{ key: 'company.membership', text: company.membership }]),
        ...extra('metrics').rows,
      ],
    },
    extra('profit'),
    extra('context'),
    { id: 'more', title: t.shell.moreFromCrm, rows: moreRows(company, t), folded: true },
  ];
}

/** How the company itself is reached, as the CRM has it. */
export function reachParts({ company_phone: phone = null, company_email: email = null }: Company): Part[] {
  return [
    { key: 'company.phone', text: phone, href: telUrl(phone), copies: true },
    { key: 'company.email', text: email, href: mailtoUrl(email), copies: true },
  ];
}

/** Who looks after the company, and what is wrong with that. */
export function ownerParts(owner: Responsible | null, assigned: string | null, t: Texts): Part[] {
  if (!owner) {
    const text = assigned ? t.fields.crmUser(assigned) : t.fields.nobody;
    return [{ key: 'owner.name', text, tone: 'muted' }];
  }
  return [
    owner.name
      ? { key: 'owner.name', text: personName(owner.name), copies: true, inserts: true }
      : { key: 'owner.name', text: owner.email ?? t.fields.crmUser(owner.id), copies: owner.email !== null },
    { key: 'owner.email', text: owner.name ? owner.email : null, href: mailtoUrl(owner.email), copies: true },
    {
      key: 'owner.status',
      text: t.fields.responsible[owner.status],
      tone: owner.status === 'inactive' || owner.status === 'not_found' ? 'warn' : 'muted',
    },
  ];
}

function moreRows(company: Company, t: Texts): Row[] {
  const location = [company.address_region, company.address_country].filter((part) => part !== null).join(', ');
  const title = company.title_full === company.company_name ? null : company.title_full;
  return [
    row(t.fields.crmName, [{ key: 'more.title', text: title }]),
    row(t.fields.crmIdLabel, [{ key: 'more.id', text: company.bitrix_id, copies: true }]),
    row(t.fields.stage, [{ key: 'more.stage', text: company.company_stage }]),
    row(t.fields.verified, [{ key: 'more.verified', text: company.verified_status }]),
    row(t.fields.location, [{ key: 'more.location', text: location || null }]),
    row(t.fields.shopCreated, [{ key: 'more.shop_created', text: company.shop_created_date }]),
    row(t.fields.firstPlan, [{ key: 'more.first_plan', text: company.first_shopplan_date }]),
    row(t.fields.crmCreated, [{ key: 'more.created', text: company.date_create }]),
    row(t.fields.crmModified, [{ key: 'more.modified', text: company.date_modify }]),
    row(t.fields.freshsales, [{ key: 'more.freshsales', text: company.freshsales_id, copies: true }]),
  ];
}

function extraRows(group: string, fields: readonly ExtraField[], earlier: readonly ExtraField[]): Row[] {
  const kept = fields.map(({ key, label, value }) => row(label, [{ key: `${group}.${key}`, text: value || null }]));
  const lost = earlier
    .filter(({ key }) => !fields.some((field) => field.key === key))
    .map(({ key, label }) => row(label, [{ key: `${group}.${key}`, text: null }]));
  return [...kept, ...lost];
}

function row(label: string, parts: Part[]): Row {
  return { label, parts };
}
