import type { FieldType } from '#crm/simulator.ts';
import { callingWebhook } from '#seed/crm-companies.ts';

interface FieldDescription {
  type: string;
  label: string;
  multiple?: boolean;
  items?: readonly { ID: string; VALUE: string }[];
}

/** Values of the portal's segment list; the ids are this portal's own. */
const segmentItems = [
  { ID: '15090', VALUE: 'SME' },
  { ID: '15092', VALUE: 'Medium' },
  { ID: '15094', VALUE: 'Enterprise' },
] as const;

const own: Record<string, string> = {
  ...{ ID: 'integer', TITLE: 'string', COMPANY_TYPE: 'crm_status', LOGO: 'file', INDUSTRY: 'crm_status' },
  ...{
    EMPLOYEES: 'crm_status',
    REVENUE: 'double',
    CURRENCY_ID: 'crm_currency',
    COMMENTS: 'string',
    LEAD_ID: 'crm_lead',
  },
  ...{ OPENED: 'char', HAS_PHONE: 'char', HAS_EMAIL: 'char', HAS_IMOL: 'char', IS_MY_COMPANY: 'char' },
  ...{ ASSIGNED_BY_ID: 'user', CREATED_BY_ID: 'user', MODIFY_BY_ID: 'user', LAST_ACTIVITY_BY: 'user' },
  ...{ DATE_CREATE: 'datetime', DATE_MODIFY: 'datetime', LAST_ACTIVITY_TIME: 'datetime' },
  ...{ ADDRESS: 'string', ADDRESS_CITY: 'string', ADDRESS_REGION: 'string', ADDRESS_COUNTRY: 'string' },
  ...{ PHONE: 'crm_multifield', EMAIL: 'crm_multifield', WEB: 'crm_multifield', IM: 'crm_multifield' },
};

const custom: Record<string, FieldDescription> = {
  UF_CRM_PLATFORM_ORG_ID: { type: 'string', label: 'Platform Org ID' },
  UF_CRM_COMPANY_ID: { type: 'string', label: 'Company ID' },
  UF_CRM_STORENAME: { type: 'string', label: 'Tên cửa hàng' },
  UF_CRM_VERIFIED_STATUS: { type: 'string', label: 'Xác minh' },
  UF_CRM_COMPANY_STAGE: { type: 'string', label: 'Giai đoạn' },
  UF_CRM_ID_FRESHSALES: { type: 'string', label: 'Freshsales ID' },
  UF_CRM_SHOP_OWNER_NAME: { type: 'string', label: 'Chủ shop' },
  UF_CRM_SHOP_OWNER_EMAIL: { type: 'string', label: 'Email chủ shop' },
  UF_CRM_SHOP_OWNER_PHONE_NUMBER: { type: 'string', label: 'SĐT chủ shop' },
  UF_CRM_DATE_CREATED_SHOP: { type: 'datetime', label: 'Ngày tạo shop' },
  UF_CRM_FIRST_PAID_DATE: { type: 'datetime', label: 'Ngày ký gói đầu tiên' },
  UF_CRM_DATE_SIGNED_CURRENT_SHOPPLAN: { type: 'datetime', label: 'Ngày ký gói hiện tại' },
  UF_CRM_DATE_EXPIRED_SHOPPLAN: { type: 'datetime', label: 'Ngày hết hạn' },
  UF_CRM_CURRENT_SHOPPLAN: { type: 'string', label: 'Gói hiện tại' },
  UF_CRM_CURRENT_HSI_SEGMENT: { type: 'string', label: 'HSI' },
  UF_CRM_CURRENT_HSI_DETAIL: { type: 'double', label: 'HSI chi tiết' },
  UF_CRM_LAST_HSI_SEGMENT: { type: 'string', label: 'HSI kỳ trước' },
  UF_CRM_LAST_HSI_DETAIL: { type: 'double', label: 'HSI kỳ trước, chi tiết' },
  UF_CRM_PLATFORM_MEMBERSHIP: { type: 'string', label: 'Membership' },
  UF_CRM_1778130421650: { type: 'enumeration', label: 'Phân khúc khách hàng', items: segmentItems },
  UF_CRM_661742530FDE6: { type: 'string', label: 'Ghi chú cập nhật' },
  UF_CRM_1713790573: { type: 'string', label: 'Trường cũ' },
  UF_CRM_GMV_30D: { type: 'money', label: 'GMV 30 ngày' },
  UF_CRM_ORDERS_30D: { type: 'integer', label: 'Đơn 30 ngày' },
  UF_CRM_PROFIT_MARGIN: { type: 'double', label: 'Biên lợi nhuận' },
  UF_CRM_LIFETIME_PROFIT: { type: 'money', label: 'Lợi nhuận lũy kế' },
  UF_CRM_CHANNELS: { type: 'string', label: 'Kênh bán', multiple: true },
  UF_CRM_CONTRACT_FILE: { type: 'file', label: 'Hợp đồng' },
};

/** Names by which companies can be filtered, where the portal lacks none. */
export const companyFieldNames: ReadonlySet<string> = new Set([...Object.keys(own), ...Object.keys(custom)]);

/** Answer of `crm.company.fields` (docs/crm.md#values), without the fields that this portal does not have. */
export function describeCompanyFields(
  absent: ReadonlySet<string>,
  types: ReadonlyMap<string, FieldType>,
): Record<string, unknown> {
  const ownRows = Object.entries(own).map(([name, type]) => [name, row(name, type, false, type === 'crm_multifield')]);
  const customRows = Object.entries(custom).map(([name, { type, label, multiple = false, items }]) => [
    name,
    {
      ...row(name, types.get(name)?.type ?? type, true, types.get(name)?.multiple ?? multiple),
      listLabel: label,
      formLabel: label,
      filterLabel: label,
      ...(items && { items }),
    },
  ]);
  return Object.fromEntries([...ownRows, ...customRows].filter(([name]) => !absent.has(String(name))));
}

function row(title: string, type: string, isDynamic: boolean, isMultiple: boolean) {
  const isReadOnly = ['ID', 'DATE_CREATE', 'DATE_MODIFY'].includes(title);
  return { type, isRequired: title === 'TITLE', isReadOnly, isImmutable: false, isMultiple, isDynamic, title };
}

/** Rows of `crm.company.userfield.list`; with a language the labels are texts, without it they are left out. */
export function userFieldRows(language: string | null, absent: ReadonlySet<string>): Record<string, unknown>[] {
  const rows = Object.entries(custom).map(([FIELD_NAME, { type, label, multiple, items }], index) => ({
    ID: String(401 + index),
    ENTITY_ID: 'CRM_COMPANY',
    FIELD_NAME,
    USER_TYPE_ID: type,
    XML_ID: '',
    SORT: '100',
    MULTIPLE: multiple ? 'Y' : 'N',
    MANDATORY: 'N',
    SHOW_FILTER: 'E',
    SHOW_IN_LIST: 'Y',
    EDIT_IN_LIST: 'Y',
    IS_SEARCHABLE: 'N',
    SETTINGS: [],
    ...(language !== null && { EDIT_FORM_LABEL: label, LIST_COLUMN_LABEL: label, LIST_FILTER_LABEL: label }),
    ...(items && {
      LIST: items.map((item, place) => ({
        ...item,
        SORT: String(10 * (place + 1)),
        DEF: 'N',
        XML_ID: `item_${item.ID}`,
      })),
    }),
  }));
  return rows.filter(({ FIELD_NAME }) => !absent.has(FIELD_NAME));
}

/** Puts the calling webhook's own `<user>/<secret>` into file addresses, as portals do. */
export function signFileAddresses(json: string, userAndSecret: string): string {
  return json.replaceAll(callingWebhook, userAndSecret);
}
