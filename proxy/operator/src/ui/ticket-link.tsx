import { ExternalLink } from '@deskside/extension/ui/external-link';
import { createContext, useContext } from 'react';
import { useTexts } from '#i18n/texts.ts';

/** The origin of the helpdesk. */
export const HelpdeskContext = createContext('');

/** A ticket, which opens in the helpdesk. */
export function TicketLink({ name }: { name: string }) {
  const { today } = useTexts();
  const helpdesk = useContext(HelpdeskContext);
  return (
    <ExternalLink href={`${helpdesk}/helpdesk/tickets/${encodeURIComponent(name)}`} newTab={today.newTab}>
      <bdi>{name}</bdi>
    </ExternalLink>
  );
}
