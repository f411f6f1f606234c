import type { RoutingDecision } from '@deskside/shared/routing';
import { plural } from '#i18n/format.ts';
import { phrase, type Said, say } from '#i18n/say.ts';

/** The section that says why a ticket is in its team. */
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
  reason: say('Reason on the ticket', 'Lý do ghi trên phiếu'),
  made: say(
    (when: string, age: string | null) => (age ? `${when}, ${age}` : `${when}, just now`),
    (when: string, age: string | null) => (age ? `${when}, ${age}` : `${when}, vừa xong`),
  ),
  cause: {
    webhook: say('when the ticket came in (webhook)', 'khi phiếu được gửi đến (webhook)'),
    sweep: say('found by the regular check (sweep)', 'khi kiểm tra định kỳ (sweep)'),
    before_insert: say('before the ticket was saved (Before Insert)', 'trước khi phiếu được lưu (Before Insert)'),
    repair: say('routed again after a failure (repair)', 'điều phối lại sau sự cố (repair)'),
    confirmed: say('completed once somebody vouched for the company', 'bổ sung sau khi công ty được xác nhận'),
    sync: say('decided again when an agent confirmed the customer', 'điều phối lại khi nhân viên xác nhận khách hàng'),
    sync_undone: say('taken back when that was undone', 'rút lại khi hoàn tác việc đó'),
  } satisfies Record<RoutingDecision['cause'], Said<string>>,
  planned: say('The helpdesk is being updated.', 'Đang cập nhật helpdesk.'),
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
