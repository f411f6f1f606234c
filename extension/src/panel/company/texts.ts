import type { AlsoNamed } from '@deskside/shared/profile';
import type { ResponsibleStatus } from '@deskside/shared/status';
import { phrase, say, type Translated } from '#i18n/say.ts';

/** The four facts, and the labels of the company's rows. */
export const fields = {
  facts: say('Facts', 'Thông tin chính'),
  plan: say('Plan', 'Gói dịch vụ'),
  planIs: say('Plan (Shopplan)', 'Gói dịch vụ (Shopplan)'),
  noPlan: say('None on record', 'Chưa có gói'),
  left: phrase('{days} left', 'còn {days}'),
  lastDay: say('last day', 'ngày cuối'),
  ends: phrase('ends {date}', 'hết hạn {date}'),
  ended: phrase('ended {date}', 'đã hết hạn {date}'),
  health: say('Shop health', 'Sức khỏe shop'),
  healthIs: say('Health score (HSI)', 'Chỉ số sức khỏe (HSI)'),
  /** Lowest band first. */
  levels: say(
    ['Lowest', 'Very low', 'Low', 'Medium', 'High', 'Very high'],
    ['Thấp nhất', 'Rất thấp', 'Thấp', 'Trung bình', 'Cao', 'Rất cao'],
  ),
  unknown: say('Not known', 'Chưa rõ'),
  was: phrase('was {before}', 'trước {before}'),
  unchanged: say('unchanged', 'không đổi'),
  accountOwner: say('Account owner', 'Người phụ trách'),
  ownerIs: say('Account owner (responsible)', 'Người phụ trách (responsible)'),
  nobody: say('Nobody', 'Chưa có ai'),
  crmUser: phrase('CRM user {id}', 'Người dùng CRM {id}'),
  /** What there is to say of an account owner besides the name. */
  responsible: {
    inactive: say('left the company', 'đã nghỉ'),
    not_found: say('not found in the CRM', 'không có trong CRM'),
    missing_config: say('name not set up', 'chưa thiết lập tra tên'),
    error: say('name not answered', 'CRM chưa cho biết tên'),
  } satisfies Record<Exclude<ResponsibleStatus, 'active'>, Translated<string>>,
  sendMessage: say('Send a message', 'Gửi tin nhắn'),
  askAbout: say('Ask about them', 'Hỏi về họ'),
  segment: say('Segment', 'Phân khúc'),
  fromHelpdesk: say('helpdesk’s own record', 'hồ sơ trong helpdesk'),

  company: say('Company', 'Công ty'),
  noName: say('Unnamed company', 'Công ty chưa có tên'),
  companyId: say('Org ID', 'Mã shop'),
  term: say('Plan term', 'Thời hạn gói'),
  from: phrase('{from} to {to}', '{from} – {to}'),
  membership: say('Membership', 'Thành viên'),
  location: say('Location', 'Địa điểm'),
  groups: {
    metrics: say('Metrics', 'Chỉ số'),
    profit: say('Profit', 'Lợi nhuận'),
    context: say('Context', 'Bối cảnh'),
  },
  files: phrase('{count} attached', '{count} tệp đính kèm'),
  yes: say('Yes', 'Có'),
  no: say('No', 'Không'),
  more: say('More from the CRM', 'Thông tin khác từ CRM'),
  crmName: say('Name in the CRM', 'Tên trong CRM'),
  stage: say('Stage', 'Giai đoạn'),
  verified: say('Verification', 'Xác thực'),
  shopCreated: say('Shop created', 'Ngày tạo shop'),
  firstPlan: say('First plan', 'Gói đầu tiên'),
  crmCreated: say('In the CRM since', 'Có trong CRM từ'),
  crmModified: say('CRM changed', 'CRM cập nhật'),
  freshsales: say('Freshsales ID', 'Mã Freshsales'),
  alternatives: phrase('{count} companies with this Org ID', '{count} công ty cùng mã này'),
  name: say('Name', 'Tên'),
  shown: say('Shown here', 'Đang hiển thị'),
  used: say('Used', 'Đang dùng'),
  other: say('In the CRM too', 'Cũng có trong CRM'),

  helpdesk: say('In the helpdesk', 'Trong helpdesk'),
  customer: say('Customer', 'Khách hàng'),
  noCustomer: say('None linked', 'Chưa gắn'),
  shopDomain: say('Shop domain', 'Tên miền shop'),
  lastSynced: say('Last synced', 'Đồng bộ lúc'),
  lastChecked: say('Last checked', 'Kiểm tra lúc'),
  siteTime: phrase('{time} (helpdesk’s clock)', '{time} (giờ của helpdesk)'),
  /** Where a company is named. */
  namedBy: {
    ticket: phrase('on the ticket ({field})', 'trên phiếu ({field})'),
    customer: phrase('on the ticket’s customer', 'trên khách hàng của phiếu'),
    customer_name: phrase('in the customer’s name', 'trong tên khách hàng'),
  } satisfies Record<AlsoNamed['source'], Translated<(field: string) => string>>,
};
