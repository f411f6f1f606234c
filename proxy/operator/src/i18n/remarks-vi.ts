import type { SettingName, SettingRemark } from '@deskside/shared/operator/settings';
import { findingsVi } from './findings-vi.ts';

/** What each setting takes, in Vietnamese; the proxy's own sentence says it of the part that is wrong, in English. */
const expected: Readonly<Record<SettingName, string>> = {
  CRM_ENABLED: '1 hoặc 0',
  CRM_WEBHOOK_URL: 'địa chỉ https của một webhook Bitrix24, không có dấu phẩy',
  CRM_RESPONSIBLE_WEBHOOK_URL: 'địa chỉ https của một webhook Bitrix24, không có dấu phẩy',
  CRM_PORTAL_URL: 'địa chỉ không có đường dẫn, ví dụ https://crm.example.com',
  CRM_TIMEOUT_SECONDS: 'số nguyên từ 1 đến 55',
  CRM_REFRESH_TTL_MINUTES: 'số nguyên từ 0 đến 10080',
  CRM_EVENT_TOKEN: 'ít nhất 16 ký tự, không có dấu phẩy',
  HELPDESK_WEBHOOK_SECRET: 'ít nhất 16 ký tự, không có dấu phẩy',
  HELPDESK_SCRIPT_SECRET: 'ít nhất 16 ký tự, không có dấu phẩy',
  OAUTH_CLIENT_IDS: 'JSON có mã client cho chrome, edge, firefox và operator',
  BACKFILL_HOUR: 'số nguyên từ 0 đến 23, theo múi giờ của proxy',
  BACKFILL_STALE_DAYS: 'số nguyên từ 0 đến 3650',
  crm_fields: 'JSON cho biết trường CRM nào chứa gì',
  account_link: 'null, hoặc JSON có doctype, customer_field và fields',
  claims: 'accept, route hoặc propose',
  teams: 'JSON có tên nhóm cho medium_scale, medium_grow và sme',
  plan_words: 'JSON có danh sách từ cho scale và grow',
  medium_segments: 'JSON là danh sách phân khúc',
  platform_hosts: 'JSON là danh sách máy chủ, ví dụ ["myplatform.example"]',
  guarded_domains: 'JSON là danh sách tên miền',
};

type Params = Readonly<Record<string, string>>;

const remarks: Readonly<Record<SettingRemark, (params: Params, name: SettingName) => string>> = {
  value_unusable: ({ at }, name) => `Không dùng được giá trị này (${at ?? name}). Cần: ${expected[name]}.`,
  configuration_unusable: () => 'Giá trị này không dùng được cùng các cài đặt khác.',
  not_a_secret: () => 'Cài đặt này không phải khóa bí mật nên chỉ có một giá trị.',
  needs_master_key: () =>
    'Đây là khóa bí mật; khi chưa có MASTER_KEY hoặc MASTER_KEY_FILE, nó phải nằm trong biến môi trường.',
  not_opened: ({ settings = '' }) =>
    `Không mở được giá trị trong kho bằng MASTER_KEY hiện tại: ${settings}. Hãy dùng khóa đã niêm phong nó, hoặc đặt lại giá trị.`,
  no_next_value: () => 'Trong kho chưa có giá trị kế tiếp.',
  overridden: () => 'Biến môi trường cũng đặt cài đặt này và được ưu tiên hơn kho.',
  host_unknown: () => 'Không tra được tên máy chủ. Hãy kiểm tra lại, hoặc thử lại sau.',
  host_not_public: () => 'Địa chỉ này không công khai. CRM trong mạng nội bộ phải được đặt trong biến môi trường.',
  fields_not_checked: () => 'Chưa tra các trường vì chưa đặt webhook nào.',
  fields_not_described: () => 'CRM không cho biết công ty có những trường nào. Hãy thử lại sau.',
  fields_unknown: ({ fields = '' }) => `Công ty trong CRM không có trường: ${fields}.`,
  helpdesk_unasked: () => 'Không hỏi được helpdesk. Hãy thử lại sau.',
  doctype_unknown: ({ doctype = '' }) => `Helpdesk không có DocType “${doctype}”.`,
  doctype_unread: ({ doctype = '' }) => `Tài khoản dịch vụ không được đọc ${doctype}.`,
  doctype_lacks_fields: ({ doctype = '', fields = '' }) => `${doctype} không có trường: ${fields}.`,
};

/** A remark of the proxy in Vietnamese; null for one that this page does not know. */
export function remarkVi(code: string, params: Params, name: SettingName): string | null {
  if (Object.hasOwn(remarks, code)) return remarks[code as SettingRemark](params, name);
  return findingsVi[code]?.join(' ') ?? null;
}
