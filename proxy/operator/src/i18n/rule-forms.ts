import { plural } from '@deskside/extension/i18n/format';
import { section } from '@deskside/extension/i18n/section';
import type { ExtraFieldValue, TeamsValue } from '@deskside/shared/operator/rule-values';
import type { ClaimsMode } from '@deskside/shared/routing';

/** The forms of rules, and what a rule would have made of past tickets. */
export const ruleForms = section({
  en: {
    asForm: 'Back to the form',
    asJson: 'Edit as JSON',
    notForForm: 'The form cannot show this value. Correct the JSON, or leave the rest to it.',
    claims: {
      accept: {
        title: 'Accept (accept)',
        hint: 'A claim links the ticket to the customer and shows segment and plan, as the specification says.',
      },
      route: {
        title: 'Route (route)',
        hint: 'A claim decides team and agent and nothing else, until somebody vouches for it.',
      },
      propose: {
        title: 'Propose (propose)',
        hint: 'A claim decides nothing: the ticket goes to the team of all others.',
      },
    } satisfies Record<ClaimsMode, { title: string; hint: string }>,
    claimsQuestion: 'When only the sender says which company it is',
    teams: {
      medium_scale: 'Segment Medium with a Scale plan',
      medium_grow: 'Segment Medium with a Grow plan',
      sme: 'All others',
    } satisfies Record<keyof TeamsValue, string>,
    choose: 'Choose a team',
    notThere: (team: string) => `${team} (not in the helpdesk)`,
    disabled: (team: string) => `${team} (disabled in the helpdesk)`,
    teamsUnknown: 'The helpdesk’s teams cannot be read at the moment. Type their names.',
    onePerLine: 'One on each line.',
    planWords: {
      scale: 'Words of a Scale plan',
      grow: 'Words of a Grow plan',
      hint: 'One on each line. A plan counts if its name contains one of them; those of Scale are tried first.',
    },
    segments: 'Segments that count as Medium',
    platformHosts: 'Hosts of the platform',
    guardedDomains: 'Domains that are no shop’s',
    extra: {
      title: 'Additional fields',
      hint: 'Each is shown in the panel under its label where a company has a value.',
      none: 'No field is added.',
      nth: (nth: number) => `Field ${nth}`,
      field: 'CRM field',
      key: 'Name in the profile',
      label: 'Label',
      group: 'Place in the panel',
      groups: { metrics: 'Metrics', profit: 'Profit', context: 'Context' } satisfies Record<
        ExtraFieldValue['group'],
        string
      >,
      add: 'Add a field',
      remove: (name: string) => `Remove ${name}`,
    },
    wrong: {
      team: 'Choose a team.',
      words: 'At least one is needed.',
      word: 'is no word that can be used.',
      host: 'is no host name such as myplatform.example.',
      crmField: 'Needed: the name of a CRM field, such as UF_CRM_GMV.',
      unknownField: 'Companies in the CRM have no such field.',
      key: 'Needed: lower-case letters, digits and _, a letter first.',
      keyTwice: 'Each name can be there once only.',
      label: 'Needed: 1 to 100 characters.',
    },
    /** The part of a list that is wrong, such as one of several words. */
    wrongIn: (value: string, what: string) => `“${value}” ${what}`,
    preview: {
      check: 'Check what it would change',
      moved: (moved: number, looked: number) =>
        `It would have moved ${moved} of the last ${plural(looked, 'ticket', 'tickets')} to another team.`,
      none: 'None of the past tickets would have gone elsewhere.',
      noTicket: 'There is no routed ticket yet to try it on.',
      untold: (count: number) =>
        `Of ${plural(count, 'ticket', 'tickets')} the records do not tell: only the sender named the company.`,
      way: (from: string, to: string, tickets: string) => `${from} → ${to}: ${tickets}`,
      noTeam: 'no team of ours',
      notSaved: 'Nothing is saved yet.',
      notRemoved: 'This is what the default would have done. Nothing is removed yet.',
    },
  },
  vi: {
    asForm: 'Quay lại biểu mẫu',
    asJson: 'Sửa dạng JSON',
    notForForm: 'Biểu mẫu không hiển thị được giá trị này. Hãy sửa JSON, hoặc giữ nguyên dạng JSON.',
    claims: {
      accept: {
        title: 'Chấp nhận (accept)',
        hint: 'Lời tự khai gắn phiếu với khách hàng và hiện phân khúc, gói dịch vụ, đúng như đặc tả.',
      },
      route: {
        title: 'Điều phối (route)',
        hint: 'Lời tự khai chỉ quyết định nhóm và nhân viên, cho đến khi có căn cứ xác nhận.',
      },
      propose: {
        title: 'Đề xuất (propose)',
        hint: 'Lời tự khai không quyết định gì: phiếu vào nhóm của mọi trường hợp còn lại.',
      },
    },
    claimsQuestion: 'Khi chỉ có người gửi nói đó là công ty nào',
    teams: {
      medium_scale: 'Phân khúc Medium với gói Scale',
      medium_grow: 'Phân khúc Medium với gói Grow',
      sme: 'Mọi trường hợp còn lại',
    },
    choose: 'Chọn một nhóm',
    notThere: (team) => `${team} (helpdesk không có)`,
    disabled: (team) => `${team} (đã tắt trong helpdesk)`,
    teamsUnknown: 'Hiện chưa đọc được các nhóm của helpdesk. Hãy nhập tên nhóm.',
    onePerLine: 'Mỗi dòng một mục.',
    planWords: {
      scale: 'Từ của gói Scale',
      grow: 'Từ của gói Grow',
      hint: 'Mỗi dòng một từ. Gói được tính nếu tên có chứa một trong các từ; từ của Scale được xét trước.',
    },
    segments: 'Phân khúc được tính là Medium',
    platformHosts: 'Máy chủ của nền tảng',
    guardedDomains: 'Tên miền không phải của shop',
    extra: {
      title: 'Các trường thêm',
      hint: 'Mỗi trường hiện trong bảng thông tin dưới nhãn của nó khi công ty có giá trị.',
      none: 'Chưa thêm trường nào.',
      nth: (nth) => `Trường ${nth}`,
      field: 'Trường CRM',
      key: 'Tên trong hồ sơ',
      label: 'Nhãn',
      group: 'Vị trí trong bảng thông tin',
      groups: { metrics: 'Chỉ số', profit: 'Lợi nhuận', context: 'Bối cảnh' },
      add: 'Thêm trường',
      remove: (name) => `Bỏ ${name}`,
    },
    wrong: {
      team: 'Hãy chọn một nhóm.',
      words: 'Cần ít nhất một mục.',
      word: 'không phải là từ dùng được.',
      host: 'không phải tên máy chủ, ví dụ myplatform.example.',
      crmField: 'Cần tên một trường CRM, ví dụ UF_CRM_GMV.',
      unknownField: 'Công ty trong CRM không có trường này.',
      key: 'Cần chữ thường không dấu, chữ số và _, bắt đầu bằng chữ.',
      keyTwice: 'Mỗi tên chỉ được dùng một lần.',
      label: 'Cần từ 1 đến 100 ký tự.',
    },
    wrongIn: (value, what) => `“${value}” ${what}`,
    preview: {
      check: 'Xem sẽ thay đổi gì',
      moved: (moved, looked) => `Lẽ ra đã chuyển ${moved} trong ${looked} phiếu gần nhất sang nhóm khác.`,
      none: 'Không phiếu nào trước đây sẽ vào nhóm khác.',
      noTicket: 'Chưa có phiếu nào được điều phối để thử.',
      untold: (count) => `Không rõ về ${count} phiếu: chỉ có người gửi nêu công ty.`,
      way: (from, to, tickets) => `${from} → ${to}: ${tickets}`,
      noTeam: 'không có nhóm của chúng ta',
      notSaved: 'Chưa lưu gì cả.',
      notRemoved: 'Giá trị mặc định lẽ ra đã làm như vậy. Chưa xóa gì cả.',
    },
  },
});

/** What can be wrong with a field. */
export type WrongField = keyof (typeof ruleForms)['en']['wrong'];
