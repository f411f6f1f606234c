import type { Company, ExtraField, ProfileData, Responsible } from '@deskside/shared/profile';
import type { Texts } from '#i18n/texts.ts';
import type { Part, Row, RowGroup } from '#profile/rows/row.ts';
import { mailtoUrl, safeHttpUrl } from '#ui/safe-url.ts';

/** The rows of a company: health and owner, the operator's own fields, and the rest, collapsed. */
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
    { id: 'health', title: t.fields.sections.health, rows: healthRows(profile, company, t) },
    extra('metrics'),
    extra('profit'),
    extra('context'),
    { id: 'more', title: t.shell.moreFromCrm, rows: moreRows(company, t), folded: true },
  ];
}

function healthRows(profile: ProfileData, company: Company, t: Texts): Row[] {
  const { contact } = profile.bitrix;
  return [
    row(t.fields.hsi, [
      { key: 'hsi.segment', text: company.current_hsi_segment },
      { key: 'hsi.detail', text: company.current_hsi_detail, tone: 'muted' },
    ]),
    row(t.fields.lastHsi, [
      { key: 'hsi.last.segment', text: company.last_hsi_segment },
      { key: 'hsi.last.detail', text: company.last_hsi_detail, tone: 'muted' },
    ]),
    row(t.fields.accountOwner, ownerParts(profile.bitrix.responsible, company.assigned_by_id, t)),
    row(t.fields.shopOwner, [
      { key: 'shop.owner.name', text: company.owner_name },
      { key: 'shop.owner.email', text: company.owner_email, href: mailtoUrl(company.owner_email) },
      { key: 'shop.owner.phone', text: company.owner_phone },
    ]),
    row(t.fields.crmContact, [
      { key: 'crm.contact.name', text: contact?.name ?? null, href: safeHttpUrl(contact?.url ?? null) },
      { key: 'crm.contact.post', text: contact?.post ?? null, tone: 'muted' },
      { key: 'crm.contact.email', text: contact?.email ?? null, href: mailtoUrl(contact?.email ?? null) },
      { key: 'crm.contact.phone', text: contact?.phone ?? null },
      { key: 'crm.contact.why', text: contact && t.fields.chosenBy[contact.chosen_by], tone: 'muted' },
    ]),
  ];
}

function ownerParts(owner: Responsible | null, assigned: string | null, t: Texts): Part[] {
  if (!owner) {
    const text = assigned ? t.fields.crmUser(assigned) : t.fields.nobody;
    return [{ key: 'owner.name', text, tone: 'muted' }];
  }
  return [
    { key: 'owner.name', text: owner.name ?? owner.email ?? t.fields.crmUser(owner.id) },
    { key: 'owner.email', text: owner.name ? owner.email : null, href: mailtoUrl(owner.email) },
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
    row(t.fields.stage, [{ key: 'more.stage', text: company.company_stage }]),
    row(t.fields.verified, [{ key: 'more.verified', text: company.verified_status }]),
    row(t.fields.location, [{ key: 'more.location', text: location || null }]),
    row(t.fields.shopCreated, [{ key: 'more.shop_created', text: company.shop_created_date }]),
    row(t.fields.firstPlan, [{ key: 'more.first_plan', text: company.first_shopplan_date }]),
    row(t.fields.crmCreated, [{ key: 'more.created', text: company.date_create }]),
    row(t.fields.crmModified, [{ key: 'more.modified', text: company.date_modify }]),
    row(t.fields.freshsales, [{ key: 'more.freshsales', text: company.freshsales_id }]),
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
