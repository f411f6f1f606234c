import type { FindKind } from '@deskside/shared/find';
import { days, plural } from '#i18n/format.ts';
import { section } from '#i18n/section.ts';

/** Find company: the field, what was found, what could not be searched. */
export const find = section({
  en: {
    label: 'Find company',
    /** Where a company is on screen. */
    another: 'Find another company',
    hint: 'Org ID, shop address, email, phone number or name',
    submit: 'Find',
    searching: 'Searching the CRM and the helpdesk…',
    count: (companies: number) =>
      companies === 0 ? 'No company found.' : `${plural(companies, 'company', 'companies')} found.`,
    searchedAs: (kinds: string) => `Searched as ${kinds}.`,
    more: 'There are more. Type more of it to narrow them down.',
    tooShort: 'Type at least two letters, or an Org ID.',
    none: 'Neither the CRM nor the helpdesk has one like that. Try another detail: the Org ID or the shop owner’s email finds most.',
    /** What a text was taken for, in the middle of a sentence. */
    kind: {
      org_id: 'Org ID',
      shop_address: 'shop address',
      email: 'email',
      phone: 'phone number',
      name: 'name',
    } satisfies Record<FindKind, string>,
    /** What of a company matches. */
    by: {
      org_id: (value) => `Org ID matches: ${value}`,
      shop_address: (value) => `Shop address: ${value}`,
      email: (value) => `Email: ${value}`,
      phone: (value) => `Phone: ${value}`,
      name: (value) => `Name: ${value}`,
    } satisfies Record<FindKind, (value: string) => string>,
    ofPerson: (what: string, person: string) => `${what} (${person})`,
    orgId: (id: string) => `Org ID ${id}`,
    planEnds: (plan: string, left: number) => `${plan}, ${days('en', left)} left`,
    planExpired: (plan: string) => `${plan}, expired`,
    customer: (name: string) => `Customer in the helpdesk: ${name}`,
    sameOrgId: (others: number) => `The CRM has ${plural(others, 'more company', 'more companies')} with this Org ID.`,
    choose: 'Choose',
    chooseNamed: (name: string) => `Choose ${name}`,
    notLinkable: 'It has no Org ID, so a ticket cannot be linked to it here.',
    notPermitted: 'You may not list the helpdesk’s customers, so only the CRM was searched.',
    crmFailed: 'The CRM could not be searched.',
    helpdeskFailed: 'The helpdesk could not be searched.',
    limited: {
      title: 'Too many searches',
      body: 'Each one uses the CRM’s quota, which all agents share. Wait a moment and try again.',
    },
    offline: { title: 'You are offline', body: 'Search again when you are back online.' },
  },
  vi: {
    label: 'Tìm công ty',
    another: 'Tìm công ty khác',
    hint: 'Mã tổ chức, địa chỉ shop, email, số điện thoại hoặc tên',
    submit: 'Tìm',
    searching: 'Đang tìm trong CRM và helpdesk…',
    count: (companies: number) => (companies === 0 ? 'Không tìm thấy công ty nào.' : `Tìm thấy ${companies} công ty.`),
    searchedAs: (kinds: string) => `Đã tìm theo ${kinds}.`,
    more: 'Còn nữa. Hãy nhập cụ thể hơn để thu hẹp kết quả.',
    tooShort: 'Hãy nhập ít nhất hai chữ cái, hoặc một mã tổ chức.',
    none: 'Cả CRM lẫn helpdesk đều không có. Hãy thử thông tin khác: mã tổ chức hoặc email của chủ shop thường tìm ra nhất.',
    kind: {
      org_id: 'mã tổ chức',
      shop_address: 'địa chỉ shop',
      email: 'email',
      phone: 'số điện thoại',
      name: 'tên',
    } satisfies Record<FindKind, string>,
    by: {
      org_id: (value) => `Trùng mã tổ chức: ${value}`,
      shop_address: (value) => `Địa chỉ shop: ${value}`,
      email: (value) => `Email: ${value}`,
      phone: (value) => `Điện thoại: ${value}`,
      name: (value) => `Tên: ${value}`,
    } satisfies Record<FindKind, (value: string) => string>,
    ofPerson: (what: string, person: string) => `${what} (${person})`,
    orgId: (id: string) => `Mã tổ chức ${id}`,
    planEnds: (plan: string, left: number) => `${plan}, còn ${days('vi', left)}`,
    planExpired: (plan: string) => `${plan}, đã hết hạn`,
    customer: (name: string) => `Khách hàng trong helpdesk: ${name}`,
    sameOrgId: (others: number) => `CRM còn ${others} công ty khác có cùng mã tổ chức này.`,
    choose: 'Chọn',
    chooseNamed: (name: string) => `Chọn ${name}`,
    notLinkable: 'Công ty này không có mã tổ chức nên chưa thể gắn phiếu vào đây.',
    notPermitted: 'Bạn không có quyền xem danh sách khách hàng của helpdesk nên chỉ tìm được trong CRM.',
    crmFailed: 'Không tìm được trong CRM.',
    helpdeskFailed: 'Không tìm được trong helpdesk.',
    limited: {
      title: 'Tìm quá nhiều lần',
      body: 'Mỗi lần tìm đều dùng hạn mức CRM chung của mọi nhân viên. Hãy chờ một lát rồi thử lại.',
    },
    offline: { title: 'Bạn đang ngoại tuyến', body: 'Hãy thử lại khi có mạng.' },
  },
});
