import type { MissingAnchor } from '#ports/operator/missing-anchors.ts';
import { type AreaReport, finding } from '#setup/doctor/finding.ts';
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

/** Judges whether the helpdesk's page is still the one that the extension knows. */
export function judgeTicketPage({ missing }: TicketPageFacts): AreaReport {
  const findings = missing.map(({ anchor, extension, helpdesk, at }) =>
    finding(
      'ticket_page_changed',
      `Extension ${extension} has not found "${anchor}" on the ticket page of Helpdesk ${helpdesk ?? '(version unknown)'}, last on ${new Date(at).toISOString().slice(0, 10)}.`,
      'Install a newer extension; if there is none, report both versions.',
    ),
  );
  const passed = findings.length > 0 ? [] : ['Every extension has lately found its place on the ticket page.'];
  return { area: 'Ticket page', findings, passed, unchecked: [] };
}
