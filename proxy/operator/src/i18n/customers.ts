import { plural } from '@deskside/extension/i18n/format';
import { section } from '@deskside/extension/i18n/section';
import type { AcceptedMatch, MatchFact, MatchVerdict } from '@deskside/shared/operator/customers';

interface CustomersTexts {
  mayNot: string;
  noCrm: string;
  look: { title: string; hint: string; never: string; begin: string; again: string };
  progress: (done: number, total: number) => string;
  stands: (done: number, total: number, when: string) => string;
  failed: (count: number) => string;
  nothing: string;
  verdicts: Record<MatchVerdict, { title: string; hint: string }>;
  none: string;
  helpdesk: string;
  crm: string;
  agrees: string;
  nothingAgrees: string;
  facts: Record<MatchFact['code'], string>;
  weights: Record<Exclude<MatchFact['weight'], 'full'>, string>;
  orgId: (id: string) => string;
  noOrgId: string;
  taken: (customer: string) => string;
  rivals: (customers: string) => string;
  takenBack: string;
  accept: string;
  acceptOf: (customer: string, company: string) => string;
  acceptAll: (count: number) => string;
  accepting: (done: number, total: number) => string;
  outcome: Record<Exclude<AcceptedMatch['outcome'], 'adopted'>, string>;
  changedSince: string;
  leftOut: (count: number) => string;
  more: (count: number) => string;
  accepted: { title: string; hint: string; none: string; undo: string; undoOf: (customer: string) => string };
  batch: (count: number, when: string, by: string) => string;
  undoBatch: string;
  undoing: (left: number) => string;
}

/** The page about customers made by hand. */
export const customers = section<CustomersTexts>({
  en: {
    mayNot: 'You can look at what was found. Only System Managers may accept it.',
    noCrm: 'There is no CRM to ask: it is switched off, or no webhook is set.',
    look: {
      title: 'Customers made by hand',
      hint: 'Customers of the helpdesk without an Org ID, and the company in the CRM that each seems to be. Looking changes no customer.',
      never:
        'Nobody has looked for them yet. The CRM is asked in what agents leave of its budget, so a few thousand customers can take an hour.',
      begin: 'Find their companies',
      again: 'Check again',
    },
    progress: (done, total) => (total === 0 ? 'Reading the helpdesk’s customers…' : `${done} of ${total} looked at`),
    stands: (done, total, when) => `${done} of ${total} looked at since ${when}`,
    failed: (count) =>
      `The CRM did not answer about ${plural(count, 'customer', 'customers')}; they are not in the lists. Check again.`,
    nothing: 'Every customer has an Org ID: there is nothing to look for.',
    verdicts: {
      certain: {
        title: 'Certain',
        hint: 'Two independent facts agree, none speaks against it, and it is exactly one company.',
      },
      likely: { title: 'Likely', hint: 'More speaks for this company than for any other. Look before you accept.' },
      several: { title: 'Several', hint: 'As much speaks for one company as for another.' },
      none: { title: 'None', hint: 'Nothing, or not enough, speaks for any company.' },
    },
    none: 'None at the moment.',
    helpdesk: 'In the helpdesk',
    crm: 'In the CRM',
    agrees: 'What agrees',
    nothingAgrees: 'Nothing in common with any company.',
    facts: {
      org_id_in_name: 'Org ID in the name',
      ticket_org_id: 'Org ID of tickets',
      member_address: 'Email',
      member_phone: 'Phone',
      same_domain: 'Domain',
      same_name: 'Name',
    },
    weights: {
      similar: 'others are called similarly',
      shared: 'others have it too',
      unproven: 'a website user may have written it',
      part: 'in part',
    },
    orgId: (id) => `Org ID ${id}`,
    noOrgId: 'No Org ID: cannot be accepted',
    taken: (customer) => `This company is the customer ${customer} already. “duplicates” says how to join them.`,
    rivals: (names) => `Just as likely this company: ${names}`,
    takenBack: 'Was accepted before, and undone',
    accept: 'Accept',
    acceptOf: (customer, company) => `Accept: ${customer} is ${company}`,
    acceptAll: (count) => (count === 1 ? 'Accept the one that is certain' : `Accept all ${count} that are certain`),
    accepting: (done, total) => `${done} of ${total} accepted…`,
    outcome: {
      already: 'It was this company already.',
      gone: 'This customer does not exist any more.',
      other_identity: 'Left as it is: the customer stands for another company, or its name ends in another Org ID.',
      company_has_customer: 'Left as it is: the company is another customer already.',
      not_in_crm: 'Left as it is: the CRM has no company with this Org ID any more.',
      crm_failed: 'Left as it is: the CRM did not answer. Try again in a moment.',
    },
    changedSince: 'Somebody has checked again since. Look at what was found now, then accept.',
    leftOut: (count) => `${plural(count, 'customer was', 'customers were')} left as they are:`,
    more: (count) => `Show ${count} more`,
    accepted: {
      title: 'Accepted',
      hint: 'Undoing gives a customer back what it was before.',
      none: 'Nothing has been accepted yet.',
      undo: 'Undo',
      undoOf: (customer) => `Undo: ${customer}`,
    },
    batch: (count, when, by) => `${plural(count, 'customer', 'customers')} accepted at once, ${when}, by ${by}`,
    undoBatch: 'Undo all of them',
    undoing: (left) => `${left} left…`,
  },
  vi: {
    mayNot: 'Bạn có thể xem kết quả. Chỉ System Manager được chấp nhận.',
    noCrm: 'Không có CRM để hỏi: CRM đang tắt hoặc chưa đặt webhook.',
    look: {
      title: 'Khách hàng tạo bằng tay',
      hint: 'Khách hàng của helpdesk chưa có mã tổ chức, và công ty trong CRM mà mỗi khách hàng có vẻ là. Việc tìm không thay đổi khách hàng nào.',
      never:
        'Chưa ai tìm. CRM chỉ được hỏi bằng phần hạn mức mà nhân viên để lại, nên vài nghìn khách hàng có thể mất một giờ.',
      begin: 'Tìm công ty của họ',
      again: 'Kiểm tra lại',
    },
    progress: (done, total) => (total === 0 ? 'Đang đọc khách hàng của helpdesk…' : `Đã xem ${done} trên ${total}`),
    stands: (done, total, when) => `Đã xem ${done} trên ${total}, từ ${when}`,
    failed: (count) => `CRM không trả lời về ${count} khách hàng; họ không có trong danh sách. Hãy kiểm tra lại.`,
    nothing: 'Mọi khách hàng đều có mã tổ chức: không có gì để tìm.',
    verdicts: {
      certain: {
        title: 'Chắc chắn',
        hint: 'Hai căn cứ độc lập trùng khớp, không có gì trái ngược, và chỉ đúng một công ty.',
      },
      likely: {
        title: 'Khả năng cao',
        hint: 'Công ty này có nhiều căn cứ hơn mọi công ty khác. Hãy xem trước khi chấp nhận.',
      },
      several: { title: 'Nhiều công ty', hint: 'Nhiều công ty có căn cứ ngang nhau.' },
      none: { title: 'Không có', hint: 'Không có căn cứ nào, hoặc chưa đủ, cho bất kỳ công ty nào.' },
    },
    none: 'Hiện không có.',
    helpdesk: 'Trong helpdesk',
    crm: 'Trong CRM',
    agrees: 'Điểm trùng khớp',
    nothingAgrees: 'Không có điểm chung với công ty nào.',
    facts: {
      org_id_in_name: 'Mã tổ chức trong tên',
      ticket_org_id: 'Mã tổ chức của phiếu',
      member_address: 'Email',
      member_phone: 'Điện thoại',
      same_domain: 'Tên miền',
      same_name: 'Tên',
    },
    weights: {
      similar: 'có tên khác tương tự',
      shared: 'nơi khác cũng có',
      unproven: 'người dùng website có thể đã ghi',
      part: 'một phần',
    },
    orgId: (id) => `Mã tổ chức ${id}`,
    noOrgId: 'Không có mã tổ chức: không thể chấp nhận',
    taken: (customer) => `Công ty này đã là khách hàng ${customer}. Lệnh “duplicates” cho biết cách gộp.`,
    rivals: (names) => `Khả năng cũng cao là công ty này: ${names}`,
    takenBack: 'Đã từng được chấp nhận rồi hoàn tác',
    accept: 'Chấp nhận',
    acceptOf: (customer, company) => `Chấp nhận: ${customer} là ${company}`,
    acceptAll: (count) => `Chấp nhận tất cả ${count} khách hàng chắc chắn`,
    accepting: (done, total) => `Đã chấp nhận ${done} trên ${total}…`,
    outcome: {
      already: 'Khách hàng này đã là công ty này.',
      gone: 'Khách hàng này không còn tồn tại.',
      other_identity: 'Giữ nguyên: khách hàng này là công ty khác, hoặc tên kết thúc bằng mã tổ chức khác.',
      company_has_customer: 'Giữ nguyên: công ty này đã là khách hàng khác.',
      not_in_crm: 'Giữ nguyên: CRM không còn công ty nào có mã tổ chức này.',
      crm_failed: 'Giữ nguyên: CRM không trả lời. Hãy thử lại sau ít phút.',
    },
    changedSince: 'Có người đã kiểm tra lại sau đó. Hãy xem kết quả mới rồi chấp nhận.',
    leftOut: (count) => `${count} khách hàng được giữ nguyên:`,
    more: (count) => `Hiện thêm ${count}`,
    accepted: {
      title: 'Đã chấp nhận',
      hint: 'Hoàn tác trả khách hàng về như trước.',
      none: 'Chưa chấp nhận khách hàng nào.',
      undo: 'Hoàn tác',
      undoOf: (customer) => `Hoàn tác: ${customer}`,
    },
    batch: (count, when, by) => `${count} khách hàng được chấp nhận cùng lúc, ${when}, bởi ${by}`,
    undoBatch: 'Hoàn tác tất cả',
    undoing: (left) => `Còn ${left}…`,
  },
});
