import { forger, staffEmail } from './helpdesk-teams.ts';
import { reachOf, type Shop, shopOf, shops } from './shops.ts';
import type { WorldTime } from './time.ts';
import type { HelpdeskDocument } from './types.ts';

/** Shops that have no HD Customer: a ticket of theirs starts from the org id alone. */
const withoutCustomer: ReadonlySet<string> = new Set(['1000700226', '1000700231', '1000700232']);
/** Customers under the older convention, `<id> - <name>`. */
const idFirst: ReadonlySet<string> = new Set(['1000391001', '1000700213', '1000700223', '1000700224']);
/** Customers whose org id stands in the name only. */
const orgIdInNameOnly: ReadonlySet<string> = new Set(['1000700222', '1000700223']);
/** Customers that enrichment has filled already. */
const enriched: ReadonlySet<string> = new Set(['200000376001', '1000391001', '200000376010', '1000700218']);

/** Name of a shop's HD Customer, in the convention that the site used when it was made. */
export function customerName({ name, orgId }: Shop): string {
  // Angle brackets are refused in a name; the CRM's title of this shop has some.
  return idFirst.has(orgId) ? `${orgId} - ${name}` : `${name} - ${orgId}`;
}

/** Name of the shop owner's Contact, as Frappe makes it: the person, then the first link. */
export function contactName(shop: Shop): string {
  return `${fullName(shop)}-${customerName(shop)}`;
}

export const strangerContact = 'Khách Vãng Lai';
export const forgedContact = `Kẻ Giả Danh-${customerName(shopOf('200000376001'))}`;
const customersWithoutId = ['360 Độ Store', '2024 Fashion House', 'Khách lẻ'] as const;

export function customerDocuments(at: WorldTime): HelpdeskDocument[] {
  const meta = { ...made(at, 'service'), docstatus: 0, idx: 0 };
  const ofShops = shops
    .filter((shop) => !withoutCustomer.has(shop.orgId))
    .map((shop) => {
      const name = customerName(shop);
      return {
        name,
        ...meta,
        customer_name: name,
        customer_type: 'Company',
        domain: reachOf(shop).platformDomain,
        custom_platform_orgid: orgIdInNameOnly.has(shop.orgId) ? null : shop.orgId,
        ...(enriched.has(shop.orgId) && {
          custom_myplatform: reachOf(shop).platformDomain,
          custom_crm_company_id: shop.crmId,
          custom_crm_match_confidence: 95,
          custom_crm_sync_status: 'matched',
          custom_crm_last_synced_at: at.site(50),
          custom_crm_last_checked_at: at.site(2),
          custom_crm_company_modified_at: at.site(60),
          custom_customer_segment: shop.segment === '15092' ? 'Medium' : 'SME',
          custom_shopplan_name: shop.plan,
        }),
        contacts: [{ contact_name: contactName(shop), is_manager: 1 }],
      };
    });
  return [
    ...ofShops,
    ...customersWithoutId.map((name) => ({
      name,
      ...meta,
      customer_name: name,
      customer_type: 'Company',
      domain: null,
      contacts: [],
    })),
    {
      // Carries an org id that the CRM does not know.
      name: 'Cửa Hàng Đã Đóng - 1999999999',
      ...meta,
      customer_name: 'Cửa Hàng Đã Đóng - 1999999999',
      customer_type: 'Company',
      domain: null,
      custom_platform_orgid: '1999999999',
      custom_crm_sync_status: 'not_found',
      custom_crm_not_found_at: at.site(30),
      contacts: [],
    },
  ];
}

export function contactDocuments(at: WorldTime): HelpdeskDocument[] {
  const ofShops = shops.map((shop) => {
    const { ownerEmail, ownerPhone } = reachOf(shop);
    const linked = !withoutCustomer.has(shop.orgId);
    return {
      ...contact({
        at,
        first: shop.ownerGiven,
        last: shop.ownerFamily,
        full: shop.orgId === hostilePerson ? `${fullName(shop)} "><img src=x onerror=alert(2)>` : fullName(shop),
        emails: [ownerEmail],
        phones: [ownerPhone],
        links: linked ? [customerName(shop)] : [],
        owner: staffEmail('truong'),
        user: ownerEmail,
      }),
      name: linked ? contactName(shop) : fullName(shop),
    };
  });
  return [
    ...ofShops,
    {
      ...contact({
        at,
        first: 'Kẻ',
        last: 'Giả Danh',
        full: 'Kẻ Giả Danh',
        emails: [forger],
        phones: ['0900000999'],
        links: [customerName(shopOf('200000376001'))],
        // His own doing: the link proves nothing.
        owner: forger,
        user: forger,
      }),
      name: forgedContact,
    },
    {
      ...contact({
        at,
        first: 'Khách',
        last: 'Vãng Lai',
        full: strangerContact,
        emails: ['khach.vang.lai@hopthu.example'],
        phones: [],
        links: [],
        owner: 'Administrator',
      }),
      name: strangerContact,
    },
  ];
}

/** Org id of the shop whose owner has markup in his name. */
const hostilePerson = '1000700221';

export function accountLinkDocuments(at: WorldTime): HelpdeskDocument[] {
  return shops.slice(0, 12).flatMap((shop, index) => {
    const { ownerEmail, staffEmail: employee } = reachOf(shop);
    return [ownerEmail, ...(index < 2 ? [employee] : [])].map((email, place) => ({
      name: `PLATFORM-${shop.orgId}-${200_000_815_001 + index * 10 + place}`,
      ...made(at, 'service'),
      docstatus: 0,
      idx: 0,
      hd_customer: customerName(shop),
      user: place === 0 ? email : null,
      email,
      platform_userid: String(200_000_815_001 + index * 10 + place),
      platform_orgid: shop.orgId,
      platform_orgname: shop.name,
      last_login: at.site(3 + index * 20 + place),
    }));
  });
}

function fullName({ ownerFamily, ownerGiven }: Shop): string {
  return `${ownerFamily} ${ownerGiven}`;
}

function made(at: WorldTime, by: string) {
  const user = staffEmail(by);
  return { owner: user, creation: at.site(4_000), modified: at.site(100), modified_by: user };
}

function contact(person: {
  at: WorldTime;
  first: string;
  last: string;
  full: string;
  emails: string[];
  phones: string[];
  links: string[];
  owner: string;
  user?: string;
}) {
  const { at, first, last, full, emails, phones, links, owner, user } = person;
  return {
    owner,
    creation: at.site(3_900),
    modified: at.site(300),
    modified_by: owner,
    docstatus: 0,
    idx: 0,
    first_name: first,
    last_name: last,
    full_name: full,
    email_id: emails[0] ?? null,
    user: user ?? null,
    status: 'Passive',
    phone: phones[0] ?? '',
    mobile_no: '',
    email_ids: emails.map((email_id, i) => ({ email_id, is_primary: i === 0 ? 1 : 0 })),
    phone_nos: phones.map((phone, i) => ({ phone, is_primary_phone: i === 0 ? 1 : 0, is_primary_mobile_no: 0 })),
    links: links.map((link_name) => ({ link_doctype: 'HD Customer', link_name, link_title: link_name })),
  };
}
