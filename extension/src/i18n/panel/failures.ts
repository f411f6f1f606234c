import { section } from '#i18n/section.ts';
import type { PanelErrorCode } from '#messaging/protocol.ts';
import type { Message } from './crm-states.ts';

/** Why there is no profile to show: a text per code, and one for a crash of the panel itself. */
export const failures = section({
  en: {
    code: {
      ...same(['bad_input', 'route_not_found', 'method_not_allowed', 'body_too_large'], {
        title: 'The extension and the Deskside proxy do not fit together',
        body: 'One of them is probably too old. Tell your Deskside administrator.',
      }),
      bad_answer: {
        title: 'The Deskside proxy sent an unreadable answer',
        body: 'It may be restarting. Try again in a minute. If it keeps happening, tell your Deskside administrator.',
      },
      ...same(['unauthenticated', 'signed_out'], {
        title: 'Sign in to see the customer',
        body: 'Deskside uses your helpdesk account. If you are already signed in there, one click is enough.',
      }),
      other_user: {
        title: 'Deskside is signed in as someone else',
        body: 'This page belongs to another helpdesk account. Use the same account in both. In a private window Deskside cannot sign in.',
      },
      not_an_agent: {
        title: 'This account is not an agent',
        body: 'Customer profiles are for agents only. Tell your Deskside administrator if you should be one.',
      },
      not_a_manager: {
        title: 'The Team page is for leads',
        body: 'It takes the role Agent Manager in the helpdesk. Tell your administrator if you should have it.',
      },
      ticket_not_readable: {
        title: 'You do not have access to this ticket',
        body: 'It probably belongs to another team. Ask that team, or tell your Deskside administrator.',
      },
      ticket_not_writable: {
        title: 'You cannot edit this ticket',
        body: 'You can view it, but syncing its customer requires permission to edit it. Ask its team, or tell your Deskside administrator.',
      },
      ticket_read_by_other: {
        title: 'Somebody else reads this ticket',
        body: 'Another account, not the sender’s, can read it, so nothing of the company was put on it. Correct the ticket’s contact first, or open a ticket for the true sender.',
      },
      customer_not_readable: {
        title: 'You do not have access to this customer',
        body: 'Tell your Deskside administrator if you need it.',
      },
      customer_not_writable: {
        title: 'You cannot edit this customer',
        body: 'It has no Org ID yet, and giving it one requires permission to edit it. Ask someone who has that permission.',
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
      rejection_not_found: {
        title: 'This can no longer be undone',
        body: 'Deskside no longer has a record of it. Find the company and sync it to link it again.',
      },
      identity_conflict: {
        title: 'Two different companies for this ticket',
        body: 'Nothing was changed. Refresh the profile and compare the company shown with the one in the CRM.',
      },
      changed_since: {
        title: 'Someone else has changed the customer',
        body: 'The ticket was left unchanged. Refresh the profile to see its current customer.',
      },
      other_revision: {
        title: 'The extension and the Deskside proxy do not fit together',
        body: 'Your browser has updated the extension by itself: tell your Deskside administrator that the proxy has to be updated too.',
      },
      rate_limited: {
        title: 'Too many requests',
        body: 'Please wait a minute and try again.',
      },
      internal: {
        title: 'Something went wrong in Deskside',
        body: 'It was nothing you did. Try again. If it keeps happening, tell your Deskside administrator.',
      },
      helpdesk_bad_answer: {
        title: 'The helpdesk sent an unreadable answer',
        body: 'It may be under maintenance. Try again in a minute.',
      },
      helpdesk_refused: {
        title: 'The helpdesk refuses the change',
        body: 'It has something against what Deskside would write, and trying again does not help. Tell your Deskside administrator.',
      },
      helpdesk_rate_limited: {
        title: 'The helpdesk is limiting requests',
        body: 'It does not want to be asked so often. Wait a minute and try again.',
      },
      helpdesk_unavailable: {
        title: 'The helpdesk cannot be reached',
        body: 'The Deskside proxy got no answer from it. Try again in a minute. If it keeps happening, tell your Deskside administrator.',
      },
      helpdesk_timeout: {
        title: 'The helpdesk is taking too long',
        body: 'The Deskside proxy stopped waiting for it. Try again in a minute.',
      },
      store_unavailable: {
        title: 'Deskside’s database cannot be reached',
        body: 'It may be restarting. Try again in a minute. If it keeps happening, tell your Deskside administrator.',
      },
      not_configured: {
        title: 'Deskside is not set up yet',
        body: 'The address of the Deskside proxy is missing. Ask your Deskside administrator for it.',
      },
      offline: {
        title: 'You are offline',
        body: 'This will load as soon as you are back online.',
      },
      unreachable: {
        title: 'The Deskside proxy cannot be reached',
        body: 'Check your network or VPN. If others have the same problem, tell your Deskside administrator.',
      },
      timeout: {
        title: 'The Deskside proxy is taking too long',
        body: 'It did not answer in time. Try again in a minute.',
      },
      aborted: { title: 'The request was cancelled', body: 'Try again to load the profile.' },
      access_withheld: {
        title: 'The browser withholds this site from Deskside',
        body: 'Its site access is set to “On click”, or was taken back. Allow access once, and the customer is here again.',
      },
      extension_updated: {
        title: 'Deskside was updated',
        body: 'Reload the page to continue. Save anything you are writing first.',
      },
    } satisfies Record<PanelErrorCode, Message>,
    crash: {
      title: 'The panel has stopped working',
      body: 'Something unexpected happened. The ticket is not affected.',
    },
    refused: (what: string) =>
      `The helpdesk says: ${what}. Trying again does not help; tell your Deskside administrator.`,
    readBy: (account: string) =>
      `${account} is not the sender and can read it, so nothing of the company was put on it. Correct the ticket’s contact first, or open a ticket for the true sender.`,
    kept: 'What you see is from before.',
    again: (pause: string) => `Deskside asks again in ${pause}.`,
  },
  vi: {
    code: {
      ...same(['bad_input', 'route_not_found', 'method_not_allowed', 'body_too_large'], {
        title: 'Tiện ích và proxy Deskside không khớp phiên bản',
        body: 'Một trong hai đã quá cũ. Hãy báo quản trị viên Deskside.',
      }),
      bad_answer: {
        title: 'Không đọc được câu trả lời của proxy Deskside',
        body: 'Có thể proxy đang khởi động lại. Hãy thử lại sau một phút; nếu vẫn lỗi, hãy báo quản trị viên Deskside.',
      },
      ...same(['unauthenticated', 'signed_out'], {
        title: 'Đăng nhập để xem khách hàng',
        body: 'Deskside dùng tài khoản helpdesk của bạn. Nếu bạn đã đăng nhập ở đó, chỉ cần một lần bấm.',
      }),
      other_user: {
        title: 'Deskside đang đăng nhập bằng tài khoản khác',
        body: 'Trang này thuộc một tài khoản helpdesk khác. Hãy dùng cùng một tài khoản ở cả hai nơi. Trong cửa sổ riêng tư, Deskside không đăng nhập được.',
      },
      not_an_agent: {
        title: 'Tài khoản này không phải của nhân viên',
        body: 'Hồ sơ khách hàng chỉ dành cho nhân viên. Nếu bạn cần xem, hãy báo quản trị viên Deskside.',
      },
      not_a_manager: {
        title: 'Trang Nhóm dành cho người phụ trách',
        body: 'Cần vai trò Agent Manager trong helpdesk. Nếu bạn phụ trách nhóm, hãy báo quản trị viên.',
      },
      ticket_not_readable: {
        title: 'Bạn không có quyền xem phiếu này',
        body: 'Phiếu này thường thuộc nhóm khác. Hãy hỏi nhóm đó hoặc báo quản trị viên Deskside.',
      },
      ticket_not_writable: {
        title: 'Bạn không có quyền sửa phiếu này',
        body: 'Bạn xem được phiếu, nhưng đồng bộ khách hàng cần quyền sửa. Hãy hỏi nhóm của phiếu hoặc báo quản trị viên Deskside.',
      },
      ticket_read_by_other: {
        title: 'Có người khác đọc được phiếu này',
        body: 'Một tài khoản không phải của người gửi đọc được phiếu, nên không có gì của công ty được ghi lên đó. Trước hết hãy sửa liên hệ của phiếu, hoặc mở phiếu mới cho đúng người gửi.',
      },
      customer_not_readable: {
        title: 'Bạn không có quyền xem khách hàng này',
        body: 'Nếu bạn cần xem, hãy báo quản trị viên Deskside.',
      },
      customer_not_writable: {
        title: 'Bạn không có quyền sửa khách hàng này',
        body: 'Khách hàng chưa có mã tổ chức, và ghi mã cần quyền sửa khách hàng. Hãy nhờ người có quyền đó.',
      },
      ticket_not_found: {
        title: 'Không tìm thấy phiếu',
        body: 'Phiếu có thể đã bị xóa hoặc gộp. Hãy quay lại danh sách và mở lại.',
      },
      customer_not_found: {
        title: 'Không tìm thấy khách hàng',
        body: 'Khách hàng có thể đã bị xóa hoặc đổi tên. Hãy mở lại phiếu.',
      },
      sync_not_found: {
        title: 'Không hoàn tác được lần đồng bộ này',
        body: 'Deskside không còn lưu lần đồng bộ này. Nếu khách hàng sai, hãy sửa trong helpdesk.',
      },
      rejection_not_found: {
        title: 'Không hoàn tác được nữa',
        body: 'Hệ thống không còn lưu thao tác này. Hãy tìm công ty rồi đồng bộ để gắn lại.',
      },
      identity_conflict: {
        title: 'Có hai công ty khác nhau cho phiếu này',
        body: 'Chưa có gì bị thay đổi. Hãy làm mới hồ sơ rồi so công ty trên màn hình với CRM.',
      },
      changed_since: {
        title: 'Khách hàng vừa được người khác thay đổi',
        body: 'Phiếu được giữ nguyên. Hãy làm mới hồ sơ để xem khách hàng hiện tại.',
      },
      other_revision: {
        title: 'Tiện ích và proxy Deskside không khớp phiên bản',
        body: 'Trình duyệt đã tự cập nhật tiện ích: hãy báo quản trị viên Deskside cập nhật cả proxy.',
      },
      rate_limited: { title: 'Quá nhiều yêu cầu', body: 'Vui lòng đợi một phút rồi thử lại.' },
      internal: {
        title: 'Deskside gặp lỗi',
        body: 'Lỗi không phải do bạn. Hãy thử lại; nếu vẫn lỗi, hãy báo quản trị viên Deskside.',
      },
      helpdesk_bad_answer: {
        title: 'Không đọc được câu trả lời của helpdesk',
        body: 'Có thể helpdesk đang bảo trì. Hãy thử lại sau một phút.',
      },
      helpdesk_refused: {
        title: 'Helpdesk từ chối thay đổi này',
        body: 'Helpdesk không chấp nhận nội dung Deskside muốn ghi, thử lại cũng không được. Hãy báo quản trị viên Deskside.',
      },
      helpdesk_rate_limited: {
        title: 'Helpdesk đang giới hạn số yêu cầu',
        body: 'Helpdesk không cho gửi yêu cầu dày như vậy. Hãy đợi một phút rồi thử lại.',
      },
      helpdesk_unavailable: {
        title: 'Không kết nối được helpdesk',
        body: 'Helpdesk không trả lời proxy Deskside. Hãy thử lại sau một phút; nếu vẫn lỗi, hãy báo quản trị viên Deskside.',
      },
      helpdesk_timeout: {
        title: 'Helpdesk phản hồi quá chậm',
        body: 'Proxy Deskside đã ngừng chờ. Hãy thử lại sau một phút.',
      },
      store_unavailable: {
        title: 'Không kết nối được cơ sở dữ liệu của Deskside',
        body: 'Có thể cơ sở dữ liệu đang khởi động lại. Hãy thử lại sau một phút; nếu vẫn lỗi, hãy báo quản trị viên Deskside.',
      },
      not_configured: {
        title: 'Deskside chưa được thiết lập',
        body: 'Còn thiếu địa chỉ proxy Deskside. Hãy hỏi quản trị viên Deskside.',
      },
      offline: {
        title: 'Bạn đang ngoại tuyến',
        body: 'Phần này sẽ tự tải ngay khi có kết nối trở lại.',
      },
      unreachable: {
        title: 'Không kết nối được proxy Deskside',
        body: 'Hãy kiểm tra mạng hoặc VPN. Nếu người khác cũng gặp lỗi này, hãy báo quản trị viên Deskside.',
      },
      timeout: {
        title: 'Proxy Deskside phản hồi quá chậm',
        body: 'Proxy không trả lời kịp. Hãy thử lại sau một phút.',
      },
      aborted: { title: 'Yêu cầu đã bị dừng', body: 'Hãy thử lại để tải hồ sơ.' },
      access_withheld: {
        title: 'Trình duyệt chưa cho Deskside dùng trang này',
        body: 'Quyền truy cập trang đang đặt là “Khi nhấp”, hoặc đã bị thu hồi. Hãy cho phép một lần, hồ sơ khách hàng sẽ hiện lại.',
      },
      extension_updated: {
        title: 'Deskside vừa được cập nhật',
        body: 'Hãy tải lại trang để tiếp tục. Nhớ lưu nội dung bạn đang viết trước.',
      },
    } satisfies Record<PanelErrorCode, Message>,
    crash: {
      title: 'Bảng hồ sơ đã dừng',
      body: 'Đã có lỗi ngoài dự kiến. Phiếu không bị ảnh hưởng.',
    },
    refused: (what: string) => `Helpdesk báo: ${what}. Thử lại cũng không được; hãy báo quản trị viên Deskside.`,
    readBy: (account: string) =>
      `${account} không phải người gửi mà đọc được phiếu, nên không có gì của công ty được ghi lên đó. Trước hết hãy sửa liên hệ của phiếu, hoặc mở phiếu mới cho đúng người gửi.`,
    kept: 'Bạn đang xem thông tin của lần trước.',
    again: (pause: string) => `Deskside sẽ tự hỏi lại sau ${pause}.`,
  },
});

function same<C extends PanelErrorCode>(codes: readonly C[], message: Message): Record<C, Message> {
  return Object.fromEntries(codes.map((code) => [code, message])) as Record<C, Message>;
}
