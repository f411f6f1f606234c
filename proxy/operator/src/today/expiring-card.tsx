import { dateTime, number } from '@deskside/extension/i18n/format';
import type { OperatorExpiring } from '@deskside/shared/operator/expiring';
import { useAsked } from '#api/use-asked.ts';
import { useTexts } from '#i18n/texts.ts';
import { Asked } from '#ui/asked.tsx';
import { Card } from '#ui/card.tsx';
import { ShowMore } from '#ui/show-more.tsx';
import { Table } from '#ui/table.tsx';
import { TicketLink } from '#ui/ticket-link.tsx';

const everyMs = 5 * 60_000;
/** So many days are marked. */
const urgentDays = 7;

/** For who leads a team: customers with open tickets whose plan ends soon. */
export function ExpiringCard() {
  const { today } = useTexts();
  const question = useAsked('expiring', {}, everyMs);
  return (
    <Card title={today.expiring.title} hint={today.expiring.hint}>
      <Asked question={question}>{(found) => <Expiring found={found} />}</Asked>
    </Card>
  );
}

function Expiring({ found }: { found: OperatorExpiring }) {
  const { today, language } = useTexts();
  const { expiring: texts } = today;
  const { customers, unknown } = found;
  return (
    <>
      {customers.length === 0 ? (
        <p className="text-sm text-ink-2">{texts.none}</p>
      ) : (
        <ShowMore items={customers} atOnce={10} label={texts.more}>
          {(shown) => (
            <Table
              label={texts.title}
              columns={[{ title: texts.customer }, { title: texts.ends }, { title: texts.open }]}
              rows={shown.map(({ customer, plan, ends_at, days_left, tickets, newest }) => ({
                key: customer,
                cells: [
                  <span key="customer" className="flex flex-col">
                    <bdi>{customer}</bdi>
                    <bdi className="text-xs text-ink-3">{plan}</bdi>
                  </span>,
                  <span key="ends" className="flex flex-col">
                    <span className={days_left < urgentDays ? 'font-semibold text-bad' : undefined}>
                      {texts.daysLeft(days_left)}
                    </span>
                    <span className="text-xs text-ink-3">{dateTime(ends_at)}</span>
                  </span>,
                  <span key="open" className="flex flex-wrap gap-x-2">
                    {newest.map((ticket) => (
                      <TicketLink key={ticket} name={ticket} />
                    ))}
                    {tickets > newest.length && (
                      <span className="text-ink-2">{texts.others(tickets - newest.length)}</span>
                    )}
                  </span>,
                ],
              }))}
            />
          )}
        </ShowMore>
      )}
      <p className="text-xs text-ink-3">
        {texts.asOf(dateTime(found.as_of), found.oldest_check && dateTime(found.oldest_check))}
        {found.is_cut && ` ${texts.cut(number(language, found.tickets))}`}
        {unknown > 0 && ` ${texts.unknown(unknown)}`}
      </p>
    </>
  );
}
