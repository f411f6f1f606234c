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

/** The result of a decision in a word or two. */
export type DecisionTag = Exclude<Assignment['state'], 'none'> | 'kept' | 'overruled' | 'team_missing';

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
  team: string;
  noTeam: string;
  tag: Record<DecisionTag, string>;
  why: Record<Exclude<RoutingRule, 'group_kept'>, (segment: string, plan: string) => string>;
  whyKept: Record<GroupSetter, string>;
  whyOverruled: string;
  whyUnknown: string;
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
  assignment: Record<Assignment['state'], string>;
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
      body: 'It probably came in before Deskside was installed. If it has only just come in, check again in a minute.',
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
    team: 'Team',
    noTeam: 'No team',
    tag: {
      planned: 'Being assigned',
      assigned: 'Assigned',
      already_assigned: 'Already assigned',
      nobody_available: 'Waiting for an agent',
      withdrawn: 'Not assigned',
      kept: 'Kept',
      overruled: 'Overridden',
      team_missing: 'Not routed',
    },
    why: {
      missing_orgid: () => 'No company ID is known for this ticket. Such tickets go to this team.',
      claim_not_trusted: () =>
        'The company is only claimed by the sender. Such tickets are routed like tickets without a company.',
      medium_scale: (segment, plan) => `The customer’s segment is ${segment}, and the plan is a Scale plan: ${plan}.`,
      medium_grow: (segment, plan) => `The customer’s segment is ${segment}, and the plan is a Grow plan: ${plan}.`,
      medium_other: (segment) => `The customer’s segment is ${segment}, but the plan is neither Scale nor Grow.`,
      sme: (segment) => `The segment is not Medium (${segment}). All such tickets go to this team.`,
    },
    whyKept: {
      person: 'The ticket was already in this team, set by someone else. Deskside leaves it there.',
      sender: 'The ticket came in with this team, chosen by its sender. Deskside leaves it there.',
      deskside: 'The ticket was already in this team.',
    },
    whyOverruled: 'Deskside would have chosen this team, but someone else had already chosen. Their choice stands.',
    whyUnknown: 'No rule is on record for this decision.',
    movedTo: (group) => `Moved since: the ticket is now in ${group}.`,
    reason: 'Reason on the ticket',
    copyReason: 'Copy the reason',
    reasonCopied: 'Reason copied',
    copyFailed: 'The browser did not allow copying. Select the text and copy it manually.',
    made: (when, age) => (age ? `${when}, ${age}` : `${when}, just now`),
    cause: {
      webhook: 'when the ticket came in (webhook)',
      sweep: 'found by the regular check (sweep)',
      before_insert: 'before the ticket was saved (Before Insert)',
      repair: 'decided again after a failure (repair)',
      confirmed: 'completed once the company was confirmed',
    },
    planned: 'The helpdesk is being updated.',
    fallback: {
      crm: {
        title: 'Decided without the CRM',
        later:
          'The CRM did not answer. Once it does, the team is decided again, unless someone has worked on the ticket by then.',
      },
      meta_json: {
        title: 'Decided without the shop’s address',
        later:
          'It could not be read. Once it can, the team is decided again, unless someone has worked on the ticket by then.',
      },
      team_missing: {
        title: 'The team for this ticket cannot be used',
        later:
          'It does not exist in the helpdesk or is disabled. Your administrator is notified; until it can be used, the ticket has no team.',
      },
    },
    fallbackSince: 'It has been decided again since; see above.',
    agent: 'Agent',
    assignment: {
      none: 'No one had to be assigned.',
      planned: 'is next in turn.',
      assigned: 'was next in turn.',
      already_assigned: 'Someone already had the ticket, so no one was added.',
      nobody_available:
        'No one on the team is available. The ticket is waiting and will be assigned as soon as someone is back.',
      withdrawn: 'was next in turn, but the assignment was withdrawn: someone else had the ticket or had set its team.',
    },
    members: (count) => `${plural(count, 'team member', 'team members')}, in turn`,
    candidate: {
      next_in_turn: 'next in turn',
      not_their_turn: 'not their turn',
      away_while_others_are_active: 'away while others are active',
      unavailable: 'not available',
      agent_inactive: 'no longer an active agent',
      no_agent_record: 'not an agent in the helpdesk',
      user_disabled: 'account disabled',
    },
    link: {
      label: 'Linked to',
      done: 'by Deskside',
      instead: (customer) => `instead of ${customer}`,
      proposed: 'only proposed, because the company is only claimed by the sender. Use Sync customer to link it.',
    },
    rules: 'Rules checked, in order',
    rule: {
      group_kept: 'The ticket already has a team',
      missing_orgid: 'No company ID is known',
      claim_not_trusted: 'The company is only claimed by the sender',
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
      title: 'Deskside chưa phân nhóm ticket này',
      body: 'Có lẽ ticket được tạo trước khi Deskside được cài đặt. Nếu ticket vừa mới đến, hãy xem lại sau một phút.',
    },
    noneGroup: (group) => `Nhóm hiện tại, ${group}, do người hoặc hệ thống khác đặt.`,
    askAgain: 'Hỏi lại',
    failure: {
      offline: { title: 'Bạn đang ngoại tuyến', body: 'Phần này sẽ tự tải ngay khi có kết nối trở lại.' },
      signed_out: {
        title: 'Đăng nhập để xem lý do',
        body: 'Deskside dùng tài khoản helpdesk của bạn. Nếu bạn đã đăng nhập ở đó, chỉ cần một lần bấm.',
      },
    },
    team: 'Nhóm',
    noTeam: 'Chưa có nhóm',
    tag: {
      planned: 'Đang phân công',
      assigned: 'Đã phân công',
      already_assigned: 'Đã có người nhận',
      nobody_available: 'Đang chờ nhân viên',
      withdrawn: 'Không phân công',
      kept: 'Giữ nguyên',
      overruled: 'Đã có người chọn khác',
      team_missing: 'Chưa phân nhóm',
    },
    why: {
      missing_orgid: () => 'Chưa biết mã công ty của ticket này. Những ticket như vậy được chuyển vào nhóm này.',
      claim_not_trusted: () =>
        'Chỉ có người gửi nói đây là công ty nào. Những ticket như vậy được xử lý như ticket chưa có công ty.',
      medium_scale: (segment, plan) => `Phân khúc của khách hàng là ${segment} và đang dùng gói Scale: ${plan}.`,
      medium_grow: (segment, plan) => `Phân khúc của khách hàng là ${segment} và đang dùng gói Grow: ${plan}.`,
      medium_other: (segment) =>
        `Phân khúc của khách hàng là ${segment} nhưng gói dịch vụ không phải Scale cũng không phải Grow.`,
      sme: (segment) => `Phân khúc không phải Medium (${segment}). Mọi ticket như vậy được chuyển vào nhóm này.`,
    },
    whyKept: {
      person: 'Ticket đã ở trong nhóm này do người khác đặt. Deskside giữ nguyên.',
      sender: 'Ticket được gửi đến kèm nhóm này do người gửi chọn. Deskside giữ nguyên.',
      deskside: 'Ticket đã ở trong nhóm này từ trước.',
    },
    whyOverruled: 'Deskside định chọn nhóm này nhưng đã có người chọn trước. Lựa chọn đó được giữ nguyên.',
    whyUnknown: 'Không có quy tắc nào được ghi lại cho quyết định này.',
    movedTo: (group) => `Đã chuyển sau đó: ticket hiện ở nhóm ${group}.`,
    reason: 'Lý do ghi trên ticket',
    copyReason: 'Sao chép lý do',
    reasonCopied: 'Đã sao chép lý do',
    copyFailed: 'Trình duyệt không cho phép sao chép. Hãy chọn đoạn chữ và tự sao chép.',
    made: (when, age) => (age ? `${when}, ${age}` : `${when}, vừa xong`),
    cause: {
      webhook: 'khi ticket được gửi đến (webhook)',
      sweep: 'khi rà soát định kỳ (sweep)',
      before_insert: 'trước khi ticket được lưu (Before Insert)',
      repair: 'quyết định lại sau sự cố (repair)',
      confirmed: 'bổ sung sau khi công ty được xác nhận',
    },
    planned: 'Đang báo cho helpdesk.',
    fallback: {
      crm: {
        title: 'Quyết định khi chưa có CRM',
        later:
          'CRM không trả lời. Khi CRM trả lời, nhóm sẽ được quyết định lại, trừ khi lúc đó đã có người xử lý ticket.',
      },
      meta_json: {
        title: 'Quyết định khi chưa đọc được địa chỉ shop',
        later:
          'Địa chỉ chưa đọc được. Khi đọc được, nhóm sẽ được quyết định lại, trừ khi lúc đó đã có người xử lý ticket.',
      },
      team_missing: {
        title: 'Không dùng được nhóm dành cho ticket này',
        later: 'Nhóm không có trong helpdesk hoặc đã bị tắt. Quản trị viên được báo; trong lúc đó ticket chưa có nhóm.',
      },
    },
    fallbackSince: 'Sau đó đã được quyết định lại, xem ở trên.',
    agent: 'Nhân viên',
    assignment: {
      none: 'Không cần phân công ai.',
      planned: 'đến lượt nhận ticket.',
      assigned: 'đến lượt nên được nhận ticket.',
      already_assigned: 'Ticket đã có người nhận nên không phân công thêm ai.',
      nobody_available: 'Trong nhóm chưa có ai sẵn sàng. Ticket đang chờ và sẽ được giao ngay khi có người trở lại.',
      withdrawn: 'đến lượt nhưng đã rút lại: người khác đã nhận ticket hoặc đã đặt nhóm.',
    },
    members: (count) => `${count} thành viên của nhóm, theo lượt`,
    candidate: {
      next_in_turn: 'đến lượt',
      not_their_turn: 'chưa đến lượt',
      away_while_others_are_active: 'đang vắng, còn người khác làm việc',
      unavailable: 'không sẵn sàng',
      agent_inactive: 'không còn là nhân viên hoạt động',
      no_agent_record: 'không phải nhân viên trong helpdesk',
      user_disabled: 'tài khoản đã bị tắt',
    },
    link: {
      label: 'Gắn với',
      done: 'bởi Deskside',
      instead: (customer) => `thay cho ${customer}`,
      proposed: 'chỉ là đề xuất: lời của người gửi chưa đủ. Hãy dùng Đồng bộ khách hàng để gắn.',
    },
    rules: 'Các quy tắc đã xét, theo thứ tự',
    rule: {
      group_kept: 'Ticket đã có nhóm',
      missing_orgid: 'Chưa biết mã công ty',
      claim_not_trusted: 'Chỉ người gửi xác nhận công ty',
      medium_scale: 'Phân khúc Medium với gói Scale',
      medium_grow: 'Phân khúc Medium với gói Grow',
      medium_other: 'Phân khúc Medium với gói khác',
      sme: 'Mọi trường hợp còn lại',
    },
    hit: 'đúng',
    missed: 'không đúng',
    earlier: (count) => (count === 1 ? 'Quyết định trước đó' : `${count} quyết định trước đó`),
  },
});
