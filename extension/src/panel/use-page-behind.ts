import { useEffect, useState } from 'react';
import { type Page, usePage } from './page-context.ts';
import type { Step } from './steps/steps.ts';
import { useTexts } from './texts-context.ts';

/** How long a page may take to show by itself what was written, in milliseconds. */
const settleMs = 2_000;

const read = (page: Page) => ({ customer: page.customer(), draft: page.hasDraft() });

/**
 * That the helpdesk's own page still shows the customer from before: many sites tell it nothing of what others write
 * (docs/helpdesk.md#the-ticket-page). Reloading it would lose what the agent is writing, so then it is only said.
 * A customer that cannot be read is unknown, and not old.
 * @param written the ticket's customer in the helpdesk, after a write of this panel; undefined: nothing was written
 */
export function usePageBehind(written: string | null | undefined): Step | null {
  const { shell, steps } = useTexts();
  const { customer, draft } = usePage(read, written !== undefined);
  const [settled, setSettled] = useState<string | null>();
  useEffect(() => {
    if (written === undefined) return;
    const timer = setTimeout(() => setSettled(written), settleMs);
    return () => clearTimeout(timer);
  }, [written]);
  const isBehind = customer !== undefined && customer !== written;
  if (written === undefined || settled !== written || !isBehind) return null;
  return {
    ...{ key: 'page', tone: 'warn' },
    sentence: draft ? `${steps.pageBehind} ${steps.reloadLater}` : steps.pageBehind,
    actions: [draft ? null : { label: shell.reload, onPress: () => location.reload() }],
  };
}
