import type { PanelErrorCode } from '#messaging/protocol.ts';
import type { Message } from './crm-states.ts';
import { section } from './section.ts';

/** Why there is no profile to show: a text per code, and one for a crash of the panel itself. */
export const failures = section<{ code: Record<PanelErrorCode, Message>; crash: Message; kept: string }>({
  en: {
    code: {
      ...same(['bad_input', 'route_not_found', 'method_not_allowed', 'body_too_large', 'bad_answer'], {
        title: 'The extension and the proxy are not compatible',
        body: 'Their versions probably differ, or the proxy’s address is wrong. Update the extension. If that does not help, contact your administrator.',
      }),
      ...same(['unauthenticated', 'signed_out'], {
        title: 'Sign in to see the customer',
        body: 'Deskside uses your helpdesk account. If you are already signed in there, one click is enough.',
      }),
      other_user: {
        title: 'Deskside is signed in as someone else',
        body: 'This page belongs to another helpdesk account. Use the same account in both. An API key must be your own, and in a private window Deskside cannot sign in.',
      },
      not_an_agent: {
        title: 'This account is not an agent',
        body: 'Customer profiles are for support agents only. Ask your administrator to add you as an agent.',
      },
      ticket_not_readable: {
        title: 'You do not have access to this ticket',
        body: 'It probably belongs to another team. Ask that team or your administrator for access.',
      },
      ticket_not_writable: {
        title: 'You cannot edit this ticket',
        body: 'You can view it, but syncing its customer requires permission to edit it. Ask its team or your administrator.',
      },
      customer_not_readable: {
        title: 'You do not have access to this customer',
        body: 'Ask your administrator for access.',
      },
      customer_not_writable: {
        title: 'You cannot edit this customer',
        body: 'It has no company ID yet, and giving it one requires permission to edit it. Ask someone who has that permission.',
      },
      ticket_not_found: {
        title: 'Ticket not found',
        body: 'It may have been deleted or merged. Go back to the list and open it again.',
      },
      customer_not_found: {
        title: 'Customer not found',
        body: 'It may have been deleted or renamed. Open the ticket again.',
      },
      sync_not_found: {
        title: 'This sync cannot be undone',
        body: 'Deskside no longer has a record of it. If the customer is wrong, change it in the helpdesk.',
      },
      identity_conflict: {
        title: 'Two different companies for this ticket',
        body: 'Nothing was changed. Refresh the profile and compare the company shown with the one in the CRM.',
      },
      changed_since: {
        title: 'Someone else has changed the customer',
        body: 'The ticket was left unchanged. Refresh the profile to see its current customer.',
      },
      rate_limited: {
        title: 'Too many requests',
        body: 'Please wait a minute and try again.',
      },
      internal: {
        title: 'Something went wrong in Deskside',
        body: 'The problem is on our side, not yours. Try again. If it persists, contact your administrator.',
      },
      helpdesk_bad_answer: {
        title: 'The helpdesk sent an unreadable answer',
        body: 'It may be under maintenance. Try again in a minute.',
      },
      helpdesk_unavailable: {
        title: 'The helpdesk cannot be reached',
        body: 'The proxy got no answer from it. Try again in a minute. If it persists, contact your administrator.',
      },
      helpdesk_timeout: {
        title: 'The helpdesk is taking too long',
        body: 'The proxy stopped waiting. Try again in a minute.',
      },
      not_configured: {
        title: 'Deskside is not set up yet',
        body: 'The addresses of your helpdesk and proxy are missing. Ask your administrator for both.',
      },
      offline: {
        title: 'You are offline',
        body: 'The profile will load as soon as you are back online.',
      },
      unreachable: {
        title: 'The Deskside proxy cannot be reached',
        body: 'Check your network or VPN. If others have the same problem, contact your administrator.',
      },
      timeout: {
        title: 'The Deskside proxy is taking too long',
        body: 'It did not answer in time. Try again in a minute.',
      },
      aborted: { title: 'The request was cancelled', body: 'Try again to load the profile.' },
      extension_updated: {
        title: 'Deskside was updated',
        body: 'Reload the page to continue. Save anything you are writing first.',
      },
    },
    crash: {
      title: 'The panel has stopped working',
      body: 'Something unexpected happened. The ticket is not affected.',
    },
    kept: 'You are seeing earlier data.',
  },
  vi: {
    code: {
      ...same(['bad_input', 'route_not_found', 'method_not_allowed', 'body_too_large', 'bad_answer'], {
        title: 'Tiện ích và proxy không hiểu nhau',
        body: 'Có lẽ hai bên khác phiên bản hoặc địa chỉ proxy sai. Hãy cập nhật tiện ích; nếu vẫn lỗi, báo quản trị viên.',
      }),
      ...same(['unauthenticated', 'signed_out'], {
        title: 'Đăng nhập để xem khách hàng',
        body: 'Deskside dùng tài khoản helpdesk của bạn. Nếu bạn đã đăng nhập ở đó, chỉ cần một lần bấm.',
      }),
      other_user: {
        title: 'Deskside đang đăng nhập bằng tài khoản khác',
        body: 'Trang này thuộc một tài khoản helpdesk khác. Hãy dùng cùng một tài khoản ở cả hai nơi. Khoá API phải là của chính bạn; trong cửa sổ riêng tư, Deskside không đăng nhập được.',
      },
      not_an_agent: {
        title: 'Tài khoản này không phải nhân viên hỗ trợ',
        body: 'Hồ sơ khách hàng chỉ dành cho nhân viên hỗ trợ. Hãy nhờ quản trị viên cấp quyền.',
      },
      ticket_not_readable: {
        title: 'Bạn không có quyền xem ticket này',
        body: 'Có lẽ ticket thuộc nhóm khác. Hãy hỏi nhóm đó hoặc quản trị viên.',
      },
      ticket_not_writable: {
        title: 'Bạn không có quyền sửa ticket này',
        body: 'Bạn xem được ticket, nhưng đồng bộ khách hàng cần quyền sửa. Hãy hỏi nhóm phụ trách hoặc quản trị viên.',
      },
      customer_not_readable: {
        title: 'Bạn không có quyền xem khách hàng này',
        body: 'Hãy nhờ quản trị viên cấp quyền.',
      },
      customer_not_writable: {
        title: 'Bạn không có quyền sửa khách hàng này',
        body: 'Khách hàng chưa có mã công ty, và ghi mã cần quyền sửa khách hàng. Hãy nhờ người có quyền đó.',
      },
      ticket_not_found: {
        title: 'Không có ticket này',
        body: 'Ticket có thể đã bị xoá hoặc gộp. Hãy quay lại danh sách và mở lại.',
      },
      customer_not_found: {
        title: 'Không có khách hàng này',
        body: 'Khách hàng có thể đã bị xoá hoặc đổi tên. Hãy mở lại ticket.',
      },
      sync_not_found: {
        title: 'Không hoàn tác được lần đồng bộ này',
        body: 'Hệ thống không còn lưu lần đồng bộ này. Nếu khách hàng sai, hãy sửa trong helpdesk.',
      },
      identity_conflict: {
        title: 'Có hai công ty khác nhau cho ticket này',
        body: 'Chưa có gì bị thay đổi. Hãy làm mới hồ sơ rồi so công ty trên màn hình với CRM.',
      },
      changed_since: {
        title: 'Khách hàng vừa được người khác thay đổi',
        body: 'Ticket được giữ nguyên. Hãy làm mới hồ sơ để xem khách hàng hiện tại.',
      },
      rate_limited: { title: 'Quá nhiều yêu cầu', body: 'Vui lòng đợi một phút rồi thử lại.' },
      internal: {
        title: 'Deskside chưa thực hiện được',
        body: 'Lỗi ở phía hệ thống, không phải do bạn. Hãy thử lại; nếu vẫn lỗi, báo quản trị viên.',
      },
      helpdesk_bad_answer: {
        title: 'Không đọc được câu trả lời của helpdesk',
        body: 'Có thể helpdesk đang bảo trì. Hãy thử lại sau một phút.',
      },
      helpdesk_unavailable: {
        title: 'Không kết nối được helpdesk',
        body: 'Proxy không nhận được trả lời. Hãy thử lại sau một phút; nếu vẫn lỗi, báo quản trị viên.',
      },
      helpdesk_timeout: {
        title: 'Helpdesk phản hồi quá chậm',
        body: 'Proxy đã chờ và dừng lại. Hãy thử lại sau một phút.',
      },
      not_configured: {
        title: 'Deskside chưa được thiết lập',
        body: 'Còn thiếu địa chỉ helpdesk và proxy. Quản trị viên có thể cho bạn biết cả hai.',
      },
      offline: {
        title: 'Bạn đang ngoại tuyến',
        body: 'Hồ sơ sẽ tự tải ngay khi có kết nối trở lại.',
      },
      unreachable: {
        title: 'Không kết nối được proxy Deskside',
        body: 'Hãy kiểm tra mạng hoặc VPN. Nếu người khác cũng gặp lỗi này, báo quản trị viên.',
      },
      timeout: {
        title: 'Proxy Deskside phản hồi quá chậm',
        body: 'Proxy không trả lời kịp. Hãy thử lại sau một phút.',
      },
      aborted: { title: 'Yêu cầu đã bị dừng', body: 'Hãy thử lại để tải hồ sơ.' },
      extension_updated: {
        title: 'Deskside vừa được cập nhật',
        body: 'Hãy tải lại trang để tiếp tục. Nhớ lưu nội dung bạn đang viết trước.',
      },
    },
    crash: {
      title: 'Bảng hồ sơ đã dừng',
      body: 'Đã có lỗi ngoài dự kiến. Ticket không bị ảnh hưởng.',
    },
    kept: 'Thông tin bên dưới là của lần trước.',
  },
});

function same<C extends PanelErrorCode>(codes: readonly C[], message: Message): Record<C, Message> {
  return Object.fromEntries(codes.map((code) => [code, message])) as Record<C, Message>;
}
