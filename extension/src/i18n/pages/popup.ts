import { section } from '#i18n/section.ts';

/** What somebody can do about a problem. */
export type PopupAction = 'set_up' | 'settings' | 'sign_in' | 'try_again';

/** The popup of the toolbar button. Problems without words of their own have the panel's. */
export const popupTexts = section({
  en: {
    heading: 'Recent customers',
    empty: 'Customers whose tickets you open are listed here until you sign out or close the browser.',
    orgId: (id: string) => `Org ID ${id}`,
    ticket: (name: string) => `Ticket #${name}`,
    newTab: 'opens in a new tab',
    openHelpdesk: 'Open helpdesk',
    settings: 'Settings',
    shortcut: 'Customer profile on a ticket',
    problems: {
      no_access: {
        title: 'Deskside does not have access to the helpdesk yet',
        body: 'The browser asks you once. Choose Allow.',
      },
      not_configured: {
        title: 'Deskside is not set up yet',
        body: 'Your Deskside administrator knows what to enter.',
      },
      signed_out: {
        title: 'You are not signed in',
        body: 'Deskside uses your helpdesk account. If you are already signed in there, one click is enough.',
      },
      no_sign_in: {
        title: 'Sign-in is not set up for this browser',
        body: 'Use an API key until your Deskside administrator has set it up.',
      },
      unauthenticated: {
        title: 'The helpdesk does not accept your API key',
        body: 'Enter another one, or remove it and sign in.',
      },
    },
    actions: {
      set_up: 'Set up',
      settings: 'Open settings',
      sign_in: 'Sign in',
      try_again: 'Try again',
    } satisfies Record<PopupAction, string>,
    working: 'One moment…',
    failed: 'Something went wrong. Close this and open it again.',
  },
  vi: {
    heading: 'Khách hàng gần đây',
    empty: 'Khách hàng của các phiếu bạn mở sẽ được liệt kê ở đây cho đến khi bạn đăng xuất hoặc đóng trình duyệt.',
    orgId: (id: string) => `Mã tổ chức ${id}`,
    ticket: (name: string) => `Phiếu #${name}`,
    newTab: 'mở trong thẻ mới',
    openHelpdesk: 'Mở helpdesk',
    settings: 'Cài đặt',
    shortcut: 'Mở hồ sơ khách hàng trên phiếu',
    problems: {
      no_access: {
        title: 'Deskside chưa được phép truy cập helpdesk',
        body: 'Trình duyệt chỉ hỏi một lần. Hãy chọn Cho phép.',
      },
      not_configured: {
        title: 'Deskside chưa được thiết lập',
        body: 'Quản trị viên Deskside của bạn biết cần nhập gì.',
      },
      signed_out: {
        title: 'Bạn chưa đăng nhập',
        body: 'Deskside dùng tài khoản helpdesk của bạn. Nếu bạn đã đăng nhập ở đó, chỉ cần một lần bấm.',
      },
      no_sign_in: {
        title: 'Chưa thiết lập đăng nhập cho trình duyệt này',
        body: 'Trong lúc chờ quản trị viên Deskside thiết lập, hãy dùng khóa API.',
      },
      unauthenticated: {
        title: 'Helpdesk không chấp nhận khóa API của bạn',
        body: 'Hãy nhập khóa khác, hoặc xóa khóa và đăng nhập.',
      },
    },
    actions: {
      set_up: 'Thiết lập',
      settings: 'Mở cài đặt',
      sign_in: 'Đăng nhập',
      try_again: 'Thử lại',
    } satisfies Record<PopupAction, string>,
    working: 'Đợi một chút…',
    failed: 'Đã có lỗi. Hãy đóng và mở lại.',
  },
});

export type PopupTexts = (typeof popupTexts)['en'];
