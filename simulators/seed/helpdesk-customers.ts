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
  const meta = made(at);
  const ofShops = shops
    .filter((shop) => !withoutCustomer.has(shop.orgId))
    .map((shop) => {
      const name = customerName(shop);
      return {
        name,
        ...meta,
        customer_name: name,
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
    })),
    {
      // Carries an org id that the CRM does not know.
      name: 'Cửa Hàng Đã Đóng - 1999999999',
      ...meta,
      customer_name: 'Cửa Hàng Đã Đóng - 1999999999',
      custom_platform_orgid: '1999999999',
      custom_crm_sync_status: 'not_found',
      custom_crm_not_found_at: at.site(30),
    },
  ];
}

export function contactDocuments(at: WorldTime): HelpdeskDocument[] {
  const ofShops = shops.map((shop) => {
    const { ownerEmail, ownerPhone } = reachOf(shop);
    const linked = !withoutCustomer.has(shop.orgId);
    const full = shop.orgId === hostilePerson ? `${fullName(shop)} "><img src=x onerror=alert(2)>` : fullName(shop);
    return {
      ...contact(at, staffEmail('truong'), ownerEmail, ownerPhone, linked ? customerName(shop) : null),
      ...{ name: linked ? contactName(shop) : fullName(shop), user: ownerEmail },
      ...{ first_name: shop.ownerGiven, last_name: shop.ownerFamily, full_name: full },
    };
  });
  return [
    ...ofShops,
    {
      // His own doing: the link proves nothing.
      ...contact(at, forger, forger, '0900000999', customerName(shopOf('200000376001'))),
      ...{ name: forgedContact, user: forger },
      ...{ first_name: 'Kẻ', last_name: 'Giả Danh', full_name: 'Kẻ Giả Danh' },
    },
    {
      ...contact(at, 'Administrator', 'khach.vang.lai@hopthu.example'),
      ...{ name: strangerContact, first_name: 'Khách', last_name: 'Vãng Lai', full_name: strangerContact },
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
      ...made(at),
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

function made(at: WorldTime) {
  return { owner: staffEmail('service'), creation: at.site(4_000), modified: at.site(100) };
}

function contact(at: WorldTime, owner: string, email_id: string, phone = '', link_name: string | null = null) {
  return {
    ...{ owner, creation: at.site(3_900), modified: at.site(300), email_id, phone, mobile_no: '' },
    email_ids: [{ email_id, is_primary: 1 }],
    phone_nos: phone === '' ? [] : [{ phone, is_primary_phone: 1, is_primary_mobile_no: 0 }],
    links: link_name === null ? [] : [{ link_doctype: 'HD Customer', link_name, link_title: link_name }],
  };
}
