import type { AgentReason, Assignment, RoutingInputs, RoutingOutcome, RoutingRule } from '@deskside/shared/routing';
import { phrase, type Said, say } from '#i18n/say.ts';

type Fallback = NonNullable<RoutingOutcome['fallback']>;
type Because = (segment: string, plan: string) => string;
type AgentClause = (agent: string) => string;
type GroupSetter = NonNullable<RoutingInputs['agent_group']>['set_by'];

/** Why a decision is as it is: the rule, the agent's turn, and what stood in the way. */
export const routingReasons = {
  /** The whole decision: `because` and `agent` are clauses. */
  sentence: say(
    (team: string, because: string, agent: string | null) =>
      `${team}, because ${because}${agent === null ? '' : `; ${agent}`}.`,
    (team: string, because: string, agent: string | null) =>
      `${team}, vì ${because}${agent === null ? '' : `; ${agent}`}.`,
  ),
  because: {
    missing_orgid: phrase('no Org ID is known for this ticket', 'chưa biết mã tổ chức của phiếu này'),
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
  } satisfies Record<Exclude<RoutingRule, 'group_kept'>, Said<Because>>,
  becauseKept: {
    person: say('someone had already chosen this team', 'đã có người chọn nhóm này'),
    sender: say('the sender chose this team', 'người gửi đã chọn nhóm này'),
    deskside: say('the ticket was already in this team', 'phiếu đã ở trong nhóm này từ trước'),
  } satisfies Record<GroupSetter, Said<string>>,
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
  } satisfies Record<Exclude<Assignment['state'], 'none'>, Said<AgentClause>>,
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
  } satisfies Record<Fallback, Record<'title' | 'later', Said<string>>>,
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
  } satisfies Record<AgentReason, Said<string>>,
};
