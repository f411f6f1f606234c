import { useEffect, useState } from 'react';
import { readCustomer } from '#host-page/anchors.ts';
import { hasDraft } from '#host-page/reply.ts';
import { usePage } from './parts/page.ts';
import type { Change } from './steps/steps.ts';
import { useTexts } from './texts/texts.ts';

/** How long a page may take to show by itself what was written, in milliseconds. */
const settleMs = 2_000;

const read = () => ({ customer: readCustomer(), draft: hasDraft() });

/**
 * That the helpdesk's own page still shows the customer from before: many sites tell it nothing of what others write
 * (docs/helpdesk.md#the-ticket-page). Reloading it would lose what the agent is writing, so then it is only said.
 * A customer that cannot be read is unknown, and not old.
 * @param written the ticket's customer in the helpdesk, after a write of this panel; undefined: nothing was written
 */
export function usePageBehind(written: string | null | undefined): Change | null {
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
    key: 'page',
    sentence: draft ? `${steps.pageBehind} ${steps.reloadLater}` : steps.pageBehind,
    action: draft ? null : { label: shell.reload, onPress: () => location.reload() },
  };
}
