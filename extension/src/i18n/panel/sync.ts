import { number, plural } from '#i18n/format.ts';
import { section } from '#i18n/section.ts';

/** Sync customer: preview, result, undo. `field`: in the order of display. */
export const sync = section({
  en: {
    willChange: 'This will change',
    nothing: 'Nothing to change',
    nothingBody: 'The ticket is already linked to this customer, and the customer’s record is up to date.',
    confirms: 'By syncing, you confirm that this is the sender’s company.',
    will: {
      create: (name: string, fields: number) =>
        `creates the customer ${name}${fields > 0 ? ` with ${plural(fields, 'field', 'fields')}` : ''}`,
      adopt: (name: string) => `makes ${name} this company’s customer`,
      /** `name`: null where it has just been said. */
      link: (name: string | null, was: string | null) =>
        `links this ticket to ${name ?? 'it'}${was === null ? '' : ` instead of ${was}`}`,
      update: (fields: number, name: string | null) =>
        `updates ${plural(fields, 'field', 'fields')}${name === null ? '' : ` of ${name}`}`,
      confirm: 'confirms that this is the sender’s company',
    },
    did: {
      link: (name: string) => `This ticket is linked to ${name}.`,
      create: 'The customer is new.',
      update: (fields: number) =>
        fields === 1 ? 'One field of its record was updated.' : `${fields} fields of its record were updated.`,
    },
    undoes: {
      link: (name: string) => `Undo links this ticket to ${name} again.`,
      unlink: 'Undo takes the customer off this ticket.',
      confirmation: 'Undo takes back your confirmation; the ticket keeps its customer.',
      release: (name: string) => `${name} gets its earlier data back.`,
      recordStays: 'What was written about the company, on the customer’s record and on the ticket, stays.',
      customerStays: (name: string) =>
        `The new customer ${name} stays in the helpdesk, and so does what was written about the company on the ticket.`,
      ticketStays: 'What was written about the company on the ticket stays.',
    },
    details: 'Details',
    ticketNow: (customer: string | null) =>
      customer === null ? 'This ticket has no customer.' : `This ticket’s customer is ${customer}.`,
    onTicket: 'On the ticket',
    onRecord: 'On the customer’s record',
    newCustomer: 'new customer',
    linkedAlready: 'already linked',
    which: 'Which customer belongs to this company?',
    newOne: 'A new customer',
    onThisTicket: 'on this ticket',
    byHand: 'made by hand',
    notTheirs: 'If this ticket’s customer is not theirs alone, change it in the helpdesk first.',
    mayNotAdopt:
      'You cannot choose customers that you may not edit. If one of them is the right one, ask someone who may.',
    becomes: 'becomes this company’s customer',
    adopted: 'is this company’s customer now',
    released: (name: string) => `${name} is no longer this company’s customer and has its earlier data back.`,
    match: 'Match',
    byYou: 'by you',
    now: 'Sync now',
    cancel: 'Cancel',
    covered: 'Nothing was done. Something lay over this button or moved it. Press it again.',
    synced: 'Customer synced',
    undo: 'Undo',
    undone: 'Sync undone',
    recordStays: 'The CRM data stays on the customer’s record.',
    failed: 'Not synced',
    gotIt: 'Got it',
    unsure: 'The change may have been made anyway. Check the customer above.',
    onScreen: 'Shown here',
    inCrm: 'In the CRM for this Org ID',
    thisCompany: 'Org ID of this company',
    ofCustomer: 'Org ID of the customer',
    ofCompany: 'Customer of this company',
    ofTicket: 'Customer of the ticket',
    crmId: (id: string) => `CRM ID ${id}`,
    announce: {
      nothing: 'Nothing to change.',
      apply: (customer: string) => `Customer synced. The ticket is linked to ${customer}.`,
      undo: (customer: string | null) =>
        customer === null
          ? 'Sync undone. The ticket has no customer.'
          : `Sync undone. The ticket’s customer is ${customer}.`,
    },
    status: { matched: 'Found', not_found: 'Not found', error: 'Failed' } as Record<string, string>,
    field: {
      custom_shopplan_name: 'Plan',
      custom_customer_segment: 'Segment',
      custom_myplatform: 'Shop domain',
      custom_platform_orgid: 'Org ID',
      custom_crm_company_id: 'CRM ID',
      custom_crm_company_url: 'CRM address',
      custom_crm_sync_status: 'CRM check',
      custom_crm_match_confidence: 'Confidence',
      custom_crm_company_modified_at: 'Changed in the CRM',
      custom_crm_not_found_at: 'Not found in the CRM',
      custom_crm_last_synced_at: 'Last synced',
      custom_crm_last_checked_at: 'Last checked',
    } as Record<string, string>,
  },
  vi: {
    willChange: 'Sẽ thay đổi',
    nothing: 'Không có gì thay đổi',
    nothingBody: 'Phiếu đã gắn với khách hàng này và hồ sơ khách hàng đã đầy đủ, mới nhất.',
    confirms: 'Khi đồng bộ, bạn xác nhận đây là công ty của người gửi.',
    will: {
      create: (name: string, fields: number) =>
        `tạo khách hàng ${name}${fields > 0 ? ` với ${number('vi', fields)} trường` : ''}`,
      adopt: (name: string) => `chọn ${name} làm khách hàng của công ty này`,
      link: (name: string | null, was: string | null) =>
        `gắn phiếu này với ${name ?? 'khách hàng đó'}${was === null ? '' : ` thay cho ${was}`}`,
      update: (fields: number, name: string | null) =>
        `cập nhật ${number('vi', fields)} trường${name === null ? '' : ` của ${name}`}`,
      confirm: 'xác nhận đây là công ty của người gửi',
    },
    did: {
      link: (name: string) => `Phiếu này đã gắn với ${name}.`,
      create: 'Đây là khách hàng mới.',
      update: (fields: number) => `Đã cập nhật ${number('vi', fields)} trường trên hồ sơ.`,
    },
    undoes: {
      link: (name: string) => `Hoàn tác sẽ gắn phiếu này lại với ${name}.`,
      unlink: 'Hoàn tác sẽ gỡ khách hàng khỏi phiếu này.',
      confirmation: 'Hoàn tác chỉ rút lại xác nhận của bạn; phiếu vẫn giữ khách hàng này.',
      release: (name: string) => `${name} sẽ có lại dữ liệu trước đó.`,
      recordStays: 'Những gì đã ghi về công ty trên hồ sơ khách hàng và trên phiếu vẫn được giữ.',
      customerStays: (name: string) =>
        `Khách hàng mới ${name} vẫn còn trong helpdesk, và những gì đã ghi về công ty trên phiếu vẫn được giữ.`,
      ticketStays: 'Những gì đã ghi về công ty trên phiếu vẫn được giữ.',
    },
    details: 'Chi tiết',
    ticketNow: (customer: string | null) =>
      customer === null ? 'Phiếu này không có khách hàng.' : `Khách hàng của phiếu này là ${customer}.`,
    onTicket: 'Trên phiếu',
    onRecord: 'Trên hồ sơ khách hàng',
    newCustomer: 'khách hàng mới',
    linkedAlready: 'đã gắn sẵn',
    which: 'Khách hàng nào là của công ty này?',
    newOne: 'Một khách hàng mới',
    onThisTicket: 'trên phiếu này',
    byHand: 'tạo thủ công',
    notTheirs: 'Nếu khách hàng của phiếu không phải của riêng công ty này, hãy đổi trong helpdesk trước.',
    mayNotAdopt:
      'Không chọn được khách hàng mà bạn không có quyền sửa. Nếu đúng là một trong số đó, hãy nhờ người có quyền.',
    becomes: 'sẽ là khách hàng của công ty này',
    adopted: 'đã là khách hàng của công ty này',
    released: (name: string) => `${name} không còn là khách hàng của công ty này và đã có lại dữ liệu trước đó.`,
    match: 'Xác nhận',
    byYou: 'bởi bạn',
    now: 'Đồng bộ ngay',
    cancel: 'Hủy',
    covered: 'Chưa thực hiện: có gì đó che hoặc vừa di chuyển nút này. Hãy bấm lại.',
    synced: 'Đã đồng bộ khách hàng',
    undo: 'Hoàn tác',
    undone: 'Đã hoàn tác đồng bộ',
    recordStays: 'Thông tin CRM vẫn được giữ trên hồ sơ khách hàng.',
    failed: 'Chưa đồng bộ được',
    gotIt: 'Đã hiểu',
    unsure: 'Thay đổi có thể đã được thực hiện. Hãy xem lại khách hàng ở phía trên.',
    onScreen: 'Đang hiển thị',
    inCrm: 'Trong CRM với mã tổ chức này',
    thisCompany: 'Mã tổ chức của công ty này',
    ofCustomer: 'Mã tổ chức của khách hàng',
    ofCompany: 'Khách hàng của công ty này',
    ofTicket: 'Khách hàng của phiếu',
    crmId: (id: string) => `Mã CRM ${id}`,
    announce: {
      nothing: 'Không có gì thay đổi.',
      apply: (customer: string) => `Đã đồng bộ khách hàng. Phiếu được gắn với ${customer}.`,
      undo: (customer: string | null) =>
        customer === null
          ? 'Đã hoàn tác đồng bộ. Phiếu không có khách hàng.'
          : `Đã hoàn tác đồng bộ. Khách hàng của phiếu là ${customer}.`,
    },
    status: { matched: 'Tìm thấy', not_found: 'Không tìm thấy', error: 'Lỗi' } as Record<string, string>,
    field: {
      custom_shopplan_name: 'Gói dịch vụ',
      custom_customer_segment: 'Phân khúc',
      custom_myplatform: 'Tên miền shop',
      custom_platform_orgid: 'Mã tổ chức',
      custom_crm_company_id: 'Mã CRM',
      custom_crm_company_url: 'Địa chỉ CRM',
      custom_crm_sync_status: 'Kiểm tra CRM',
      custom_crm_match_confidence: 'Độ tin cậy',
      custom_crm_company_modified_at: 'CRM thay đổi lúc',
      custom_crm_not_found_at: 'Không thấy trong CRM',
      custom_crm_last_synced_at: 'Đồng bộ lúc',
      custom_crm_last_checked_at: 'Kiểm tra lúc',
    } as Record<string, string>,
  },
});
