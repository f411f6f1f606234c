import type { CustomerTicket } from '@deskside/shared/around';
import { useTexts } from '#i18n/texts-context.ts';
import { ExternalLink } from '#ui/links/external-link.tsx';
import { ticketLine } from './ticket-line.ts';

/** Tickets as links, each with what is known of it. */
export function TicketList({ tickets, now }: { tickets: readonly CustomerTicket[]; now: number }) {
  const t = useTexts();
  return (
    <ul className="flex flex-col gap-2">
      {tickets.map((ticket) => {
        const { name, subject, href, details } = ticketLine(ticket, t, now);
        const title = (
          <>
            <span className="text-ink-3">#{name}</span> <bdi>{subject}</bdi>
          </>
        );
        return (
          <li key={name} className="wrap-anywhere">
            {href === null ? (
              title
            ) : (
              <ExternalLink href={href} newTab={t.shell.newTab}>
                {title}
              </ExternalLink>
            )}
            <div className="text-xs text-ink-2">
              {details.map((detail, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two details may read the same, and none has state.
                <span key={at}>
                  {at > 0 && ' · '}
                  <bdi>{detail}</bdi>
                </span>
              ))}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
