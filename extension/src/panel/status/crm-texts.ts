import type { CrmErrorCode } from '@deskside/shared/status';
import { phrase, type Said, say } from '#i18n/say.ts';

/** What happened, and what the agent can do or who can help. */
export interface Message {
  title: string;
  body: string;
}

/** Look-ups without a company to show, and a CRM that did not answer. */
export const crmStates = {
  notFound: phrase('The CRM has no company with Org ID {ids}', 'CRM không có công ty nào với mã tổ chức {ids}'),
  notLinked: say('No shop linked yet', 'Chưa gắn shop nào'),
  nobody: say('Sender unknown', 'Không rõ người gửi'),
  disabled: say('The CRM connection is turned off', 'Kết nối CRM đang tắt'),
  missingConfig: say('The CRM connection is not set up', 'Kết nối CRM chưa được thiết lập'),
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
  } satisfies Record<CrmErrorCode, Said<string>>,
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
  staleCompany: say(
    (age: string | null) => `What you see is from ${age ?? 'a moment ago'}.`,
    (age: string | null) => (age ? `Bạn đang xem dữ liệu lấy ${age}.` : 'Bạn đang xem dữ liệu vừa lấy.'),
  ),
  ownRecord: say('What you see is the helpdesk’s own record.', 'Bạn đang xem hồ sơ trong helpdesk.'),
  waiting: say('Waiting for the CRM…', 'Đang chờ CRM…'),
};
