import type { Context } from '#context.ts';
import { AppError } from '#runtime/app-error.ts';
import type { Caller } from './caller.ts';
import { HelpdeskError, type HelpdeskUser, type TicketFile } from './helpdesk.ts';

/**
 * The ticket, for an agent who may change it (docs/api.md#callers). Throws what opening the ticket throws, and
 * `ticket_not_writable`.
 */
export async function requireTicketWrite(
  { gate, helpdesk }: Context,
  caller: Caller,
  ticket: string,
  signal: AbortSignal,
): Promise<{ agent: HelpdeskUser; file: TicketFile }> {
  const file = await gate.openTicket(caller, ticket, signal);
  await helpdesk.requireTicketWrite(caller, ticket, signal).catch((error: unknown) => {
    if (!(error instanceof HelpdeskError)) throw error;
    gate.forgetTicket(ticket);
    throw error.kind === 'forbidden' ? new AppError('ticket_not_writable') : AppError.of(error);
  });
  return { agent: await gate.requireAgent(caller, signal), file };
}
