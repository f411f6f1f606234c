import type { MissingAnchor } from '#store/missing-anchors.ts';
import { type AreaReport, areaReport, finding } from './finding.ts';
import type { ReadRecords } from './records.ts';

/** What extensions have lately not found on the ticket page. */
export type TicketPageFacts = { missing: MissingAnchor[] };

/** Reads what the proxy was told (docs/monitoring.md#after-an-update-of-the-helpdesk). `since`: older reports do not count. */
export async function gatherTicketPage(
  records: ReadRecords<'missingAnchors'>,
  since: number,
): Promise<TicketPageFacts> {
  const missing = await records(({ missingAnchors }) => missingAnchors.list());
  return { missing: (missing ?? []).filter(({ at }) => at >= since) };
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
  return areaReport('Ticket page', {
    findings,
    fine: 'Every extension has lately found its place on the ticket page.',
  });
}
