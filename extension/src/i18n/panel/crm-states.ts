import type { CrmErrorCode } from '@deskside/shared/status';
import { section } from '#i18n/section.ts';

/** What happened, and what the agent can do or who can help. */
export interface Message {
  title: string;
  body: string;
}

/** Look-ups without a company to show, and the note above a company that could not be checked again. */
export const crmStates = section({
  en: {
    notFound: (ids: string) => ({
      title: 'No company with this ID in the CRM',
      body: `Searched for ${ids}. If the shop is new, it may not be in the CRM yet.`,
    }),
    /** For an answer without candidates. */
    notFoundAnything: {
      title: 'No company with this ID in the CRM',
      body: 'If the shop is new, it may not be in the CRM yet.',
    },
    missingOrgid: {
      title: 'No Org ID on this ticket',
      body: 'Neither the ticket nor its customer has one, so there was nothing to look up. Ask the sender which shop this is about, then find the company here, or set the ticket’s customer and check again.',
    },
    disabled: {
      title: 'The CRM connection is turned off',
      body: 'A Deskside administrator has turned it off. What the helpdesk knows is shown below.',
    },
    missingConfig: {
      title: 'The CRM connection is not set up',
      body: 'The Deskside proxy has no CRM address yet. Tell your Deskside administrator.',
    },
    error: {
      timeout: { title: 'The CRM is not responding', body: 'It took too long to answer.' },
      unreachable: { title: 'The CRM cannot be reached', body: 'There is no connection to it at the moment.' },
      rate_limited: { title: 'Too many requests to the CRM', body: 'It has asked Deskside to slow down.' },
      operation_limit: {
        title: 'The CRM has paused our requests',
        body: 'Deskside has used up its share of the CRM’s time for a few minutes.',
      },
      overloaded: { title: 'The CRM is overloaded', body: 'It is turning requests away at the moment.' },
      unauthorized: {
        title: 'The CRM no longer accepts Deskside’s key',
        body: 'Tell your Deskside administrator.',
      },
      insufficient_scope: {
        title: 'Deskside’s CRM key lacks a permission',
        body: 'Tell your Deskside administrator.',
      },
      redirected: {
        title: 'The CRM address redirects elsewhere',
        body: 'Tell your Deskside administrator.',
      },
      bad_answer: { title: 'The CRM sent an unreadable answer', body: 'It may be under maintenance.' },
      server_error: { title: 'The CRM has an internal problem', body: 'It reported a server error.' },
    } satisfies Record<CrmErrorCode, Message>,
    unknownError: { title: 'The CRM could not be checked', body: 'Something went wrong.' },
    notMeansAbsent: 'This does not mean that the company is not in the CRM.',
    lastNotFound: (age: string) => `When it last answered, ${age}, it had no such company.`,
    staleCompany: (age: string | null) => `The data below is from ${age ?? 'a moment ago'}.`,
    retrying: 'Deskside keeps trying.',
  },
  vi: {
    notFound: (ids: string) => ({
      title: 'CRM không có công ty nào với mã này',
      body: `Đã tìm ${ids}. Shop mới có thể chưa có trong CRM.`,
    }),
    notFoundAnything: {
      title: 'CRM không có công ty nào với mã này',
      body: 'Shop mới có thể chưa có trong CRM.',
    },
    missingOrgid: {
      title: 'Phiếu chưa có mã tổ chức',
      body: 'Cả phiếu lẫn khách hàng đều chưa có mã nên không có gì để tìm. Hãy hỏi người gửi đang nói về shop nào, sau đó tìm công ty ở đây, hoặc chọn khách hàng cho phiếu rồi kiểm tra lại.',
    },
    disabled: {
      title: 'Kết nối CRM đang tắt',
      body: 'Quản trị viên Deskside đã tắt kết nối. Thông tin có trong helpdesk được hiển thị bên dưới.',
    },
    missingConfig: {
      title: 'Kết nối CRM chưa được thiết lập',
      body: 'Proxy Deskside chưa có địa chỉ CRM. Hãy báo quản trị viên Deskside.',
    },
    error: {
      timeout: { title: 'CRM không trả lời', body: 'Đã quá thời gian chờ.' },
      unreachable: { title: 'Không kết nối được CRM', body: 'Hiện chưa có kết nối.' },
      rate_limited: { title: 'Quá nhiều yêu cầu đến CRM', body: 'CRM đề nghị Deskside gửi chậm lại.' },
      operation_limit: {
        title: 'CRM tạm dừng yêu cầu của Deskside',
        body: 'Deskside đã dùng hết thời gian xử lý được cấp; phải đợi vài phút.',
      },
      overloaded: { title: 'CRM đang quá tải', body: 'CRM tạm thời từ chối yêu cầu.' },
      unauthorized: {
        title: 'CRM không còn chấp nhận khóa của Deskside',
        body: 'Hãy báo quản trị viên Deskside.',
      },
      insufficient_scope: {
        title: 'Khóa CRM của Deskside thiếu quyền',
        body: 'Hãy báo quản trị viên Deskside.',
      },
      redirected: {
        title: 'Địa chỉ CRM chuyển hướng sang nơi khác',
        body: 'Hãy báo quản trị viên Deskside.',
      },
      bad_answer: { title: 'Không đọc được câu trả lời của CRM', body: 'Có thể CRM đang bảo trì.' },
      server_error: { title: 'CRM đang gặp sự cố', body: 'CRM báo lỗi nội bộ.' },
    } satisfies Record<CrmErrorCode, Message>,
    unknownError: { title: 'Chưa kiểm tra được CRM', body: 'Đã có lỗi xảy ra.' },
    notMeansAbsent: 'Điều này không có nghĩa là CRM không có công ty này.',
    lastNotFound: (age: string) => `Lần trả lời gần nhất, ${age}, CRM không có công ty này.`,
    staleCompany: (age: string | null) =>
      age ? `Dữ liệu bên dưới được lấy ${age}.` : 'Dữ liệu bên dưới vừa được lấy.',
    retrying: 'Deskside vẫn đang tự thử lại.',
  },
});
