import type { LauncherTexts, UiLanguage } from '../messaging/protocol.ts';

/** What stands on the launcher's button and in its menu. */
export const launcherTexts: Record<UiLanguage, LauncherTexts> = {
  en: {
    open: 'Customer Profile',
    actions: 'Customer actions',
    refresh: 'Refresh CRM Profile',
    sync: 'Sync customer',
    reload: 'Reload page',
  },
  vi: {
    open: 'Hồ sơ khách hàng',
    actions: 'Thao tác khách hàng',
    refresh: 'Làm mới hồ sơ CRM',
    sync: 'Đồng bộ khách hàng',
    reload: 'Tải lại trang',
  },
};
