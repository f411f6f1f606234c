import type { Today } from '@deskside/shared/today';
import clsx from 'clsx';
import { say } from '#i18n/say.ts';
import { useTexts } from '#panel/texts.ts';
import { Part, Table, useSaid } from './parts.tsx';

export const systemTexts = {
  title: say('Systems', 'Hệ thống'),
  helpdesk: say('Helpdesk', 'Helpdesk'),
  answers: say('It is answering.', 'Đang trả lời.'),
  silent: say('It does not answer Deskside’s own key.', 'Không trả lời khóa riêng của Deskside.'),
  crm: {
    answers: say('It is answering.', 'Đang trả lời.'),
    failing: say('It is left alone for a moment.', 'Tạm thời không được hỏi.'),
    disabled: say('It is turned off.', 'Đang tắt.'),
    not_configured: say('It is not set up.', 'Chưa được thiết lập.'),
  },
  budget: say('The CRM’s budget', 'Hạn mức gọi CRM'),
  lane: say('For', 'Dùng cho'),
  left: say('Requests left now', 'Còn gọi được'),
  waiting: say('Questions waiting', 'Câu hỏi đang chờ'),
  lanes: {
    click: say('Somebody is waiting', 'Có người đang đợi'),
    open: say('Tickets coming in', 'Phiếu mới đến'),
    bulk: say('Bulk work', 'Việc hàng loạt'),
  },
};

/** Whether helpdesk and CRM answer, and what is left of the CRM's budget. */
export function Systems({ today: { helpdesk, crm } }: { today: Today }) {
  const { t, n } = useSaid(systemTexts);
  const words = useTexts();
  const why = crm.error === null ? '' : ` ${words.crm.error[crm.error]}.`;
  return (
    <Part title={t.title}>
      <dl className="grid grid-cols-[112px_minmax(0,1fr)] gap-y-1">
        <dt className="text-ink-3">{t.helpdesk}</dt>
        <dd className={clsx(!helpdesk.answers && 'font-medium text-bad')}>{helpdesk.answers ? t.answers : t.silent}</dd>
        <dt className="text-ink-3">CRM</dt>
        <dd className={clsx(crm.state === 'failing' && 'font-medium text-bad')}>
          {t.crm[crm.state]}
          {why}
        </dd>
      </dl>
      {crm.lanes.length > 0 && (
        <>
          <h3 className="mt-3 font-semibold">{t.budget}</h3>
          <Table label={t.budget} heads={[t.lane, t.left, t.waiting]} numbers={[1, 2]}>
            {crm.lanes.map(({ lane, left, waiting }) => (
              <tr key={lane}>
                <th scope="row" className="text-start font-normal">
                  {t.lanes[lane]}
                </th>
                <td className="text-end">{n(left)}</td>
                <td className="text-end">{n(waiting)}</td>
              </tr>
            ))}
          </Table>
        </>
      )}
    </Part>
  );
}
