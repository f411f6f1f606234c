import type { TrustEvidence } from '@deskside/shared/profile';
import { phrase, type Said, say } from '#i18n/say.ts';
import type { ShownTrust } from '#launcher/status.ts';

/** Evidence that is a reason; the other codes say where the org id stands. */
export type ReasonCode = Exclude<
  TrustEvidence['code'],
  'value_on_ticket' | 'value_on_customer' | 'value_in_customer_name'
>;

/** How sure we are that the company on screen is the sender's (docs/decisions.md 7). */
export const trust = {
  tag: {
    confirmed: say('Verified', 'Đã xác minh'),
    likely: say('Probably them', 'Khả năng cao'),
    claimed: say('Not verified', 'Chưa xác minh'),
    checking: say('Checking…', 'Đang kiểm tra…'),
    unknown: say('Not verified', 'Chưa xác minh'),
  } satisfies Record<ShownTrust, Said<string>>,
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
    sender_email_of_company: say('Address not verified', 'Chưa xác minh địa chỉ'),
    sender_known_to_agent: phrase(
      'Address not verified; {who} confirmed it before',
      'Chưa xác minh địa chỉ; {who} từng xác nhận',
    ),
    entered_by_agent: phrase('Entered by {who}', 'Do {who} nhập'),
    sender_not_of_company: say('Only the sender says it’s this shop', 'Chỉ người gửi nói mình là shop này'),
    sender_changed: phrase('Made for another address than {who}', 'Phiếu được tạo cho địa chỉ khác, không phải {who}'),
    made_by_other: phrase('Made by another account, {who}', 'Do tài khoản khác tạo: {who}'),
    maker_unknown: phrase('Nobody knows who sent it: made by {who}', 'Không rõ ai đã gửi: do {who} tạo'),
    contact_of_other: phrase('Another account reads this ticket: {who}', 'Tài khoản khác đọc được phiếu này: {who}'),
    split_unknown: say('Split from a ticket whose sender is not known', 'Tách từ phiếu không rõ người gửi'),
  } satisfies Record<ReasonCode, Said<string> | Said<(who: string) => string>>,
  /** The evidence names nobody. */
  somebody: say('somebody', 'ai đó'),
  /** The org id stands on the customer, not on the ticket where a sender can write it. */
  notListed: say('The CRM doesn’t list the sender’s address', 'CRM không có địa chỉ người gửi'),
  noReason: say('Nobody vouches for it', 'Chưa có ai xác nhận'),
  noResult: say('It could not be checked', 'Chưa kiểm tra được'),
  noCompany: say('The CRM has no company with this Org ID', 'CRM không có công ty nào với mã tổ chức này'),
  /** A field's label in the helpdesk's form. */
  field: {
    custom_orgid: say('Org ID', 'Mã tổ chức'),
    custom_org_id: say('Org ID', 'Mã tổ chức'),
    custom_platform_profile_orgid: say('Profile Org ID', 'Mã tổ chức của hồ sơ'),
    custom_platform_orgid: say('Platform Org ID', 'Mã tổ chức nền tảng'),
    custom_store_url: say('Store URL', 'Địa chỉ shop'),
  } as Record<string, Said<string>>,
};
