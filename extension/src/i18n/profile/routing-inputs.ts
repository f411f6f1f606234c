import type { Finding, MetaFailure, RoutingInputs } from '@deskside/shared/routing';
import type { CrmErrorCode, LookupStatus } from '@deskside/shared/status';
import { section } from '#i18n/section.ts';

/** Where an org id may have been found: on a record, or by intake. */
export type OrgIdSource = 'ticket' | 'customer' | 'customer_name' | Finding['source'];

type GroupSetter = NonNullable<RoutingInputs['agent_group']>['set_by'];

interface RoutingInputTexts {
  inputs: string;
  companyId: string;
  noCompanyId: string;
  source: Record<OrgIdSource, string>;
  customer: string;
  noCustomer: string;
  segment: string;
  segmentOf: { company: string; customer: string; ticket: string };
  plan: string;
  notSet: string;
  countsAs: string;
  crm: string;
  crmStatus: Record<LookupStatus, string>;
  crmError: Record<CrmErrorCode, string>;
  checkedThen: string;
  checkedBefore: (span: string) => string;
  oldData: string;
  groupBefore: string;
  setBy: Record<GroupSetter, string>;
  findings: string;
  found: Record<Finding['kind'], string>;
  fetched: string;
  metaFailures: string;
  metaWhy: Record<MetaFailure['why'], string>;
  triedAgain: string;
  /** Names for parts of the ticket that have no label in the helpdesk's form. */
  field: Record<string, string>;
}

/** The inputs of a routing decision, with where each was found and how old it was. */
export const routingInputs = section<RoutingInputTexts>({
  en: {
    inputs: 'Based on',
    companyId: 'Org ID',
    noCompanyId: 'none found',
    source: {
      ticket: 'on the ticket',
      customer: 'on the customer',
      customer_name: 'in the customer’s name',
      store_url: 'from the shop URL',
      platform_domain: 'from the shop’s platform domain',
      admin_link: 'from an admin link',
      bare_org_id: 'written on its own',
      meta_json: 'from the shop’s meta.json',
      text: 'found in the text',
    },
    customer: 'Customer',
    noCustomer: 'none linked',
    segment: 'Segment',
    segmentOf: {
      company: 'of the company with this ID',
      customer: 'on the customer',
      ticket: 'on the ticket, where the sender can change it',
    },
    plan: 'Plan',
    notSet: 'not set',
    countsAs: 'Counts as',
    crm: 'CRM',
    crmStatus: {
      disabled: 'turned off',
      missing_config: 'not set up',
      missing_orgid: 'nothing to look up',
      matched: 'company found',
      cached: 'checked recently',
      not_found: 'no such company',
      error: 'not responding',
    },
    crmError: {
      timeout: 'too slow',
      unreachable: 'could not be reached',
      rate_limited: 'asked Deskside to slow down',
      operation_limit: 'paused Deskside’s requests',
      overloaded: 'overloaded',
      unauthorized: 'did not accept Deskside’s key',
      insufficient_scope: 'Deskside’s key lacks a permission',
      redirected: 'its address redirects elsewhere',
      bad_answer: 'unreadable answer',
      server_error: 'had an internal problem',
    },
    checkedThen: 'checked for this decision',
    checkedBefore: (span) => `checked ${span} earlier`,
    oldData: 'old data',
    groupBefore: 'Previous team',
    setBy: { person: 'set by someone else', sender: 'set by the sender', deskside: 'set by Deskside' },
    findings: 'Found in the ticket',
    found: { org_id: 'Org ID', platform_domain: 'shop domain' },
    fetched: 'Read from',
    metaFailures: 'Addresses without a Org ID',
    metaWhy: {
      blocked: 'Not opened: it is not on the public internet.',
      guarded_domain: 'Not opened: this domain does not belong to a shop.',
      not_found: 'It has no meta.json.',
      not_json: 'What it returned is not a meta.json.',
      no_org_id: 'Its meta.json has no Org ID.',
      too_large: 'Its answer is too large.',
      redirected: 'It redirects elsewhere.',
      timeout: 'It took too long to answer.',
      unreachable: 'It could not be reached.',
      server_error: 'It had an internal problem.',
    },
    triedAgain: 'It will be tried again later.',
    field: {
      subject: 'Subject',
      description: 'Description',
      first_message: 'First message',
      name: 'Name',
      text: 'Text',
    },
  },
  vi: {
    inputs: 'Căn cứ',
    companyId: 'Mã tổ chức',
    noCompanyId: 'không tìm thấy',
    source: {
      ticket: 'trên phiếu',
      customer: 'trên khách hàng',
      customer_name: 'trong tên khách hàng',
      store_url: 'từ địa chỉ shop',
      platform_domain: 'từ tên miền nền tảng của shop',
      admin_link: 'từ liên kết quản trị',
      bare_org_id: 'ghi riêng trong phiếu',
      meta_json: 'từ meta.json của shop',
      text: 'tìm thấy trong nội dung',
    },
    customer: 'Khách hàng',
    noCustomer: 'chưa gắn',
    segment: 'Phân khúc',
    segmentOf: {
      company: 'của công ty có mã này',
      customer: 'trên khách hàng',
      ticket: 'trên phiếu, nơi người gửi có thể tự sửa',
    },
    plan: 'Gói dịch vụ',
    notSet: 'chưa có',
    countsAs: 'Được tính là',
    crm: 'CRM',
    crmStatus: {
      disabled: 'đang tắt',
      missing_config: 'chưa thiết lập',
      missing_orgid: 'không có gì để tìm',
      matched: 'tìm thấy công ty',
      cached: 'đã kiểm tra ngay trước đó',
      not_found: 'không có công ty này',
      error: 'không trả lời',
    },
    crmError: {
      timeout: 'quá chậm',
      unreachable: 'không kết nối được',
      rate_limited: 'đề nghị gửi chậm lại',
      operation_limit: 'tạm dừng yêu cầu của Deskside',
      overloaded: 'quá tải',
      unauthorized: 'không chấp nhận khóa của Deskside',
      insufficient_scope: 'khóa của Deskside thiếu quyền',
      redirected: 'địa chỉ chuyển hướng sang nơi khác',
      bad_answer: 'không đọc được câu trả lời',
      server_error: 'gặp sự cố',
    },
    checkedThen: 'kiểm tra khi quyết định',
    checkedBefore: (span) => `kiểm tra trước đó ${span}`,
    oldData: 'dữ liệu cũ',
    groupBefore: 'Nhóm trước đó',
    setBy: { person: 'do người khác đặt', sender: 'do người gửi đặt', deskside: 'do Deskside đặt' },
    findings: 'Tìm thấy trong phiếu',
    found: { org_id: 'mã tổ chức', platform_domain: 'tên miền shop' },
    fetched: 'Đọc tại',
    metaFailures: 'Địa chỉ không có mã tổ chức',
    metaWhy: {
      blocked: 'Không mở: địa chỉ không dẫn ra internet công cộng.',
      guarded_domain: 'Không mở: tên miền này không phải của shop.',
      not_found: 'Không có meta.json.',
      not_json: 'Nội dung ở đó không phải meta.json.',
      no_org_id: 'meta.json không có mã tổ chức.',
      too_large: 'Câu trả lời quá lớn.',
      redirected: 'Địa chỉ chuyển hướng sang nơi khác.',
      timeout: 'Phản hồi quá chậm.',
      unreachable: 'Không kết nối được.',
      server_error: 'Máy chủ gặp sự cố.',
    },
    triedAgain: 'Sẽ thử lại sau.',
    field: {
      subject: 'Tiêu đề',
      description: 'Mô tả',
      first_message: 'Tin nhắn đầu tiên',
      name: 'Tên',
      text: 'Nội dung',
    },
  },
});
