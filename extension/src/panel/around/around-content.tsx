import type { AroundTicket } from '@deskside/shared/around';
import type { ProfileData } from '@deskside/shared/profile';
import { useEffect, useRef, useState } from 'react';
import { ago } from '#i18n/format.ts';
import { useTexts } from '#i18n/panel/texts-context.ts';
import type { Part, Row } from '#panel/rows/row.ts';
import { RowList } from '#panel/rows/row-groups.tsx';
import { shownTrust } from '#summary/shown-trust.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Fold } from '#ui/fold/fold.tsx';
import { onThisSite } from '#ui/links/safe-url.ts';
import { TicketList } from './ticket-list.tsx';

/** How many open tickets are shown at first. */
const shownAtFirst = 5;

interface AroundContentProps {
  around: AroundTicket;
  profile: ProfileData;
  now: number;
}

/** Whose tickets these are, when they were last in touch, and the tickets. */
export function AroundContent({ around, profile, now }: AroundContentProps) {
  const t = useTexts();
  const { customer, contact, open, closed, last_contact, more_open } = around;
  const rows: Row[] = [];
  if (customer) rows.push({ label: t.around.of, parts: [recordPart('around.of', customer)] });
  if (contact)
    rows.push({
      label: t.around.contact,
      parts: [recordPart('around.contact', contact, profile.contact?.full_name)],
    });
  if (last_contact) {
    const { at, ticket } = last_contact;
    rows.push({
      label: t.around.lastContact,
      parts: [
        { key: 'around.at', text: ago(t.language, now - Date.parse(at)) ?? t.around.justNow },
        recordPart('around.on', ticket, t.around.onTicket(ticket.name)),
      ],
    });
  }
  return (
    <>
      {customer === null ? (
        <p className="text-ink-2">{shownTrust(profile) === 'claimed' ? t.around.claimed : t.around.noCustomer}</p>
      ) : (
        <>
          {customer.trust === 'claimed' && <p className="font-medium text-warn">{t.around.notVerified}</p>}
          {open.length === 0 && <p className="text-ink-2">{closed.length === 0 ? t.around.none : t.around.noneOpen}</p>}
          <OpenTickets tickets={open} more={more_open} now={now} />
          {closed.length > 0 && (
            <Fold title={t.around.closed(closed.length)}>
              <TicketList tickets={closed} now={now} />
            </Fold>
          )}
        </>
      )}
      <RowList rows={rows} />
    </>
  );
}

/** `shown`: what people call it, where that is not its name. */
function recordPart(key: string, { name, path }: { name: string; path: string }, shown?: string | null): Part {
  return { key, text: shown ?? name, href: onThisSite(path) };
}

/** The first few, and all of them on demand; the focus then goes to the first one that was added. */
function OpenTickets({ tickets, more, now }: { tickets: AroundTicket['open']; more: boolean; now: number }) {
  const { around } = useTexts();
  const [all, setAll] = useState(false);
  const added = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (all) added.current?.querySelector('a')?.focus();
  }, [all]);
  const [first, rest] = [tickets.slice(0, shownAtFirst), tickets.slice(shownAtFirst)];
  return (
    <>
      {first.length > 0 && <TicketList tickets={first} now={now} />}
      {rest.length > 0 &&
        (all ? (
          <div ref={added}>
            <TicketList tickets={rest} now={now} />
          </div>
        ) : (
          <div>
            <Button onClick={() => setAll(true)}>{around.more(rest.length)}</Button>
          </div>
        ))}
      {more && (all || rest.length === 0) && <p className="text-ink-2">{around.newest(tickets.length)}</p>}
    </>
  );
}
