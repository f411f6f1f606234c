import { section } from '#i18n/section.ts';

/** A customer made by hand that may be a company, or became it. */
export const adoption = section({
  en: {
    offered: (customer: string) => `Does ${customer}, made by hand, belong to this company?`,
    preview: 'See what would change',
    /** `by`: whose word it was; null: Deskside’s own, because the company’s own address raised a ticket. */
    became: (customer: string, by: string | null, when: string | null) =>
      `${customer}, made by hand, became this company’s customer, by ${by ?? 'Deskside'}${when ? `, ${when}` : ''}.`,
    undo: 'Undo',
    undoes: 'Undo gives the customer its earlier data back; the ticket keeps it.',
    /** In the list of what a decision rests on. */
    label: 'Made by hand',
    done: 'became this company’s customer',
    offeredOnly: 'an agent decides',
  },
  vi: {
    offered: (customer: string) => `${customer}, được tạo thủ công, có phải là của công ty này không?`,
    preview: 'Xem sẽ thay đổi gì',
    became: (customer: string, by: string | null, when: string | null) =>
      `${customer}, được tạo thủ công, đã thành khách hàng của công ty này, do ${by ?? 'Deskside'}${when ? `, ${when}` : ''}.`,
    undo: 'Hoàn tác',
    undoes: 'Hoàn tác trả lại dữ liệu trước đó cho khách hàng; phiếu vẫn giữ khách hàng này.',
    label: 'Tạo thủ công',
    done: 'đã thành khách hàng của công ty này',
    offeredOnly: 'nhân viên quyết định',
  },
});
