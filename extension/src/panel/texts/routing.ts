import type {
  AgentReason,
  Assignment,
  Finding,
  MetaFailure,
  RoutingDecision,
  RoutingInputs,
  RoutingOutcome,
  RoutingRule,
} from '@deskside/shared/routing';
import type { LookupStatus } from '@deskside/shared/status';
import { plural } from '#i18n/format.ts';
import { phrase, say, type Translated } from '#i18n/say.ts';

export const routing = {
  title: say('Why this team?', 'Vì sao vào nhóm này?'),
  loading: say('Loading the routing decision…', 'Đang tải lý do chọn nhóm…'),
  loaded: phrase('Routing decision loaded: {team}.', 'Đã tải lý do: {team}.'),
  none: {
    title: say('Deskside has not routed this ticket', 'Deskside chưa điều phối phiếu này'),
    body: say(
      'It probably came in before Deskside was installed. If it has just come in, check again in a minute.',
      'Phiếu này thường được tạo trước khi cài Deskside. Nếu phiếu vừa đến, hãy kiểm tra lại sau một phút.',
    ),
  },
  noneGroup: phrase(
    'Its team, {group}, was set by someone or something else.',
    'Nhóm hiện tại, {group}, do người hoặc hệ thống khác đặt.',
  ),
  askAgain: say('Check again', 'Kiểm tra lại'),
  noTeam: say('No team', 'Chưa có nhóm'),
  movedTo: phrase('Moved since: the ticket is now in {group}.', 'Đã chuyển sau đó: phiếu hiện ở nhóm {group}.'),
  reason: say('Reason', 'Lý do'),
  cause: {
    webhook: say('New ticket (webhook)', 'Phiếu mới (webhook)'),
    sweep: say('Regular check (sweep)', 'Kiểm tra định kỳ (sweep)'),
    before_insert: say('Before it was saved (Before Insert)', 'Trước khi lưu phiếu (Before Insert)'),
    repair: say('Failure over (repair)', 'Hết sự cố (repair)'),
    confirmed: say('Company confirmed', 'Công ty được xác nhận'),
    sync: say('Confirmed by an agent', 'Nhân viên xác nhận'),
    sync_undone: say('Confirmation undone', 'Hoàn tác xác nhận'),
  } satisfies Record<RoutingDecision['cause'], Translated<string>>,
  planned: say('The helpdesk is being updated.', 'Đang cập nhật helpdesk.'),
  refused: say('The helpdesk does not let Deskside save this ticket', 'Helpdesk không cho Deskside lưu phiếu này'),
  refusedBecause: phrase(
    '{refusal}. Once somebody has filled that in and saved the ticket, it gets its team within half a minute.',
    '{refusal}. Khi có người điền và lưu phiếu, phiếu sẽ được chuyển đúng nhóm trong nửa phút.',
  ),
  members: say(
    (count: number) => `${plural(count, 'team member', 'team members')}, in turn`,
    (count: number) => `${count} thành viên của nhóm, theo lượt`,
  ),
  link: {
    label: say('Linked to', 'Gắn với'),
    instead: phrase('instead of {customer}', 'thay cho {customer}'),
    proposed: say(
      'only proposed, because it is not verified. Press It’s them to link it.',
      'chỉ là đề xuất, vì chưa được xác minh. Hãy bấm Đúng là họ để gắn.',
    ),
  },
  earlier: say('Earlier decision', 'Lần điều phối trước'),
};

/** Where an org id may have been found: on a record, or by intake. */
type OrgIdSource = 'ticket' | 'customer' | 'customer_name' | Finding['source'];

type GroupSetter = NonNullable<RoutingInputs['agent_group']>['set_by'];

export const routingInputs = {
  companyId: say('Org ID', 'Mã shop'),
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
  } satisfies Record<OrgIdSource, Translated<string>>,
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
  } satisfies Record<LookupStatus, Translated<string>>,
  oldData: say('old data', 'dữ liệu cũ'),
  groupBefore: say('Previous team', 'Nhóm trước đó'),
  setBy: {
    person: say('set by someone else', 'do người khác đặt'),
    sender: say('set by the sender', 'do người gửi đặt'),
    deskside: say('set by Deskside', 'do Deskside đặt'),
  } satisfies Record<GroupSetter, Translated<string>>,
  findings: say('Found in the ticket', 'Tìm thấy trong phiếu'),
  found: {
    org_id: say('Org ID', 'mã shop'),
    platform_domain: say('shop domain', 'tên miền shop'),
  } satisfies Record<Finding['kind'], Translated<string>>,
  fetched: say('Read from', 'Đọc tại'),
  metaWhy: {
    blocked: say('Not opened: it is not on the public internet.', 'Không mở: địa chỉ không dẫn ra internet công cộng.'),
    guarded_domain: say(
      'Not opened: this domain does not belong to a shop.',
      'Không mở: tên miền này không phải của shop.',
    ),
    not_found: say('It has no meta.json.', 'Không có meta.json.'),
    not_json: say('What it returned is not a meta.json.', 'Nội dung ở đó không phải meta.json.'),
    no_org_id: say('Its meta.json has no Org ID.', 'meta.json không có mã shop.'),
    too_large: say('Its answer is too large.', 'Câu trả lời quá lớn.'),
    redirected: say('It redirects elsewhere.', 'Địa chỉ chuyển hướng sang nơi khác.'),
    timeout: say('It took too long to answer.', 'Phản hồi quá chậm.'),
    unreachable: say('It could not be reached.', 'Không kết nối được.'),
    server_error: say('It had an internal problem.', 'Máy chủ gặp sự cố.'),
  } satisfies Record<MetaFailure['why'], Translated<string>>,
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
  } as Record<string, Translated<string>>,
};

type Fallback = NonNullable<RoutingOutcome['fallback']>;
type ReasonClause = (segment: string, plan: string) => string;
type AgentClause = (agent: string) => string;

export const routingReasons = {
  /** The whole decision: `because` and `agent` are clauses. */
  sentence: say(
    (team: string, because: string, agent: string | null) =>
      `${team}, because ${because}${agent === null ? '' : `; ${agent}`}.`,
    (team: string, because: string, agent: string | null) =>
      `${team}, vì ${because}${agent === null ? '' : `; ${agent}`}.`,
  ),
  because: {
    missing_orgid: phrase('no Org ID is known for this ticket', 'chưa biết mã shop của phiếu này'),
    medium_scale: phrase(
      'the customer’s segment is {segment} and {plan} is a Scale plan',
      'phân khúc của khách hàng là {segment} và {plan} là gói Scale',
    ),
    medium_grow: phrase(
      'the customer’s segment is {segment} and {plan} is a Grow plan',
      'phân khúc của khách hàng là {segment} và {plan} là gói Grow',
    ),
    medium_other: phrase(
      'the customer’s segment is {segment} but the plan is neither Scale nor Grow',
      'phân khúc của khách hàng là {segment} nhưng gói dịch vụ không phải Scale hay Grow',
    ),
    sme: phrase(
      'the customer’s segment is not Medium ({segment})',
      'phân khúc của khách hàng không phải Medium ({segment})',
    ),
  } satisfies Record<Exclude<RoutingRule, 'group_kept'>, Translated<ReasonClause>>,
  becauseKept: {
    person: say('someone had already chosen this team', 'đã có người chọn nhóm này'),
    sender: say('the sender chose this team', 'người gửi đã chọn nhóm này'),
    deskside: say('the ticket was already in this team', 'phiếu đã ở trong nhóm này từ trước'),
  } satisfies Record<GroupSetter, Translated<string>>,
  becauseUnknown: say('of a rule that was not recorded', 'không rõ quy tắc nào đã được áp dụng'),
  overruled: phrase(
    'Someone else had already chosen the team; Deskside would have chosen {team}.',
    'Đã có người chọn nhóm trước; Deskside định chọn {team}.',
  ),
  teamMissing: say(
    'No team, because the one for tickets like this cannot be used.',
    'Chưa có nhóm, vì nhóm dành cho những phiếu như vậy không dùng được.',
  ),
  agentClause: {
    planned: phrase('{agent} is next in turn', 'đến lượt {agent}'),
    assigned: phrase('{agent} was next in turn', 'đến lượt {agent}'),
    already_assigned: phrase('someone already had the ticket', 'phiếu đã có người nhận'),
    nobody_available: phrase(
      'it waits until someone on the team is available',
      'phiếu đang chờ người trong nhóm sẵn sàng',
    ),
    withdrawn: phrase(
      '{agent} was next in turn, but someone else had the ticket or had set its team',
      'đến lượt {agent} nhưng người khác đã nhận phiếu hoặc đã đặt nhóm',
    ),
  } satisfies Record<Exclude<Assignment['state'], 'none'>, Translated<AgentClause>>,
  /** `later`: what will happen next. */
  fallback: {
    crm: {
      title: say('Routed without the CRM', 'Điều phối khi chưa có CRM'),
      later: say(
        'The CRM did not answer. Once it does, the ticket is routed again, unless someone has worked on it by then.',
        'CRM không trả lời. Khi CRM trả lời, phiếu sẽ được điều phối lại, trừ khi lúc đó đã có người xử lý phiếu.',
      ),
    },
    meta_json: {
      title: say('Routed without the shop’s address', 'Điều phối khi chưa đọc được địa chỉ shop'),
      later: say(
        'It could not be read. Once it can, the ticket is routed again, unless someone has worked on it by then.',
        'Chưa đọc được địa chỉ. Khi đọc được, phiếu sẽ được điều phối lại, trừ khi lúc đó đã có người xử lý phiếu.',
      ),
    },
    team_missing: {
      title: say('The team for this ticket cannot be used', 'Không dùng được nhóm dành cho phiếu này'),
      later: say(
        'It does not exist in the helpdesk or is turned off there. Administrators are told; until it can be used, the ticket has no team.',
        'Nhóm không có trong helpdesk hoặc đã bị tắt. Quản trị viên đã được báo; trong lúc đó phiếu chưa có nhóm.',
      ),
    },
  } satisfies Record<Fallback, Record<'title' | 'later', Translated<string>>>,
  fallbackSince: say(
    'The ticket has been routed again since; see above.',
    'Phiếu đã được điều phối lại sau đó, xem ở trên.',
  ),
  candidate: {
    next_in_turn: say('next in turn', 'đến lượt'),
    not_their_turn: say('not their turn', 'chưa đến lượt'),
    away_while_others_are_active: say('away while others are active', 'tạm vắng, còn người khác đang làm việc'),
    unavailable: say('not available', 'không sẵn sàng'),
    agent_inactive: say('no longer an active agent', 'không còn hoạt động'),
    no_agent_record: say('not an agent in the helpdesk', 'không phải nhân viên trong helpdesk'),
    user_disabled: say('account turned off', 'tài khoản đã bị tắt'),
  } satisfies Record<AgentReason, Translated<string>>,
};
