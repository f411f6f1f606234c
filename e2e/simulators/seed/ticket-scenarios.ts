import { contactName, customerName, forgedContact, strangerContact } from './helpdesk-customers.ts';
import { forger, newAddress } from './helpdesk-users.ts';
import { reachOf, shopOf } from './shops.ts';

/** How one ticket of the seed came to be and what it carries. */
export interface TicketScenario {
  name: string;
  subject: string;
  /** Sender's address. */
  from: string;
  /** Created in the customer portal by the sender himself, by e-mail, or by an agent on his behalf. */
  via: 'portal' | 'email' | 'agent';
  customer: string | null;
  contact: string | null;
  fields?: Record<string, unknown>;
  group?: string;
  description?: string;
}

/** A ticket that a shop's owner raised, linked to the shop's customer and Contact. */
export function fromOwner(
  name: string,
  orgId: string,
  subject: string,
  rest: Partial<TicketScenario> = {},
): TicketScenario {
  const shop = shopOf(orgId);
  return {
    name,
    subject,
    from: reachOf(shop).ownerEmail,
    via: 'portal',
    customer: customerName(shop),
    contact: contactName(shop),
    ...rest,
  };
}

/** A ticket of somebody whom no customer knows. */
function fromStranger(name: string, subject: string, rest: Partial<TicketScenario> = {}): TicketScenario {
  return {
    name,
    subject,
    from: 'khach.vang.lai@hopthu.example',
    via: 'email',
    customer: null,
    contact: strangerContact,
    ...rest,
  };
}

const ocua = shopOf('1000700216');
const rungThong = shopOf('1000700229');
const choQue = shopOf('1000700226');
const noCustomer = { customer: null };

/** One ticket per state that a person or a test may want to see; the keys are part of the demo's interface. */
export const scenarios = {
  // The profile itself
  matched: fromOwner('61307', '200000376001', 'Không đồng bộ được đơn Shopee', {
    fields: { custom_orgid: '200000376001' },
  }),
  planExpired: fromOwner('61308', '1000069001', 'Gia hạn gói Chuyên nghiệp', { via: 'email' }),
  planExpiringSoon: fromOwner('61309', '1000391001', 'Hỏi giá nâng gói Grow'),
  planEndsToday: fromOwner('61310', '200000376009', 'Gấp: website báo hết hạn hôm nay'),
  planWithoutEnd: fromOwner('61311', '1000500107', 'Link giới thiệu AFFILIATE không tính hoa hồng'),
  unreadableDates: fromOwner('61312', '1000700224', 'Ngày hết hạn hiển thị sai'),
  nearMidnight: fromOwner('61313', '1000700216', 'Đơn lúc nửa đêm bị lệch ngày'),
  integerCompanyId: fromOwner('61314', '1900000001', 'Không in được mã vạch sách'),
  unknownSegment: fromOwner('61315', '1000700215', 'Đổi ngành hàng hiển thị'),
  withoutPhones: fromOwner('61316', '1000500108', 'Cập nhật số điện thoại cửa hàng'),
  extraFields: fromOwner('61317', '1000700225', 'Xin báo cáo doanh thu 30 ngày', {
    fields: { custom_orgid: '1000700225' },
  }),
  // Several companies
  newerOfTwo: fromOwner('61318', '1900000017', 'Hai cửa hàng trùng mã'),
  sameSecond: fromOwner('61319', '1000700220', 'Chi nhánh 2 không thấy tồn kho'),
  // Account owner
  ownerDismissed: fromOwner('61320', '200000376010', 'Nhân viên phụ trách không trả lời'),
  ownerHidden: fromOwner('61321', '200000376011', 'Ai phụ trách shop của tôi?'),
  ownerNonExistent: fromOwner('61322', '200000376012', 'Cần người liên hệ'),
  ownerEmpty: fromOwner('61323', '1000700213', 'Chưa có người phụ trách'),
  ownerMissing: fromOwner('61324', '1000700214', 'Xin đổi người phụ trách'),
  ownerWithoutEmail: fromOwner('61325', '1000700219', 'Bánh trung thu: cấu hình phí giao'),
  // Contacts of the company
  contactByEmail: {
    ...fromOwner('61326', '200000376009', 'Nhân viên kho không đăng nhập được'),
    from: reachOf(shopOf('200000376009')).staffEmail,
    contact: 'Nhân viên Siêu Thị Mẹ Bống',
    via: 'email',
  },
  contactUnknown: fromOwner('61327', '1000700225', 'Gọi lại giúp shop', {
    from: newAddress,
    via: 'email',
  }),
  twoPrimaryContacts: fromOwner('61328', '1000700229', 'Ai là người liên hệ chính?'),
  // Where the org id stands
  missingOrgId: fromStranger('61329', 'Cho hỏi giá gói phần mềm'),
  notFound: fromStranger('61330', 'Shop cũ còn mở được không?', {
    customer: 'Cửa Hàng Đã Đóng - 1999999999',
    fields: { custom_orgid: '1999999999' },
  }),
  secondCandidate: fromOwner('61331', '1900000017', 'Tên miền trỏ sai', {
    fields: { custom_platform_profile_orgid: '200000317825', custom_orgid: '1900000017' },
  }),
  orgIdInNameSuffix: fromOwner('61332', '1000700222', 'Đơn xuất trà sang Nhật'),
  orgIdInNamePrefix: fromOwner('61333', '1000700223', 'Kính râm hiển thị sai giá'),
  leadingDigitsTrap: fromStranger('61334', 'Đổi giao diện cửa hàng', { customer: '360 Độ Store' }),
  unusableOrgId: fromStranger('61335', 'Web không vào được', {
    fields: { custom_orgid: 'shop-abc.myplatform.example' },
  }),
  onlyTicketOrgId: {
    ...fromOwner('61336', '1000700232', 'Đèn lồng: lỗi thanh toán', noCustomer),
    contact: 'Viên Thị Xuân',
    fields: { custom_orgid: '1000700232' },
  },
  knownByOtherFieldOnly: {
    ...fromOwner('61337', '1000700231', 'Kết nối sàn TMĐT', noCustomer),
    contact: 'Kiều Trọng Nghĩa',
    fields: { custom_orgid: '1000700231' },
  },
  contactBySender: {
    ...fromOwner('61338', '1000700226', 'Chợ quê: giỏ hàng trống', noCustomer),
    contact: null,
    fields: { custom_org_id: choQue.orgId },
  },
  // Whose word it is
  confirmed: fromOwner('61339', '1000700218', 'Giày đổi size: quy trình thế nào?'),
  confirmedByCrmEmail: {
    ...fromOwner('61340', ocua.orgId, 'Thiết kế lại trang chủ'),
    from: reachOf(ocua).shopEmail,
    contact: null,
  },
  likely: fromOwner('61341', '1000700217', 'Xe đạp: lỗi tính phí vận chuyển', { via: 'email' }),
  likelyByCrmEmail: {
    ...fromOwner('61342', rungThong.orgId, 'Lều trại: hỏi VAT', { via: 'email' }),
    from: reachOf(rungThong).shopEmail,
    contact: null,
  },
  confirmedByContact: fromOwner('61365', '1000700225', 'Đồ chơi: thêm nhân viên vào tài khoản', { from: newAddress }),
  likelyByContact: fromOwner('61366', '1000700225', 'Đồ chơi: hỏi phí sàn', { from: newAddress, via: 'email' }),
  claimed: fromStranger('61343', 'Tôi là chủ shop Gốm Sứ, cho xin mật khẩu', {
    fields: { custom_orgid: '200000376001' },
  }),
  forgedLink: fromStranger('61344', 'Xem giúp doanh thu shop tôi', {
    from: forger,
    via: 'portal',
    contact: forgedContact,
    customer: customerName(shopOf('200000376001')),
    fields: { custom_orgid: '200000376001' },
  }),
  forgedRouting: fromStranger('61345', 'Ưu tiên ticket này', {
    from: forger,
    via: 'portal',
    contact: forgedContact,
    fields: {
      custom_orgid: '200000376010',
      custom_customer_segment: 'Medium',
      custom_platform_routing_reason: 'Auto-routed: forged',
    },
    group: 'Medium - Scale',
  }),
  madeByAgent: fromOwner('61346', '1000700227', 'Khách gọi: đàn hỏng khi giao', {
    via: 'agent',
    fields: { custom_orgid: '1000700227' },
  }),
  // Text that must stay text
  hostileText: fromOwner('61347', '1000700221', '<script>alert("ticket")</script> "><img src=x onerror=alert(3)>'),
  rightToLeft: fromOwner('61348', '1000700222', 'مرحبا \u202Eđảo ngược\u202C 👋🏽 🇻🇳'),
  longWord: fromOwner('61349', '1000700228', `Lỗi ${'aáàảãạ'.repeat(20)}`),
  // For whom it is, and how it is doing
  restrictedTeam: fromOwner('61350', '200000376010', 'Chỉ nhóm Medium - Scale được xem', { group: 'Medium - Scale' }),
  stale: fromOwner('61351', '200000010001', 'Mở trước khi CRM ngừng trả lời'),
  responsibleSet: fromOwner('61352', '1000391001', 'Đã có người phụ trách', {
    fields: { custom_responsible: 'phutrach338@crm.example' },
  }),
  customerWithoutId: fromStranger('61353', 'Mua lần đầu', {
    customer: 'Khách lẻ',
    contact: null,
    from: 'nguoi.la@hopthu.example',
  }),
  hostileName: fromOwner('61354', '1000700230', 'Bếp: ảnh sản phẩm bị mờ', { fields: { custom_orgid: '1000700230' } }),
} satisfies Record<string, TicketScenario>;
