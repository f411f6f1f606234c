import type { AccountLink, HelpdeskCustomer, ProfileData } from '@deskside/shared/profile';
import type { LookupStatus } from '@deskside/shared/status';
import type { Texts } from '#i18n/texts.ts';
import type { Part, Row, RowGroup } from '#profile/rows/row.ts';
import { mailtoUrl } from '#ui/safe-url.ts';

/** The helpdesk's own data; always shown, even if the CRM has no answer. */
export function helpdeskSections(profile: ProfileData, t: Texts): RowGroup[] {
  return [
    { id: 'helpdesk', title: t.fields.sections.helpdesk, rows: helpdeskRows(profile, t) },
    { id: 'accounts', title: t.fields.sections.accounts, rows: accountRows(profile, t) },
  ];
}

/** The CRM says nothing: what it said last, as the helpdesk's customer keeps it, is all there is. */
const crmIsSilent: ReadonlySet<LookupStatus> = new Set(['disabled', 'missing_config', 'error']);

function helpdeskRows(profile: ProfileData, t: Texts): Row[] {
  const { ticket, customer, contact } = profile;
  const none = (key: string, text: string): Part[] => [{ key, text, tone: 'muted' }];
  const phone = contact?.mobile_no ?? contact?.phone ?? null;
  const email = contact?.email_id ?? null;
  const linked = customer?.customer_name ?? customer?.name ?? ticket.customer;
  const known = contact?.full_name ?? contact?.name ?? ticket.contact;
  return [
    {
      label: t.fields.customer,
      parts: linked ? [{ key: 'hd.customer', text: linked }] : none('hd.customer', t.fields.noCustomer),
    },
    { label: t.fields.shopDomain, parts: domainParts(customer) },
    ...storedRows(profile, t),
    {
      label: t.fields.contact,
      parts: known
        ? [
            { key: 'hd.contact.name', text: known },
            { key: 'hd.contact.email', text: email === known ? null : email, href: mailtoUrl(email) },
            { key: 'hd.contact.phone', text: phone },
          ]
        : none('hd.contact.name', t.fields.noContact),
    },
    {
      label: t.fields.raisedBy,
      parts: [{ key: 'hd.raised_by', text: ticket.raised_by, href: mailtoUrl(ticket.raised_by) }],
    },
  ];
}

function storedRows({ customer, bitrix }: ProfileData, t: Texts): Row[] {
  if (customer === null || bitrix.company !== null || !crmIsSilent.has(bitrix.status)) return [];
  const status = customer.custom_crm_sync_status;
  return [
    { label: t.fields.segment, parts: [{ key: 'hd.segment', text: customer.custom_customer_segment }] },
    { label: t.fields.plan, parts: [{ key: 'hd.plan', text: customer.custom_shopplan_name }] },
    { label: t.fields.syncStatus, parts: [{ key: 'hd.sync.status', text: status && t.fields.syncedAs(status) }] },
    { label: t.fields.lastSynced, parts: [{ key: 'hd.sync.at', text: siteTime(customer.custom_crm_last_synced_at) }] },
    {
      label: t.fields.lastChecked,
      parts: [{ key: 'hd.checked.at', text: siteTime(customer.custom_crm_last_checked_at) }],
    },
  ];
}

/** A time as the helpdesk shows it, on its own clock: `2026-11-20 08:15:00` as `20/11/2026 08:15`. */
function siteTime(value: string | null): string | null {
  return value?.replace(/^(\d{4})-(\d\d)-(\d\d)[ T](\d\d:\d\d)\b.*$/, '$3/$2/$1 $4') || null;
}

function domainParts(customer: HelpdeskCustomer | null): Part[] {
  const { custom_myplatform: shop = null, domain = null } = customer ?? {};
  return [
    { key: 'hd.domain.shop', text: shop },
    { key: 'hd.domain', text: domain === shop ? null : domain },
  ];
}

function accountRows({ haravan, pending }: ProfileData, t: Texts): Row[] {
  if (haravan.length > 0) return haravan.map((account, at) => accountRow(account, at, t));
  if (!pending.includes('haravan')) return [];
  return [{ label: t.fields.account, parts: [{ key: 'accounts', text: t.fields.loadingAccounts, tone: 'muted' }] }];
}

function accountRow(account: AccountLink, at: number, t: Texts): Row {
  const id = `accounts.${account.haravan_orgid ?? ''}.${account.haravan_userid ?? at}`;
  const who = account.email ?? account.user;
  const seen = account.last_login?.replace(/^(\d{4})-(\d\d)-(\d\d)\b.*$/, '$3/$2/$1');
  return {
    label: account.haravan_orgid ?? t.fields.account,
    parts: [
      { key: `${id}.name`, text: account.haravan_orgname },
      { key: `${id}.email`, text: who, href: mailtoUrl(who) },
      { key: `${id}.seen`, text: seen ? t.fields.lastLogin(seen) : null, tone: 'muted' },
    ],
  };
}
