import type { OrgId } from '@deskside/shared/orgid';
import type { RoutingDecision } from '@deskside/shared/routing';

/**
 * The agent who created the ticket with this org id, according to our own record (docs/decisions.md 9); null if nobody
 * did. The ticket itself no longer proves it: its sender can have written to it since.
 *
 * @param decided every decision on the ticket, newest first
 */
export function agentWhoEntered(decided: readonly Pick<RoutingDecision, 'inputs'>[], orgId: OrgId): string | null {
  const creation = decided[0]?.inputs.ticket_creation;
  for (const { inputs } of decided) {
    if (inputs.org_id?.value !== orgId || inputs.ticket_creation !== creation) continue;
    const word = inputs.org_id.trust?.evidence.find(({ code }) => code === 'entered_by_agent');
    if (word?.value) return word.value;
  }
  return null;
}
