import type { TrustEvidence } from '@deskside/shared/profile';
import type { TrustLevel } from '@deskside/shared/status';
import { section } from '#i18n/section.ts';

/** A trust level as shown in the panel, including those for a check that is still running or gave no result. */
export type ShownTrust = TrustLevel | 'checking' | 'unknown';

/** `what`: the value that the evidence names (an e-mail address, a customer's name). `where`: a field's label. */
type EvidenceTexts = Record<TrustEvidence['code'], (what: string | null, where: string | null) => string>;

/** How sure we are that the company on screen is the sender's (docs/decisions.md 9). */
export const trust = section({
  en: {
    tag: {
      confirmed: 'Confirmed',
      likely: 'Likely',
      claimed: 'Claimed',
      checking: 'Checking…',
      unknown: 'Not confirmed',
    } satisfies Record<ShownTrust, string>,
    /** The question that the evidence answers. */
    why: 'Is it really them?',
    /** For the warning slot. */
    short: {
      claimed: 'Only the sender says so. Check before you share anything.',
      unknown: 'Nobody vouches for this company yet. Check before you share anything.',
    } satisfies Record<'claimed' | 'unknown', string>,
    how: 'How to check',
    advice: {
      likely: 'Sender addresses can be forged. Ask the sender to confirm before you share anything sensitive.',
      claimed:
        'Ask for something that only the company knows, or write to an address that the CRM has, before you share account details.',
      unknown:
        'Deskside could not find out whether this is the sender’s company. Check before you share account details.',
    } satisfies Record<'likely' | 'claimed' | 'unknown', string>,
    evidence: {
      entered_by_agent: (what) => `${what ?? 'An agent'} created the ticket with this org ID.`,
      linked_by_agent: (what) => `${what ?? 'An agent'} linked the ticket to this company with Sync customer.`,
      signed_in_contact_of_customer: (what) =>
        `The sender was signed in, and their contact belongs to ${what ?? 'this customer'}.`,
      signed_in_email_of_company: (what) =>
        `The sender was signed in as ${what ?? 'an address'}, which the CRM lists for this company.`,
      sender_contact_of_customer: (what) => `The sender’s address belongs to a contact of ${what ?? 'this customer'}.`,
      sender_email_of_company: (what) =>
        `The sender’s address${what ? ` (${what})` : ''} is listed in the CRM for this company.`,
      signed_in_account_of_company: (what) =>
        `The sender was signed in as ${what ?? 'an address'}, which has a platform account of this company.`,
      sender_account_of_company: (what) =>
        `The sender’s address${what ? ` (${what})` : ''} has a platform account of this company.`,
      link_made_by_sender: (what) => `The sender linked their own contact to ${what ?? 'this customer'}.`,
      link_made_by_website_user: (what) =>
        `A portal user, not an agent, linked the sender’s contact to ${what ?? 'this customer'}.`,
      customer_id_not_protected: (what) =>
        `The sender belongs to ${what ?? 'a customer'}, but its Org ID proves nothing: portal users can change it, or it was only claimed.`,
      sender_changed: (what) =>
        `The ticket was made for another address; ${what ?? 'this one'} was put there later, and not by the desk.`,
      sender_not_of_customer: (what) => `${what ?? 'The sender'} does not belong to any customer with this Org ID.`,
      value_on_ticket: (_, where) =>
        `The Org ID is from the ticket (${where ?? 'a field'}), where the sender can change it.`,
      value_on_customer: () => 'The Org ID is from the customer that the ticket is linked to.',
      value_in_customer_name: () => 'The Org ID is from the name of the ticket’s customer.',
    } satisfies EvidenceTexts,
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
      confirmed: 'Đã xác nhận',
      likely: 'Khả năng cao',
      claimed: 'Tự khai',
      checking: 'Đang kiểm tra…',
      unknown: 'Chưa xác nhận',
    } satisfies Record<ShownTrust, string>,
    why: 'Có đúng là khách hàng này không?',
    short: {
      claimed: 'Chỉ có người gửi tự khai. Hãy kiểm tra trước khi chia sẻ thông tin.',
      unknown: 'Chưa có gì xác nhận công ty này. Hãy kiểm tra trước khi chia sẻ thông tin.',
    } satisfies Record<'claimed' | 'unknown', string>,
    how: 'Cách kiểm tra',
    advice: {
      likely: 'Địa chỉ người gửi có thể bị giả mạo. Hãy hỏi lại người gửi trước khi chia sẻ thông tin nhạy cảm.',
      claimed:
        'Hãy hỏi điều chỉ công ty mới biết, hoặc viết tới địa chỉ có trong CRM, trước khi chia sẻ thông tin tài khoản.',
      unknown:
        'Deskside chưa biết đây có phải công ty của người gửi không. Hãy kiểm tra trước khi chia sẻ thông tin tài khoản.',
    } satisfies Record<'likely' | 'claimed' | 'unknown', string>,
    evidence: {
      entered_by_agent: (what) => `${what ?? 'Một nhân viên'} đã tạo phiếu với mã tổ chức này.`,
      linked_by_agent: (what) => `${what ?? 'Một nhân viên'} đã gắn phiếu với công ty này bằng Đồng bộ khách hàng.`,
      signed_in_contact_of_customer: (what) =>
        `Người gửi đã đăng nhập và liên hệ của họ thuộc ${what ?? 'khách hàng này'}.`,
      signed_in_email_of_company: (what) =>
        `Người gửi đã đăng nhập bằng ${what ?? 'một địa chỉ'}, địa chỉ này có trong CRM của công ty này.`,
      sender_contact_of_customer: (what) => `Địa chỉ người gửi thuộc một liên hệ của ${what ?? 'khách hàng này'}.`,
      sender_email_of_company: (what) => `Địa chỉ người gửi${what ? ` (${what})` : ''} có trong CRM của công ty này.`,
      signed_in_account_of_company: (what) =>
        `Người gửi đã đăng nhập bằng ${what ?? 'một địa chỉ'} có tài khoản nền tảng của công ty này.`,
      sender_account_of_company: (what) =>
        `Địa chỉ người gửi${what ? ` (${what})` : ''} có tài khoản nền tảng của công ty này.`,
      link_made_by_sender: (what) => `Người gửi tự gắn liên hệ của mình với ${what ?? 'khách hàng này'}.`,
      link_made_by_website_user: (what) =>
        `Liên hệ của người gửi do một người dùng cổng khách hàng, không phải nhân viên, gắn với ${what ?? 'khách hàng này'}.`,
      customer_id_not_protected: (what) =>
        `Người gửi thuộc ${what ?? 'một khách hàng'}, nhưng mã tổ chức của khách hàng đó chưa chứng minh gì: người dùng cổng khách hàng có thể tự đổi, hoặc mới chỉ do người gửi tự khai.`,
      sender_changed: (what) =>
        `Phiếu được tạo cho địa chỉ khác; ${what ?? 'địa chỉ này'} được thay vào sau, không phải do nhân viên.`,
      sender_not_of_customer: (what) => `${what ?? 'Người gửi'} không thuộc khách hàng nào có mã tổ chức này.`,
      value_on_ticket: (_, where) => `Mã tổ chức lấy từ phiếu (${where ?? 'một trường'}), nơi người gửi có thể tự sửa.`,
      value_on_customer: () => 'Mã tổ chức lấy từ khách hàng được gắn với phiếu.',
      value_in_customer_name: () => 'Mã tổ chức lấy từ tên khách hàng của phiếu.',
    } satisfies EvidenceTexts,
    field: {
      custom_orgid: 'Mã tổ chức',
      custom_org_id: 'Mã tổ chức',
      custom_platform_profile_orgid: 'Mã tổ chức của hồ sơ',
      custom_platform_orgid: 'Mã tổ chức nền tảng',
      custom_store_url: 'Địa chỉ shop',
    } as Record<string, string>,
  },
});
