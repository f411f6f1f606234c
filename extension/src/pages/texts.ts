import { phrase, say, spoken } from '#i18n/say.ts';
import type { AddressProblem, UiLanguage } from '#messaging/settings.ts';
import type { SignInProblem } from './stage.ts';

export const optionsTexts = {
  title: say('Deskside settings', 'Cài đặt Deskside'),
  lead: say(
    'See who your customer is, right beside the helpdesk ticket.',
    'Xem khách hàng là ai ngay bên cạnh phiếu hỗ trợ.',
  ),
  progress: say('Setup', 'Thiết lập'),
  steps: {
    address: say('Address', 'Địa chỉ'),
    access: say('Access', 'Quyền truy cập'),
    sign_in: say('Sign-in', 'Đăng nhập'),
  },
  address: {
    heading: say('Where is your Deskside?', 'Deskside của bạn ở đâu?'),
    lead: say(
      'Your company runs its own Deskside proxy. Ask your administrator or a colleague for its address.',
      'Công ty bạn có proxy Deskside riêng. Hãy hỏi quản trị viên hoặc đồng nghiệp địa chỉ của proxy.',
    ),
    label: say('Address of the Deskside proxy', 'Địa chỉ proxy Deskside'),
    example: say('deskside.example.com', 'deskside.example.com'),
    hint: say('You can paste any link to it.', 'Bạn có thể dán bất kỳ đường dẫn nào đến proxy.'),
    locked: say('Set by your organisation', 'Do tổ chức của bạn thiết lập'),
    linked: say(
      'This address came with a link. Continue only if it is your company’s.',
      'Địa chỉ này lấy từ một đường dẫn. Chỉ tiếp tục nếu đúng là của công ty bạn.',
    ),
    go: say('Continue', 'Tiếp tục'),
    busy: say('Checking…', 'Đang kiểm tra…'),
    problems: {
      empty: say('Enter the address.', 'Hãy nhập địa chỉ.'),
      not_an_address: say(
        'This is not a web address. Enter something like https://deskside.example.com.',
        'Đây không phải địa chỉ web. Ví dụ đúng: https://deskside.example.com.',
      ),
      other_scheme: say('The address must start with https://.', 'Địa chỉ phải bắt đầu bằng https://.'),
      credentials: say('Leave out the user name and password.', 'Hãy bỏ tên người dùng và mật khẩu.'),
      insecure: say(
        'The address must start with https://. Only addresses on this computer may use http.',
        'Địa chỉ phải bắt đầu bằng https://. Chỉ địa chỉ trên máy này mới được dùng http.',
      ),
    } satisfies Record<AddressProblem, object>,
    answers: {
      unreachable: say(
        'Nothing answers at this address. Is it spelled correctly, and are you online or on the VPN?',
        'Không có gì trả lời ở địa chỉ này. Bạn gõ đúng chưa, có mạng hoặc VPN chưa?',
      ),
      timeout: say(
        'The address takes too long to answer. Try again in a minute.',
        'Địa chỉ này trả lời quá lâu. Hãy thử lại sau một phút.',
      ),
      bad_answer: say(
        'Something answers at this address, but it is not a Deskside proxy. Did you enter the helpdesk’s address?',
        'Có máy chủ trả lời ở địa chỉ này, nhưng không phải proxy Deskside. Bạn có nhập nhầm địa chỉ helpdesk không?',
      ),
      rate_limited: say(
        'The proxy has too many requests at the moment. Try again in a minute.',
        'Proxy đang có quá nhiều yêu cầu. Hãy thử lại sau một phút.',
      ),
    },
    badHelpdesk: say(
      'This proxy does not name a helpdesk that is safe to use. Tell your Deskside administrator: the helpdesk’s address must start with https://.',
      'Proxy này không cho biết helpdesk nào an toàn để dùng. Hãy báo quản trị viên Deskside: địa chỉ helpdesk phải bắt đầu bằng https://.',
    ),
    otherHelpdesk: phrase(
      'This proxy serves {url}, which is not your organisation’s helpdesk. Check the address.',
      'Proxy này phục vụ {url}, không phải helpdesk của tổ chức bạn. Hãy kiểm tra lại địa chỉ.',
    ),
    failed: phrase(
      'That did not work ({code}). Try again, or tell your Deskside administrator.',
      'Không thành công ({code}). Hãy thử lại hoặc báo quản trị viên Deskside.',
    ),
  },
  access: {
    heading: say('Allow access to two addresses', 'Cho phép truy cập hai địa chỉ'),
    lead: say(
      'Your browser will ask whether Deskside may access them. It accesses no other.',
      'Trình duyệt sẽ hỏi bạn có cho Deskside truy cập không. Deskside không truy cập địa chỉ nào khác.',
    ),
    helpdesk: say('Your helpdesk', 'Helpdesk của bạn'),
    helpdeskWhy: say(
      'To put the Customer Profile button on tickets, and to sign you in with your helpdesk account.',
      'Để đặt nút Hồ sơ khách hàng trên phiếu và đăng nhập bằng tài khoản helpdesk của bạn.',
    ),
    proxy: say('Your company’s Deskside proxy', 'Proxy Deskside của công ty'),
    proxyWhy: say(
      'To get your customers’ profiles. Deskside signs you in there too.',
      'Để lấy hồ sơ khách hàng. Deskside cũng đăng nhập cho bạn ở đó.',
    ),
    careful: say(
      'Are both your company’s? If not, use another address: whoever runs the proxy can act as you.',
      'Cả hai có đúng là của công ty bạn không? Nếu không, hãy dùng địa chỉ khác: ai vận hành proxy đều có thể thao tác thay bạn.',
    ),
    allow: say('Allow access', 'Cho phép truy cập'),
    refused: say(
      'Access was not allowed, so Deskside cannot show anything yet. Press Allow access again and choose Allow. You can take it back in the browser at any time.',
      'Bạn chưa cho phép truy cập nên Deskside chưa hiển thị được gì. Hãy bấm lại Cho phép truy cập rồi chọn Cho phép. Bạn có thể thu hồi quyền này trong trình duyệt bất cứ lúc nào.',
    ),
  },
  change: say('Use another address', 'Dùng địa chỉ khác'),
  signIn: {
    heading: say('Sign-in', 'Đăng nhập'),
    busy: say('Signing you in with your helpdesk account…', 'Đang đăng nhập bằng tài khoản helpdesk của bạn…'),
    finish: say('Finish signing in in the window that has opened.', 'Hãy hoàn tất đăng nhập trong cửa sổ vừa mở.'),
    problems: {
      signed_out: say(
        'You are not signed in. Sign in with your agent account of the helpdesk, and Deskside will use it from then on.',
        'Bạn chưa đăng nhập. Hãy đăng nhập bằng tài khoản nhân viên của helpdesk, sau đó Deskside sẽ tự dùng tài khoản này.',
      ),
      refused: say(
        'The helpdesk did not sign you in. Deskside is for agents: use an agent account, or ask your administrator to make yours one.',
        'Helpdesk không cho bạn đăng nhập. Deskside dành cho nhân viên: hãy dùng tài khoản nhân viên, hoặc nhờ quản trị viên cấp quyền.',
      ),
      not_agent: say(
        'You are signed in to the helpdesk, but not as an agent. Ask your administrator to make you one, or sign in there with another account; then try again.',
        'Bạn đã đăng nhập helpdesk nhưng không phải với vai trò nhân viên. Hãy nhờ quản trị viên cấp quyền, hoặc đăng nhập helpdesk bằng tài khoản khác rồi thử lại.',
      ),
      no_client: say(
        'Sign-in from this browser is not set up yet. Tell your Deskside administrator.',
        'Chưa thiết lập đăng nhập cho trình duyệt này. Hãy báo quản trị viên Deskside.',
      ),
      helpdesk_down: say(
        'The helpdesk cannot be reached. Your addresses are saved; try again in a minute.',
        'Không kết nối được helpdesk. Địa chỉ đã được lưu; hãy thử lại sau một phút.',
      ),
      proxy_down: say(
        'The Deskside proxy cannot be reached. Are you online or on the VPN?',
        'Không kết nối được proxy Deskside. Bạn có mạng hoặc VPN chưa?',
      ),
      other_helpdesk: say(
        'This proxy serves another helpdesk than the one that is set. Check the address.',
        'Proxy này phục vụ một helpdesk khác. Hãy kiểm tra lại địa chỉ.',
      ),
      other: say(
        'Signing in did not work. Try again, or tell your Deskside administrator:',
        'Đăng nhập không thành công. Hãy thử lại hoặc báo quản trị viên Deskside:',
      ),
    } satisfies Record<SignInProblem, object>,
    signIn: say('Sign in', 'Đăng nhập'),
    signOut: say('Sign out', 'Đăng xuất'),
    again: say('Try again', 'Thử lại'),
    openHelpdesk: say('Open the helpdesk', 'Mở helpdesk'),
  },
  ready: {
    heading: phrase('You are all set, {name}', 'Đã xong, {name}'),
    how: say(
      'Open any ticket and press Customer Profile at its top',
      'Hãy mở một phiếu và bấm Hồ sơ khách hàng ở đầu phiếu',
    ),
    or: say('or', 'hoặc nhấn'),
    tickets: say('Open your tickets', 'Mở danh sách phiếu'),
    team: say('Team page, for leads', 'Trang Nhóm, dành cho người phụ trách'),
    colleagues: say('Colleagues need only this address:', 'Đồng nghiệp chỉ cần địa chỉ này:'),
  },
  preferences: {
    heading: say('Language and keyboard', 'Ngôn ngữ và bàn phím'),
    language: say('Language', 'Ngôn ngữ'),
    auto: say('Same as the helpdesk', 'Như trong helpdesk'),
    shortcut: say('Open and close the profile', 'Mở và đóng hồ sơ'),
    noShortcut: say('not set', 'chưa đặt'),
    changeShortcut: say('Change the shortcut', 'Đổi phím tắt'),
  },
  version: phrase('Version {version}', 'Phiên bản {version}'),
  failed: say('Something went wrong. Reload this page and try again.', 'Đã có lỗi. Hãy tải lại trang này và thử lại.'),
};

export type OptionsTexts = ReturnType<typeof optionsTextsIn>;

export function optionsTextsIn(language: UiLanguage) {
  return spoken(optionsTexts, language);
}
