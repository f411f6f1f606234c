import { reachOf, type Shop, shops } from './shops.ts';
import type { WorldTime } from './time.ts';
import type { CrmRecord } from './types.ts';

/**
 * Placeholder in signed file addresses, where a portal puts the calling webhook's own `<user>/<secret>`. The simulator
 * fills it in per request, so that a company's file field really carries the secret (docs/crm.md#secrets-in-answers).
 */
export const callingWebhook = '{calling_webhook}';

/** The companies as the CRM stores them: one per shop, with the oddities of real portals, then the special rows. */
export function crmCompanies(at: WorldTime): CrmRecord[] {
  return [...shops.map((shop) => ({ ...companyOf(shop, at), ...oddities(at)[shop.orgId] })), ...specialRows(at)].map(
    withoutAbsent,
  );
}

function companyOf(shop: Shop, at: WorldTime): CrmRecord {
  const reach = reachOf(shop);
  const serial = Number(shop.crmId) - 63_000;
  return {
    ID: shop.crmId,
    TITLE: `${shop.name} - ${shop.orgId}`,
    LOGO: null,
    ASSIGNED_BY_ID: shop.assigned,
    COMMENTS: '',
    DATE_CREATE: at.crm(-900 + serial),
    DATE_MODIFY: at.crm(-serial - 0.4),
    IS_MY_COMPANY: 'N',
    ADDRESS_REGION: shop.city,
    ADDRESS_COUNTRY: 'Việt Nam',
    UF_CRM_PLATFORM_ORG_ID: shop.orgId,
    UF_CRM_COMPANY_ID: shop.orgId,
    UF_CRM_STORENAME: shop.name,
    UF_CRM_VERIFIED_STATUS: serial % 3 === 0 ? 'Verified' : '',
    UF_CRM_COMPANY_STAGE: 'Active',
    UF_CRM_ID_FRESHSALES: '',
    UF_CRM_SHOP_OWNER_NAME: `${shop.ownerFamily} ${shop.ownerGiven}`,
    UF_CRM_SHOP_OWNER_EMAIL: reach.ownerEmail,
    UF_CRM_SHOP_OWNER_PHONE_NUMBER: reach.ownerPhone,
    UF_CRM_DATE_CREATED_SHOP: at.crm(-1500 + serial),
    UF_CRM_FIRST_PAID_DATE: at.crm(-1480 + serial),
    UF_CRM_DATE_SIGNED_CURRENT_SHOPPLAN: at.crm(-200 - serial),
    // A quarter of a day above the whole number, so that no answer of the same hour counts another day.
    UF_CRM_DATE_EXPIRED_SHOPPLAN: shop.daysLeft === null ? '' : at.crm(shop.daysLeft + 0.25),
    UF_CRM_CURRENT_SHOPPLAN: shop.plan,
    UF_CRM_CURRENT_HSI_SEGMENT: shop.hsi,
    UF_CRM_CURRENT_HSI_DETAIL: shop.hsiDetail,
    UF_CRM_LAST_HSI_SEGMENT: shop.hsi,
    UF_CRM_LAST_HSI_DETAIL: shop.hsiDetail,
    UF_CRM_PLATFORM_MEMBERSHIP: serial % 5 === 0 ? 'VIP' : 'Member',
    UF_CRM_1778130421650: shop.segment,
    UF_CRM_661742530FDE6: '',
    UF_CRM_1713790573: '',
    UF_CRM_GMV_30D: `${serial * 41_500_000}|VND`,
    UF_CRM_ORDERS_30D: String(serial * 87),
    UF_CRM_PROFIT_MARGIN: `${12 + (serial % 9)}.5`,
    UF_CRM_LIFETIME_PROFIT: `${serial * 9_800_000}|VND`,
    UF_CRM_CHANNELS: serial % 2 ? ['Shopee', 'TikTok Shop'] : false,
    UF_CRM_CONTRACT_FILE: null,
    EMAIL: [multi('EMAIL', `${serial}1`, reach.shopEmail)],
    PHONE: [multi('PHONE', `${serial}2`, reach.shopPhone)],
    WEB: [multi('WEB', `${serial}3`, reach.web)],
  };
}

/** What is odd about single companies, by org id; undefined takes a field away. */
function oddities(at: WorldTime): Record<string, Record<string, unknown>> {
  const file = (id: string) => ({
    id,
    showUrl: `/rest/${callingWebhook}/show_file.php?id=${id}`,
    downloadUrl: `/rest/${callingWebhook}/download/?token=crm%7Cfile%7C${id}`,
  });
  return {
    '1000069001': {
      TITLE: ' Tiệm Hoa Mẫu - 1000069001',
      UF_CRM_STORENAME: ' Tiệm Hoa Mẫu',
      UF_CRM_DATE_EXPIRED_SHOPPLAN: '2020-01-20T12:42:37+03:00',
      UF_CRM_DATE_CREATED_SHOP: '2016-01-19T11:12:14+03:00',
      UF_CRM_661742530FDE6: 'UPDATE ALL 06-05-2024',
    },
    '200000376001': { LOGO: file('9001'), UF_CRM_CONTRACT_FILE: file('9002'), UF_CRM_LAST_HSI_DETAIL: '402.1000000' },
    '1000391001': { UF_CRM_1778130421650: 15092 },
    '200000010001': { UF_CRM_1778130421650: ['15090'], UF_CRM_STORENAME: '' },
    '1900000001': { UF_CRM_COMPANY_ID: 1_900_000_001, UF_CRM_PLATFORM_ORG_ID: 1_900_000_001 },
    '1900000017': { UF_CRM_1778130421650: ['', '15092'] },
    '1000500107': { UF_CRM_1778130421650: false, EMAIL: undefined, PHONE: undefined, WEB: undefined },
    // Kept with a blank behind it, as somebody pasted it.
    '1000500108': { UF_CRM_COMPANY_ID: '1000500108 ', PHONE: undefined },
    '1000700214': { ASSIGNED_BY_ID: undefined },
    '1000700216': {
      DATE_CREATE: '2026-01-31T22:30:00+03:00',
      UF_CRM_FIRST_PAID_DATE: '2026-01-31T22:30:00+03:00',
      UF_CRM_DATE_SIGNED_CURRENT_SHOPPLAN: '2026-01-31T22:30:00+03:00',
    },
    '1000700217': { TITLE: 'Xe Đạp Gió Đồng', UF_CRM_STORENAME: '' },
    '1000700218': { TITLE: '  👟 Giày Bước Êm 🇻🇳 - 1000700218', UF_CRM_STORENAME: '👟 Giày Bước Êm 🇻🇳' },
    '1000700221': {
      TITLE: '<script>alert("crm")</script> Cổ Mộc "><img src=x onerror=alert(1)> - 1000700221',
      UF_CRM_STORENAME: '<script>alert("crm")</script> Cổ Mộc "><img src=x onerror=alert(1)>',
      UF_CRM_COMPANY_STAGE: '<b>đậm</b>&nbsp;{{7*7}}',
      ADDRESS_REGION: `Hà Nội${'dài'.repeat(120)}`,
    },
    '1000700222': {
      UF_CRM_STORENAME: '\u202Eèhc iồđ iạrt gnôn\u202C متجر الشاي 🍵',
      UF_CRM_CURRENT_SHOPPLAN: ' OMNI PRO 2024 (2 năm) ',
    },
    '1000700224': { UF_CRM_DATE_EXPIRED_SHOPPLAN: 'chưa rõ', UF_CRM_FIRST_PAID_DATE: '31/01/2026' },
    '1000700226': { UF_CRM_COMPANY_STAGE: null, UF_CRM_PLATFORM_MEMBERSHIP: null, ADDRESS_REGION: null },
    // Named by the other field only: `UF_CRM_COMPANY_ID` of this one is empty.
    '1000700231': { UF_CRM_COMPANY_ID: '' },
    '1000700232': { DATE_MODIFY: at.crm(-0.01), UF_CRM_CHANNELS: [] },
  };
}

/** Rows beside the shops: duplicates of an org id and the portal owner's own legal entity. */
function specialRows(at: WorldTime): CrmRecord[] {
  const [older, twin] = [shops[5], shops[19]];
  if (!older || !twin) throw new Error('The seed has too few shops.');
  return [
    // The same org id twice, this one touched earlier.
    {
      ...companyOf(older, at),
      ID: '63101',
      TITLE: 'Mỹ Phẩm Sen Đá (cũ) - 1900000017',
      UF_CRM_STORENAME: 'Mỹ Phẩm Sen Đá (cũ)',
      DATE_MODIFY: at.crm(-400),
    },
    // The same org id twice, touched in the same second: the higher ID is taken.
    {
      ...companyOf(twin, at),
      ID: '63102',
      TITLE: 'Thú Cưng Lông Xù CN2 - 1000700220',
      UF_CRM_STORENAME: 'Thú Cưng Lông Xù CN2',
    },
    // The two org id fields name different companies.
    {
      ...companyOf(older, at),
      ID: '63103',
      TITLE: 'Kho Trung Chuyển Bến Nghé',
      UF_CRM_STORENAME: 'Kho Trung Chuyển Bến Nghé',
      UF_CRM_PLATFORM_ORG_ID: '1000700230',
      UF_CRM_COMPANY_ID: '',
      DATE_MODIFY: at.crm(-60),
    },
    {
      ID: '63104',
      TITLE: 'CÔNG TY TNHH NỀN TẢNG GIẢ ĐỊNH',
      IS_MY_COMPANY: 'Y',
      ASSIGNED_BY_ID: '12',
      DATE_CREATE: at.crm(-3000),
      DATE_MODIFY: at.crm(-0.005),
      UF_CRM_PLATFORM_ORG_ID: '',
      UF_CRM_COMPANY_ID: '',
    },
  ];
}

function multi(type: 'EMAIL' | 'PHONE' | 'WEB', id: string, value: string) {
  return { ID: id, VALUE_TYPE: 'WORK', VALUE: value, TYPE_ID: type };
}

function withoutAbsent(record: CrmRecord): CrmRecord {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as CrmRecord;
}

const users: [id: string, name: string, lastName: string, active: unknown, type: string, email?: string][] = [
  ['12', 'Quản trị', 'Cổng', true, 'employee'],
  ['338', 'Nguyễn', 'An', true, 'employee'],
  ['341', 'Lê Thu', 'Hà', true, 'employee'],
  ['345', 'Trần Quốc', 'Bình', 'Y', 'employee'],
  ['352', 'Phạm Gia', 'Bảo', false, 'employee'],
  ['356', 'Đỗ "><img src=x onerror=alert(1)>', 'Cường', 'N', 'employee'],
  ['360', 'Vũ Thị', 'Duyên', true, 'employee', ''],
  // Never shown by user.get: a company that is assigned to an integrator has no visible owner.
  ['367', 'Đối tác', 'Tích hợp', true, 'integrator'],
];

/** The CRM's own staff: account owners who are active, dismissed, without e-mail, or hidden. */
export function crmUsers(at: WorldTime): CrmRecord[] {
  return users.map(([ID, NAME, LAST_NAME, ACTIVE, USER_TYPE, email]) => ({
    ID,
    ACTIVE,
    EMAIL: email ?? `phutrach${ID}@crm.example`,
    NAME,
    LAST_NAME,
    SECOND_NAME: '',
    WORK_PHONE: `0900000${ID.padStart(3, '0')}`,
    LAST_LOGIN: at.crm(-1),
    USER_TYPE,
  }));
}

/** Two contacts for every shop but a few: the owner, and an employee who is the one that writes most tickets. */
export function crmContacts(at: WorldTime): CrmRecord[] {
  return shops.flatMap((shop, index) => {
    if (withoutContacts.has(shop.orgId)) return [];
    const { ownerEmail, ownerPhone, staffEmail } = reachOf(shop);
    const [ID, idOfEmployee] = [String(7001 + index * 2), String(7002 + index * 2)];
    const owner = { ID, NAME: shop.ownerGiven, LAST_NAME: shop.ownerFamily, POST: 'Chủ shop' };
    const work = index % 4 === 0 ? '' : 'Vận hành';
    const employee = { ID: idOfEmployee, NAME: 'Nhân viên', LAST_NAME: shop.name, POST: work };
    // Written the international way, the helpdesk has it the national way.
    const phone = `+84 911 000 ${shop.crmId.slice(-3)}`;
    return [
      { ...owner, DATE_MODIFY: at.crm(-30), ...contactOf(shop, ID, ownerEmail, ownerPhone, at) },
      { ...employee, DATE_MODIFY: at.crm(-31), ...contactOf(shop, idOfEmployee, staffEmail, phone, at) },
    ];
  });
}

function contactOf(shop: Shop, id: string, email: string, phone: string, at: WorldTime) {
  return {
    SECOND_NAME: '',
    COMPANY_ID: shop.crmId,
    ASSIGNED_BY_ID: shop.assigned,
    DATE_CREATE: at.crm(-800),
    EMAIL: [{ ID: `${id}1`, VALUE_TYPE: 'WORK', VALUE: email, TYPE_ID: 'EMAIL' }],
    PHONE: [{ ID: `${id}2`, VALUE_TYPE: 'MOBILE', VALUE: phone, TYPE_ID: 'PHONE' }],
  };
}

/** Org ids of companies to which the CRM has linked nobody. */
const withoutContacts: ReadonlySet<string> = new Set(['1000500107', '1000700226']);
