import { phrase, say } from '#i18n/say.ts';

/** The panel's frame: its head, what every part of it can do, its foot, and what a screen reader is told. */
export const shell = {
  title: say('Customer profile', 'Hồ sơ khách hàng'),
  ticket: phrase('ticket #{name}', 'phiếu #{name}'),
  close: say('Close', 'Đóng'),
  ticketFace: say('Ticket', 'Phiếu'),
  customerFace: say('Customer', 'Khách hàng'),
  more: say('More', 'Thêm'),
  cancel: say('Cancel', 'Hủy'),
  undo: say('Undo', 'Hoàn tác'),
  gotIt: say('Got it', 'Đã hiểu'),
  covered: say(
    'Nothing was done. Something lay over this button or moved it. Press it again.',
    'Chưa thực hiện: có gì đó che hoặc vừa di chuyển nút này. Hãy bấm lại.',
  ),
  call: phrase('Call {number}', 'Gọi {number}'),
  write: phrase('Write to {email}', 'Viết cho {email}'),
  copy: phrase('Copy {what}', 'Sao chép {what}'),
  copied: phrase('Copied: {what}', 'Đã sao chép: {what}'),
  copyFailed: say(
    'The browser did not allow copying. Select the text and copy it yourself.',
    'Trình duyệt không cho phép sao chép. Hãy chọn nội dung và tự sao chép.',
  ),
  insert: phrase('Insert {what} into the reply', 'Chèn {what} vào câu trả lời'),
  inserted: phrase('Inserted: {what}', 'Đã chèn: {what}'),
  openInCrm: say('Open in CRM', 'Mở trong CRM'),
  newTab: say('opens in a new tab', 'mở trong thẻ mới'),
  tryAgain: say('Try again', 'Thử lại'),
  tryNow: say('Try now', 'Thử ngay'),
  signIn: say('Sign in', 'Đăng nhập'),
  finishSignIn: say('Finish signing in', 'Hoàn tất đăng nhập'),
  allowAccess: say('Allow access', 'Cho phép truy cập'),
  signInFailed: say('You were not signed in. Please try again.', 'Bạn chưa đăng nhập được. Vui lòng thử lại.'),
  options: say('Open settings', 'Mở cài đặt'),
  reload: say('Reload the page', 'Tải lại trang'),

  loading: say('Loading the customer profile…', 'Đang tải hồ sơ khách hàng…'),
  loaded: phrase('Profile loaded: {name}. {trust}.', 'Đã tải hồ sơ: {name}. {trust}.'),
  refresh: say('Refresh CRM Profile', 'Làm mới hồ sơ CRM'),
  refreshing: say('Asking the CRM…', 'Đang hỏi CRM…'),
  refreshed: say('Refreshed.', 'Đã làm mới.'),
  refreshFailed: phrase('Not refreshed: {why}.', 'Chưa làm mới được: {why}.'),
  /** How old the data is. `age`: null for just now. */
  fromCrm: say(
    (age: string | null) => `From the CRM, ${age ?? 'just now'}`,
    (age: string | null) => `Từ CRM, ${age ?? 'vừa xong'}`,
  ),
  oldFromCrm: say(
    (age: string | null) => `Old data from the CRM, ${age ?? 'just now'}`,
    (age: string | null) => `Dữ liệu cũ từ CRM, ${age ?? 'vừa xong'}`,
  ),
  /** The helpdesk's own record is all there is. */
  fromHelpdesk: say('From the helpdesk’s own record', 'Từ hồ sơ trong helpdesk'),
  searched: say('Searched by the sender’s email and phone', 'Đã tìm theo email và điện thoại của người gửi'),
};
