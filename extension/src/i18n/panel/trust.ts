import type { TrustEvidence } from '@deskside/shared/profile';
import type { TrustLevel } from '@deskside/shared/status';
import { section } from '#i18n/section.ts';

/** A trust level as shown in the panel, including those for a check that is still running or gave no result. */
export type ShownTrust = TrustLevel | 'checking' | 'unknown';

/** Evidence that is a reason; the other codes say where the org id stands. */
export type ReasonCode = Exclude<
  TrustEvidence['code'],
  'value_on_ticket' | 'value_on_customer' | 'value_in_customer_name'
>;

/**
 * `what`: the value that the evidence names (an e-mail address, an agent, an account). `isTyped`: the org id stands on the
 * ticket, where the sender can write it.
 */
type ReasonTexts = Record<ReasonCode, (what: string | null, isTyped: boolean) => string>;

/** How sure we are that the company on screen is the sender's (docs/decisions.md 9). */
export const trust = section({
  en: {
    tag: {
      confirmed: 'Verified',
      likely: 'Probably them',
      claimed: 'Not verified',
      checking: 'Checking…',
      unknown: 'Not verified',
    } satisfies Record<ShownTrust, string>,
    /** A likely level with what it lacks. */
    addressNotVerified: 'Probably them: address not verified',
    enteredBy: (agent: string | null) => `Probably them: entered by ${agent ?? 'an agent'}`,
    /** The question that the reason answers. */
    why: 'Is it really them?',
    /** For the warning slot. */
    check: 'Check before you share anything.',
    checkReader: 'Somebody else may read this ticket. Check before you share anything.',
    how: 'How to check',
    advice: {
      forged: 'Sender addresses can be forged. Ask the sender to confirm before you share anything sensitive.',
      entered: 'The sender has not confirmed it. Ask them before you share anything sensitive.',
      claimed:
        'Ask for something that only the company knows, or write to an address that the CRM has, before you share account details.',
      contact:
        'They see what is written here. Correct the ticket’s contact, or open a ticket for the true sender, before you share anything.',
      account: 'They may see what is written here. Open a ticket for the true sender before you share anything.',
      unknown: 'Check before you share account details.',
    },
    reason: {
      linked_by_agent: (what) => `${what ?? 'An agent'} confirmed this with Sync customer.`,
      signed_in_email_of_company: (what) =>
        `The sender signed in as ${what ?? 'an address'}, which the CRM lists for this company.`,
      sender_email_of_company: (what) =>
        `The CRM lists ${what ? `the sender’s address, ${what},` : 'the sender’s address'} for this company.`,
      signed_in_known_to_agent: (what) =>
        `The sender signed in, and ${what ?? 'an agent'} confirmed their address for this company on an earlier ticket.`,
      sender_known_to_agent: (what) =>
        `${what ?? 'An agent'} confirmed the sender’s address for this company on an earlier ticket.`,
      entered_by_agent: () => 'The agent made this ticket with this Org ID.',
      sender_changed: (what) =>
        `Somebody put ${what ?? 'another address'} in the sender’s place; the ticket was made for another address.`,
      made_by_other: (what) => `Another account${what ? `, ${what},` : ''} made this ticket, not the sender’s.`,
      maker_unknown: (what) =>
        `${what ?? 'An account without a person'} made this ticket, so nobody knows who sent it.`,
      contact_of_other: (what) => `Another account${what ? `, ${what},` : ''} reads this ticket by its contact.`,
      split_unknown: () => 'This ticket was split from another one, and it is not known who sent that one.',
      sender_not_of_company: (what, isTyped) =>
        isTyped
          ? `Only the sender says so; the CRM does not list ${what ?? 'their address'} for this company.`
          : `The CRM does not list ${what ?? 'the sender’s address'} for this company.`,
    } satisfies ReasonTexts,
    noReason: 'Nobody vouches that it is the sender’s company.',
    noResult: 'Deskside could not find out whether it is the sender’s company.',
    noCompany: 'The CRM has no company with this Org ID.',
    field: {
      custom_orgid: 'Org ID',
      custom_org_id: 'Org ID',
      custom_platform_profile_orgid: 'Profile Org ID',
      custom_platform_orgid: 'Platform Org ID',
      custom_store_url: 'Store URL',
    } as Record<string, string>,
  },
  vi: {
    tag: {
      confirmed: 'Đã xác minh',
      likely: 'Khả năng cao',
      claimed: 'Chưa xác minh',
      checking: 'Đang kiểm tra…',
      unknown: 'Chưa xác minh',
    } satisfies Record<ShownTrust, string>,
    addressNotVerified: 'Khả năng cao: chưa xác minh địa chỉ',
    enteredBy: (agent: string | null) => `Khả năng cao: do ${agent ?? 'nhân viên'} nhập`,
    why: 'Có đúng là khách hàng này không?',
    check: 'Hãy kiểm tra trước khi chia sẻ thông tin.',
    checkReader: 'Có thể người khác cũng đọc được phiếu này. Hãy kiểm tra trước khi chia sẻ thông tin.',
    how: 'Cách kiểm tra',
    advice: {
      forged: 'Địa chỉ người gửi có thể bị giả mạo. Hãy hỏi lại người gửi trước khi chia sẻ thông tin nhạy cảm.',
      entered: 'Người gửi chưa xác nhận. Hãy hỏi lại họ trước khi chia sẻ thông tin nhạy cảm.',
      claimed:
        'Hãy hỏi điều chỉ công ty mới biết, hoặc viết tới địa chỉ có trong CRM, trước khi chia sẻ thông tin tài khoản.',
      contact:
        'Họ đọc được những gì viết ở đây. Hãy sửa liên hệ của phiếu, hoặc mở phiếu mới cho đúng người gửi, trước khi chia sẻ thông tin.',
      account:
        'Họ có thể đọc được những gì viết ở đây. Hãy mở phiếu mới cho đúng người gửi trước khi chia sẻ thông tin.',
      unknown: 'Hãy kiểm tra trước khi chia sẻ thông tin tài khoản.',
    },
    reason: {
      linked_by_agent: (what) => `${what ?? 'Một nhân viên'} đã xác nhận bằng Đồng bộ khách hàng.`,
      signed_in_email_of_company: (what) =>
        `Người gửi đã đăng nhập bằng ${what ?? 'một địa chỉ'}, địa chỉ này có trong CRM của công ty.`,
      sender_email_of_company: (what) => `Địa chỉ người gửi${what ? ` (${what})` : ''} có trong CRM của công ty này.`,
      signed_in_known_to_agent: (what) =>
        `Người gửi đã đăng nhập, và ở một phiếu trước ${what ?? 'một nhân viên'} đã xác nhận địa chỉ này thuộc công ty.`,
      sender_known_to_agent: (what) =>
        `Ở một phiếu trước, ${what ?? 'một nhân viên'} đã xác nhận địa chỉ người gửi thuộc công ty này.`,
      entered_by_agent: () => 'Nhân viên này đã tạo phiếu với mã tổ chức này.',
      sender_changed: (what) =>
        `Có người đã thay người gửi bằng ${what ?? 'địa chỉ khác'}; ban đầu phiếu được tạo cho một địa chỉ khác.`,
      made_by_other: (what) => `Phiếu do một tài khoản khác${what ? ` (${what})` : ''} tạo, không phải người gửi.`,
      maker_unknown: (what) => `Phiếu do ${what ?? 'một tài khoản không thuộc về ai'} tạo, nên không rõ ai đã gửi.`,
      contact_of_other: (what) =>
        `Một tài khoản khác${what ? ` (${what})` : ''} đọc được phiếu này qua liên hệ trên phiếu.`,
      split_unknown: () => 'Phiếu này được tách từ một phiếu khác, và không rõ ai đã gửi phiếu đó.',
      sender_not_of_company: (what, isTyped) =>
        isTyped
          ? `Chỉ có người gửi tự khai; ${what ?? 'địa chỉ của họ'} không có trong CRM của công ty này.`
          : `${what ?? 'Địa chỉ người gửi'} không có trong CRM của công ty này.`,
    } satisfies ReasonTexts,
    noReason: 'Chưa có gì xác nhận đây là công ty của người gửi.',
    noResult: 'Deskside chưa biết đây có phải công ty của người gửi không.',
    noCompany: 'CRM không có công ty nào với mã tổ chức này.',
    field: {
      custom_orgid: 'Mã tổ chức',
      custom_org_id: 'Mã tổ chức',
      custom_platform_profile_orgid: 'Mã tổ chức của hồ sơ',
      custom_platform_orgid: 'Mã tổ chức nền tảng',
      custom_store_url: 'Địa chỉ shop',
    } as Record<string, string>,
  },
});
