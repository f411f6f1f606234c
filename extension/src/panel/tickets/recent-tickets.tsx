import type { CustomerTicket } from '@deskside/shared/around';
import type { ProfileData } from '@deskside/shared/profile';
import clsx from 'clsx';
import { labelFor, number, span } from '#i18n/format.ts';
import { Section } from '#panel/parts/rows.tsx';
import { usePart } from '#panel/query/use-part.ts';
import { useTexts } from '#panel/texts/texts.ts';
import { shownTrust } from '#status/status.ts';
import { OutLink } from '#ui/button.tsx';
import { onThisSite } from '#ui/safe-url.ts';

/** Shown again without asking; the proxy remembers it for a few seconds itself. */
const recentMs = 30_000;

/**
 * The tickets of the ticket's customer, or else of the company that leads, asked for once the profile is on screen, which
 * never waits for them. They are hidden where nobody vouches that they are the sender's, and beside another company.
 * @param answered the profile with the company that leads
 */
export function useTickets(profile: ProfileData, answered: ProfileData, open: boolean) {
  const { name, customer } = profile.ticket;
  const part = usePart('around.get', ['around', name, customer], { ticket: name }, { enabled: open, recentMs });
  const isOther = profile.bitrix.lookup_value !== answered.bitrix.lookup_value;
  const trust = shownTrust(profile);
  // Of the company on screen the profile knows it sooner.
  const isItself = profile.customer?.custom_platform_orgid === profile.bitrix.lookup_value;
  const level = isItself ? trust : part.data?.customer?.trust;
  const isClaimed = [trust, level].some((one) => one === 'claimed' || one === 'unknown');
  const isNobodys = isOther || part.data?.customer === null;
  const hidden = isClaimed ? ('untilVerified' as const) : isNobodys ? ('untilLinked' as const) : null;
  return { ...part, hidden };
}

interface RecentTicketsProps {
  tickets: ReturnType<typeof useTickets>;
  profile: ProfileData;
  now: number;
}

/** This ticket and the newest others, and the way to all of them. Nothing where they are hidden. */
export function RecentTickets({ tickets: { data, hidden }, profile, now }: RecentTicketsProps) {
  const { around, language } = useTexts();
  if (!data?.customer || hidden) return null;
  const { all, is_more } = data.counts;
  const everything = onThisSite(data.customer.path);
  const count = around.all(number(language, all) + (is_more ? '+' : ''));
  return (
    <Section title={around.title} aside={everything && <OutLink href={everything}>{count}</OutLink>}>
      <ul>
        <li className={line}>
          <Dot isOpen />
          <bdi className="min-w-0 flex-1 truncate">{profile.ticket.subject ?? around.noSubject}</bdi>
          <span className="text-xs text-ink-3">{around.thisOne}</span>
        </li>
        {data.recent.map((ticket) => (
          <TicketLine key={ticket.name} ticket={ticket} now={now} />
        ))}
      </ul>
    </Section>
  );
}

const line = 'flex min-h-7 items-center gap-2';

function TicketLine({ ticket, now }: { ticket: CustomerTicket; now: number }) {
  const { around, language, shell } = useTexts();
  const { name, subject, path, status, is_open, team, created_at } = ticket;
  const href = onThisSite(path);
  const shown = subject ?? around.noSubject;
  const about = [`#${name}`, status && labelFor(around.status, status), team].filter(Boolean).join(', ');
  const age = created_at && span(language, now - Date.parse(created_at));
  return (
    <li className={line}>
      <Dot isOpen={is_open} />
      <OutLink
        href={href ?? undefined}
        title={`${shown}\n${about}`}
        className="target min-w-0 flex-1 truncate hover:underline"
      >
        <bdi>{shown}</bdi>
        <span className="sr-only">
          {about} ({shell.newTab})
        </span>
      </OutLink>
      <span className="text-xs whitespace-nowrap text-ink-3">{age}</span>
    </li>
  );
}

/** What the status in the tooltip says, to be seen. */
function Dot({ isOpen }: { isOpen: boolean }) {
  return <i aria-hidden="true" className={clsx('size-2 shrink-0 rounded-full', isOpen ? 'bg-open' : 'bg-edge/50')} />;
}
