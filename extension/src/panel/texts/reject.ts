import { phrase, say } from '#i18n/say.ts';

export const reject = {
  button: say('Wrong customer', 'Sai khách hàng'),
  title: say('Wrong customer?', 'Sai khách hàng?'),
  /** `customer`: the one that would be taken off the ticket; null if it is another company’s, or none. */
  does: say(
    (customer: string | null) =>
      customer === null
        ? 'What Deskside wrote about this company on the ticket is cleared.'
        : `${customer} is taken off this ticket, and what Deskside wrote about the company there is cleared.`,
    (customer: string | null) =>
      customer === null
        ? 'Những gì Deskside đã ghi về công ty này trên phiếu sẽ được xóa.'
        : `${customer} sẽ được gỡ khỏi phiếu này, và những gì Deskside đã ghi về công ty trên phiếu sẽ được xóa.`,
  ),
  after: say(
    'Deskside does not suggest this company again for this sender. Team and agent stay.',
    'Deskside sẽ không gợi ý công ty này cho người gửi này nữa. Nhóm và nhân viên giữ nguyên.',
  ),
  why: say('Why?', 'Vì sao?'),
  reason: {
    other_company: say('The sender belongs to another company', 'Người gửi thuộc công ty khác'),
    left_company: say('The sender no longer works there', 'Người gửi không còn làm ở đó'),
    wrong_id: say('The Org ID is wrong', 'Mã shop không đúng'),
    other: say('Another reason', 'Lý do khác'),
  },
  note: say('In a few words (optional)', 'Ghi chú ngắn (không bắt buộc)'),
  now: say('Mark as wrong', 'Đánh dấu là sai'),
  done: phrase(
    '{company} is not suggested for this sender any more. The ticket’s history keeps what it showed.',
    '{company} không còn được gợi ý cho người gửi này. Lịch sử của phiếu vẫn giữ những gì phiếu từng hiện.',
  ),
  undone: phrase(
    '{company} may be suggested for this sender again.',
    '{company} lại có thể được gợi ý cho người gửi này.',
  ),
  notPutBack: {
    read_by_other: say(
      'Nothing was put back on the ticket: another account, not the sender’s, reads it.',
      'Không có gì được trả lại trên phiếu: một tài khoản không phải của người gửi đọc được phiếu.',
    ),
    other_customer: say(
      'Nothing was put back on the ticket: it has another customer by now.',
      'Không có gì được trả lại trên phiếu: phiếu đã có khách hàng khác.',
    ),
    sender_not_verified: say(
      'Nothing was put back on the ticket: its present sender is not verified.',
      'Không có gì được trả lại trên phiếu: người gửi hiện tại của phiếu chưa được xác minh.',
    ),
  },
  rejected: phrase('Not this sender’s company: {company}', 'Không phải công ty của người gửi: {company}'),
  kept: say(
    'The helpdesk keeps giving this ticket the customer of its contact. Change the customer on the contact.',
    'Helpdesk luôn gắn phiếu này với khách hàng của liên hệ. Hãy sửa khách hàng trên liên hệ đó.',
  ),
  undoes: say(
    (isHere: boolean): string =>
      isHere
        ? 'Undo lets Deskside suggest the company again and puts back what was taken off this ticket.'
        : 'Undo lets Deskside suggest the company again.',
    (isHere: boolean) =>
      isHere
        ? 'Hoàn tác để Deskside lại được gợi ý công ty này và trả lại những gì đã gỡ khỏi phiếu.'
        : 'Hoàn tác để Deskside lại được gợi ý công ty này.',
  ),
};
