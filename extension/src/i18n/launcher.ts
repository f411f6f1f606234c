import type { LauncherTexts } from '#messaging/protocol.ts';
import { section } from './section.ts';

/** The launcher's button and its menu. */
export const launcherTexts = section<LauncherTexts>({
  en: {
    open: 'Customer Profile',
    actions: 'Customer actions',
    refresh: 'Refresh CRM Profile',
    sync: 'Update record',
    reload: 'Reload page',
    team: 'Team',
  },
  vi: {
    open: 'Hồ sơ khách hàng',
    actions: 'Thao tác khách hàng',
    refresh: 'Làm mới hồ sơ CRM',
    sync: 'Cập nhật hồ sơ',
    reload: 'Tải lại trang',
    team: 'Nhóm',
  },
});

/** The profile's status on the launcher's button, at most 40 characters each. */
export const statusTexts = section({
  en: {
    confirmed: 'Verified',
    likely: 'Probably them',
    claimed: 'Not verified',
    unknown: 'Not verified',
    companies: (count: number) => `${count} companies`,
    checking: 'Checking…',
    expired: 'Plan expired',
    expiring: (days: string) => `${days} left`,
    notFound: 'Not in CRM',
    missingOrgid: 'No Org ID',
    rejected: 'Marked as wrong',
    disabled: 'CRM off',
    missingConfig: 'CRM not set up',
    crmError: 'CRM not responding',
    crmKey: 'CRM key refused',
    oldData: 'Old data',
    signedOut: 'Sign in',
    notAllowed: 'No access',
    access: 'Allow access',
    notConfigured: 'Set up',
    offline: 'Offline',
    reload: 'Reload page',
    failed: 'Unavailable',
  },
  vi: {
    confirmed: 'Đã xác minh',
    likely: 'Khả năng cao',
    claimed: 'Chưa xác minh',
    unknown: 'Chưa xác minh',
    companies: (count: number) => `${count} công ty`,
    checking: 'Đang kiểm tra…',
    expired: 'Gói hết hạn',
    expiring: (days: string) => `còn ${days}`,
    notFound: 'Không có trong CRM',
    missingOrgid: 'Chưa có mã tổ chức',
    rejected: 'Đã đánh dấu là sai',
    disabled: 'CRM đang tắt',
    missingConfig: 'Chưa thiết lập CRM',
    crmError: 'CRM không trả lời',
    crmKey: 'CRM từ chối khóa',
    oldData: 'Dữ liệu cũ',
    signedOut: 'Đăng nhập',
    notAllowed: 'Không có quyền',
    access: 'Cho phép truy cập',
    notConfigured: 'Thiết lập',
    offline: 'Ngoại tuyến',
    reload: 'Tải lại trang',
    failed: 'Không tải được',
  },
});

/** Tooltip of the toolbar button while permission for a configured address is missing. */
export const accessMissing = section({
  en: 'Deskside does not have access to the helpdesk yet. Click to allow it.',
  vi: 'Deskside chưa được phép trên helpdesk. Bấm để cho phép.',
});
