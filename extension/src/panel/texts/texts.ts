import type { TrustEvidence } from '@deskside/shared/profile';
import { createContext, useContext } from 'react';
import { plural } from '#i18n/format.ts';
import { phrase, say, spoken, type Translated } from '#i18n/say.ts';
import type { UiLanguage } from '#messaging/settings.ts';
import { trustTags } from '#status/texts.ts';
import { fields } from './company.ts';
import { find } from './find.ts';
import { reject } from './reject.ts';
import * as routingTexts from './routing.ts';
import { crmStates as crm, failures } from './status.ts';
import { steps } from './steps.ts';
import { sync } from './sync.ts';

export const shell = {
  title: say('Customer profile', 'Hồ sơ khách hàng'),
  ticket: phrase('ticket #{name}', 'phiếu #{name}'),
  close: say('Close', 'Đóng'),
  closeSheet: phrase('Close: {title}', 'Đóng: {title}'),
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
  /** What Chromium says of a button, without what the reason is. */
  hidden: say(
    'The page covers this button or changes its look, so a click on it does not count. Press Enter on it, or use Deskside’s own page.',
    'Trang che nút này hoặc làm đổi cách hiển thị, nên cú bấm chuột không được tính. Hãy nhấn Enter trên nút, hoặc dùng trang riêng của Deskside.',
  ),
  openOwn: say('Open on its own page', 'Mở ở trang riêng'),
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
  fromCrm: phrase('From the CRM, {age}', 'Từ CRM, {age}'),
  oldFromCrm: phrase('Old data from the CRM, {age}', 'Dữ liệu cũ từ CRM, {age}'),
  /** The helpdesk's own record is all there is. */
  fromHelpdesk: say('From the helpdesk’s own record', 'Từ hồ sơ trong helpdesk'),
  searched: phrase('Searched by the sender’s {kinds}', 'Đã tìm theo {kinds} của người gửi'),
};

/** Evidence that is a reason; the other codes say where the org id stands. */
export type ReasonCode = Exclude<
  TrustEvidence['code'],
  'value_on_ticket' | 'value_on_customer' | 'value_in_customer_name'
>;

/** How sure we are that the company on screen is the sender's (decision 7: who vouches). */
export const trust = {
  tag: trustTags,
  /** The sentence after the level. `who`: whom the evidence names, an agent, an account, an address. */
  reason: {
    linked_by_agent: phrase('Confirmed by {who}', 'Do {who} xác nhận'),
    signed_in_email_of_company: say(
      'Signed in with the shop’s own address',
      'Đã đăng nhập bằng địa chỉ của chính shop',
    ),
    signed_in_known_to_agent: phrase(
      'Signed in with an address that {who} confirmed',
      'Đã đăng nhập bằng địa chỉ do {who} xác nhận',
    ),
    sender_email_of_company: say('The shop’s own address, not signed in', 'Địa chỉ của chính shop, chưa đăng nhập'),
    sender_known_to_agent: phrase(
      'Confirmed before by {who}, not signed in',
      'Từng được {who} xác nhận, chưa đăng nhập',
    ),
    signed_in_on_desk_list: phrase(
      'Signed in; on the desk’s list of {who}',
      'Đã đăng nhập; có trong danh sách của ta ngày {who}',
    ),
    sender_on_desk_list: phrase(
      'Address not verified; on the desk’s list of {who}',
      'Chưa xác minh địa chỉ; có trong danh sách của ta ngày {who}',
    ),
    entered_by_agent: phrase('Entered by {who}', 'Do {who} nhập'),
    sender_not_of_company: say('Only the sender says it’s this shop', 'Chỉ người gửi nói mình là shop này'),
    sender_changed: phrase('Made for another address than {who}', 'Phiếu được tạo cho địa chỉ khác, không phải {who}'),
    made_by_other: phrase('Made by another account, {who}', 'Do tài khoản khác tạo: {who}'),
    guest_ticket: say(
      'Sent without an account: every visitor reads this ticket',
      'Gửi không cần tài khoản: ai cũng đọc được phiếu này',
    ),
    shared_with_other: phrase('This ticket is shared with {who}', 'Phiếu này được chia sẻ với {who}'),
    maker_unknown: phrase('Nobody knows who sent it: made by {who}', 'Không rõ ai đã gửi: do {who} tạo'),
    contact_of_other: phrase('Another account reads this ticket: {who}', 'Tài khoản khác đọc được phiếu này: {who}'),
    split_unknown: say('Split from a ticket whose sender is not known', 'Tách từ phiếu không rõ người gửi'),
  } satisfies Record<ReasonCode, Translated<string> | Translated<(who: string) => string>>,
  /** The evidence names nobody. */
  somebody: say('somebody', 'ai đó'),
  /** The org id stands on the customer, not on the ticket where a sender can write it. */
  notListed: say('The CRM doesn’t list the sender’s address', 'CRM không có địa chỉ người gửi'),
  noReason: say('Nobody vouches for it', 'Chưa có ai xác nhận'),
  noResult: say('It could not be checked', 'Chưa kiểm tra được'),
  noCompany: say('The CRM has no company with this Org ID', 'CRM không có công ty nào với mã shop này'),
  /** A field's label in the helpdesk's form. */
  field: {
    custom_orgid: say('Org ID', 'Mã shop'),
    custom_org_id: say('Org ID', 'Mã shop'),
    custom_platform_profile_orgid: say('Profile Org ID', 'Mã shop của hồ sơ'),
    custom_platform_orgid: say('Platform Org ID', 'Mã shop trên nền tảng'),
    custom_store_url: say('Store URL', 'Địa chỉ shop'),
  } as Record<string, Translated<string>>,
};

const people = {
  title: say('People', 'Những người liên quan'),
  role: {
    sender: say('sender', 'người gửi'),
    contact: say('contact', 'liên hệ'),
    shop_owner: say('shop owner', 'chủ shop'),
    crm_contact: say('CRM contact', 'liên hệ CRM'),
    company: say('company', 'công ty'),
    account: say('platform account', 'tài khoản nền tảng'),
  },
  shopLine: say('Shop line', 'Liên lạc của shop'),
  notKnown: say('not known to this shop', 'shop không có người này'),
  lastLogin: phrase('last sign-in {when}', 'đăng nhập gần nhất {when}'),
  /** The company's records call who has this address otherwise than the ticket does. */
  inCrm: phrase('{name} in the CRM', 'trong CRM: {name}'),
  moreAccounts: say(
    (count: number) => plural(count, 'platform account', 'platform accounts'),
    (count: number) => `${count} tài khoản nền tảng`,
  ),
};

/** The tickets of the ticket's customer. Statuses in the helpdesk's own words, a site's own ones as they are. */
const around = {
  label: say('Tickets', 'Phiếu'),
  open: phrase('{count} open', '{count} đang mở'),
  recent: phrase('{count} in 90 days', '{count} trong 90 ngày'),
  hidden: say('Hidden', 'Chưa hiện'),
  untilVerified: say('until verified', 'cho đến khi xác minh'),
  untilLinked: say('until linked', 'cho đến khi gắn'),
  loading: say('Loading…', 'Đang tải…'),
  failed: say('Not loaded', 'Không tải được'),
  title: say('Recent tickets', 'Phiếu gần đây'),
  all: phrase('All {count}', 'Tất cả {count}'),
  thisOne: say('this one', 'phiếu này'),
  noSubject: say('No subject', 'Không có tiêu đề'),
  status: {
    Open: say('Open', 'Đang mở'),
    Replied: say('Replied', 'Đã trả lời'),
    Resolved: say('Resolved', 'Đã giải quyết'),
    Closed: say('Closed', 'Đã đóng'),
  } as Record<string, Translated<string>>,
};

const all = { shell, trust, steps, fields, people, around, find, crm, failures, sync, reject, ...routingTexts };

export function textsFor(language: UiLanguage) {
  return { language, ...spoken(all, language) };
}
export type Texts = ReturnType<typeof textsFor>;

export const TextsContext = createContext<Texts>(textsFor('en'));

export function useTexts(): Texts {
  return useContext(TextsContext);
}
