import { section } from '#i18n/section.ts';
import type { AddressProblem } from '#settings/address.ts';

/** The page that opens after the installation. */
export const welcomeTexts = section({
  en: {
    title: 'Welcome to Deskside',
    lead: 'See who your customer is, right beside the helpdesk ticket. Setting it up takes less than a minute.',
    progress: 'Setup',
    steps: { address: 'Address', access: 'Access', sign_in: 'Sign-in' },
    address: {
      heading: 'Where is your Deskside?',
      lead: 'Your company runs its own Deskside proxy. Ask your administrator or a colleague for its address.',
      label: 'Address of the Deskside proxy',
      example: 'deskside.example.com',
      hint: 'You can paste any link to it.',
      locked: 'Set by your organisation',
      linked: 'This address came with a link. Continue only if it is your company’s.',
      go: 'Continue',
      busy: 'Checking…',
      problems: {
        empty: 'Enter the address.',
        not_an_address: 'This is not a web address. Enter something like https://deskside.example.com.',
        other_scheme: 'The address must start with https://.',
        credentials: 'Leave out the user name and password.',
        insecure: 'The address must start with https://. Only addresses on this computer may use http.',
      } satisfies Record<AddressProblem, string>,
      answers: {
        unreachable: 'Nothing answers at this address. Is it spelled correctly, and are you online or on the VPN?',
        timeout: 'The address takes too long to answer. Try again in a minute.',
        bad_answer:
          'Something answers at this address, but it is not a Deskside proxy. Did you enter the helpdesk’s address?',
        bad_helpdesk:
          'This proxy does not name a helpdesk that is safe to use. Tell your Deskside administrator: the helpdesk’s address must start with https://.',
        rate_limited: 'The proxy has too many requests at the moment. Try again in a minute.',
      },
      otherHelpdesk: (url: string) =>
        `This proxy serves ${url}, which is not your organisation’s helpdesk. Check the address.`,
      failed: (code: string) => `That did not work (${code}). Try again, or tell your Deskside administrator.`,
    },
    access: {
      heading: 'Allow access to two addresses',
      lead: 'Your browser will ask whether Deskside may access them. It accesses no other.',
      helpdesk: 'Your helpdesk',
      helpdeskWhy: 'To put the Customer Profile button on tickets, and to sign you in with your helpdesk account.',
      proxy: 'Your company’s Deskside proxy',
      proxyWhy: 'To get your customers’ profiles. Deskside signs you in there too.',
      careful: 'Are both your company’s? If not, use another address: whoever runs the proxy can act as you.',
      allow: 'Allow access',
      change: 'Use another address',
      refused:
        'Access was not allowed, so Deskside cannot show anything yet. Press Allow access again and choose Allow. You can take it back in the browser at any time.',
    },
    signIn: {
      heading: 'Sign-in',
      busy: 'Signing you in with your helpdesk account…',
      finish: 'Finish signing in in the window that has opened.',
      problems: {
        signed_out:
          'You are not signed in to the helpdesk in this browser. Sign in with your agent account, and Deskside will use it from then on.',
        refused:
          'The helpdesk did not sign you in. Deskside is for agents: use an agent account, or ask your administrator to make yours one.',
        not_agent:
          'You are signed in to the helpdesk, but not as an agent. Ask your administrator to make you one, or sign in there with another account; then try again.',
        no_client: 'Sign-in from this browser is not set up yet. Tell your Deskside administrator.',
        helpdesk_down: 'The helpdesk cannot be reached. Your addresses are saved; try again in a minute.',
        proxy_down: 'The Deskside proxy cannot be reached. Are you online or on the VPN?',
        other_helpdesk: 'This proxy serves another helpdesk than the one that is set. Check the address.',
        other: 'Signing in did not work. Try again, or tell your Deskside administrator:',
      },
      actions: { sign_in: 'Sign in', renew: 'Try again', retry: 'Try again', change: 'Use another address' },
      openHelpdesk: 'Open the helpdesk',
      ready: {
        heading: (name: string) => `You are all set, ${name}`,
        how: 'Open any ticket and press Customer Profile at its top',
        or: 'or',
        tickets: 'Open your tickets',
        colleagues: 'Colleagues need only this address:',
        copy: 'Copy address',
        copied: 'Copied.',
        copyFailed: 'The browser did not allow copying. Select the address and copy it yourself.',
      },
    },
    settings: 'All settings',
    failed: 'Something went wrong. Reload this page and try again.',
  },
  vi: {
    title: 'Chào mừng bạn đến với Deskside',
    lead: 'Xem khách hàng là ai ngay bên cạnh phiếu hỗ trợ. Thiết lập chưa đến một phút.',
    progress: 'Thiết lập',
    steps: { address: 'Địa chỉ', access: 'Quyền truy cập', sign_in: 'Đăng nhập' },
    address: {
      heading: 'Deskside của bạn ở đâu?',
      lead: 'Công ty bạn có proxy Deskside riêng. Hãy hỏi quản trị viên hoặc đồng nghiệp địa chỉ của proxy.',
      label: 'Địa chỉ proxy Deskside',
      example: 'deskside.example.com',
      hint: 'Bạn có thể dán bất kỳ đường dẫn nào đến proxy.',
      locked: 'Do tổ chức của bạn thiết lập',
      linked: 'Địa chỉ này lấy từ một đường dẫn. Chỉ tiếp tục nếu đúng là của công ty bạn.',
      go: 'Tiếp tục',
      busy: 'Đang kiểm tra…',
      problems: {
        empty: 'Hãy nhập địa chỉ.',
        not_an_address: 'Đây không phải địa chỉ web. Ví dụ đúng: https://deskside.example.com.',
        other_scheme: 'Địa chỉ phải bắt đầu bằng https://.',
        credentials: 'Hãy bỏ tên người dùng và mật khẩu.',
        insecure: 'Địa chỉ phải bắt đầu bằng https://. Chỉ địa chỉ trên máy này mới được dùng http.',
      } satisfies Record<AddressProblem, string>,
      answers: {
        unreachable: 'Không có gì trả lời ở địa chỉ này. Bạn gõ đúng chưa, có mạng hoặc VPN chưa?',
        timeout: 'Địa chỉ này trả lời quá lâu. Hãy thử lại sau một phút.',
        bad_answer:
          'Có máy chủ trả lời ở địa chỉ này, nhưng không phải proxy Deskside. Bạn có nhập nhầm địa chỉ helpdesk không?',
        bad_helpdesk:
          'Proxy này không cho biết helpdesk nào an toàn để dùng. Hãy báo quản trị viên Deskside: địa chỉ helpdesk phải bắt đầu bằng https://.',
        rate_limited: 'Proxy đang có quá nhiều yêu cầu. Hãy thử lại sau một phút.',
      },
      otherHelpdesk: (url: string) =>
        `Proxy này phục vụ ${url}, không phải helpdesk của tổ chức bạn. Hãy kiểm tra lại địa chỉ.`,
      failed: (code: string) => `Không thành công (${code}). Hãy thử lại hoặc báo quản trị viên Deskside.`,
    },
    access: {
      heading: 'Cho phép truy cập hai địa chỉ',
      lead: 'Trình duyệt sẽ hỏi bạn có cho Deskside truy cập không. Deskside không truy cập địa chỉ nào khác.',
      helpdesk: 'Helpdesk của bạn',
      helpdeskWhy: 'Để đặt nút Hồ sơ khách hàng trên phiếu và đăng nhập bằng tài khoản helpdesk của bạn.',
      proxy: 'Proxy Deskside của công ty',
      proxyWhy: 'Để lấy hồ sơ khách hàng. Deskside cũng đăng nhập cho bạn ở đó.',
      careful:
        'Cả hai có đúng là của công ty bạn không? Nếu không, hãy dùng địa chỉ khác: ai vận hành proxy đều có thể thao tác thay bạn.',
      allow: 'Cho phép truy cập',
      change: 'Dùng địa chỉ khác',
      refused:
        'Bạn chưa cho phép truy cập nên Deskside chưa hiển thị được gì. Hãy bấm lại Cho phép truy cập rồi chọn Cho phép. Bạn có thể thu hồi quyền này trong trình duyệt bất cứ lúc nào.',
    },
    signIn: {
      heading: 'Đăng nhập',
      busy: 'Đang đăng nhập bằng tài khoản helpdesk của bạn…',
      finish: 'Hãy hoàn tất đăng nhập trong cửa sổ vừa mở.',
      problems: {
        signed_out:
          'Bạn chưa đăng nhập helpdesk trong trình duyệt này. Hãy đăng nhập bằng tài khoản nhân viên, sau đó Deskside sẽ tự dùng tài khoản này.',
        refused:
          'Helpdesk không cho bạn đăng nhập. Deskside dành cho nhân viên: hãy dùng tài khoản nhân viên, hoặc nhờ quản trị viên cấp quyền.',
        not_agent:
          'Bạn đã đăng nhập helpdesk nhưng không phải với vai trò nhân viên. Hãy nhờ quản trị viên cấp quyền, hoặc đăng nhập helpdesk bằng tài khoản khác rồi thử lại.',
        no_client: 'Chưa thiết lập đăng nhập cho trình duyệt này. Hãy báo quản trị viên Deskside.',
        helpdesk_down: 'Không kết nối được helpdesk. Địa chỉ đã được lưu; hãy thử lại sau một phút.',
        proxy_down: 'Không kết nối được proxy Deskside. Bạn có mạng hoặc VPN chưa?',
        other_helpdesk: 'Proxy này phục vụ một helpdesk khác. Hãy kiểm tra lại địa chỉ.',
        other: 'Đăng nhập không thành công. Hãy thử lại hoặc báo quản trị viên Deskside:',
      },
      actions: { sign_in: 'Đăng nhập', renew: 'Thử lại', retry: 'Thử lại', change: 'Dùng địa chỉ khác' },
      openHelpdesk: 'Mở helpdesk',
      ready: {
        heading: (name: string) => `Đã xong, ${name}`,
        how: 'Hãy mở một phiếu và bấm Hồ sơ khách hàng ở đầu phiếu',
        or: 'hoặc nhấn',
        tickets: 'Mở danh sách phiếu',
        colleagues: 'Đồng nghiệp chỉ cần địa chỉ này:',
        copy: 'Sao chép địa chỉ',
        copied: 'Đã sao chép.',
        copyFailed: 'Trình duyệt không cho phép sao chép. Hãy chọn địa chỉ và tự sao chép.',
      },
    },
    settings: 'Tất cả cài đặt',
    failed: 'Đã có lỗi. Hãy tải lại trang này và thử lại.',
  },
});

export type WelcomeTexts = (typeof welcomeTexts)['en'];
