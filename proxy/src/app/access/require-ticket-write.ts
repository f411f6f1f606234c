import { AppError } from '#app/runtime/app-error.ts';
import { HelpdeskError, type HelpdeskUser, type TicketFile } from '#ports/helpdesk/helpdesk.ts';
import type { HelpdeskRecords } from '#ports/helpdesk/helpdesk-records.ts';
import type { AgentGate } from './agent-gate.ts';
import type { Caller } from './caller.ts';

/**
 * The ticket, for an agent who may change it (docs/api.md#callers). Throws what opening the ticket throws, and
 * `ticket_not_writable`.
 */
export async function requireTicketWrite(
  { gate, records }: { gate: AgentGate; records: Pick<HelpdeskRecords, 'requireTicketWrite'> },
  caller: Caller,
  ticket: string,
  signal: AbortSignal,
): Promise<{ agent: HelpdeskUser; file: TicketFile }> {
  const file = await gate.openTicket(caller, ticket, signal);
  await records.requireTicketWrite(caller, ticket, signal).catch((error: unknown) => {
    if (!(error instanceof HelpdeskError)) throw error;
    gate.forgetTicket(ticket);
    throw error.kind === 'forbidden' ? new AppError('ticket_not_writable') : AppError.of(error);
  });
  return { agent: await gate.requireAgent(caller, signal), file };
}
