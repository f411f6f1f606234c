import { staffEmail } from './helpdesk-users.ts';
import { shopOf, shops } from './shops.ts';
import { fromOwner, scenarios, type TicketScenario } from './ticket-scenarios.ts';
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
const ordinary: TicketScenario[] = [
  '1',
  '2',
  '12',
  '61301',
  '61302',
  '61303',
  '61304',
  '61305',
  '61306',
  '61355',
  '61356',
  '61357',
  '61358',
  '61359',
  '61360',
  '61361',
  '61362',
  '61363',
  '61364',
].map((name, index) =>
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
    modified: created,
    modified_by: owner,
    docstatus: 0,
    idx: 0,
    subject: scenario.subject,
    description: `<p>${scenario.description ?? 'Nhờ anh chị kiểm tra giúp shop. Cảm ơn!'}</p>`,
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
    owner: 'Administrator',
    creation: created,
    modified: created,
    modified_by: 'Administrator',
    docstatus: 0,
    idx: 0,
    status: 'Open',
    priority: 'Medium',
    date: created.slice(0, 10),
    allocated_to: user,
    description: 'Automatic Assignment',
    reference_type: 'HD Ticket',
    reference_name: name,
    assigned_by: 'Administrator',
    assignment_rule: `${group} - Support Rotation`,
  };
}
