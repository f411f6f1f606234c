import { type AreaReport, finding } from '#setup/doctor/finding.ts';
import type { TicketPageFacts } from '#setup/doctor/gather/ticket-page.ts';

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
