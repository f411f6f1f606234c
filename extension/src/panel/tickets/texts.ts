import { phrase, type Said, say } from '#i18n/say.ts';

/** The tickets of the ticket's customer. Statuses in the helpdesk's own words, a site's own ones as they are. */
export const around = {
  label: say('Tickets', 'Phiếu'),
  open: phrase('{count} open', '{count} đang mở'),
  recent: phrase('{count} in 90 days', '{count} trong 90 ngày'),
  hidden: say('Hidden', 'Chưa hiện'),
  untilVerified: say('until verified', 'cho đến khi xác minh'),
  untilLinked: say('until linked', 'cho đến khi gắn'),
  loading: say('Loading…', 'Đang tải…'),
  failed: say('Not loaded', 'Không tải được'),
  title: say('Recent tickets', 'Phiếu gần đây'),
  all: phrase('All {count}', 'Tất cả {count}'),
  thisOne: say('this one', 'phiếu này'),
  noSubject: say('No subject', 'Không có tiêu đề'),
  justNow: say('now', 'vừa xong'),
  status: {
    Open: say('Open', 'Đang mở'),
    Replied: say('Replied', 'Đã trả lời'),
    Resolved: say('Resolved', 'Đã giải quyết'),
    Closed: say('Closed', 'Đã đóng'),
  } as Record<string, Said<string>>,
};
