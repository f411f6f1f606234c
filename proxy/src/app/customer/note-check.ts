import type { OrgId } from '@deskside/shared/orgid';
import type { AgentGate } from '#app/access/agent-gate.ts';
import type { Lookup } from '#app/crm/lookup-company.ts';
import { reasonOf } from '#app/runtime/background.ts';
import type { JudgeMatch } from '#app/trust/judge-match.ts';
import { HelpdeskError, type Ticket } from '#ports/helpdesk/helpdesk.ts';
import type { HelpdeskTickets, RoutingFields } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { Logger } from '#ports/runtime/logger.ts';

/** When the CRM was asked, and that it had nothing, for the ticket's own fields (docs/data.md#hd-ticket). */
export function checkFields(looked: Lookup | null): RoutingFields {
  if (looked === null || looked.status === 'error' || looked.checkedAt === null) return {};
  return {
    crmLastCheckedAt: looked.checkedAt,
    crmNotFoundAt: looked.outcome === 'not_found' ? looked.checkedAt : null,
  };
}

/**
 * Writes these fields to the ticket of an enrichment, unless its match is a mere claim: then they would tell its sender
 * whether the org id exists (docs/decisions.md 10). Best effort: a failure of the helpdesk is logged.
 */
export type NoteCheck = (
  ticket: Ticket,
  /** `isVouched`: it is known already that the match is more than a claim. */
  check: { orgId: OrgId; looked: Lookup; isVouched: boolean },
) => Promise<void>;

/** How often a write is tried in all if others keep writing first. */
const maxTries = 3;
const withinMs = 20_000;

export function createNoteCheck(deps: {
  gate: Pick<AgentGate, 'forgetTicket'>;
  tickets: Pick<HelpdeskTickets, 'readPipelineTicket' | 'writeRouting'>;
  judgeMatch: JudgeMatch;
  logger: Logger;
}): NoteCheck {
  return async (ticket, { orgId, looked, isVouched }) => {
    const fields = checkFields(looked);
    if (Object.keys(fields).length === 0) return;
    try {
      const signal = AbortSignal.timeout(withinMs);
      if (isVouched || (await isMoreThanClaim(ticket, orgId, looked, signal))) await write(ticket.name, fields, signal);
    } catch (error) {
      if (!(error instanceof HelpdeskError)) throw error;
      deps.logger.warn({ error: reasonOf(error) }, 'The time of a CRM check could not be written to the ticket');
    }
  };

  async function isMoreThanClaim(ticket: Ticket, orgId: OrgId, { companies }: Lookup, signal: AbortSignal) {
    const candidate = { orgId, source: 'ticket', field: '' } as const;
    const { trust } = await deps.judgeMatch({ ticket, candidate, company: companies[0] ?? null }, signal);
    return trust.level !== 'claimed';
  }

  async function write(name: string, fields: RoutingFields, signal: AbortSignal): Promise<void> {
    for (let attempt = 1; attempt <= maxTries; attempt += 1) {
      const ticket = await deps.tickets.readPipelineTicket(name, signal);
      const written = await deps.tickets.writeRouting(ticket, fields, signal);
      if (written === 'changed_meanwhile') continue;
      if (written.length > 0) deps.gate.forgetTicket(name);
      return;
    }
  }
}
