import type { RoutingDecision } from '@deskside/shared/routing';
import { plural } from '#i18n/format.ts';
import { section } from '#i18n/section.ts';
import type { Message } from './crm-states.ts';

interface RoutingTexts {
  title: string;
  loading: string;
  loaded: (team: string) => string;
  none: Message;
  noneGroup: (group: string) => string;
  askAgain: string;
  signedOut: Message;
  noTeam: string;
  details: string;
  movedTo: (group: string) => string;
  reason: string;
  copyReason: string;
  reasonCopied: string;
  copyFailed: string;
  made: (when: string, age: string | null) => string;
  cause: Record<RoutingDecision['cause'], string>;
  planned: string;
  agent: string;
  members: (count: number) => string;
  link: { label: string; done: string; instead: (customer: string) => string; proposed: string };
  rules: string;
  hit: string;
  missed: string;
  earlier: (count: number) => string;
}

/** The section that says why a ticket is in its team. */
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
    signedOut: {
      title: 'Sign in to see why',
      body: 'Deskside uses your helpdesk account. If you are already signed in there, one click is enough.',
    },
    noTeam: 'No team',
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
      sync_undone: 'put back when a sync was undone',
    },
    planned: 'The helpdesk is being updated.',
    agent: 'Agent',
    members: (count) => `${plural(count, 'team member', 'team members')}, in turn`,
    link: {
      label: 'Linked to',
      done: 'by Deskside',
      instead: (customer) => `instead of ${customer}`,
      proposed: 'only proposed, because only the sender says so. Use Sync customer to link it.',
    },
    rules: 'Rules checked, in order',
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
    signedOut: {
      title: 'Đăng nhập để xem lý do',
      body: 'Deskside dùng tài khoản helpdesk của bạn. Nếu bạn đã đăng nhập ở đó, chỉ cần một lần bấm.',
    },
    noTeam: 'Chưa có nhóm',
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
      sync_undone: 'khôi phục khi hoàn tác đồng bộ',
    },
    planned: 'Đang cập nhật helpdesk.',
    agent: 'Nhân viên',
    members: (count) => `${count} thành viên của nhóm, theo lượt`,
    link: {
      label: 'Gắn với',
      done: 'bởi Deskside',
      instead: (customer) => `thay cho ${customer}`,
      proposed: 'chỉ là đề xuất, vì chỉ có người gửi tự khai. Hãy dùng Đồng bộ khách hàng để gắn.',
    },
    rules: 'Các quy tắc đã xét, theo thứ tự',
    hit: 'áp dụng',
    missed: 'không áp dụng',
    earlier: (count) => (count === 1 ? 'Lần điều phối trước' : `${count} lần điều phối trước`),
  },
});
