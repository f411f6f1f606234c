import type { AgentReason } from '@deskside/shared/routing';
import type { Today } from '@deskside/shared/today';
import { ago, days, daysAgo, list } from '#i18n/format.ts';
import { phrase, say } from '#i18n/say.ts';
import { useTexts } from '#panel/texts/texts.ts';
import { Part, Rest, Table, TicketLink, useCount, useSaid } from './parts.tsx';

export const waitingTexts = {
  title: say('Waiting for an agent', 'Đang chờ người nhận'),
  none: say('Nothing waits.', 'Không có phiếu nào chờ.'),
  more: phrase('{all}, of which the oldest {count} are shown.', '{all} phiếu, chỉ hiện {count} phiếu chờ lâu nhất.'),
  ticket: say('Ticket', 'Phiếu'),
  team: say('Team', 'Nhóm'),
  since: say('Since', 'Từ'),
  why: say('Why', 'Lý do'),
  noMembers: say('The team has no members.', 'Nhóm chưa có thành viên.'),
  teamMissing: say('Its team does not exist or is turned off.', 'Nhóm không tồn tại hoặc đã bị tắt.'),
  because: phrase('{count} {reason}', '{count} người ({reason})'),
};

/** Tickets that nobody could get, oldest first, and why. */
export function Waiting({ today: { waiting, at } }: { today: Today }) {
  const { t, n, language } = useSaid(waitingTexts);
  const { routing, routingReasons } = useTexts();
  const { rows, tickets, hidden } = waiting;
  const because = (why: (typeof rows)[number]['why'], team: string | null) => {
    const reasons = Object.entries(why) as [AgentReason, number][];
    if (team === null) return t.teamMissing;
    if (reasons.length === 0) return t.noMembers;
    const said = reasons.map(([reason, count]) => t.because(n(count), routingReasons.candidate[reason]));
    return `${list(language, said)}.`;
  };
  const shown = rows.length + hidden;
  const isMore = tickets > shown;
  return (
    <Part title={t.title} aside={useCount(shown, isMore ? t.more(n(tickets), n(shown)) : null)}>
      {tickets === 0 && <p className="text-ink-2">{t.none}</p>}
      {rows.length > 0 && (
        <Table label={t.title} heads={[t.ticket, t.team, t.since, t.why]}>
          {rows.map(({ ticket, team, since, why }) => (
            <tr key={ticket}>
              <td className="whitespace-nowrap">
                <TicketLink name={ticket} />
              </td>
              <td>
                <bdi>{team ?? routing.noTeam}</bdi>
              </td>
              <td className="whitespace-nowrap">{ago(language, Date.parse(at) - Date.parse(since))}</td>
              <td className="text-ink-2">{because(why, team)}</td>
            </tr>
          ))}
        </Table>
      )}
      <Rest hidden={hidden} isMore={isMore} />
    </Part>
  );
}

export const planTexts = {
  title: say('Plans that ended or end soon', 'Gói đã hết hạn hoặc sắp hết hạn'),
  lead: say(
    'Ended, or within 30 days, of customers with open tickets.',
    'Đã hết hạn hoặc trong 30 ngày tới, của khách hàng đang có phiếu mở.',
  ),
  more: phrase('The first {count} of {all} are shown.', 'Chỉ hiện {count} trong {all} khách hàng.'),
  none: say('None that Deskside knows of.', 'Chưa thấy gói nào.'),
  unread: say('The helpdesk did not say which tickets are open.', 'Helpdesk chưa cho biết phiếu nào đang mở.'),
  customer: say('Customer', 'Khách hàng'),
  plan: say('Plan', 'Gói'),
  ends: say('Ends', 'Hết hạn'),
  tickets: say('Open tickets', 'Phiếu đang mở'),
  left: phrase('in {days}', 'còn {days}'),
  otherTickets: phrase('and {count} more', 'và {count} phiếu khác'),
  today: say('today', 'hôm nay'),
};

/** Customers with open tickets whose plan has ended, or ends within a month. */
export function Plans({ today: { plans } }: { today: Today }) {
  const { t, n, language } = useSaid(planTexts);
  const { rows, hidden, unread, customers } = plans;
  const shown = rows.length + hidden;
  const isMore = customers > shown;
  const count = useCount(shown, isMore ? t.more(n(shown), n(customers)) : null);
  const on = new Intl.DateTimeFormat('en-GB', { dateStyle: 'short' });
  return (
    <Part title={t.title} aside={[t.lead, count].filter(Boolean).join(' ')}>
      {unread && <p className="text-warn">{t.unread}</p>}
      {!unread && shown === 0 && <p className="text-ink-2">{t.none}</p>}
      {rows.length > 0 && (
        <Table label={t.title} heads={[t.customer, t.plan, t.ends, t.tickets]}>
          {rows.map(({ customer, plan, ends, days_left, tickets, open }) => (
            <tr key={customer}>
              <td className="min-w-40 wrap-anywhere">
                <bdi>{customer}</bdi>
              </td>
              <td className="min-w-28">
                <bdi>{plan}</bdi>
              </td>
              <td className="whitespace-nowrap">
                {on.format(new Date(ends))}{' '}
                <span className={days_left < 0 ? 'text-bad' : days_left < 7 ? 'text-warn' : 'text-ink-3'}>
                  {days_left < 0
                    ? daysAgo(language, -days_left)
                    : days_left === 0
                      ? t.today
                      : t.left(days(language, days_left))}
                </span>
              </td>
              <td>
                {tickets.map((ticket) => (
                  <span key={ticket} className="me-3 whitespace-nowrap">
                    <TicketLink name={ticket} />
                  </span>
                ))}
                {open > tickets.length && (
                  <span className="text-ink-3">{t.otherTickets(n(open - tickets.length))}</span>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
      <Rest hidden={hidden} isMore={isMore} />
    </Part>
  );
}
