import type { OrgId } from '@deskside/shared/orgid';
import type { Decisions } from '#ports/decisions.ts';

/**
 * The agent who created the ticket with this org id, according to our own record (docs/decisions.md 9); null if nobody
 * did. The ticket itself no longer proves it: its sender can have written to it since.
 */
export async function agentWhoEntered(
  decisions: Pick<Decisions, 'list'>,
  ticket: string,
  orgId: OrgId,
): Promise<string | null> {
  const all = await decisions.list(ticket);
  const creation = all[0]?.inputs.ticket_creation;
  for (const { inputs } of all) {
    if (inputs.org_id?.value !== orgId || inputs.ticket_creation !== creation) continue;
    const word = inputs.org_id.trust?.evidence.find(({ code }) => code === 'entered_by_agent');
    if (word?.value) return word.value;
  }
  return null;
}
