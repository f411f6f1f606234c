import type { HelpdeskCustomer, ProfileData } from '@deskside/shared/profile';
import type { LookupStatus } from '@deskside/shared/status';
import type { Texts } from '#i18n/panel/texts.ts';
import type { Part, Row, RowGroup } from '#panel/rows/row.ts';
import { siteTime } from '#panel/rows/site-time.ts';

/** The helpdesk's own data; always shown, even if the CRM has no answer. */
export function helpdeskSections(profile: ProfileData, t: Texts): RowGroup[] {
  return [
    {
      id: 'helpdesk',
      title: t.fields.sections.helpdesk,
      rows: [...helpdeskRows(profile, t), ...accountRows(profile, t)],
      // Beside a company, who is linked is said above.
      folded: profile.bitrix.company !== null,
    },
  ];
}

/** The CRM says nothing: what it said last, as the helpdesk's customer keeps it, is all there is. */
const crmIsSilent: ReadonlySet<LookupStatus> = new Set(['disabled', 'missing_config', 'error']);

function helpdeskRows(profile: ProfileData, t: Texts): Row[] {
  const { ticket, customer } = profile;
  const linked = customer?.customer_name ?? customer?.name ?? ticket.customer;
  return [
    {
      label: t.fields.customer,
      parts: linked
        ? [{ key: 'hd.customer', text: linked, copies: true }]
        : [{ key: 'hd.customer', text: t.fields.noCustomer, tone: 'muted' }],
    },
    { label: t.fields.shopDomain, parts: domainParts(customer) },
    ...storedRows(profile, t),
  ];
}

function storedRows({ customer, bitrix }: ProfileData, t: Texts): Row[] {
  if (customer === null || bitrix.company !== null || !crmIsSilent.has(bitrix.status)) return [];
  const status = customer.custom_crm_sync_status;
  return [
    { label: t.fields.segment, parts: [{ key: 'hd.segment', text: customer.custom_customer_segment }] },
    { label: t.fields.plan, parts: [{ key: 'hd.plan', text: customer.custom_shopplan_name }] },
    { label: t.fields.syncStatus, parts: [{ key: 'hd.sync.status', text: status && t.fields.syncedAs(status) }] },
    {
      label: t.fields.lastSynced,
      parts: [{ key: 'hd.sync.at', text: siteTime(customer.custom_crm_last_synced_at, t) }],
    },
    {
      label: t.fields.lastChecked,
      parts: [{ key: 'hd.checked.at', text: siteTime(customer.custom_crm_last_checked_at, t) }],
    },
  ];
}

function domainParts(customer: HelpdeskCustomer | null): Part[] {
  const { custom_myplatform: shop = null, domain = null } = customer ?? {};
  return [
    { key: 'hd.domain.shop', text: shop, copies: true },
    { key: 'hd.domain', text: domain === shop ? null : domain, copies: true },
  ];
}

/** Accounts are among the people; until they are read, this says so. */
function accountRows({ haravan, pending }: ProfileData, t: Texts): Row[] {
  if (haravan.length > 0 || !pending.includes('haravan')) return [];
  return [
    { label: t.fields.sections.accounts, parts: [{ key: 'accounts', text: t.fields.loadingAccounts, tone: 'muted' }] },
  ];
}
