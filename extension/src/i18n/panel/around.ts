import { number, plural } from '#i18n/format.ts';
import { section } from '#i18n/section.ts';

/** The other tickets of the ticket's customer. Statuses in the helpdesk's own words, a site's own ones as they are. */
export const around = section({
  en: {
    title: 'Other tickets',
    open: (count: number, more: boolean) => `${number('en', count)}${more ? '+' : ''} open`,
    loading: 'Loading other tickets…',
    of: 'Customer',
    lastContact: 'Last in touch',
    contact: 'Contact',
    notVerified: 'It is not verified that the sender belongs to this customer, so these may be someone else’s tickets.',
    claimed: 'Not shown: it is not verified that this ticket is from the company.',
    noCustomer: 'They appear here once this ticket is linked to a customer.',
    none: 'None that you can see.',
    noneOpen: 'None open that you can see.',
    more: (count: number) => `Show ${number('en', count)} more`,
    newest: (count: number) => `There are more open tickets; these are the ${plural(count, 'newest', 'newest')}.`,
    closed: (count: number) => `Recently closed (${number('en', count)})`,
    noSubject: 'No subject',
    nobody: 'not assigned',
    justNow: 'just now',
    onTicket: (name: string) => `on #${name}`,
    status: { Open: 'Open', Replied: 'Replied', Resolved: 'Resolved', Closed: 'Closed' } as Record<string, string>,
    failed: 'Other tickets could not be loaded.',
  },
  vi: {
    title: 'Phiếu khác',
    open: (count: number, more: boolean) => `${number('vi', count)}${more ? '+' : ''} đang mở`,
    loading: 'Đang tải các phiếu khác…',
    of: 'Khách hàng',
    lastContact: 'Liên lạc gần nhất',
    contact: 'Liên hệ',
    notVerified: 'Chưa xác minh người gửi thuộc khách hàng này, nên đây có thể là phiếu của người khác.',
    claimed: 'Không hiển thị: chưa xác minh phiếu này là của công ty.',
    noCustomer: 'Sẽ hiển thị ở đây khi phiếu được gắn với một khách hàng.',
    none: 'Không có phiếu nào bạn được xem.',
    noneOpen: 'Không có phiếu đang mở nào bạn được xem.',
    more: (count: number) => `Hiện thêm ${number('vi', count)} phiếu`,
    newest: (count: number) => `Còn nhiều phiếu đang mở khác; đây là ${number('vi', count)} phiếu mới nhất.`,
    closed: (count: number) => `Đã đóng gần đây (${number('vi', count)})`,
    noSubject: 'Không có tiêu đề',
    nobody: 'chưa giao cho ai',
    justNow: 'vừa xong',
    onTicket: (name: string) => `ở phiếu #${name}`,
    status: { Open: 'Đang mở', Replied: 'Đã trả lời', Resolved: 'Đã giải quyết', Closed: 'Đã đóng' } as Record<
      string,
      string
    >,
    failed: 'Không tải được các phiếu khác.',
  },
});
