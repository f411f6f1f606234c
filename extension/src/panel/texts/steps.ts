import { phrase, say } from '#i18n/say.ts';

export const steps = {
  title: say('Next step', 'Việc cần làm'),
  more: phrase('{count} more', '{count} việc khác'),
  fewer: say('fewer', 'thu gọn'),

  itsThem: say('It’s them…', 'Đúng là họ…'),
  link: say('Link…', 'Gắn…'),
  compare: say('Compare', 'So sánh'),
  choose: say('Choose…', 'Chọn…'),

  replyFrom: phrase(
    'Before you change or share anything, have them reply from {address}.',
    'Trước khi thay đổi hay chia sẻ gì, hãy nhờ họ trả lời từ {address}.',
  ),
  ask: say(
    'Before you change or share anything, ask for something that only the shop knows.',
    'Trước khi thay đổi hay chia sẻ gì, hãy hỏi điều chỉ shop mới biết.',
  ),
  fixContact: say(
    'They see what is written here. Before you share anything, correct the ticket’s contact or open a ticket for the true sender.',
    'Họ đọc được những gì viết ở đây. Trước khi chia sẻ gì, hãy sửa liên hệ của phiếu hoặc mở phiếu cho đúng người gửi.',
  ),
  openOther: say(
    'They may see what is written here. Before you share anything, open a ticket for the true sender.',
    'Họ có thể đọc được những gì viết ở đây. Trước khi chia sẻ gì, hãy mở phiếu cho đúng người gửi.',
  ),
  insertQuestion: say('Insert question', 'Chèn câu hỏi'),
  /** They go to somebody whom nobody knows: they name neither shop nor address. */
  question: {
    fromAddress: say(
      'To protect the shop, please send us this request again from the email address that is registered for it.',
      'Để bảo vệ shop, anh/chị vui lòng gửi lại yêu cầu này từ địa chỉ email đã đăng ký của shop.',
    ),
    whatShopKnows: say(
      'To protect the shop, please tell us which plan it has and until when, or the date of its last payment to us.',
      'Để bảo vệ shop, anh/chị vui lòng cho biết shop đang dùng gói nào, đến ngày nào, hoặc ngày thanh toán gần nhất.',
    ),
    whichShop: say(
      'Which shop is this about? Please send its address or Org ID.',
      'Anh/chị cần hỗ trợ cho shop nào ạ? Vui lòng gửi địa chỉ shop hoặc mã shop.',
    ),
  },

  alsoNames: say(
    (name: string, trust: string, more: number) =>
      `The ticket also names ${name} (${trust})${more > 0 ? ` and ${more} more` : ''}.`,
    (name: string, trust: string, more: number) =>
      `Phiếu còn nêu ${name} (${trust})${more > 0 ? ` và ${more} công ty khác` : ''}.`,
  ),
  companies: say(
    (count: number) => (count === 2 ? 'Two companies on this ticket' : `${count} companies on this ticket`),
    (count: number) => `Phiếu này có ${count} công ty`,
  ),
  otherCustomer: phrase(
    'The customer on this ticket, {name}, is another one.',
    'Khách hàng trên phiếu, {name}, là khách hàng khác.',
  ),
  handMade: phrase(
    'Does {customer}, made by hand, belong to this shop?',
    '{customer}, được tạo thủ công, có phải là của shop này không?',
  ),
  becameTheirs: say(
    (customer: string, by: string | null) =>
      `${customer}, made by hand, became this shop’s customer by ${by ?? 'Deskside'}.`,
    (customer: string, by: string | null) =>
      `${customer}, được tạo thủ công, đã thành khách hàng của shop này do ${by ?? 'Deskside'}.`,
  ),
  twins: phrase('The CRM has {count} companies with this Org ID.', 'CRM có {count} công ty cùng mã này.'),
  twinsUsed: phrase(
    'Deskside uses the one that the CRM changed last: {name}. Its account owner can merge them in the CRM.',
    'Deskside dùng công ty mà CRM cập nhật sau cùng: {name}. Người phụ trách có thể gộp chúng trong CRM.',
  ),
  notLinked: say('This ticket is not linked to this shop yet.', 'Phiếu chưa gắn với shop này.'),

  planEnded: phrase('Plan ended {ago}', 'Gói đã hết hạn {ago}'),
  planEnds: phrase('Plan ends in {days}', 'Gói còn {days}'),
  planEndsToday: say('Plan ends today', 'Gói hết hạn hôm nay'),
  ownerLeftToo: say('and its account owner has left the company.', 'và người phụ trách đã nghỉ.'),
  ownerLeft: say('Its account owner has left the company.', 'Người phụ trách đã nghỉ.'),
  tell: phrase('Tell {name}', 'Báo {name}'),
  /** To the account owner. `what`: as in the subject. */
  mail: {
    planEnded: phrase('plan ended {date}', 'gói hết hạn {date}'),
    planEnds: phrase('plan ends {date}', 'gói sắp hết hạn {date}'),
    twins: phrase('{count} companies with Org ID {id}', '{count} công ty cùng mã {id}'),
    body: phrase('{name} has written to us: {what}.', '{name} vừa liên hệ với chúng tôi: {what}.'),
  },
  assign: say('Assign in CRM', 'Giao trong CRM'),

  offline: say('You are offline. What you see may be out of date.', 'Bạn đang ngoại tuyến. Thông tin có thể đã cũ.'),
  pageBehind: say(
    'The helpdesk’s own Customer field still shows the earlier customer.',
    'Ô Khách hàng của helpdesk vẫn hiển thị khách hàng trước đó.',
  ),
  reloadLater: say(
    'Reload the page when you have sent what you are writing.',
    'Hãy tải lại trang sau khi gửi nội dung bạn đang viết.',
  ),
  unusable: phrase(
    '{field} does not contain a valid Org ID, so it was not used.',
    '{field} chứa giá trị không phải mã shop; giá trị này không được dùng.',
  ),
};
