import type { AdoptionEvidence } from '@deskside/shared/adoption';
import { section } from '#i18n/section.ts';

type Code = AdoptionEvidence['for' | 'against'][number]['code'];

/** A customer made by hand that may be a company, or became it. */
export const adoption = section({
  en: {
    offered: (customer: string) => `Does ${customer}, made by hand, belong to this company?`,
    speaksFor: 'For it:',
    against: 'Against it:',
    nothing: 'nothing that is known',
    preview: 'See what would change',
    /** `by`: whose word it was; null: Deskside’s own, by the evidence. */
    became: (customer: string, by: string | null, when: string | null) =>
      `${customer}, made by hand, became this company’s customer, by ${by ?? 'Deskside'}${when ? `, ${when}` : ''}.`,
    undo: 'Undo',
    undoes: 'Undo gives the customer its earlier data back; the ticket keeps it.',
    /** In the list of what a decision rests on. */
    label: 'Made by hand',
    done: 'became this company’s customer',
    offeredOnly: 'an agent decides',
    fact: {
      same_name: () => 'it has the company’s name',
      same_domain: (domain) => `it has the company’s domain ${domain}`,
      member_address: (address) => `its member ${address} is of the company`,
      member_phone: (phone) => `its member has the company’s number ${phone}`,
      sole_member: () => 'the sender is its only member',
      org_id_in_name: (orgId) => `its name has the Org ID ${orgId}`,
      ticket_org_id: (ticket) => `its ticket ${ticket} was this company’s`,
      other_company: (orgId) => `its tickets were another company’s, Org ID ${orgId}`,
      member_elsewhere: (address) => `${address} is of another company too`,
      written_by_other: (account) => `${account}, not of the company, may change it on the portal`,
      taken_back: () => 'that was undone before',
    } satisfies Record<Code, (value: string) => string>,
  },
  vi: {
    offered: (customer: string) => `${customer}, được tạo thủ công, có phải là của công ty này không?`,
    speaksFor: 'Ủng hộ:',
    against: 'Phản đối:',
    nothing: 'chưa biết gì',
    preview: 'Xem sẽ thay đổi gì',
    became: (customer: string, by: string | null, when: string | null) =>
      `${customer}, được tạo thủ công, đã thành khách hàng của công ty này, do ${by ?? 'Deskside'}${when ? `, ${when}` : ''}.`,
    undo: 'Hoàn tác',
    undoes: 'Hoàn tác trả lại dữ liệu trước đó cho khách hàng; phiếu vẫn giữ khách hàng này.',
    label: 'Tạo thủ công',
    done: 'đã thành khách hàng của công ty này',
    offeredOnly: 'nhân viên quyết định',
    fact: {
      same_name: () => 'trùng tên với công ty',
      same_domain: (domain) => `có tên miền ${domain} của công ty`,
      member_address: (address) => `thành viên ${address} thuộc công ty`,
      member_phone: (phone) => `thành viên có số ${phone} của công ty`,
      sole_member: () => 'người gửi là thành viên duy nhất',
      org_id_in_name: (orgId) => `tên có mã tổ chức ${orgId}`,
      ticket_org_id: (ticket) => `phiếu ${ticket} là của công ty này`,
      other_company: (orgId) => `các phiếu là của công ty khác, mã tổ chức ${orgId}`,
      member_elsewhere: (address) => `${address} cũng thuộc công ty khác`,
      written_by_other: (account) => `${account}, không thuộc công ty, có thể sửa khách hàng này trên cổng`,
      taken_back: () => 'đã từng bị hoàn tác',
    } satisfies Record<Code, (value: string) => string>,
  },
});
