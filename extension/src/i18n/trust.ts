import type { TrustEvidence } from '@deskside/shared/profile';
import type { TrustLevel } from '@deskside/shared/status';
import { section } from './section.ts';

/** A trust level as shown in the panel, including those for a check that is still running or gave no result. */
export type ShownTrust = TrustLevel | 'checking' | 'unknown';

/** `what`: the value that the evidence names (an e-mail address, a customer's name). `where`: a field's label. */
type EvidenceTexts = Record<TrustEvidence['code'], (what: string | null, where: string | null) => string>;

interface TrustTexts {
  tag: Record<ShownTrust, string>;
  title: Record<'likely' | 'claimed' | 'unknown', string>;
  advice: Record<'likely' | 'claimed' | 'unknown', string>;
  evidence: EvidenceTexts;
  field: Record<string, string>;
}

/** How sure we are that the company on screen is the sender's (docs/decisions.md 9). */
export const trust = section<TrustTexts>({
  en: {
    tag: {
      confirmed: 'Confirmed',
      likely: 'Likely',
      claimed: 'Claimed by the sender',
      checking: 'Checking…',
      unknown: 'Not confirmed',
    },
    title: { likely: 'Probably the sender’s company', claimed: 'Not confirmed yet', unknown: 'Not confirmed yet' },
    advice: {
      likely: 'Sender addresses can be forged. Ask the sender to confirm before you share anything sensitive.',
      claimed: 'Check before you share account details.',
      unknown: 'We could not determine whose company this is. Check before you share account details.',
    },
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
        `The sender was signed in as ${what ?? 'an address'}, which has an account of this company on the platform.`,
      sender_account_of_company: (what) =>
        `The sender’s address${what ? ` (${what})` : ''} has an account of this company on the platform.`,
      link_made_by_sender: (what) => `The sender linked their own contact to ${what ?? 'this customer'}.`,
      link_made_by_website_user: (what) =>
        `A portal user, not the desk, linked the sender’s contact to ${what ?? 'this customer'}.`,
      customer_id_not_protected: (what) =>
        `The sender belongs to ${what ?? 'a customer'}, but portal users can change that customer’s company ID.`,
      sender_not_of_customer: (what) => `${what ?? 'The sender'} does not belong to any customer with this company ID.`,
      value_on_ticket: (_, where) =>
        `The company ID comes from the ticket (${where ?? 'a field'}), where the sender can change it.`,
      value_on_customer: () => 'The company ID comes from the customer that the ticket is linked to.',
      value_in_customer_name: () => 'The company ID comes from the name of the ticket’s customer.',
    },
    field: {
      custom_orgid: 'Org ID',
      custom_org_id: 'Org ID',
      custom_platform_profile_orgid: 'Profile Org ID',
      custom_platform_orgid: 'Platform Org ID',
      custom_store_url: 'Store URL',
    },
  },
  vi: {
    tag: {
      confirmed: 'Đã xác nhận',
      likely: 'Có khả năng',
      claimed: 'Người gửi tự khai',
      checking: 'Đang xác minh…',
      unknown: 'Chưa xác nhận',
    },
    title: { likely: 'Có lẽ là công ty của người gửi', claimed: 'Chưa được xác nhận', unknown: 'Chưa được xác nhận' },
    advice: {
      likely: 'Địa chỉ người gửi có thể bị giả mạo: với thông tin nhạy cảm, hãy hỏi lại.',
      claimed: 'Hãy kiểm tra trước khi chia sẻ thông tin tài khoản.',
      unknown: 'Chưa biết công ty này có phải của người gửi không. Hãy kiểm tra trước khi chia sẻ thông tin tài khoản.',
    },
    evidence: {
      entered_by_agent: (what) => `${what ?? 'Một nhân viên'} đã tạo ticket với mã tổ chức này.`,
      linked_by_agent: (what) => `${what ?? 'Một nhân viên'} đã gắn ticket với công ty này bằng Đồng bộ khách hàng.`,
      signed_in_contact_of_customer: (what) =>
        `Người gửi đã đăng nhập và liên hệ của họ thuộc ${what ?? 'khách hàng này'}.`,
      signed_in_email_of_company: (what) =>
        `Người gửi đã đăng nhập bằng ${what ?? 'địa chỉ'} mà CRM ghi cho công ty này.`,
      sender_contact_of_customer: (what) => `Địa chỉ người gửi thuộc một liên hệ của ${what ?? 'khách hàng này'}.`,
      sender_email_of_company: (what) => `CRM có địa chỉ ${what ?? 'người gửi'} cho công ty này.`,
      signed_in_account_of_company: (what) =>
        `Người gửi đã đăng nhập bằng ${what ?? 'địa chỉ'} có tài khoản của công ty này trên nền tảng.`,
      sender_account_of_company: (what) =>
        `Địa chỉ người gửi${what ? ` (${what})` : ''} có tài khoản của công ty này trên nền tảng.`,
      link_made_by_sender: (what) => `Người gửi tự gắn liên hệ của mình với ${what ?? 'khách hàng này'}.`,
      link_made_by_website_user: (what) =>
        `Liên hệ của người gửi do một người dùng cổng khách hàng, không phải nhân viên, gắn với ${what ?? 'khách hàng này'}.`,
      customer_id_not_protected: (what) =>
        `Người gửi thuộc ${what ?? 'một khách hàng'}, nhưng người dùng cổng khách hàng có thể tự đổi mã công ty của khách hàng đó.`,
      sender_not_of_customer: (what) => `${what ?? 'Người gửi'} không thuộc khách hàng nào có mã công ty này.`,
      value_on_ticket: (_, where) =>
        `Mã công ty nằm trên ticket (${where ?? 'một trường'}), nơi người gửi có thể tự ghi.`,
      value_on_customer: () => 'Mã công ty lấy từ khách hàng được gắn với ticket.',
      value_in_customer_name: () => 'Mã công ty lấy từ tên khách hàng của ticket.',
    },
    field: {
      custom_orgid: 'Org ID',
      custom_org_id: 'Org ID',
      custom_platform_profile_orgid: 'Org ID hồ sơ',
      custom_platform_orgid: 'Org ID nền tảng',
      custom_store_url: 'Địa chỉ cửa hàng',
    },
  },
});
