import type {
  AgentReason,
  Assignment,
  RoutingDecision,
  RoutingInputs,
  RoutingOutcome,
  RoutingRule,
} from '@deskside/shared/routing';
import type { Message } from './crm-states.ts';
import { plural } from './format.ts';
import { section } from './section.ts';

type Fallback = NonNullable<RoutingOutcome['fallback']>;
type GroupSetter = NonNullable<RoutingInputs['agent_group']>['set_by'];

interface RoutingTexts {
  title: string;
  loading: string;
  loaded: (team: string) => string;
  none: Message;
  noneGroup: (group: string) => string;
  askAgain: string;
  failure: Record<'offline' | 'signed_out', Message>;
  noTeam: string;
  /** The whole decision: `because` and `agent` are clauses. */
  sentence: (team: string, because: string, agent: string | null) => string;
  because: Record<Exclude<RoutingRule, 'group_kept'>, (segment: string, plan: string) => string>;
  becauseKept: Record<GroupSetter, string>;
  becauseUnknown: string;
  overruled: (team: string) => string;
  teamMissing: string;
  agentClause: Record<Assignment['state'], (agent: string) => string | null>;
  details: string;
  movedTo: (group: string) => string;
  reason: string;
  copyReason: string;
  reasonCopied: string;
  copyFailed: string;
  made: (when: string, age: string | null) => string;
  cause: Record<RoutingDecision['cause'], string>;
  planned: string;
  /** `later`: what will happen next. */
  fallback: Record<Fallback, { title: string; later: string }>;
  fallbackSince: string;
  agent: string;
  members: (count: number) => string;
  candidate: Record<AgentReason, string>;
  link: { label: string; done: string; instead: (customer: string) => string; proposed: string };
  rules: string;
  rule: Record<RoutingRule, string>;
  hit: string;
  missed: string;
  earlier: (count: number) => string;
}

/** Why a ticket is in its team: the decision, its result and its reasons. */
export const routing = section<RoutingTexts>({
  en: {
    title: 'Why this team?',
    loading: 'Loading the routing decision…',
    loaded: (team) => `Routing decision loaded: ${team}.`,
    none: {
      title: 'Deskside has not routed this ticket',
      body: 'It probably came in before Deskside was installed. If it has just come in, check again in a minute.',
    },
    noneGroup: (group) => `Its team, ${group}, was set by someone or something else.`,
    askAgain: 'Check again',
    failure: {
      offline: { title: 'You are offline', body: 'This will load as soon as you are back online.' },
      signed_out: {
        title: 'Sign in to see why',
        body: 'Deskside uses your helpdesk account. If you are already signed in there, one click is enough.',
      },
    },
    noTeam: 'No team',
    sentence: (team, because, agent) => `${team}, because ${because}${agent === null ? '' : `; ${agent}`}.`,
    because: {
      missing_orgid: () => 'no Org ID is known for this ticket',
      claim_not_trusted: () => 'only the sender says which company this is about',
      medium_scale: (segment, plan) => `the customer’s segment is ${segment} and ${plan} is a Scale plan`,
      medium_grow: (segment, plan) => `the customer’s segment is ${segment} and ${plan} is a Grow plan`,
      medium_other: (segment) => `the customer’s segment is ${segment} but the plan is neither Scale nor Grow`,
      sme: (segment) => `the customer’s segment is not Medium (${segment})`,
    },
    becauseKept: {
      person: 'someone had already chosen this team',
      sender: 'the sender chose this team',
      deskside: 'the ticket was already in this team',
    },
    becauseUnknown: 'of a rule that was not recorded',
    overruled: (team) => `Someone else had already chosen the team; Deskside would have chosen ${team}.`,
    teamMissing: 'No team, because the one for tickets like this cannot be used.',
    agentClause: {
      none: () => null,
      planned: (agent) => `${agent} is next in turn`,
      assigned: (agent) => `${agent} was next in turn`,
      already_assigned: () => 'someone already had the ticket',
      nobody_available: () => 'it waits until someone on the team is available',
      withdrawn: (agent) => `${agent} was next in turn, but someone else had the ticket or had set its team`,
    },
    details: 'Details',
    movedTo: (group) => `Moved since: the ticket is now in ${group}.`,
    reason: 'Reason on the ticket',
    copyReason: 'Copy the reason',
    reasonCopied: 'Reason copied',
    copyFailed: 'The browser did not allow copying. Select the text and copy it yourself.',
    made: (when, age) => (age ? `${when}, ${age}` : `${when}, just now`),
    cause: {
      webhook: 'when the ticket came in (webhook)',
      sweep: 'found by the regular check (sweep)',
      before_insert: 'before the ticket was saved (Before Insert)',
      repair: 'routed again after a failure (repair)',
      confirmed: 'completed once the company was confirmed',
      sync: 'moved with Sync customer',
      sync_undone: 'moved back when a sync was undone',
    },
    planned: 'The helpdesk is being updated.',
    fallback: {
      crm: {
        title: 'Routed without the CRM',
        later:
          'The CRM did not answer. Once it does, the ticket is routed again, unless someone has worked on it by then.',
      },
      meta_json: {
        title: 'Routed without the shop’s address',
        later:
          'It could not be read. Once it can, the ticket is routed again, unless someone has worked on it by then.',
      },
      team_missing: {
        title: 'The team for this ticket cannot be used',
        later:
          'It does not exist in the helpdesk or is turned off there. Administrators are told; until it can be used, the ticket has no team.',
      },
    },
    fallbackSince: 'The ticket has been routed again since; see above.',
    agent: 'Agent',
    members: (count) => `${plural(count, 'team member', 'team members')}, in turn`,
    candidate: {
      next_in_turn: 'next in turn',
      not_their_turn: 'not their turn',
      away_while_others_are_active: 'away while others are active',
      unavailable: 'not available',
      agent_inactive: 'no longer an active agent',
      no_agent_record: 'not an agent in the helpdesk',
      user_disabled: 'account turned off',
    },
    link: {
      label: 'Linked to',
      done: 'by Deskside',
      instead: (customer) => `instead of ${customer}`,
      proposed: 'only proposed, because only the sender says so. Use Sync customer to link it.',
    },
    rules: 'Rules checked, in order',
    rule: {
      group_kept: 'The ticket already has a team',
      missing_orgid: 'No Org ID is known',
      claim_not_trusted: 'Only the sender says which company it is',
      medium_scale: 'Segment Medium with a Scale plan',
      medium_grow: 'Segment Medium with a Grow plan',
      medium_other: 'Segment Medium with another plan',
      sme: 'Everything else',
    },
    hit: 'applies',
    missed: 'does not apply',
    earlier: (count) =>
      count === 1 ? 'Earlier decision' : `${plural(count, 'earlier decision', 'earlier decisions')}`,
  },
  vi: {
    title: 'Vì sao vào nhóm này?',
    loading: 'Đang tải lý do chọn nhóm…',
    loaded: (team) => `Đã tải lý do: ${team}.`,
    none: {
      title: 'Deskside chưa điều phối phiếu này',
      body: 'Phiếu này thường được tạo trước khi cài Deskside. Nếu phiếu vừa đến, hãy kiểm tra lại sau một phút.',
    },
    noneGroup: (group) => `Nhóm hiện tại, ${group}, do người hoặc hệ thống khác đặt.`,
    askAgain: 'Kiểm tra lại',
    failure: {
      offline: { title: 'Bạn đang ngoại tuyến', body: 'Phần này sẽ tự tải ngay khi có kết nối trở lại.' },
      signed_out: {
        title: 'Đăng nhập để xem lý do',
        body: 'Deskside dùng tài khoản helpdesk của bạn. Nếu bạn đã đăng nhập ở đó, chỉ cần một lần bấm.',
      },
    },
    noTeam: 'Chưa có nhóm',
    sentence: (team, because, agent) => `${team}, vì ${because}${agent === null ? '' : `; ${agent}`}.`,
    because: {
      missing_orgid: () => 'chưa biết mã tổ chức của phiếu này',
      claim_not_trusted: () => 'công ty chỉ do người gửi tự khai',
      medium_scale: (segment, plan) => `phân khúc của khách hàng là ${segment} và ${plan} là gói Scale`,
      medium_grow: (segment, plan) => `phân khúc của khách hàng là ${segment} và ${plan} là gói Grow`,
      medium_other: (segment) => `phân khúc của khách hàng là ${segment} nhưng gói dịch vụ không phải Scale hay Grow`,
      sme: (segment) => `phân khúc của khách hàng không phải Medium (${segment})`,
    },
    becauseKept: {
      person: 'đã có người chọn nhóm này',
      sender: 'người gửi đã chọn nhóm này',
      deskside: 'phiếu đã ở trong nhóm này từ trước',
    },
    becauseUnknown: 'không rõ quy tắc nào đã được áp dụng',
    overruled: (team) => `Đã có người chọn nhóm trước; Deskside định chọn ${team}.`,
    teamMissing: 'Chưa có nhóm, vì nhóm dành cho những phiếu như vậy không dùng được.',
    agentClause: {
      none: () => null,
      planned: (agent) => `đến lượt ${agent}`,
      assigned: (agent) => `đến lượt ${agent}`,
      already_assigned: () => 'phiếu đã có người nhận',
      nobody_available: () => 'phiếu đang chờ người trong nhóm sẵn sàng',
      withdrawn: (agent) => `đến lượt ${agent} nhưng người khác đã nhận phiếu hoặc đã đặt nhóm`,
    },
    details: 'Chi tiết',
    movedTo: (group) => `Đã chuyển sau đó: phiếu hiện ở nhóm ${group}.`,
    reason: 'Lý do ghi trên phiếu',
    copyReason: 'Sao chép lý do',
    reasonCopied: 'Đã sao chép lý do',
    copyFailed: 'Trình duyệt không cho phép sao chép. Hãy chọn nội dung và tự sao chép.',
    made: (when, age) => (age ? `${when}, ${age}` : `${when}, vừa xong`),
    cause: {
      webhook: 'khi phiếu được gửi đến (webhook)',
      sweep: 'khi kiểm tra định kỳ (sweep)',
      before_insert: 'trước khi phiếu được lưu (Before Insert)',
      repair: 'điều phối lại sau sự cố (repair)',
      confirmed: 'bổ sung sau khi công ty được xác nhận',
      sync: 'chuyển khi đồng bộ khách hàng',
      sync_undone: 'chuyển về khi hoàn tác đồng bộ',
    },
    planned: 'Đang cập nhật helpdesk.',
    fallback: {
      crm: {
        title: 'Điều phối khi chưa có CRM',
        later:
          'CRM không trả lời. Khi CRM trả lời, phiếu sẽ được điều phối lại, trừ khi lúc đó đã có người xử lý phiếu.',
      },
      meta_json: {
        title: 'Điều phối khi chưa đọc được địa chỉ shop',
        later:
          'Chưa đọc được địa chỉ. Khi đọc được, phiếu sẽ được điều phối lại, trừ khi lúc đó đã có người xử lý phiếu.',
      },
      team_missing: {
        title: 'Không dùng được nhóm dành cho phiếu này',
        later:
          'Nhóm không có trong helpdesk hoặc đã bị tắt. Quản trị viên đã được báo; trong lúc đó phiếu chưa có nhóm.',
      },
    },
    fallbackSince: 'Phiếu đã được điều phối lại sau đó, xem ở trên.',
    agent: 'Nhân viên',
    members: (count) => `${count} thành viên của nhóm, theo lượt`,
    candidate: {
      next_in_turn: 'đến lượt',
      not_their_turn: 'chưa đến lượt',
      away_while_others_are_active: 'tạm vắng, còn người khác đang làm việc',
      unavailable: 'không sẵn sàng',
      agent_inactive: 'không còn hoạt động',
      no_agent_record: 'không phải nhân viên trong helpdesk',
      user_disabled: 'tài khoản đã bị tắt',
    },
    link: {
      label: 'Gắn với',
      done: 'bởi Deskside',
      instead: (customer) => `thay cho ${customer}`,
      proposed: 'chỉ là đề xuất, vì chỉ có người gửi tự khai. Hãy dùng Đồng bộ khách hàng để gắn.',
    },
    rules: 'Các quy tắc đã xét, theo thứ tự',
    rule: {
      group_kept: 'Phiếu đã có nhóm',
      missing_orgid: 'Chưa biết mã tổ chức',
      claim_not_trusted: 'Công ty chỉ do người gửi tự khai',
      medium_scale: 'Phân khúc Medium với gói Scale',
      medium_grow: 'Phân khúc Medium với gói Grow',
      medium_other: 'Phân khúc Medium với gói khác',
      sme: 'Mọi trường hợp còn lại',
    },
    hit: 'áp dụng',
    missed: 'không áp dụng',
    earlier: (count) => (count === 1 ? 'Lần điều phối trước' : `${count} lần điều phối trước`),
  },
});
