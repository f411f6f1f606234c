import { type AreaReport, finding, listed } from '#setup/doctor/finding.ts';
import type { RivalFacts } from '#setup/doctor/gather/rivals.ts';

/** Judges whether somebody else routes tickets with our service account (docs/decisions.md 20). */
export function judgeRivals(facts: RivalFacts): AreaReport {
  const area = 'Other installations';
  if (facts === null) return { area, findings: [], passed: ['No ticket has been routed yet.'], unchecked: [] };
  if (facts.unknown.length === 0)
    return { area, findings: [], passed: ['Only this installation assigns tickets.'], unchecked: [] };
  const found = finding(
    'another_installation',
    `Our service account has assigned tickets to people who are not in our records: ${listed(facts.unknown)}.`,
    'Stop the other installation (an old process, a staging copy), or give it an account and a helpdesk of its own.',
  );
  return { area, findings: [found], passed: [], unchecked: [] };
}
