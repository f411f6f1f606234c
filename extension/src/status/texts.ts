import { phrase, say, spoken } from '#i18n/say.ts';
import type { LauncherTexts } from '#messaging/protocol.ts';
import type { UiLanguage } from '#messaging/settings.ts';

export const launcherTexts: Record<UiLanguage, LauncherTexts> = bothOf({
  open: say('Customer Profile', 'Hồ sơ khách hàng'),
  actions: say('Customer actions', 'Thao tác khách hàng'),
  refresh: say('Refresh CRM Profile', 'Làm mới hồ sơ CRM'),
  sync: say('Sync customer', 'Đồng bộ khách hàng'),
  reload: say('Reload page', 'Tải lại trang'),
  team: say('Team', 'Nhóm'),
});

/** How sure it is that a company is the sender's, in a word or two. */
export const trustTags = {
  confirmed: say('Verified', 'Đã xác minh'),
  likely: say('Probably them', 'Khả năng cao'),
  claimed: say('Not verified', 'Chưa xác minh'),
  checking: say('Checking…', 'Đang kiểm tra…'),
  unknown: say('Not verified', 'Chưa xác minh'),
};

/** The profile's status on the launcher's button, at most 40 characters each. */
export const statusTexts = bothOf({
  ...trustTags,
  companies: phrase('{count} companies', '{count} công ty'),
  expired: say('Plan expired', 'Gói hết hạn'),
  expiring: phrase('{days} left', 'còn {days}'),
  endsToday: say('Plan ends today', 'Gói hết hạn hôm nay'),
  notFound: say('Not in CRM', 'Không có trong CRM'),
  missingOrgid: say('No Org ID', 'Chưa có mã shop'),
  rejected: say('Marked as wrong', 'Đã đánh dấu là sai'),
  disabled: say('CRM off', 'CRM đang tắt'),
  missingConfig: say('CRM not set up', 'Chưa thiết lập CRM'),
  crmError: say('CRM not responding', 'CRM không trả lời'),
  crmKey: say('CRM key refused', 'CRM từ chối khóa'),
  oldData: say('Old data', 'Dữ liệu cũ'),
  signedOut: say('Sign in', 'Đăng nhập'),
  notAllowed: say('No access', 'Không có quyền'),
  access: say('Allow access', 'Cho phép truy cập'),
  notConfigured: say('Set up', 'Thiết lập'),
  offline: say('Offline', 'Ngoại tuyến'),
  reload: say('Reload page', 'Tải lại trang'),
  failed: say('Unavailable', 'Không tải được'),
});

export const accessMissing = say(
  'Deskside does not have access to the helpdesk yet. Click to allow it.',
  'Deskside chưa được phép trên helpdesk. Bấm để cho phép.',
);

function bothOf<T extends object>(tree: T) {
  return { en: spoken(tree, 'en'), vi: spoken(tree, 'vi') };
}
