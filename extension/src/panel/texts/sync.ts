import { number, plural } from '#i18n/format.ts';
import { phrase, say, type Translated } from '#i18n/say.ts';

export const sync = {
  itsThem: say('It’s them', 'Đúng là họ'),
  update: say('Update record', 'Cập nhật hồ sơ'),
  oldData: say(
    'Old data cannot be written. Refresh the profile first.',
    'Không ghi được dữ liệu cũ. Hãy làm mới hồ sơ trước.',
  ),
  nothing: say(
    'Nothing to update: the ticket is linked and the record is up to date.',
    'Không có gì để cập nhật: phiếu đã gắn và hồ sơ đã mới nhất.',
  ),
  /** What a preview says, joined into one sentence. */
  will: {
    confirm: say('Confirms that the sender belongs to this shop', 'Xác nhận người gửi thuộc shop này'),
    create: say(
      (name: string, fields: number) => `creates the customer ${name}${fields > 0 ? ` with ${fieldsEn(fields)}` : ''}`,
      (name: string, fields: number) => `tạo khách hàng ${name}${fields > 0 ? ` với ${fieldsVi(fields)}` : ''}`,
    ),
    adopt: phrase('makes {name} this shop’s customer', 'chọn {name} làm khách hàng của shop này'),
    /** `name`: null where it has just been said. */
    link: say(
      (name: string | null, was: string | null) =>
        `links this ticket to ${name ?? 'it'}${was === null ? '' : ` instead of ${was}`}`,
      (name: string | null, was: string | null) =>
        `gắn phiếu này với ${name ?? 'khách hàng đó'}${was === null ? '' : ` thay cho ${was}`}`,
    ),
    update: say(
      (fields: number, name: string | null) => `updates ${fieldsEn(fields)}${name === null ? '' : ` of ${name}`}`,
      (fields: number, name: string | null) => `cập nhật ${fieldsVi(fields)}${name === null ? '' : ` của ${name}`}`,
    ),
  },
  /** Nobody vouches for the sender, who may be anybody. */
  notOfShop: phrase('{address} is not an address of this shop.', '{address} không phải địa chỉ của shop này.'),
  onlyIfReplied: phrase(
    'Confirm only if they have replied from {address}, or you know them otherwise.',
    'Chỉ xác nhận khi họ đã trả lời từ {address}, hoặc bạn biết họ theo cách khác.',
  ),
  onlyIfTold: say(
    'Confirm only if they have told you something that only the shop knows.',
    'Chỉ xác nhận khi họ đã cho biết điều chỉ shop mới biết.',
  ),
  reroute: phrase('Also send it to {team}', 'Đồng thời chuyển phiếu sang {team}'),
  rerouteMeans: say(
    'The next agent in turn there gets it, unless somebody assigned it by hand. Undo will not send it back.',
    'Nhân viên đến lượt trong nhóm đó sẽ nhận phiếu, trừ khi đã có người giao tay. Hoàn tác không chuyển phiếu trở lại.',
  ),
  which: say('Which customer belongs to this shop?', 'Khách hàng nào là của shop này?'),
  newOne: say('A new customer', 'Một khách hàng mới'),
  onThisTicket: say('on this ticket', 'trên phiếu này'),
  byHand: say('made by hand', 'tạo thủ công'),
  /** Of a customer that people outside the desk belong to. */
  heldBy: phrase('{who} can read or edit it', '{who} đọc hoặc sửa được'),
  notTheirs: say(
    'If this ticket’s customer is not theirs alone, change it in the helpdesk first.',
    'Nếu khách hàng của phiếu không phải của riêng shop này, hãy đổi trong helpdesk trước.',
  ),
  mayNotAdopt: say(
    'You cannot choose customers that you may not edit. If one of them is the right one, ask someone who may.',
    'Không chọn được khách hàng mà bạn không có quyền sửa. Nếu đúng là một trong số đó, hãy nhờ người có quyền.',
  ),
  changes: say('What is written', 'Những gì được ghi'),
  nothingBefore: say('empty', 'trống'),

  done: {
    linked: phrase('Linked to {customer}.', 'Đã gắn với {customer}.'),
    rerouted: phrase('It is in {team} now.', 'Phiếu hiện ở nhóm {team}.'),
    stayed: say('Its team has not changed.', 'Nhóm của phiếu không đổi.'),
    undone: say(
      (customer: string | null) =>
        `Undone. ${customer === null ? 'The ticket has no customer.' : `The ticket’s customer is ${customer}.`}`,
      (customer: string | null) =>
        `Đã hoàn tác. ${customer === null ? 'Phiếu không có khách hàng.' : `Khách hàng của phiếu là ${customer}.`}`,
    ),
  },
  /** What an undo leaves, said of the button. */
  undoLeaves: say(
    'What was written on the customer’s record stays, and so do team, agent and the ticket’s history.',
    'Những gì đã ghi trên hồ sơ khách hàng vẫn được giữ, nhóm, nhân viên và lịch sử của phiếu cũng vậy.',
  ),
  unsure: say(
    'The change may have been made anyway: look at the customer.',
    'Thay đổi có thể đã được thực hiện: hãy xem lại khách hàng.',
  ),
  failed: say('Not done', 'Chưa thực hiện được'),
  /** The two sides of a conflict. */
  inCrm: say('In the CRM for this Org ID', 'Trong CRM với mã shop này'),
  thisCompany: say('Org ID of this company', 'Mã shop của công ty này'),
  ofCustomer: say('Org ID of the customer', 'Mã shop của khách hàng'),
  ofCompany: say('Customer of this company', 'Khách hàng của công ty này'),
  ofTicket: say('Customer of the ticket', 'Khách hàng của phiếu'),
  status: {
    matched: say('Found', 'Tìm thấy'),
    not_found: say('Not found', 'Không tìm thấy'),
    error: say('Failed', 'Lỗi'),
  } as Record<string, Translated<string>>,
  /** In the order of display. */
  field: {
    custom_shopplan_name: say('Plan', 'Gói dịch vụ'),
    custom_customer_segment: say('Segment', 'Phân khúc'),
    custom_myplatform: say('Shop domain', 'Tên miền shop'),
    custom_platform_orgid: say('Org ID', 'Mã shop'),
    custom_crm_company_id: say('CRM ID', 'Mã CRM'),
    custom_crm_company_url: say('CRM address', 'Địa chỉ CRM'),
    custom_crm_sync_status: say('CRM check', 'Kiểm tra CRM'),
    custom_crm_match_confidence: say('Confidence', 'Độ tin cậy'),
    custom_crm_company_modified_at: say('Changed in the CRM', 'CRM thay đổi lúc'),
    custom_crm_not_found_at: say('Not found in the CRM', 'Không thấy trong CRM'),
    custom_crm_last_synced_at: say('Last synced', 'Đồng bộ lúc'),
    custom_crm_last_checked_at: say('Last checked', 'Kiểm tra lúc'),
  } as Record<string, Translated<string>>,
};

function fieldsEn(count: number): string {
  return plural(count, 'field', 'fields');
}

function fieldsVi(count: number): string {
  return `${number('vi', count)} trường`;
}
