import type { AroundTicket } from '@deskside/shared/around';
import type { ProfileData } from '@deskside/shared/profile';
import { useEffect, useRef, useState } from 'react';
import { ago } from '#i18n/format.ts';
import { useTexts } from '#i18n/panel/texts-context.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Fold } from '#ui/fold/fold.tsx';
import { ExternalLink } from '#ui/links/external-link.tsx';
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
  const lastAt = last_contact && (ago(t.language, now - Date.parse(last_contact.at)) ?? t.around.justNow);
  return (
    <>
      {customer === null ? (
        <p className="text-ink-2">{isClaimed(profile) ? t.around.claimed : t.around.noCustomer}</p>
      ) : (
        <>
          {customer.trust === 'claimed' && <p className="font-medium text-warn">{t.around.notConfirmed}</p>}
          {open.length === 0 && <p className="text-ink-2">{closed.length === 0 ? t.around.none : t.around.noneOpen}</p>}
          <OpenTickets tickets={open} more={more_open} now={now} />
          {closed.length > 0 && (
            <Fold title={t.around.closed(closed.length)}>
              <TicketList tickets={closed} now={now} />
            </Fold>
          )}
        </>
      )}
      <dl className="grid grid-cols-[84px_minmax(0,1fr)] items-baseline gap-x-2.5 wrap-anywhere">
        {customer && <RecordRow label={t.around.of} record={customer} />}
        {contact && <RecordRow label={t.around.contact} record={contact} shown={profile.contact?.full_name} />}
        {last_contact && (
          <>
            <dt className="text-ink-3">{t.around.lastContact}</dt>
            <dd>
              {lastAt}{' '}
              <RecordLink record={last_contact.ticket}>{t.around.onTicket(last_contact.ticket.name)}</RecordLink>
            </dd>
          </>
        )}
      </dl>
    </>
  );
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

/** Whether a company is on screen that only the sender names. */
function isClaimed({ bitrix: { company, lookup_trust } }: ProfileData): boolean {
  return company !== null && lookup_trust?.level === 'claimed';
}

interface Linked {
  name: string;
  path: string;
}

/** `shown`: what people call it, where that is not its name. */
function RecordRow({ label, record, shown }: { label: string; record: Linked; shown?: string | null | undefined }) {
  return (
    <>
      <dt className="text-ink-3">{label}</dt>
      <dd>
        <RecordLink record={record}>{shown ?? record.name}</RecordLink>
      </dd>
    </>
  );
}

function RecordLink({ record, children }: { record: Linked; children: string }) {
  const { shell } = useTexts();
  const href = onThisSite(record.path);
  const text = <bdi>{children}</bdi>;
  if (href === null) return text;
  return (
    <ExternalLink href={href} ownLine newTab={shell.newTab}>
      {text}
    </ExternalLink>
  );
}
