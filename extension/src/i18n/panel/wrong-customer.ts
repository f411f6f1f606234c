import { section } from '#i18n/section.ts';

/** Wrong customer: the form, and what was rejected. */
export const reject = section({
  en: {
    button: 'Wrong customer',
    title: 'Wrong customer?',
    /** `customer`: the one that would be taken off the ticket; null if it is another company’s, or none. */
    does: (customer: string | null) =>
      customer === null
        ? 'What Deskside wrote about this company on the ticket is cleared.'
        : `${customer} is taken off this ticket, and what Deskside wrote about the company there is cleared.`,
    after: 'Deskside does not suggest this company again for this sender. Team and agent stay.',
    why: 'Why?',
    reason: {
      other_company: 'The sender belongs to another company',
      left_company: 'The sender no longer works there',
      wrong_id: 'The Org ID is wrong',
      other: 'Another reason',
    },
    note: 'In a few words (optional)',
    now: 'Mark as wrong',
    cancel: 'Cancel',
    failed: 'Not done',
    mayBeDone: 'It may have been done anyway: refresh to see.',
    done: (company: string) => `${company} is not suggested for this sender any more.`,
    undone: (company: string) => `${company} may be suggested for this sender again.`,
    rejected: (company: string) => `Not this sender’s company: ${company}`,
    said: (agent: string, when: string | null) => (when ? `${agent}, ${when}` : `${agent}, just now`),
    kept: 'The helpdesk keeps giving this ticket the customer of its contact. Change the customer on the contact.',
    undo: 'Undo',
    undoes: (isHere: boolean): string =>
      isHere
        ? 'Undo lets Deskside suggest the company again and puts back what was taken off this ticket.'
        : 'Undo lets Deskside suggest the company again.',
    noneTitle: 'No company for this sender',
    noneBody: 'The company that this ticket names was marked as the wrong one.',
  },
  vi: {
    button: 'Sai khách hàng',
    title: 'Sai khách hàng?',
    does: (customer: string | null) =>
      customer === null
        ? 'Những gì Deskside đã ghi về công ty này trên phiếu sẽ được xóa.'
        : `${customer} sẽ được gỡ khỏi phiếu này, và những gì Deskside đã ghi về công ty trên phiếu sẽ được xóa.`,
    after: 'Deskside sẽ không gợi ý công ty này cho người gửi này nữa. Nhóm và nhân viên giữ nguyên.',
    why: 'Vì sao?',
    reason: {
      other_company: 'Người gửi thuộc công ty khác',
      left_company: 'Người gửi không còn làm ở đó',
      wrong_id: 'Mã tổ chức không đúng',
      other: 'Lý do khác',
    },
    note: 'Ghi chú ngắn (không bắt buộc)',
    now: 'Đánh dấu là sai',
    cancel: 'Hủy',
    failed: 'Chưa thực hiện được',
    mayBeDone: 'Có thể đã thực hiện rồi: hãy làm mới để xem.',
    done: (company: string) => `${company} không còn được gợi ý cho người gửi này.`,
    undone: (company: string) => `${company} lại có thể được gợi ý cho người gửi này.`,
    rejected: (company: string) => `Không phải công ty của người gửi: ${company}`,
    said: (agent: string, when: string | null) => (when ? `${agent}, ${when}` : `${agent}, vừa xong`),
    kept: 'Helpdesk luôn gắn phiếu này với khách hàng của liên hệ. Hãy sửa khách hàng trên liên hệ đó.',
    undo: 'Hoàn tác',
    undoes: (isHere: boolean) =>
      isHere
        ? 'Hoàn tác để Deskside lại được gợi ý công ty này và trả lại những gì đã gỡ khỏi phiếu.'
        : 'Hoàn tác để Deskside lại được gợi ý công ty này.',
    noneTitle: 'Chưa có công ty cho người gửi này',
    noneBody: 'Công ty mà phiếu này nêu đã được đánh dấu là sai.',
  },
});
