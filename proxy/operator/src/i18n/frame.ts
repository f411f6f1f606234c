import { section } from '@deskside/extension/i18n/section';
import type { CallError } from '@deskside/shared/client';
import type { SignInProblem } from '@deskside/shared/operator/contract';

interface Message {
  title: string;
  body: string;
}

type FailureCode =
  | 'unreachable'
  | 'timeout'
  | 'bad_answer'
  | 'helpdesk'
  | 'store'
  | 'internal'
  | 'rate_limited'
  | 'not_allowed';

/** What is around the pages: navigation, signing in, and what went wrong. */
export const frame = section({
  en: {
    name: 'Deskside',
    skip: 'Skip to content',
    nav: 'Pages',
    pages: { today: 'Today', routing: 'Routing', customers: 'Customers', settings: 'Settings' },
    language: 'Language',
    signOut: 'Sign out',
    signedInAs: (name: string) => `Signed in as ${name}`,
    signIn: 'Sign in with the helpdesk',
    signedOut: {
      title: 'Sign in to see how Deskside is doing',
      body: 'Deskside uses your helpdesk account. Agent Managers and System Managers have access.',
    },
    problem: {
      refused: {
        title: 'The helpdesk did not sign you in',
        body: 'It refused, or the sign-in was not started in this browser. Try again.',
      },
      not_allowed: {
        title: 'Your account has no access to this page',
        body: 'It is for Agent Managers and System Managers. Ask your helpdesk administrator for one of these roles, then sign in again.',
      },
      expired: {
        title: 'The sign-in took too long',
        body: 'Or it was started in another browser. Start it again.',
      },
      not_set_up: {
        title: 'Signing in is not set up yet',
        body: 'On the proxy’s machine, set PUBLIC_URL and run “deskside provision”. Then start the proxy again.',
      },
      helpdesk_unavailable: {
        title: 'The helpdesk cannot be reached',
        body: 'Without it, nobody can sign in. Try again in a moment; if it stays that way, run “deskside doctor” on the proxy’s machine.',
      },
      helpdesk_bad_answer: {
        title: 'The helpdesk’s answer could not be understood',
        body: 'Run “deskside doctor” on the proxy’s machine: it says what is wrong with the sign-in.',
      },
    } satisfies Record<SignInProblem, Message>,
    loading: 'Loading…',
    tryAgain: 'Try again',
    requestId: 'Request ID',
    failure: {
      unreachable: {
        title: 'The Deskside proxy cannot be reached',
        body: 'Check your network. If it stays that way, the proxy may not be running.',
      },
      timeout: {
        title: 'The Deskside proxy did not answer in time',
        body: 'It may be very busy. Try again in a moment.',
      },
      bad_answer: {
        title: 'The answer could not be understood',
        body: 'The page may be older than the proxy. Reload it.',
      },
      helpdesk: { title: 'The helpdesk is not answering', body: 'Try again in a moment.' },
      store: {
        title: 'The database cannot be reached',
        body: 'Try again in a moment; if it stays that way, look after PostgreSQL.',
      },
      internal: { title: 'Something went wrong in the proxy', body: 'Look for the request ID in its log.' },
      rate_limited: { title: 'Too many requests', body: 'Try again in a moment.' },
      not_allowed: { title: 'You may not do this', body: 'Only System Managers may change this.' },
    } satisfies Record<FailureCode, Message>,
    old: 'What you see is from before.',
    broken: { title: 'This page has failed', body: 'That is a fault in Deskside. Reloading usually helps.' },
    reload: 'Reload',
    version: (version: string) => `Deskside proxy ${version}`,
  },
  vi: {
    name: 'Deskside',
    skip: 'Đến nội dung',
    nav: 'Các trang',
    pages: { today: 'Hôm nay', routing: 'Điều phối', customers: 'Khách hàng', settings: 'Cài đặt' },
    language: 'Ngôn ngữ',
    signOut: 'Đăng xuất',
    signedInAs: (name) => `Đã đăng nhập: ${name}`,
    signIn: 'Đăng nhập bằng helpdesk',
    signedOut: {
      title: 'Hãy đăng nhập để xem tình hình Deskside',
      body: 'Deskside dùng tài khoản helpdesk của bạn. Agent Manager và System Manager có quyền xem.',
    },
    problem: {
      refused: {
        title: 'Helpdesk không cho đăng nhập',
        body: 'Helpdesk đã từ chối, hoặc lần đăng nhập này không bắt đầu từ trình duyệt này. Hãy thử lại.',
      },
      not_allowed: {
        title: 'Tài khoản của bạn không có quyền xem trang này',
        body: 'Trang này dành cho Agent Manager và System Manager. Hãy nhờ quản trị viên helpdesk cấp một trong hai vai trò đó, rồi đăng nhập lại.',
      },
      expired: {
        title: 'Đăng nhập quá lâu',
        body: 'Hoặc đã bắt đầu từ trình duyệt khác. Hãy đăng nhập lại từ đầu.',
      },
      not_set_up: {
        title: 'Chưa thiết lập đăng nhập',
        body: 'Trên máy chạy proxy, hãy đặt PUBLIC_URL rồi chạy “deskside provision”. Sau đó khởi động lại proxy.',
      },
      helpdesk_unavailable: {
        title: 'Không kết nối được với helpdesk',
        body: 'Không có helpdesk thì không ai đăng nhập được. Hãy thử lại sau ít phút; nếu vẫn vậy, hãy chạy “deskside doctor” trên máy chạy proxy.',
      },
      helpdesk_bad_answer: {
        title: 'Không đọc được câu trả lời của helpdesk',
        body: 'Hãy chạy “deskside doctor” trên máy chạy proxy để biết việc đăng nhập bị sai ở đâu.',
      },
    },
    loading: 'Đang tải…',
    tryAgain: 'Thử lại',
    requestId: 'Mã yêu cầu',
    failure: {
      unreachable: {
        title: 'Không kết nối được với proxy Deskside',
        body: 'Hãy kiểm tra mạng. Nếu vẫn vậy, có thể proxy không chạy.',
      },
      timeout: {
        title: 'Proxy Deskside phản hồi quá chậm',
        body: 'Có thể proxy đang rất bận. Hãy thử lại sau ít phút.',
      },
      bad_answer: {
        title: 'Không đọc được câu trả lời',
        body: 'Có thể trang này cũ hơn proxy. Hãy tải lại trang.',
      },
      helpdesk: { title: 'Helpdesk không trả lời', body: 'Hãy thử lại sau ít phút.' },
      store: {
        title: 'Không kết nối được cơ sở dữ liệu',
        body: 'Hãy thử lại sau ít phút; nếu vẫn vậy, hãy kiểm tra PostgreSQL.',
      },
      internal: { title: 'Proxy gặp sự cố', body: 'Hãy tìm mã yêu cầu trong nhật ký của proxy.' },
      rate_limited: { title: 'Quá nhiều yêu cầu', body: 'Hãy thử lại sau ít phút.' },
      not_allowed: { title: 'Bạn không được làm việc này', body: 'Chỉ System Manager được thay đổi việc này.' },
    },
    old: 'Bạn đang xem dữ liệu từ trước.',
    broken: { title: 'Trang này gặp lỗi', body: 'Đây là lỗi của Deskside. Thường chỉ cần tải lại trang.' },
    reload: 'Tải lại',
    version: (version) => `Proxy Deskside ${version}`,
  },
});

/** The failure to speak of for each code that a question to the proxy can fail with. */
export function failureOf(code: CallError['code']): FailureCode {
  if (code === 'unreachable' || code === 'timeout' || code === 'bad_answer' || code === 'rate_limited') return code;
  if (code === 'not_a_system_manager') return 'not_allowed';
  if (code.startsWith('helpdesk_')) return 'helpdesk';
  if (code === 'store_unavailable') return 'store';
  return 'internal';
}
