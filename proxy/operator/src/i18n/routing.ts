import { plural } from '@deskside/extension/i18n/format';
import { section } from '@deskside/extension/i18n/section';
import type { OperatorRouting } from '@deskside/shared/operator/routing';
import type { RoutingDecision } from '@deskside/shared/routing';

type Fallback = OperatorRouting['fallbacks'][number]['fallback'];

/** The page about routing. */
export const routing = section({
  en: {
    none: 'No ticket has been routed today yet.',
    explain: {
      title: 'Why this team?',
      hint: 'Every decision on one ticket, with all that it rests on.',
      label: 'Ticket number',
      show: 'Explain',
      none: 'Deskside has no decision on this ticket: it has not routed it, or its records were deleted.',
      ticket: (name: string) => `Ticket ${name}`,
    },
    /** What brought about a decision. */
    trigger: {
      webhook: 'Triggered by the helpdesk’s webhook',
      sweep: 'Triggered by the sweep: no webhook had come',
      before_insert: 'Triggered by the Before Insert script',
      repair: 'Triggered by a failure that is over',
      confirmed: 'Triggered by judging the claim again: somebody vouches for it now',
      sync: 'Triggered by Sync customer',
      sync_undone: 'Triggered by undoing a sync',
    } satisfies Record<RoutingDecision['cause'], string>,
    repaired: {
      crm: 'Triggered by the CRM, which answers again',
      meta_json: 'Triggered by the shop’s meta.json, which can be read again',
      team_missing: 'Triggered by the team, which can be used again',
    } satisfies Record<Fallback, string>,
    foundBy: { webhook: 'then taken up by the webhook', sweep: 'then found by the sweep' },
    waited: 'it waited for an agent, until somebody was back',
    latest: 'Latest decision',
    earlier: 'Earlier decision',
    teams: {
      title: 'Teams and agents today',
      hint: '“Due” is an equal part of every ticket that one was available for.',
      nobody: 'Nobody got a turn.',
      spread: (tickets: number, shown: string) =>
        tickets === 0
          ? 'Fair: nobody is ahead'
          : `Fair: ${shown} ${shown === '1' ? 'ticket' : 'tickets'} apart at most`,
    },
    agent: 'Agent',
    tickets: 'Tickets',
    due: 'Due',
    count: (count: number) => plural(count, 'ticket', 'tickets'),
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
      swept: 'Found by the sweep alone; no webhook came',
      of: (some: string, all: string) => `${some} of ${all}`,
    },
    fallback: { crm: 'The CRM', meta_json: 'The shop’s address', team_missing: 'The team itself' } satisfies Record<
      Fallback,
      string
    >,
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
    trigger: {
      webhook: 'Do webhook của helpdesk',
      sweep: 'Do kiểm tra định kỳ (sweep): chưa có webhook nào đến',
      before_insert: 'Do script Before Insert',
      repair: 'Do sự cố đã được khắc phục',
      confirmed: 'Do xét lại lời tự khai: nay đã có căn cứ xác nhận',
      sync: 'Do đồng bộ khách hàng',
      sync_undone: 'Do hoàn tác đồng bộ',
    },
    repaired: {
      crm: 'Do CRM đã trả lời trở lại',
      meta_json: 'Do đã đọc được meta.json của shop',
      team_missing: 'Do nhóm đã dùng được trở lại',
    },
    foundBy: { webhook: 'sau đó webhook báo đến', sweep: 'sau đó kiểm tra định kỳ (sweep) tìm thấy' },
    waited: 'phiếu đã chờ đến khi có nhân viên trở lại',
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
      swept: 'Chỉ do kiểm tra định kỳ (sweep) tìm thấy, không có webhook',
      of: (some, all) => `${some} trên ${all}`,
    },
    fallback: { crm: 'CRM', meta_json: 'Địa chỉ shop', team_missing: 'Chính nhóm đó' },
  },
});
