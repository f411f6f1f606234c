import { section } from '@deskside/extension/i18n/section';
import type { SettingChange, SettingName, SettingSource } from '@deskside/shared/operator/settings';
import { remarkVi } from './remarks-vi.ts';

interface SettingsTexts {
  mayNot: string;
  noMasterKey: string;
  groups: { crm: string; helpdesk: string; rules: string };
  name: Record<SettingName, string>;
  source: Record<SettingSource, string>;
  fixed: string;
  none: string;
  claimsNotChosen: string;
  showValue: string;
  changed: (when: string, by: string) => string;
  next: (when: string, by: string) => string;
  change: string;
  changeOf: (name: string) => string;
  value: string;
  json: string;
  example: string;
  secret: string;
  place: string;
  slots: { current: string; next: string };
  save: string;
  cancel: string;
  remove: string;
  removeAfterCheck: string;
  promote: string;
  done: string;
  refused: string;
  atFields: string;
  /** The proxy's remark in this language; null where its own sentence, which is in English, has to do. */
  said: (code: string, params: Readonly<Record<string, string>>, name: SettingName) => string | null;
  details: string;
  changedSince: string;
  audit: {
    title: string;
    hint: string;
    none: string;
    old: string;
    new: string;
    nothing: string;
    standard: string;
    action: Record<SettingChange['action'], string>;
    older: string;
    newest: string;
  };
}

/** The page of settings. */
export const settings = section<SettingsTexts>({
  en: {
    mayNot: 'You can look at the settings. Only System Managers may change them.',
    noMasterKey: 'Secrets stay in the environment: there is no MASTER_KEY, under which the store would seal them.',
    groups: { crm: 'CRM', helpdesk: 'Helpdesk secrets', rules: 'Rules' },
    name: {
      CRM_ENABLED: 'CRM on or off',
      CRM_WEBHOOK_URL: 'CRM webhook',
      CRM_RESPONSIBLE_WEBHOOK_URL: 'CRM webhook for account owners',
      CRM_PORTAL_URL: 'Address for links into the CRM',
      CRM_TIMEOUT_SECONDS: 'Longest CRM request, in seconds',
      CRM_REFRESH_TTL_MINUTES: 'How long an answer is good for, in minutes',
      CRM_EVENT_TOKEN: 'Secret of the CRM’s events',
      HELPDESK_WEBHOOK_SECRET: 'Secret of the helpdesk’s webhook',
      HELPDESK_SCRIPT_SECRET: 'Secret of the Before Insert script',
      OAUTH_CLIENT_IDS: 'OAuth clients with which people sign in',
      BACKFILL_HOUR: 'Hour of the nightly backfill, 0 to 23',
      BACKFILL_STALE_DAYS: 'Age of what it asks for again, in days',
      crm_fields: 'CRM fields',
      account_link: 'Platform accounts in the helpdesk',
      claims: 'What a claim is worth',
      teams: 'Teams',
      plan_words: 'Words of a plan’s name',
      medium_segments: 'Segments that count as Medium',
      platform_hosts: 'Hosts of the platform',
      guarded_domains: 'Domains that are no shop’s',
    },
    source: { environment: 'Environment', store: 'Set here', default: 'Default' },
    fixed: 'Fixed by the environment',
    none: 'not set',
    claimsNotChosen: 'not chosen yet: claims link nothing',
    showValue: 'Show the value',
    changed: (when, by) => `Changed ${when} by ${by}`,
    next: (when, by) => `Next value since ${when}, by ${by}`,
    change: 'Change',
    changeOf: (name) => `Change: ${name}`,
    value: 'New value',
    json: 'New value, as JSON',
    example: 'Example:',
    secret: 'New secret',
    place: 'Place',
    slots: { current: 'current value', next: 'next value, both count meanwhile' },
    save: 'Check and save',
    cancel: 'Cancel',
    remove: 'Remove from here',
    removeAfterCheck: 'Remove from here…',
    promote: 'Use the next value',
    done: 'Saved. It is in force everywhere within five seconds.',
    refused: 'Not saved',
    atFields: 'What is wrong stands below each field.',
    said: () => null,
    details: 'Details',
    changedSince: 'Somebody else has changed a setting at the same moment. Try again.',
    audit: {
      title: 'Audit trail',
      hint: 'Who changed what. Secrets are never shown.',
      none: 'Nothing has been changed yet.',
      old: 'Before',
      new: 'After',
      nothing: 'nothing',
      standard: 'the default:',
      action: { set: 'set', unset: 'removed', promoted: 'next value used', 'sealed again': 'sealed again' },
      older: 'Older changes',
      newest: 'Newest changes',
    },
  },
  vi: {
    mayNot: 'Bạn có thể xem cài đặt. Chỉ System Manager được thay đổi.',
    noMasterKey: 'Khóa bí mật vẫn nằm trong biến môi trường: chưa có MASTER_KEY để niêm phong chúng trong kho.',
    groups: { crm: 'CRM', helpdesk: 'Khóa bí mật của helpdesk', rules: 'Quy tắc' },
    name: {
      CRM_ENABLED: 'Bật hoặc tắt CRM',
      CRM_WEBHOOK_URL: 'Webhook CRM',
      CRM_RESPONSIBLE_WEBHOOK_URL: 'Webhook CRM cho người phụ trách',
      CRM_PORTAL_URL: 'Địa chỉ cho liên kết đến CRM',
      CRM_TIMEOUT_SECONDS: 'Thời gian tối đa của một yêu cầu CRM, tính bằng giây',
      CRM_REFRESH_TTL_MINUTES: 'Câu trả lời có giá trị bao lâu, tính bằng phút',
      CRM_EVENT_TOKEN: 'Khóa bí mật của sự kiện CRM',
      HELPDESK_WEBHOOK_SECRET: 'Khóa bí mật của webhook helpdesk',
      HELPDESK_SCRIPT_SECRET: 'Khóa bí mật của script Before Insert',
      OAUTH_CLIENT_IDS: 'Các OAuth client dùng để đăng nhập',
      BACKFILL_HOUR: 'Giờ cập nhật khách hàng mỗi đêm, từ 0 đến 23',
      BACKFILL_STALE_DAYS: 'Dữ liệu cũ bao nhiêu ngày thì hỏi lại CRM',
      crm_fields: 'Trường CRM',
      account_link: 'Tài khoản nền tảng trong helpdesk',
      claims: 'Giá trị của lời tự khai',
      teams: 'Nhóm',
      plan_words: 'Từ trong tên gói dịch vụ',
      medium_segments: 'Phân khúc được tính là Medium',
      platform_hosts: 'Máy chủ của nền tảng',
      guarded_domains: 'Tên miền không phải của shop',
    },
    source: { environment: 'Biến môi trường', store: 'Đặt tại đây', default: 'Mặc định' },
    fixed: 'Do biến môi trường quy định',
    none: 'chưa có',
    claimsNotChosen: 'chưa chọn: mã tự khai không gắn khách hàng nào',
    showValue: 'Xem giá trị',
    changed: (when, by) => `Thay đổi lúc ${when}, bởi ${by}`,
    next: (when, by) => `Có giá trị kế tiếp từ ${when}, bởi ${by}`,
    change: 'Thay đổi',
    changeOf: (name) => `Thay đổi: ${name}`,
    value: 'Giá trị mới',
    json: 'Giá trị mới, dạng JSON',
    example: 'Ví dụ:',
    secret: 'Khóa bí mật mới',
    place: 'Vị trí',
    slots: { current: 'giá trị hiện tại', next: 'giá trị kế tiếp, trong lúc đó cả hai đều dùng được' },
    save: 'Kiểm tra và lưu',
    cancel: 'Hủy',
    remove: 'Xóa khỏi đây',
    removeAfterCheck: 'Xóa khỏi đây…',
    promote: 'Dùng giá trị kế tiếp',
    done: 'Đã lưu. Cài đặt có hiệu lực ở mọi nơi trong vòng năm giây.',
    refused: 'Chưa lưu',
    atFields: 'Chỗ sai được ghi dưới từng trường.',
    said: remarkVi,
    details: 'Nguyên văn (tiếng Anh)',
    changedSince: 'Người khác vừa thay đổi một cài đặt cùng lúc. Hãy thử lại.',
    audit: {
      title: 'Nhật ký thay đổi',
      hint: 'Ai đã thay đổi gì. Khóa bí mật không bao giờ hiện ra.',
      none: 'Chưa có thay đổi nào.',
      old: 'Trước',
      new: 'Sau',
      nothing: 'không có',
      standard: 'mặc định:',
      action: {
        set: 'đặt',
        unset: 'xóa',
        promoted: 'dùng giá trị kế tiếp',
        'sealed again': 'niêm phong lại',
      },
      older: 'Thay đổi cũ hơn',
      newest: 'Thay đổi mới nhất',
    },
  },
});
