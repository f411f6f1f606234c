import type { Finding, MetaFailure, RoutingInputs } from '@deskside/shared/routing';
import type { LookupStatus } from '@deskside/shared/status';
import { type Said, say } from '#i18n/say.ts';

/** Where an org id may have been found: on a record, or by intake. */
type OrgIdSource = 'ticket' | 'customer' | 'customer_name' | Finding['source'];

type GroupSetter = NonNullable<RoutingInputs['agent_group']>['set_by'];

/** The inputs of a routing decision, with where each was found and how old it was. */
export const routingInputs = {
  companyId: say('Org ID', 'Mã tổ chức'),
  noCompanyId: say('none found', 'không tìm thấy'),
  source: {
    ticket: say('on the ticket', 'trên phiếu'),
    customer: say('on the customer', 'trên khách hàng'),
    customer_name: say('in the customer’s name', 'trong tên khách hàng'),
    store_url: say('from the shop URL', 'từ địa chỉ shop'),
    platform_domain: say('from the shop’s platform domain', 'từ tên miền nền tảng của shop'),
    admin_link: say('from an admin link', 'từ liên kết quản trị'),
    bare_org_id: say('written on its own', 'ghi riêng trong phiếu'),
    meta_json: say('from the shop’s meta.json', 'từ meta.json của shop'),
    text: say('found in the text', 'tìm thấy trong nội dung'),
  } satisfies Record<OrgIdSource, Said<string>>,
  customer: say('Customer', 'Khách hàng'),
  noCustomer: say('none linked', 'chưa gắn'),
  segment: say('Segment', 'Phân khúc'),
  segmentOf: {
    company: say('of the company with this ID', 'của công ty có mã này'),
    customer: say('on the customer', 'trên khách hàng'),
    ticket: say('on the ticket, where the sender can change it', 'trên phiếu, nơi người gửi có thể tự sửa'),
  },
  plan: say('Plan', 'Gói dịch vụ'),
  notSet: say('not set', 'chưa có'),
  countsAs: say('Counts as', 'Được tính là'),
  crm: say('CRM', 'CRM'),
  crmStatus: {
    disabled: say('turned off', 'đang tắt'),
    missing_config: say('not set up', 'chưa thiết lập'),
    missing_orgid: say('nothing to look up', 'không có gì để tìm'),
    matched: say('company found', 'tìm thấy công ty'),
    cached: say('checked recently', 'đã kiểm tra ngay trước đó'),
    not_found: say('no such company', 'không có công ty này'),
    error: say('not responding', 'không trả lời'),
  } satisfies Record<LookupStatus, Said<string>>,
  oldData: say('old data', 'dữ liệu cũ'),
  groupBefore: say('Previous team', 'Nhóm trước đó'),
  setBy: {
    person: say('set by someone else', 'do người khác đặt'),
    sender: say('set by the sender', 'do người gửi đặt'),
    deskside: say('set by Deskside', 'do Deskside đặt'),
  } satisfies Record<GroupSetter, Said<string>>,
  findings: say('Found in the ticket', 'Tìm thấy trong phiếu'),
  found: {
    org_id: say('Org ID', 'mã tổ chức'),
    platform_domain: say('shop domain', 'tên miền shop'),
  } satisfies Record<Finding['kind'], Said<string>>,
  fetched: say('Read from', 'Đọc tại'),
  metaWhy: {
    blocked: say('Not opened: it is not on the public internet.', 'Không mở: địa chỉ không dẫn ra internet công cộng.'),
    guarded_domain: say(
      'Not opened: this domain does not belong to a shop.',
      'Không mở: tên miền này không phải của shop.',
    ),
    not_found: say('It has no meta.json.', 'Không có meta.json.'),
    not_json: say('What it returned is not a meta.json.', 'Nội dung ở đó không phải meta.json.'),
    no_org_id: say('Its meta.json has no Org ID.', 'meta.json không có mã tổ chức.'),
    too_large: say('Its answer is too large.', 'Câu trả lời quá lớn.'),
    redirected: say('It redirects elsewhere.', 'Địa chỉ chuyển hướng sang nơi khác.'),
    timeout: say('It took too long to answer.', 'Phản hồi quá chậm.'),
    unreachable: say('It could not be reached.', 'Không kết nối được.'),
    server_error: say('It had an internal problem.', 'Máy chủ gặp sự cố.'),
  } satisfies Record<MetaFailure['why'], Said<string>>,
  /** A customer that somebody made by hand. */
  byHand: say('Made by hand', 'Tạo thủ công'),
  becameTheirs: say('became this company’s customer', 'đã thành khách hàng của công ty này'),
  offeredOnly: say('an agent decides', 'nhân viên quyết định'),
  triedAgain: say('It will be tried again later.', 'Sẽ thử lại sau.'),
  /** Names for parts of the ticket that have no label in the helpdesk's form. */
  field: {
    subject: say('Subject', 'Tiêu đề'),
    description: say('Description', 'Mô tả'),
    first_message: say('First message', 'Tin nhắn đầu tiên'),
    name: say('Name', 'Tên'),
    text: say('Text', 'Nội dung'),
  } as Record<string, Said<string>>,
};
