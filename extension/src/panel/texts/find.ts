import type { FindKind } from '@deskside/shared/find';
import { days, plural } from '#i18n/format.ts';
import { phrase, say, type Translated } from '#i18n/say.ts';

export const find = {
  label: say('Find company', 'Tìm công ty'),
  another: say('Find another', 'Tìm công ty khác'),
  hint: say('Other shop: name, phone, email, Org ID', 'Tên, điện thoại, email, mã shop'),
  submit: say('Find', 'Tìm'),
  searching: say('Searching the CRM and the helpdesk…', 'Đang tìm trong CRM và helpdesk…'),
  count: say(
    (companies: number) =>
      companies === 0 ? 'No company found.' : `${plural(companies, 'company', 'companies')} found.`,
    (companies: number) => (companies === 0 ? 'Không tìm thấy công ty nào.' : `Tìm thấy ${companies} công ty.`),
  ),
  more: say('There are more. Type more of it to narrow them down.', 'Còn nữa. Hãy nhập cụ thể hơn để thu hẹp kết quả.'),
  tooShort: say('Type at least two letters, or an Org ID.', 'Hãy nhập ít nhất hai chữ cái, hoặc một mã shop.'),
  /** `kinds`: as what the text was read. */
  none: phrase(
    'No shop with this {kinds}. Try the Org ID or the shop owner’s email.',
    'Không có shop nào với {kinds} này. Hãy thử mã shop hoặc email của chủ shop.',
  ),
  /** The sender has been searched for. */
  noneBySender: phrase(
    'No shop with the sender’s {kinds}. Ask which shop it is.',
    'Không có shop nào với {kinds} của người gửi. Hãy hỏi đó là shop nào.',
  ),
  /** There is no CRM to search. `why`: it is off, or not set up. */
  senderNotSearched: phrase(
    '{why}, so the sender was not looked up. Ask which shop it is.',
    '{why} nên chưa tra người gửi. Hãy hỏi đó là shop nào.',
  ),
  onlyHelpdesk: phrase('{why}; only the helpdesk was searched.', '{why}; chỉ tìm trong helpdesk.'),
  noneInHelpdesk: phrase('It has no shop with this {kinds}.', 'Trong đó không có shop nào với {kinds} này.'),
  /** What a text was taken for, and what of a company matches. */
  kind: {
    org_id: say('Org ID', 'mã shop'),
    shop_address: say('shop address', 'địa chỉ shop'),
    email: say('email', 'email'),
    phone: say('phone number', 'số điện thoại'),
    name: say('name', 'tên'),
  } satisfies Record<FindKind, Translated<string>>,
  matches: phrase('{kind} matches', 'trùng {kind}'),
  orgId: phrase('Org ID {id}', 'Mã shop {id}'),
  phoneEnd: phrase('phone …{digits}', 'điện thoại …{digits}'),
  planEnds: say(
    (plan: string, left: number) => `${plan}, ${days('en', left)} left`,
    (plan: string, left: number) => `${plan}, còn ${days('vi', left)}`,
  ),
  planEnded: phrase('{plan}, ended', '{plan}, đã hết hạn'),
  sameOrgId: say(
    (others: number) => `the CRM has ${plural(others, 'more', 'more')} with this Org ID`,
    (others: number) => `CRM còn ${others} công ty cùng mã`,
  ),
  link: say('Link this shop', 'Gắn shop này'),
  linkNamed: phrase('Link this shop: {name}', 'Gắn shop này: {name}'),
  look: say('Look first', 'Xem trước'),
  notLinkable: say('Without an Org ID it cannot be linked.', 'Chưa có mã shop nên không gắn được.'),
  notPermitted: say(
    'You may not list the helpdesk’s customers, so only the CRM was searched.',
    'Bạn không có quyền xem danh sách khách hàng của helpdesk nên chỉ tìm được trong CRM.',
  ),
  crmFailed: say('The CRM could not be searched.', 'Không tìm được trong CRM.'),
  helpdeskFailed: say('The helpdesk could not be searched.', 'Không tìm được trong helpdesk.'),
};
