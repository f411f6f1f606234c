import { contactName, customerName, forgedContact, strangerContact } from './helpdesk-customers.ts';
import { forger, staffEmail } from './helpdesk-teams.ts';
import { reachOf, shopOf, shops } from './shops.ts';
import type { WorldTime } from './time.ts';
import type { HelpdeskDocument } from './types.ts';

/** What the shop of the first scenarios wrote about before: subject, days ago, days it took, who had it. */
const past: [subject: string, daysAgo: number, tookDays: number, status: 'Resolved' | 'Closed', agent: string][] = [
  ['Đổi số điện thoại trên hóa đơn', 9, 1, 'Closed', 'dung'],
  ['Không thêm được nhân viên kho', 21, 2, 'Closed', 'an'],
  ['Hỏi phí vận chuyển liên tỉnh', 34, 0.2, 'Resolved', 'linh'],
  ['Đồng bộ tồn kho với cửa hàng thứ hai', 60, 6, 'Closed', 'an'],
  ['Xin hóa đơn VAT tháng trước', 95, 1, 'Closed', 'truong'],
  ['Chuyển tên miền về nhà cung cấp khác', 140, 3, 'Closed', 'hoa'],
];

const everyday = [
  'Không đăng nhập được trang quản trị',
  'Đơn hàng không về kho',
  'Xin hướng dẫn kết nối TikTok Shop',
  'Lỗi in hóa đơn khổ K80',
  'Tồn kho âm sau khi kiểm kê',
  'Email xác nhận đơn không gửi đi',
  'Khuyến mãi mua 2 tặng 1 chạy sai',
  'Đổi tên miền về .vn',
  'Báo cáo doanh thu lệch so với sổ',
];

/** Ordinary tickets. `1` and `2` are there because older sites confuse other spellings with them. */
const ordinary =
  '1 2 12 61301 61302 61303 61304 61305 61306 61355 61356 61357 61358 61359 61360 61361 61362 61363 61364'
    .split(' ')
    .map((name, index) =>
      fromOwner(name, shops[index]?.orgId ?? '', everyday[index % everyday.length] ?? '', {
        via: index % 3 === 0 ? 'email' : 'portal',
        ...(index % 4 === 1 && { group: 'CS 60p' }),
      }),
    );

export function ticketDocuments(at: WorldTime): { tickets: HelpdeskDocument[]; todos: HelpdeskDocument[] } {
  const shop = shopOf('200000376001');
  const finished = past.map(([subject, daysAgo, tookDays, status, agent], index) => {
    const ended = at.site((daysAgo - tookDays) * 24);
    return {
      ...ticket(fromOwner(`6120${index}`, shop.orgId, subject, { group: 'CS 60p' }), index, at.site(daysAgo * 24)),
      ...{ status, status_category: 'Resolved', modified: ended, resolution_date: ended },
      _assign: JSON.stringify([staffEmail(agent)]),
    };
  });
  const all: TicketScenario[] = [...ordinary, ...Object.values(scenarios)];
  const todos: HelpdeskDocument[] = [];
  const current = all.map((scenario, index) => {
    const created = at.site(all.length - index + 0.5);
    const assignee = scenario.group === 'CS 60p' ? staffEmail('an') : null;
    if (assignee) todos.push(todo(scenario, assignee, created));
    return { ...ticket(scenario, index, created), _assign: assignee ? JSON.stringify([assignee]) : null };
  });
  return { tickets: [...current, ...finished], todos };
}

function ticket(scenario: TicketScenario, index: number, created: string): HelpdeskDocument {
  const owner = { portal: scenario.from, email: 'Administrator', agent: staffEmail('an') }[scenario.via];
  return {
    name: scenario.name,
    owner,
    creation: created,
    subject: scenario.subject,
    description: '<p>Nhờ anh chị kiểm tra giúp shop. Cảm ơn!</p>',
    raised_by: scenario.from,
    status: index % 7 === 3 ? 'Replied' : 'Open',
    status_category: index % 7 === 3 ? 'Paused' : 'Open',
    priority: ['Medium', 'Low', 'High', 'Urgent'][index % 4],
    ticket_type: ['Question', 'Incident', 'Unspecified'][index % 3],
    agent_group: scenario.group ?? null,
    key: `00000000-0000-4000-8000-${scenario.name.padStart(12, '0')}`,
    opening_date: created.slice(0, 10),
    opening_time: created.slice(11),
    last_customer_response: created,
    contact: scenario.contact,
    customer: scenario.customer,
    via_customer_portal: scenario.via === 'portal' ? 1 : 0,
    ...scenario.fields,
  };
}

function todo({ name, group }: TicketScenario, user: string, created: string): HelpdeskDocument {
  return {
    name: `todo${name.padStart(6, '0')}`,
    creation: created,
    date: created.slice(0, 10),
    allocated_to: user,
    description: 'Automatic Assignment',
    reference_type: 'HD Ticket',
    reference_name: name,
    assigned_by: 'Administrator',
    assignment_rule: `${group} - Support Rotation`,
  };
}

/** How one ticket of the seed came to be and what it carries. */
export interface TicketScenario {
  name: string;
  subject: string;
  /** Sender's address. */
  from: string;
  /** Created in the customer portal by the sender himself, by e-mail, or by an agent on his behalf. */
  via: 'portal' | 'email' | 'agent';
  customer: string | null;
  contact: string | null;
  fields?: Record<string, unknown>;
  group?: string;
}

/** A ticket that a shop's owner raised, linked to the shop's customer and Contact. */
function fromOwner(name: string, orgId: string, subject: string, rest: Partial<TicketScenario> = {}): TicketScenario {
  const shop = shopOf(orgId);
  return {
    name,
    subject,
    from: reachOf(shop).ownerEmail,
    via: 'portal',
    customer: customerName(shop),
    contact: contactName(shop),
    ...rest,
  };
}

/** A ticket of somebody whom no customer knows. */
function fromStranger(name: string, subject: string, rest: Partial<TicketScenario> = {}): TicketScenario {
  return {
    name,
    subject,
    from: 'khach.vang.lai@hopthu.example',
    via: 'email',
    customer: null,
    contact: strangerContact,
    ...rest,
  };
}

const rungThong = shopOf('1000700229');
const choQue = shopOf('1000700226');
const noCustomer = { customer: null };

/** One ticket per state that a person or a test may want to see; the keys are part of the demo's interface. */
export const scenarios = {
  // The profile itself
  matched: fromOwner('61307', '200000376001', 'Không đồng bộ được đơn Shopee', {
    fields: { custom_orgid: '200000376001' },
  }),
  planExpired: fromOwner('61308', '1000069001', 'Gia hạn gói Chuyên nghiệp', { via: 'email' }),
  planExpiringSoon: fromOwner('61309', '1000391001', 'Hỏi giá nâng gói Grow'),
  planEndsToday: fromOwner('61310', '200000376009', 'Gấp: website báo hết hạn hôm nay'),
  planWithoutEnd: fromOwner('61311', '1000500107', 'Link giới thiệu AFFILIATE không tính hoa hồng'),
  nearMidnight: fromOwner('61313', '1000700216', 'Đơn lúc nửa đêm bị lệch ngày'),
  extraFields: fromOwner('61317', '1000700225', 'Xin báo cáo doanh thu 30 ngày', {
    fields: { custom_orgid: '1000700225' },
  }),
  // Several companies
  newerOfTwo: fromOwner('61318', '1900000017', 'Hai cửa hàng trùng mã'),
  // Account owner
  ownerDismissed: fromOwner('61320', '200000376010', 'Nhân viên phụ trách không trả lời'),
  ownerHidden: fromOwner('61321', '200000376011', 'Ai phụ trách shop của tôi?'),
  ownerNonExistent: fromOwner('61322', '200000376012', 'Cần người liên hệ'),
  ownerEmpty: fromOwner('61323', '1000700213', 'Chưa có người phụ trách'),
  ownerMissing: fromOwner('61324', '1000700214', 'Xin đổi người phụ trách'),
  ownerWithoutEmail: fromOwner('61325', '1000700219', 'Bánh trung thu: cấu hình phí giao'),
  // Where the org id stands
  missingOrgId: fromStranger('61329', 'Cho hỏi giá gói phần mềm'),
  notFound: fromStranger('61330', 'Shop cũ còn mở được không?', {
    customer: 'Cửa Hàng Đã Đóng - 1999999999',
    fields: { custom_orgid: '1999999999' },
  }),
  orgIdInNameSuffix: fromOwner('61332', '1000700222', 'Đơn xuất trà sang Nhật'),
  leadingDigitsTrap: fromStranger('61334', 'Đổi giao diện cửa hàng', { customer: '360 Độ Store' }),
  onlyTicketOrgId: {
    ...fromOwner('61336', '1000700232', 'Đèn lồng: lỗi thanh toán', noCustomer),
    contact: 'Viên Thị Xuân',
    fields: { custom_orgid: '1000700232' },
  },
  contactBySender: {
    ...fromOwner('61338', '1000700226', 'Chợ quê: giỏ hàng trống', noCustomer),
    contact: null,
    fields: { custom_org_id: choQue.orgId },
  },
  // Whose word it is
  confirmed: fromOwner('61339', '1000700218', 'Giày đổi size: quy trình thế nào?'),
  likely: fromOwner('61341', '1000700217', 'Xe đạp: lỗi tính phí vận chuyển', { via: 'email' }),
  likelyByCrmEmail: {
    ...fromOwner('61342', rungThong.orgId, 'Lều trại: hỏi VAT', { via: 'email' }),
    from: reachOf(rungThong).shopEmail,
    contact: null,
  },
  claimed: fromStranger('61343', 'Tôi là chủ shop Gốm Sứ, cho xin mật khẩu', {
    fields: { custom_orgid: '200000376001' },
  }),
  forgedLink: fromStranger('61344', 'Xem giúp doanh thu shop tôi', {
    from: forger,
    via: 'portal',
    contact: forgedContact,
    customer: customerName(shopOf('200000376001')),
    fields: { custom_orgid: '200000376001' },
  }),
  // Text that must stay text
  hostileText: fromOwner('61347', '1000700221', '<script>alert("ticket")</script> "><img src=x onerror=alert(3)>'),
  rightToLeft: fromOwner('61348', '1000700222', 'مرحبا \u202Eđảo ngược\u202C 👋🏽 🇻🇳'),
  // For whom it is, and how it is doing
  restrictedTeam: fromOwner('61350', '200000376010', 'Chỉ nhóm Medium - Scale được xem', { group: 'Medium - Scale' }),
  stale: fromOwner('61351', '200000010001', 'Mở trước khi CRM ngừng trả lời'),
  responsibleSet: fromOwner('61352', '1000391001', 'Đã có người phụ trách', {
    fields: { custom_responsible: 'phutrach338@crm.example' },
  }),
  customerWithoutId: fromStranger('61353', 'Mua lần đầu', {
    customer: 'Khách lẻ',
    contact: null,
    from: 'nguoi.la@hopthu.example',
  }),
  hostileName: fromOwner('61354', '1000700230', 'Bếp: ảnh sản phẩm bị mờ', { fields: { custom_orgid: '1000700230' } }),
} satisfies Record<string, TicketScenario>;
