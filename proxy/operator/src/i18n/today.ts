import { plural } from '@deskside/extension/i18n/format';
import { section } from '@deskside/extension/i18n/section';
import type { MatchCounts, OperatorToday } from '@deskside/shared/operator/today';
import { areasVi, findingsVi, uncheckedVi } from './findings-vi.ts';

type Lane = NonNullable<OperatorToday['crm']>['lanes'][number]['lane'];

/** The page of today. */
export const today = section({
  en: {
    asOf: (time: string) => `As of ${time}`,
    tickets: {
      title: 'Tickets routed today',
      hint: 'How much is known of who wrote them.',
      none: 'No ticket has been routed today yet.',
      chart: 'Tickets by hour',
    },
    match: { matched: 'Matched', claimed: 'Claimed', unknown: 'Unknown' } satisfies Record<keyof MatchCounts, string>,
    matchHint: {
      matched: 'the company is confirmed or likely',
      claimed: 'only the sender says so',
      unknown: 'no company found',
    } satisfies Record<keyof MatchCounts, string>,
    time: 'Time',
    asTable: 'Show as a table',
    crm: {
      title: 'CRM',
      /** `began`: when this process did, if that is less than an hour ago. */
      hint: (began: string | null) =>
        began === null
          ? 'What this proxy asked in the last hour.'
          : `What this proxy has asked since it started at ${began}.`,
      notSetUp: 'The CRM is not set up, so no company is looked up.',
      none: (began: string | null) =>
        began === null
          ? 'Nothing has been asked in the last hour.'
          : `Nothing has been asked since this proxy started at ${began}.`,
      requests: 'Requests',
      failed: 'Failed',
      typical: 'Typical time',
      slow: '95 % within',
      chart: 'Time within which 95 % were answered, in milliseconds',
      errors: 'Why requests failed',
      lanes: 'Budget by lane',
      left: 'Requests free now',
      waiting: 'Waiting',
      name: { click: 'Somebody waits', open: 'Tickets and opened pages', backfill: 'Bulk work' } satisfies Record<
        Lane,
        string
      >,
    },
    milliseconds: (ms: string) => `${ms} ms`,
    waiting: {
      title: 'Waiting tickets',
      hint: 'Nobody on the team is available.',
      none: 'No ticket waits for an agent.',
      more: (count: number) => `and ${plural(count, 'other', 'others')}`,
      due: (count: number, since: string) =>
        `${plural(count, 'ticket', 'tickets')} should have been routed by now, the first since ${since}.`,
    },
    ticket: 'Ticket',
    tickets_: 'Tickets',
    team: 'Team',
    noTeam: 'No team',
    since: 'Since',
    unknown: {
      title: 'Unknown Org IDs',
      hint: 'On today’s tickets, but the CRM has no such company.',
      none: 'Every Org ID of today is known in the CRM.',
      orgId: 'Org ID',
    },
    expiring: {
      title: 'Plans that end soon',
      hint: 'Customers with open tickets whose plan ends within 30 days.',
      none: 'No customer with an open ticket has a plan that ends within 30 days.',
      customer: 'Customer and plan',
      ends: 'Ends',
      daysLeft: (days: number) => (days === 0 ? 'less than a day' : `${plural(days, 'day', 'days')} left`),
      open: 'Open tickets',
      others: (count: number) => `and ${plural(count, 'other', 'others')}`,
      more: (count: number) => `Show ${count} more`,
      /** `oldest`: the oldest word of the CRM that it rests on. */
      asOf: (time: string, oldest: string | null) =>
        oldest === null
          ? `Open tickets as of ${time}.`
          : `Open tickets as of ${time}; ends of plans as the CRM last said, the oldest of it on ${oldest}.`,
      cut: (tickets: string) => `Only the newest ${tickets} open tickets were looked at.`,
      unknown: (count: number) =>
        `Of ${plural(count, 'customer', 'customers')} the CRM has not said yet; it is not asked for this list.`,
    },
    health: {
      title: 'What is wrong',
      fine: 'Nothing is wrong in what was checked.',
      checking: 'Checking helpdesk, CRM and this machine…',
      notChecked: 'Not checked',
      error: 'Fault',
      warning: 'Warning',
      remedy: 'What to do',
      about: 'Concerns',
      checked: (time: string) => `Checked at ${time}`,
      /** The problem and its remedy in this language, by the code; English has the proxy's own sentences. */
      said: {} as Readonly<Record<string, readonly [problem: string, remedy: string]>>,
      /** Likewise the parts that were looked at, and why one was not, by the proxy's own words. */
      areas: {} as Readonly<Record<string, string>>,
      unchecked: {} as Readonly<Record<string, string>>,
      details: 'Details',
    },
    newTab: 'opens in a new tab',
  },
  vi: {
    asOf: (time) => `Tính đến ${time}`,
    tickets: {
      title: 'Phiếu được điều phối hôm nay',
      hint: 'Đã biết bao nhiêu về người gửi.',
      none: 'Hôm nay chưa có phiếu nào được điều phối.',
      chart: 'Số phiếu theo giờ',
    },
    match: { matched: 'Đã khớp', claimed: 'Tự khai', unknown: 'Chưa biết' },
    matchHint: {
      matched: 'công ty đã xác nhận hoặc khả năng cao',
      claimed: 'chỉ do người gửi tự khai',
      unknown: 'không tìm thấy công ty',
    },
    time: 'Thời điểm',
    asTable: 'Xem dạng bảng',
    crm: {
      title: 'CRM',
      hint: (began) =>
        began === null
          ? 'Những gì proxy này đã hỏi trong một giờ qua.'
          : `Những gì proxy này đã hỏi từ khi khởi động lúc ${began}.`,
      notSetUp: 'CRM chưa thiết lập nên không tìm được công ty nào.',
      none: (began) =>
        began === null
          ? 'Một giờ qua chưa hỏi CRM lần nào.'
          : `Chưa hỏi CRM lần nào từ khi proxy này khởi động lúc ${began}.`,
      requests: 'Số yêu cầu',
      failed: 'Thất bại',
      typical: 'Thường mất',
      slow: '95 % trong vòng',
      chart: 'Thời gian mà 95 % yêu cầu được trả lời, tính bằng mili giây',
      errors: 'Vì sao yêu cầu thất bại',
      lanes: 'Hạn mức theo làn',
      left: 'Yêu cầu còn gửi được ngay',
      waiting: 'Đang chờ',
      name: { click: 'Có người đang chờ', open: 'Phiếu mới và trang đang mở', backfill: 'Xử lý hàng loạt' },
    },
    milliseconds: (ms) => `${ms} ms`,
    waiting: {
      title: 'Phiếu đang chờ',
      hint: 'Trong nhóm chưa có ai sẵn sàng.',
      none: 'Không có phiếu nào chờ nhân viên.',
      more: (count) => `và ${count} phiếu khác`,
      due: (count, since) => `${count} phiếu lẽ ra đã được điều phối, phiếu đầu tiên từ ${since}.`,
    },
    ticket: 'Phiếu',
    tickets_: 'Phiếu',
    team: 'Nhóm',
    noTeam: 'Chưa có nhóm',
    since: 'Từ lúc',
    unknown: {
      title: 'Mã tổ chức không rõ',
      hint: 'Có trên phiếu hôm nay nhưng CRM không có công ty này.',
      none: 'CRM biết mọi mã tổ chức của hôm nay.',
      orgId: 'Mã tổ chức',
    },
    expiring: {
      title: 'Gói dịch vụ sắp hết hạn',
      hint: 'Khách hàng có phiếu đang mở và gói dịch vụ hết hạn trong 30 ngày tới.',
      none: 'Không có khách hàng nào có phiếu đang mở mà gói dịch vụ hết hạn trong 30 ngày tới.',
      customer: 'Khách hàng và gói',
      ends: 'Hết hạn',
      daysLeft: (days) => (days === 0 ? 'còn chưa đến một ngày' : `còn ${days} ngày`),
      open: 'Phiếu đang mở',
      others: (count) => `và ${count} phiếu khác`,
      more: (count) => `Xem thêm ${count}`,
      asOf: (time, oldest) =>
        oldest === null
          ? `Phiếu đang mở tính đến ${time}.`
          : `Phiếu đang mở tính đến ${time}; ngày hết hạn theo lần CRM trả lời gần nhất, cũ nhất là ${oldest}.`,
      cut: (tickets) => `Chỉ xét ${tickets} phiếu đang mở mới nhất.`,
      unknown: (count) => `CRM chưa cho biết về ${count} khách hàng; danh sách này không hỏi CRM.`,
    },
    health: {
      title: 'Có gì không ổn',
      fine: 'Không có gì sai trong những gì đã kiểm tra.',
      checking: 'Đang kiểm tra helpdesk, CRM và máy này…',
      notChecked: 'Chưa kiểm tra',
      error: 'Lỗi',
      warning: 'Cảnh báo',
      remedy: 'Cần làm gì',
      about: 'Liên quan',
      checked: (time) => `Kiểm tra lúc ${time}`,
      said: findingsVi,
      areas: areasVi,
      unchecked: uncheckedVi,
      details: 'Nguyên văn (tiếng Anh)',
    },
    newTab: 'mở trong thẻ mới',
  },
});
