import { plural } from '@deskside/extension/i18n/format';
import { section } from '@deskside/extension/i18n/section';
import type { OperatorRouting } from '@deskside/shared/operator/routing';

type Fallback = OperatorRouting['fallbacks'][number]['fallback'];

interface RoutingTexts {
  none: string;
  explain: { title: string; hint: string; label: string; show: string; none: string; ticket: (name: string) => string };
  latest: string;
  earlier: string;
  teams: { title: string; hint: string; nobody: string; spread: (tickets: number, shown: string) => string };
  agent: string;
  tickets: string;
  due: string;
  count: (count: number) => string;
  rules: { title: string; hint: string; rule: string };
  byHour: string;
  failures: { title: string; none: string; open: string; what: string; repairs: string; kept: string };
  fallback: Record<Fallback, string>;
}

/** The page about routing. */
export const routing = section<RoutingTexts>({
  en: {
    none: 'No ticket has been routed today yet.',
    explain: {
      title: 'Why this team?',
      hint: 'Every decision on one ticket, with all that it rests on.',
      label: 'Ticket number',
      show: 'Explain',
      none: 'Deskside has no decision on this ticket: it has not routed it, or its records were deleted.',
      ticket: (name) => `Ticket ${name}`,
    },
    latest: 'Latest decision',
    earlier: 'Earlier decision',
    teams: {
      title: 'Teams and agents today',
      hint: '“Due” is an equal part of every ticket that one was available for.',
      nobody: 'Nobody got a turn.',
      spread: (tickets, shown) =>
        tickets === 0
          ? 'Fair: nobody is ahead'
          : `Fair: ${shown} ${shown === '1' ? 'ticket' : 'tickets'} apart at most`,
    },
    agent: 'Agent',
    tickets: 'Tickets',
    due: 'Due',
    count: (count) => plural(count, 'ticket', 'tickets'),
    rules: {
      title: 'By rule',
      hint: 'The first rule that applies decides. Claimed: only the sender names the company, as Today counts it.',
      rule: 'Rule',
    },
    byHour: 'Tickets by hour',
    failures: {
      title: 'Fallbacks and repairs',
      none: 'Every ticket was routed with everything that it needed.',
      what: 'What was missing',
      open: 'Still so',
      repairs: 'Routed again once it worked',
      kept: 'With a team that somebody else chose',
    },
    fallback: { crm: 'The CRM', meta_json: 'The shop’s address', team_missing: 'The team itself' },
  },
  vi: {
    none: 'Hôm nay chưa có phiếu nào được điều phối.',
    explain: {
      title: 'Vì sao vào nhóm này?',
      hint: 'Mọi quyết định về một phiếu và tất cả căn cứ.',
      label: 'Số phiếu',
      show: 'Giải thích',
      none: 'Deskside không có quyết định nào về phiếu này: chưa điều phối, hoặc dữ liệu đã bị xóa.',
      ticket: (name) => `Phiếu ${name}`,
    },
    latest: 'Quyết định mới nhất',
    earlier: 'Quyết định trước đó',
    teams: {
      title: 'Nhóm và nhân viên hôm nay',
      hint: '“Phần được chia” là phần bằng nhau của mọi phiếu mà nhân viên đó sẵn sàng nhận.',
      nobody: 'Chưa đến lượt ai.',
      spread: (tickets, shown) =>
        tickets === 0 ? 'Công bằng: không ai nhận nhiều hơn' : `Công bằng: chênh nhau nhiều nhất ${shown} phiếu`,
    },
    agent: 'Nhân viên',
    tickets: 'Phiếu',
    due: 'Phần được chia',
    count: (count) => `${count} phiếu`,
    rules: {
      title: 'Theo quy tắc',
      hint: 'Quy tắc đầu tiên phù hợp sẽ quyết định. Tự khai: chỉ người gửi nêu công ty, đếm như ở Hôm nay.',
      rule: 'Quy tắc',
    },
    byHour: 'Số phiếu theo giờ',
    failures: {
      title: 'Điều phối tạm và sửa lại',
      none: 'Mọi phiếu đều được điều phối với đủ căn cứ.',
      what: 'Thiếu gì',
      open: 'Vẫn còn',
      repairs: 'Đã điều phối lại khi hoạt động trở lại',
      kept: 'Nhóm do người khác chọn',
    },
    fallback: { crm: 'CRM', meta_json: 'Địa chỉ shop', team_missing: 'Chính nhóm đó' },
  },
});
