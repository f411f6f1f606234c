import type { CrmErrorCode } from '@deskside/shared/status';
import { phrase, say, type Translated } from '#i18n/say.ts';
import type { PanelErrorCode } from '#messaging/protocol.ts';

/** What happened, and what the agent can do or who can help. */
export interface Message {
  title: string;
  body: string;
}

export const crmStates = {
  notFound: phrase('The CRM has no company with Org ID {ids}', 'CRM không có công ty nào với mã shop {ids}'),
  notLinked: say('No shop linked yet', 'Chưa gắn shop nào'),
  nobody: say('Sender unknown', 'Không rõ người gửi'),
  disabled: say('The CRM is off', 'CRM đang tắt'),
  missingConfig: say('The CRM is not set up', 'CRM chưa được thiết lập'),
  error: {
    timeout: say('The CRM is not responding', 'CRM không trả lời'),
    unreachable: say('The CRM cannot be reached', 'Không kết nối được CRM'),
    rate_limited: say('The CRM has asked Deskside to slow down', 'CRM đề nghị Deskside gửi chậm lại'),
    operation_limit: say('The CRM has paused our requests for some minutes', 'CRM tạm dừng yêu cầu trong vài phút'),
    overloaded: say('The CRM is overloaded', 'CRM đang quá tải'),
    unauthorized: say('The CRM no longer accepts Deskside’s key', 'CRM không còn chấp nhận khóa của Deskside'),
    insufficient_scope: say('Deskside’s CRM key lacks a permission', 'Khóa CRM của Deskside thiếu quyền'),
    redirected: say('The CRM address redirects elsewhere', 'Địa chỉ CRM chuyển hướng sang nơi khác'),
    bad_answer: say('The CRM sent an unreadable answer', 'Không đọc được câu trả lời của CRM'),
    server_error: say('The CRM has an internal problem', 'CRM đang gặp sự cố'),
  } satisfies Record<CrmErrorCode, Translated<string>>,
  unknownError: say('The CRM could not be asked', 'Chưa hỏi được CRM'),
  tell: say('Tell your Deskside administrator.', 'Hãy báo quản trị viên Deskside.'),
  retrying: say('Deskside keeps trying.', 'Deskside vẫn đang tự thử lại.'),
  notMeansAbsent: say(
    'This does not mean that the company is not in the CRM.',
    'Điều này không có nghĩa là CRM không có công ty này.',
  ),
  lastNotFound: phrase(
    'When it last answered, {age}, it had no such company.',
    'Lần trả lời gần nhất, {age}, CRM không có công ty này.',
  ),
  staleCompany: phrase('What you see was read {age}.', 'Bạn đang xem dữ liệu lấy {age}.'),
  ownRecord: say('What you see is the helpdesk’s own record.', 'Bạn đang xem hồ sơ trong helpdesk.'),
  waiting: say('Waiting for the CRM…', 'Đang chờ CRM…'),
};

interface TranslatedMessage {
  title: Translated<string>;
  body: Translated<string>;
}

/** Whoever is asked was away or busy. */
const again = say(
  'Try again in a minute. If it keeps happening, tell your Deskside administrator.',
  'Hãy thử lại sau một phút; nếu vẫn lỗi, hãy báo quản trị viên Deskside.',
);

/** Why there is no profile to show: a text per code, and one for a crash of the panel itself. */
export const failures = {
  code: {
    ...same(['bad_input', 'route_not_found', 'method_not_allowed', 'body_too_large', 'other_revision'], {
      title: say(
        'The extension and the Deskside proxy do not fit together',
        'Tiện ích và proxy Deskside không khớp phiên bản',
      ),
      body: say(
        'One of them was updated and the other was not. Tell your Deskside administrator.',
        'Một trong hai đã được cập nhật còn cái kia thì chưa. Hãy báo quản trị viên Deskside.',
      ),
    }),
    bad_answer: {
      title: say('The Deskside proxy sent an unreadable answer', 'Không đọc được câu trả lời của proxy Deskside'),
      body: again,
    },
    ...same(['sync_not_found', 'rejection_not_found'], {
      title: say('This can no longer be undone', 'Không hoàn tác được nữa'),
      body: say(
        'Deskside no longer has a record of it. If the customer is wrong, change it in the helpdesk.',
        'Hệ thống không còn lưu thao tác này. Nếu khách hàng sai, hãy sửa trong helpdesk.',
      ),
    }),
    ...same(['ticket_not_found', 'customer_not_found'], {
      title: say('Not found in the helpdesk', 'Không tìm thấy trong helpdesk'),
      body: say(
        'It may have been deleted, merged or renamed. Go back to the list and open the ticket again.',
        'Có thể đã bị xóa, gộp hoặc đổi tên. Hãy quay lại danh sách và mở lại phiếu.',
      ),
    }),
    ...same(['unauthenticated', 'signed_out'], {
      title: say('Sign in to see the customer', 'Đăng nhập để xem khách hàng'),
      body: say(
        'Deskside uses your helpdesk account. If you are already signed in there, one click is enough.',
        'Deskside dùng tài khoản helpdesk của bạn. Nếu bạn đã đăng nhập ở đó, chỉ cần một lần bấm.',
      ),
    }),
    other_user: {
      title: say('Deskside is signed in as someone else', 'Deskside đang đăng nhập bằng tài khoản khác'),
      body: say(
        'This page belongs to another helpdesk account. Use the same account in both. In a private window Deskside cannot sign in.',
        'Trang này thuộc một tài khoản helpdesk khác. Hãy dùng cùng một tài khoản ở cả hai nơi. Trong cửa sổ riêng tư, Deskside không đăng nhập được.',
      ),
    },
    not_an_agent: {
      title: say('This account is not an agent', 'Tài khoản này không phải của nhân viên'),
      body: say(
        'Customer profiles are for agents only. Tell your Deskside administrator if you should be one.',
        'Hồ sơ khách hàng chỉ dành cho nhân viên. Nếu bạn cần xem, hãy báo quản trị viên Deskside.',
      ),
    },
    not_a_manager: {
      title: say('The Team page is for leads', 'Trang Nhóm dành cho người phụ trách'),
      body: say(
        'It takes the role Agent Manager in the helpdesk. Tell your administrator if you should have it.',
        'Cần vai trò Agent Manager trong helpdesk. Nếu bạn phụ trách nhóm, hãy báo quản trị viên.',
      ),
    },
    ticket_not_readable: {
      title: say('You do not have access to this ticket', 'Bạn không có quyền xem phiếu này'),
      body: say(
        'It probably belongs to another team. Ask that team, or tell your Deskside administrator.',
        'Phiếu này thường thuộc nhóm khác. Hãy hỏi nhóm đó hoặc báo quản trị viên Deskside.',
      ),
    },
    ticket_not_writable: {
      title: say('You cannot edit this ticket', 'Bạn không có quyền sửa phiếu này'),
      body: say(
        'You can view it, but syncing its customer requires permission to edit it. Ask its team, or tell your Deskside administrator.',
        'Bạn xem được phiếu, nhưng đồng bộ khách hàng cần quyền sửa. Hãy hỏi nhóm của phiếu hoặc báo quản trị viên Deskside.',
      ),
    },
    ticket_read_by_other: {
      title: say('Somebody else reads this ticket', 'Có người khác đọc được phiếu này'),
      body: say(
        'Somebody besides the sender can read it, so nothing of the company was put on it. Correct the ticket’s contact or its shares first, or open a ticket for the true sender.',
        'Ngoài người gửi còn có người khác đọc được phiếu, nên không có gì của công ty được ghi lên đó. Trước hết hãy sửa liên hệ hoặc chia sẻ của phiếu, hoặc mở phiếu mới cho đúng người gửi.',
      ),
    },
    customer_not_readable: {
      title: say('You do not have access to this customer', 'Bạn không có quyền xem khách hàng này'),
      body: say('Tell your Deskside administrator if you need it.', 'Nếu bạn cần xem, hãy báo quản trị viên Deskside.'),
    },
    customer_not_writable: {
      title: say('You cannot edit this customer', 'Bạn không có quyền sửa khách hàng này'),
      body: say(
        'It has no Org ID yet, and giving it one requires permission to edit it. Ask someone who has that permission.',
        'Khách hàng chưa có mã shop, và ghi mã cần quyền sửa khách hàng. Hãy nhờ người có quyền đó.',
      ),
    },
    identity_conflict: {
      title: say('Two different companies for this ticket', 'Có hai công ty khác nhau cho phiếu này'),
      body: say(
        'Nothing was changed. Refresh the profile and compare the company shown with the one in the CRM.',
        'Chưa có gì bị thay đổi. Hãy làm mới hồ sơ rồi so công ty trên màn hình với CRM.',
      ),
    },
    changed_since: {
      title: say('Someone else has changed the customer', 'Khách hàng vừa được người khác thay đổi'),
      body: say(
        'The ticket was left unchanged. Refresh the profile to see its current customer.',
        'Phiếu được giữ nguyên. Hãy làm mới hồ sơ để xem khách hàng hiện tại.',
      ),
    },
    rate_limited: { title: say('Too many requests', 'Quá nhiều yêu cầu'), body: again },
    internal: { title: say('Something went wrong in Deskside', 'Deskside gặp lỗi'), body: again },
    helpdesk_bad_answer: {
      title: say('The helpdesk sent an unreadable answer', 'Không đọc được câu trả lời của helpdesk'),
      body: again,
    },
    helpdesk_unavailable: {
      title: say('The helpdesk cannot be reached', 'Không kết nối được helpdesk'),
      body: again,
    },
    helpdesk_refused: {
      title: say('The helpdesk refuses the change', 'Helpdesk từ chối thay đổi này'),
      body: say(
        'It has something against what Deskside would write, and trying again does not help. Tell your Deskside administrator.',
        'Helpdesk không chấp nhận nội dung Deskside muốn ghi, thử lại cũng không được. Hãy báo quản trị viên Deskside.',
      ),
    },
    helpdesk_rate_limited: {
      title: say('The helpdesk is limiting requests', 'Helpdesk đang giới hạn số yêu cầu'),
      body: again,
    },
    helpdesk_timeout: { title: say('The helpdesk is taking too long', 'Helpdesk phản hồi quá chậm'), body: again },
    store_unavailable: {
      title: say('Deskside’s database cannot be reached', 'Không kết nối được cơ sở dữ liệu của Deskside'),
      body: again,
    },
    not_configured: {
      title: say('Deskside is not set up yet', 'Deskside chưa được thiết lập'),
      body: say(
        'The address of the Deskside proxy is missing. Ask your Deskside administrator for it.',
        'Còn thiếu địa chỉ proxy Deskside. Hãy hỏi quản trị viên Deskside.',
      ),
    },
    offline: {
      title: say('You are offline', 'Bạn đang ngoại tuyến'),
      body: say('This will load as soon as you are back online.', 'Phần này sẽ tự tải ngay khi có kết nối trở lại.'),
    },
    unreachable: {
      title: say('The Deskside proxy cannot be reached', 'Không kết nối được proxy Deskside'),
      body: say(
        'Check your network or VPN. If others have the same problem, tell your Deskside administrator.',
        'Hãy kiểm tra mạng hoặc VPN. Nếu người khác cũng gặp lỗi này, hãy báo quản trị viên Deskside.',
      ),
    },
    timeout: { title: say('The Deskside proxy is taking too long', 'Proxy Deskside phản hồi quá chậm'), body: again },
    aborted: {
      title: say('The request was cancelled', 'Yêu cầu đã bị dừng'),
      body: say('Try again to load the profile.', 'Hãy thử lại để tải hồ sơ.'),
    },
    access_withheld: {
      title: say('The browser withholds this site from Deskside', 'Trình duyệt chưa cho Deskside dùng trang này'),
      body: say(
        'Its site access is set to “On click”, or was taken back. Allow access once, and the customer is here again.',
        'Quyền truy cập trang đang đặt là “Khi nhấp”, hoặc đã bị thu hồi. Hãy cho phép một lần, hồ sơ khách hàng sẽ hiện lại.',
      ),
    },
    extension_updated: {
      title: say('Deskside was updated', 'Deskside vừa được cập nhật'),
      body: say(
        'Reload the page to continue. Save anything you are writing first.',
        'Hãy tải lại trang để tiếp tục. Nhớ lưu nội dung bạn đang viết trước.',
      ),
    },
  } satisfies Record<PanelErrorCode, TranslatedMessage>,
  crash: {
    title: say('The panel has stopped working', 'Bảng hồ sơ đã dừng'),
    body: say(
      'Something unexpected happened. The ticket is not affected.',
      'Đã có lỗi ngoài dự kiến. Phiếu không bị ảnh hưởng.',
    ),
  },
  readBy: say(
    (reader: string) =>
      `Not only the sender can read this ticket or the customer it would get, but also ${reader}, so nothing of the company was put on it. Correct the ticket’s contact or its shares first, or open a ticket for the true sender.`,
    (reader: string) =>
      `Ngoài người gửi, ${reader} cũng đọc được phiếu này hoặc khách hàng sắp gắn, nên không có gì của công ty được ghi lên đó. Trước hết hãy sửa liên hệ hoặc chia sẻ của phiếu, hoặc mở phiếu mới cho đúng người gửi.`,
  ),
  /** Readers who are nobody in particular. */
  everyVisitor: say('every visitor of the helpdesk', 'mọi khách truy cập helpdesk'),
  everyAccount: say('everybody with an account', 'mọi người có tài khoản'),
  refused: phrase(
    'The helpdesk says: {what}. Trying again does not help; tell your Deskside administrator.',
    'Helpdesk báo: {what}. Thử lại cũng không được; hãy báo quản trị viên Deskside.',
  ),
  kept: say('What you see is from before.', 'Bạn đang xem thông tin của lần trước.'),
};

function same<C extends PanelErrorCode>(codes: readonly C[], message: TranslatedMessage): Record<C, TranslatedMessage> {
  return Object.fromEntries(codes.map((code) => [code, message])) as Record<C, TranslatedMessage>;
}
