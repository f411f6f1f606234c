import type { CrmErrorCode } from '@deskside/shared/status';
import { section } from './section.ts';

/** What happened, and what the agent can do or who can help. */
export interface Message {
  title: string;
  body: string;
}

interface CrmStateTexts {
  notFound: (ids: string) => Message;
  /** For an answer without candidates. */
  notFoundAnything: Message;
  missingOrgid: Message;
  disabled: Message;
  missingConfig: Message;
  error: Record<CrmErrorCode, Message>;
  unknownError: Message;
  notMeansAbsent: string;
  lastNotFound: (age: string) => string;
  staleCompany: (age: string | null) => string;
  retrying: string;
}

/** Look-ups without a company to show, and the note above a company that could not be checked again. */
export const crmStates = section<CrmStateTexts>({
  en: {
    notFound: (ids) => ({
      title: 'No company with this ID in the CRM',
      body: `Searched for ${ids}. If the shop is new, it may not be in the CRM yet.`,
    }),
    notFoundAnything: {
      title: 'No company with this ID in the CRM',
      body: 'If the shop is new, it may not be in the CRM yet.',
    },
    missingOrgid: {
      title: 'No company ID on this ticket',
      body: 'Neither the ticket nor its customer has one, so there was nothing to look up. Ask the sender which shop this is about, set the customer or the Org ID on the ticket, and check again.',
    },
    disabled: {
      title: 'The CRM connection is turned off',
      body: 'Your administrator has turned it off. Information from the helpdesk is shown below.',
    },
    missingConfig: {
      title: 'The CRM connection is not set up',
      body: 'The proxy has no CRM address yet. Only your administrator can add it; there is nothing you need to do.',
    },
    error: {
      timeout: { title: 'Bitrix24 is not responding', body: 'It took too long to answer.' },
      unreachable: { title: 'Bitrix24 cannot be reached', body: 'There is no connection to it at the moment.' },
      rate_limited: { title: 'Too many requests to Bitrix24', body: 'It asked us to slow down.' },
      operation_limit: {
        title: 'Bitrix24 has paused our requests',
        body: 'Our quota of its processing time is used up for a few minutes.',
      },
      overloaded: { title: 'Bitrix24 is overloaded', body: 'It is rejecting requests at the moment.' },
      unauthorized: {
        title: 'Bitrix24 no longer accepts our key',
        body: 'Only your administrator can renew it. Give them the request ID.',
      },
      insufficient_scope: {
        title: 'Our Bitrix24 key lacks a permission',
        body: 'Only your administrator can add it. Give them the request ID.',
      },
      redirected: {
        title: 'The CRM address redirects elsewhere',
        body: 'Only your administrator can correct it. Give them the request ID.',
      },
      bad_answer: { title: 'Bitrix24 sent an unreadable answer', body: 'It may be under maintenance.' },
      server_error: { title: 'Bitrix24 has an internal problem', body: 'It reported a server error.' },
    },
    unknownError: { title: 'The CRM check failed', body: 'Something went wrong along the way.' },
    notMeansAbsent: 'This does not mean that the company is not in the CRM.',
    lastNotFound: (age) => `When it last answered, ${age}, it had no such company.`,
    staleCompany: (age) => `The data below is from ${age ?? 'a moment ago'}.`,
    retrying: 'Retrying automatically.',
  },
  vi: {
    notFound: (ids) => ({
      title: 'CRM không có công ty với mã này',
      body: `Đã tìm ${ids}. Nếu shop còn mới, có thể CRM chưa có.`,
    }),
    notFoundAnything: {
      title: 'CRM không có công ty với mã này',
      body: 'Nếu shop còn mới, có thể CRM chưa có.',
    },
    missingOrgid: {
      title: 'Ticket chưa có mã công ty',
      body: 'Cả ticket lẫn khách hàng đều chưa có mã nên không có gì để tìm. Hãy hỏi người gửi về shop, gắn khách hàng hoặc ghi Org ID vào ticket rồi tìm lại.',
    },
    disabled: {
      title: 'Kết nối CRM đang tắt',
      body: 'Quản trị viên đã tắt kết nối. Thông tin helpdesk có được nằm bên dưới.',
    },
    missingConfig: {
      title: 'Kết nối CRM chưa được thiết lập',
      body: 'Proxy chưa có địa chỉ CRM. Quản trị viên có thể bổ sung; bạn không cần làm gì.',
    },
    error: {
      timeout: { title: 'Bitrix24 không trả lời', body: 'Đã quá thời gian chờ.' },
      unreachable: { title: 'Không kết nối được Bitrix24', body: 'Hiện chưa có kết nối.' },
      rate_limited: { title: 'Bitrix24 đang bận với yêu cầu của chúng ta', body: 'Hệ thống đề nghị gửi chậm lại.' },
      operation_limit: {
        title: 'Bitrix24 tạm dừng yêu cầu của chúng ta',
        body: 'Thời gian xử lý dành cho chúng ta đã hết trong vài phút.',
      },
      overloaded: { title: 'Bitrix24 quá tải', body: 'Hệ thống đang từ chối yêu cầu.' },
      unauthorized: {
        title: 'Bitrix24 không còn chấp nhận khoá của chúng ta',
        body: 'Chỉ quản trị viên có thể cấp lại: hãy gửi họ mã yêu cầu.',
      },
      insufficient_scope: {
        title: 'Khoá Bitrix24 thiếu quyền',
        body: 'Chỉ quản trị viên có thể bổ sung: hãy gửi họ mã yêu cầu.',
      },
      redirected: {
        title: 'Địa chỉ CRM chuyển hướng sang nơi khác',
        body: 'Chỉ quản trị viên có thể sửa: hãy gửi họ mã yêu cầu.',
      },
      bad_answer: { title: 'Không đọc được câu trả lời của Bitrix24', body: 'Có thể hệ thống đang bảo trì.' },
      server_error: { title: 'Bitrix24 đang gặp sự cố', body: 'Hệ thống báo lỗi nội bộ.' },
    },
    unknownError: { title: 'Chưa hỏi được Bitrix24', body: 'Đã có lỗi trên đường đi.' },
    notMeansAbsent: 'Điều này không có nghĩa là CRM không có công ty.',
    lastNotFound: (age) => `Lần trả lời gần nhất, ${age}, CRM không có công ty này.`,
    staleCompany: (age) => `Đây là thông tin nhận được ${age ?? 'vừa rồi'}.`,
    retrying: 'Hệ thống đang tự thử lại.',
  },
});
