import type { AgentReason, Assignment, RoutingInputs, RoutingOutcome, RoutingRule } from '@deskside/shared/routing';
import { section } from '#i18n/section.ts';

type Fallback = NonNullable<RoutingOutcome['fallback']>;
type GroupSetter = NonNullable<RoutingInputs['agent_group']>['set_by'];

/** Why a decision is as it is: the rule, the agent's turn, and what stood in the way. */
export const routingReasons = section({
  en: {
    /** The whole decision: `because` and `agent` are clauses. */
    sentence: (team: string, because: string, agent: string | null) =>
      `${team}, because ${because}${agent === null ? '' : `; ${agent}`}.`,
    because: {
      missing_orgid: () => 'no Org ID is known for this ticket',
      medium_scale: (segment, plan) => `the customer’s segment is ${segment} and ${plan} is a Scale plan`,
      medium_grow: (segment, plan) => `the customer’s segment is ${segment} and ${plan} is a Grow plan`,
      medium_other: (segment) => `the customer’s segment is ${segment} but the plan is neither Scale nor Grow`,
      sme: (segment) => `the customer’s segment is not Medium (${segment})`,
    } satisfies Record<Exclude<RoutingRule, 'group_kept'>, (segment: string, plan: string) => string>,
    becauseKept: {
      person: 'someone had already chosen this team',
      sender: 'the sender chose this team',
      deskside: 'the ticket was already in this team',
    } satisfies Record<GroupSetter, string>,
    becauseUnknown: 'of a rule that was not recorded',
    overruled: (team: string) => `Someone else had already chosen the team; Deskside would have chosen ${team}.`,
    teamMissing: 'No team, because the one for tickets like this cannot be used.',
    agentClause: {
      none: () => null,
      planned: (agent) => `${agent} is next in turn`,
      assigned: (agent) => `${agent} was next in turn`,
      already_assigned: () => 'someone already had the ticket',
      nobody_available: () => 'it waits until someone on the team is available',
      withdrawn: (agent) => `${agent} was next in turn, but someone else had the ticket or had set its team`,
    } satisfies Record<Assignment['state'], (agent: string) => string | null>,
    /** `later`: what will happen next. */
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
    } satisfies Record<Fallback, { title: string; later: string }>,
    fallbackSince: 'The ticket has been routed again since; see above.',
    candidate: {
      next_in_turn: 'next in turn',
      not_their_turn: 'not their turn',
      away_while_others_are_active: 'away while others are active',
      unavailable: 'not available',
      agent_inactive: 'no longer an active agent',
      no_agent_record: 'not an agent in the helpdesk',
      user_disabled: 'account turned off',
    } satisfies Record<AgentReason, string>,
    rule: {
      group_kept: 'The ticket already has a team',
      missing_orgid: 'No Org ID is known',
      medium_scale: 'Segment Medium with a Scale plan',
      medium_grow: 'Segment Medium with a Grow plan',
      medium_other: 'Segment Medium with another plan',
      sme: 'Everything else',
    } satisfies Record<RoutingRule, string>,
  },
  vi: {
    sentence: (team: string, because: string, agent: string | null) =>
      `${team}, vì ${because}${agent === null ? '' : `; ${agent}`}.`,
    because: {
      missing_orgid: () => 'chưa biết mã tổ chức của phiếu này',
      medium_scale: (segment, plan) => `phân khúc của khách hàng là ${segment} và ${plan} là gói Scale`,
      medium_grow: (segment, plan) => `phân khúc của khách hàng là ${segment} và ${plan} là gói Grow`,
      medium_other: (segment) => `phân khúc của khách hàng là ${segment} nhưng gói dịch vụ không phải Scale hay Grow`,
      sme: (segment) => `phân khúc của khách hàng không phải Medium (${segment})`,
    } satisfies Record<Exclude<RoutingRule, 'group_kept'>, (segment: string, plan: string) => string>,
    becauseKept: {
      person: 'đã có người chọn nhóm này',
      sender: 'người gửi đã chọn nhóm này',
      deskside: 'phiếu đã ở trong nhóm này từ trước',
    } satisfies Record<GroupSetter, string>,
    becauseUnknown: 'không rõ quy tắc nào đã được áp dụng',
    overruled: (team: string) => `Đã có người chọn nhóm trước; Deskside định chọn ${team}.`,
    teamMissing: 'Chưa có nhóm, vì nhóm dành cho những phiếu như vậy không dùng được.',
    agentClause: {
      none: () => null,
      planned: (agent) => `đến lượt ${agent}`,
      assigned: (agent) => `đến lượt ${agent}`,
      already_assigned: () => 'phiếu đã có người nhận',
      nobody_available: () => 'phiếu đang chờ người trong nhóm sẵn sàng',
      withdrawn: (agent) => `đến lượt ${agent} nhưng người khác đã nhận phiếu hoặc đã đặt nhóm`,
    } satisfies Record<Assignment['state'], (agent: string) => string | null>,
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
    } satisfies Record<Fallback, { title: string; later: string }>,
    fallbackSince: 'Phiếu đã được điều phối lại sau đó, xem ở trên.',
    candidate: {
      next_in_turn: 'đến lượt',
      not_their_turn: 'chưa đến lượt',
      away_while_others_are_active: 'tạm vắng, còn người khác đang làm việc',
      unavailable: 'không sẵn sàng',
      agent_inactive: 'không còn hoạt động',
      no_agent_record: 'không phải nhân viên trong helpdesk',
      user_disabled: 'tài khoản đã bị tắt',
    } satisfies Record<AgentReason, string>,
    rule: {
      group_kept: 'Phiếu đã có nhóm',
      missing_orgid: 'Chưa biết mã tổ chức',
      medium_scale: 'Phân khúc Medium với gói Scale',
      medium_grow: 'Phân khúc Medium với gói Grow',
      medium_other: 'Phân khúc Medium với gói khác',
      sme: 'Mọi trường hợp còn lại',
    } satisfies Record<RoutingRule, string>,
  },
});
