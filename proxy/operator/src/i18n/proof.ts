import { section } from '@deskside/extension/i18n/section';
import type { OperatorProof, ProofHop, ProofProblemCode } from '@deskside/shared/operator/proof';

type Met = NonNullable<Extract<OperatorProof, { outcome: 'followed' }>['met']>;

/** The proof on the page of today. */
export const proof = section({
  en: {
    title: 'The proof',
    what: 'Makes a ticket, follows it through webhook, inbox, CRM and decision to its customer profile, and deletes it; that takes a minute at most. It takes no turn, assigns nobody, and changes no customer.',
    /** Before links to what else a new ticket sets off. */
    others:
      'The ticket also sets off what else this helpdesk has for new tickets: the acknowledgement by email (to the service account), if it is on, and every enabled webhook and notification in these lists, which Deskside’s own key may not read:',
    webhooks: 'Webhooks for tickets',
    notifications: 'Notifications for tickets',
    copy: 'A copy stays in the helpdesk under “Deleted Document”. “deskside prove” with a System Manager’s key removes that, too.',
    button: 'Prove that it works',
    running: 'The ticket is on its way…',
    busy: 'Another proof is under way. Try again in two minutes.',
    failed: 'The proof could not be carried out',
    works: (seconds: string) => `It works: ${seconds} s in all`,
    worksNot: 'It does not work yet',
    seconds: (seconds: string) => `${seconds} s`,
    hops: {
      inserted: 'The helpdesk took the ticket',
      heard: 'Deskside heard of it',
      taken: 'The inbox was worked on',
      crm: 'The CRM answered',
      decided: 'The team was decided',
      profile: 'The customer profile was there',
    } satisfies Record<ProofHop, string>,
    causes: { webhook: 'by the webhook', sweep: 'only by the sweep' } satisfies Record<Met['cause'], string>,
    crm: {
      matched: 'company found',
      not_found: 'no such company',
      cached: 'saved answer',
      error: 'it failed',
    } satisfies Record<NonNullable<Met['crm']>, string>,
    noCrm: 'No CRM is asked',
    next: (team: string, agent: string | null) =>
      agent === null ? `${team}; nobody is available` : `${team}; ${agent} would be next in turn`,
    /** The problem in this language, by its code; English has the proxy's own sentence. */
    said: null as Readonly<Record<ProofProblemCode, string>> | null,
    more: '“deskside prove” with a System Manager’s key also says why the helpdesk could not send the webhook.',
    copyKept: 'The ticket is deleted; the helpdesk keeps a copy under “Deleted Document”.',
    deleted: 'The ticket is deleted; the helpdesk keeps its log lines, of that and of the webhook.',
    details: 'Details',
  },
  vi: {
    title: 'Chứng minh',
    what: 'Tạo một phiếu, theo dõi phiếu qua webhook, hộp chờ, CRM và quyết định đến hồ sơ khách hàng, rồi xóa phiếu; mất nhiều nhất một phút. Phiếu này không tính lượt, không giao cho ai và không thay đổi khách hàng nào.',
    others:
      'Phiếu này cũng kích hoạt những gì helpdesk có cho phiếu mới: email xác nhận (gửi đến tài khoản dịch vụ) nếu đang bật, và mọi webhook và thông báo đang bật trong các danh sách này mà khóa của Deskside không được đọc:',
    webhooks: 'Webhook cho phiếu',
    notifications: 'Thông báo cho phiếu',
    copy: 'Một bản sao còn lại trong helpdesk ở “Deleted Document”. Lệnh “deskside prove” với khóa của System Manager xóa cả bản sao đó.',
    button: 'Chứng minh rằng hệ thống hoạt động',
    running: 'Phiếu đang được xử lý…',
    busy: 'Một lần chứng minh khác đang chạy. Hãy thử lại sau hai phút.',
    failed: 'Không thực hiện được việc chứng minh',
    works: (seconds) => `Hệ thống hoạt động: tổng cộng ${seconds} giây`,
    worksNot: 'Hệ thống chưa hoạt động',
    seconds: (seconds) => `${seconds} giây`,
    hops: {
      inserted: 'Helpdesk đã nhận phiếu',
      heard: 'Deskside đã biết về phiếu',
      taken: 'Hộp chờ đã được xử lý',
      crm: 'CRM đã trả lời',
      decided: 'Đã quyết định nhóm',
      profile: 'Đã có hồ sơ khách hàng',
    },
    causes: { webhook: 'nhờ webhook', sweep: 'chỉ nhờ lần rà soát' },
    crm: {
      matched: 'tìm thấy công ty',
      not_found: 'không có công ty này',
      cached: 'câu trả lời đã lưu',
      error: 'bị lỗi',
    },
    noCrm: 'Không hỏi CRM nào',
    next: (team, agent) =>
      agent === null ? `${team}; không có ai sẵn sàng` : `${team}; người đến lượt tiếp theo là ${agent}`,
    said: {
      not_heard: 'Phiếu không đến được Deskside.',
      by_sweep: 'Webhook không đến; lần rà soát đã tìm thấy phiếu.',
      crm: 'CRM không trả lời.',
      team: 'Không dùng được nhóm đã chọn.',
      profile: 'Không lấy được hồ sơ khách hàng của phiếu.',
      not_deleted: 'Không xóa được phiếu: hãy xóa phiếu trong helpdesk.',
    },
    more: 'Lệnh “deskside prove” với khóa của System Manager còn cho biết vì sao helpdesk không gửi được webhook.',
    copyKept: 'Phiếu đã bị xóa; helpdesk giữ một bản sao ở “Deleted Document”.',
    deleted: 'Phiếu đã bị xóa; helpdesk chỉ giữ các dòng nhật ký về việc xóa và về webhook.',
    details: 'Nguyên văn (tiếng Anh)',
  },
});
