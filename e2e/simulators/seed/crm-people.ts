import { reachOf, shops } from './shops.ts';
import type { WorldTime } from './time.ts';
import type { CrmRecord } from './types.ts';

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
    TITLE: '',
    IS_ONLINE: 'N',
    TIME_ZONE: 'Asia/Ho_Chi_Minh',
    WORK_POSITION: 'Chăm sóc khách hàng',
    WORK_PHONE: `0900000${ID.padStart(3, '0')}`,
    PERSONAL_MOBILE: '',
    PERSONAL_PHOTO: null,
    UF_DEPARTMENT: [7],
    UF_PHONE_INNER: ID,
    DATE_REGISTER: at.crm(-1200),
    LAST_LOGIN: at.crm(-1),
    TIMESTAMP_X: {},
    LAST_ACTIVITY_DATE: {},
    USER_TYPE,
  }));
}

/** Two contacts for every shop but a few: the owner, and an employee who is the one that writes most tickets. */
export function crmContacts(at: WorldTime): CrmRecord[] {
  const contacts: CrmRecord[] = [];
  for (const [index, shop] of shops.entries()) {
    if (withoutContacts.has(shop.orgId)) continue;
    const reach = reachOf(shop);
    const ids = [String(7001 + index * 2), String(7002 + index * 2)] as const;
    const people = [
      {
        NAME: shop.ownerGiven,
        LAST_NAME: shop.ownerFamily,
        POST: 'Chủ shop',
        email: reach.ownerEmail,
        phone: reach.ownerPhone,
      },
      {
        NAME: 'Nhân viên',
        LAST_NAME: shop.name,
        POST: index % 4 === 0 ? '' : 'Vận hành',
        email: reach.staffEmail,
        // Written the international way, the helpdesk has it the national way.
        phone: `+84 911 000 ${shop.crmId.slice(-3)}`,
      },
    ];
    for (const [place, { email, phone, ...person }] of people.entries()) {
      const ID = ids[place] ?? '';
      contacts.push({
        ID,
        ...person,
        SECOND_NAME: '',
        HONORIFIC: '',
        TYPE_ID: 'CLIENT',
        SOURCE_ID: '',
        COMPANY_ID: shop.crmId,
        ASSIGNED_BY_ID: shop.assigned,
        OPENED: 'Y',
        PHOTO: null,
        BIRTHDATE: '',
        DATE_CREATE: at.crm(-800),
        DATE_MODIFY: at.crm(-30 - place),
        EMAIL: [{ ID: `${ID}1`, VALUE_TYPE: 'WORK', VALUE: email, TYPE_ID: 'EMAIL' }],
        PHONE: [{ ID: `${ID}2`, VALUE_TYPE: 'MOBILE', VALUE: phone, TYPE_ID: 'PHONE' }],
      });
    }
  }
  return contacts;
}

/** Org ids of companies to which the CRM has linked nobody. */
const withoutContacts: ReadonlySet<string> = new Set(['1000500107', '1000700226']);
