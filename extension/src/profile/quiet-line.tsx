import { Fragment } from 'react';
import { useTexts } from '#i18n/panel/texts-context.ts';
import { type Page, usePage } from './page-context.ts';

const read = (page: Page) => page.fields();

/** The ticket's own fields in one line, as the helpdesk's page shows them; each left out where it does not. */
export function QuietLine({ active }: { active: boolean }) {
  const { fields } = useTexts();
  const { team, assignee, status, customer } = usePage(read, active);
  const parts = [
    team === null ? fields.noTeam : team,
    assignee === null ? fields.unassigned : assignee,
    status,
    customer === undefined ? undefined : customer === null ? fields.unlinked : fields.linked,
  ].filter((part) => part !== undefined);
  if (parts.length === 0) return null;
  return (
    <p
      className="truncate border-b border-line px-4 py-1.5 text-ink-3 not-first:mt-2.5 not-first:border-t"
      title={parts.join(' · ')}
    >
      {parts.map((part, nth) => (
        <Fragment key={part}>
          {nth > 0 && ' · '}
          <bdi className={part === team ? 'font-medium text-ink-2' : undefined}>{part}</bdi>
        </Fragment>
      ))}
    </p>
  );
}
