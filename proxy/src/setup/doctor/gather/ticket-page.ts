import type { MissingAnchor } from '#ports/operator/missing-anchors.ts';
import type { OwnRecords } from './rivals.ts';

/** What extensions have lately not found on the ticket page. */
export type TicketPageFacts = { missing: MissingAnchor[] };

/** Reads what the proxy was told (docs/monitoring.md#after-an-update-of-the-helpdesk). `since`: older reports do not count. */
export async function gatherTicketPage(
  openRecords: () => Promise<Pick<OwnRecords, 'missingAnchors' | 'close'> | null>,
  since: number,
): Promise<TicketPageFacts> {
  const records = await openRecords();
  if (records === null) return { missing: [] };
  try {
    return { missing: (await records.missingAnchors.list()).filter(({ at }) => at >= since) };
  } finally {
    await records.close();
  }
}
