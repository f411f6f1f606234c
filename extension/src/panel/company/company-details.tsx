import type { Company, ExtraField, ProfileData } from '@deskside/shared/profile';
import { grouped } from '#i18n/format.ts';
import { Folded, type PanelRow, Rows, Section } from '#panel/parts/rows.tsx';
import { siteTime } from '#panel/status/freshness.ts';
import { type Texts, useTexts } from '#panel/texts/texts.ts';
import { shownTrust } from '#status/status.ts';

/** The company as the CRM has it: what agents ask for, the operator's own fields, and the rest, folded. */
export function CompanyDetails({ profile }: { profile: ProfileData }) {
  const t = useTexts();
  const { company } = profile.bitrix;
  if (!company) return null;
  const groups = (['metrics', 'profit', 'context'] as const).map((group) => [group, company[group] ?? []] as const);
  return (
    <>
      <Section title={t.fields.company}>
        <Rows rows={companyRows(company, profile, t)} />
      </Section>
      {groups.map(
        ([group, fields]) =>
          fields.length > 0 && (
            <Section key={group} title={t.fields.groups[group]}>
              <Rows rows={fields.map((field) => extraRow(group, field, t))} />
            </Section>
          ),
      )}
      <Folded title={t.fields.more}>
        <Rows rows={moreRows(company, t)} />
      </Folded>
    </>
  );
}

function companyRows(company: Company, profile: ProfileData, { fields }: Texts): PanelRow[] {
  const { company_id, customer_segment, current_shopplan_date, shopplan_expiry } = company;
  const trust = shownTrust(profile);
  // It goes to the sender: the plan only where somebody vouches that the company is theirs.
  const isSure = trust === 'confirmed' || trust === 'likely';
  const [from, to] = [current_shopplan_date, shopplan_expiry];
  return [
    { label: fields.companyId, about: fields.companyIdIs, value: company_id, copies: true, inserts: true },
    { label: fields.plan, value: from && to ? fields.from(from, to) : (from ?? to), copies: true, inserts: isSure },
    { label: fields.segment, value: customer_segment },
    { label: fields.membership, value: company.membership },
  ];
}

/** An operator's own field. A measure is grouped, with its unit if the CRM has one; other numbers may be codes. */
function extraRow(group: string, { label, value, type }: ExtraField, { fields, language }: Texts): PanelRow {
  if (type === 'boolean') return { label, value: value === 'yes' ? fields.yes : fields.no };
  if (type === 'files') return { label, value: fields.files(value) };
  return { label, value: group === 'context' ? value : grouped(language, value) };
}

function moreRows(company: Company, { fields }: Texts): PanelRow[] {
  const location = [company.address_region, company.address_country].filter((part) => part !== null).join(', ');
  return [
    { label: fields.crmName, value: company.title_full === company.company_name ? null : company.title_full },
    { label: fields.stage, value: company.company_stage },
    { label: fields.verified, value: company.verified_status },
    { label: fields.location, value: location || null },
    { label: fields.shopCreated, value: company.shop_created_date },
    { label: fields.firstPlan, value: company.first_shopplan_date },
    { label: fields.crmCreated, value: company.date_create },
    { label: fields.crmModified, value: company.date_modify },
    { label: fields.freshsales, value: company.freshsales_id, copies: true },
  ];
}

/** The helpdesk's own record of the customer; always shown, even if the CRM has no answer. */
export function HelpdeskRecord({ profile }: { profile: ProfileData }) {
  const t = useTexts();
  const { fields } = t;
  const { ticket, customer } = profile;
  const linked = customer?.customer_name ?? customer?.name ?? ticket.customer;
  const domains = [...new Set([customer?.custom_myplatform ?? null, customer?.domain ?? null])];
  const rows: PanelRow[] = [
    linked
      ? { label: fields.customer, value: linked, copies: true }
      : { label: fields.customer, value: fields.noCustomer, tone: 'muted' },
    ...domains.map((value) => ({ label: fields.shopDomain, value, copies: true })),
    { label: fields.lastSynced, value: siteTime(customer?.custom_crm_last_synced_at ?? null, t) },
  ];
  // Beside a company, who is linked is said above.
  const Frame = profile.bitrix.company ? Folded : Section;
  return (
    <Frame title={fields.helpdesk}>
      <Rows rows={rows} />
    </Frame>
  );
}
