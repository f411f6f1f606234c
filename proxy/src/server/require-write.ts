import type { Context } from '#context.ts';
import type { Caller } from '#helpdesk/credentials.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import type { HelpdeskUser } from '#helpdesk/people.ts';
import type { TicketFile } from '#helpdesk/tickets.ts';
import { AppError, explainCustomerRefusal } from '#runtime/app-error.ts';

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
  await helpdesk.rights.requireTicketWrite(caller, ticket, signal).catch((error: unknown) => {
    if (!(error instanceof HelpdeskError)) throw error;
    gate.forgetTicket(ticket);
    throw error.kind === 'forbidden' ? new AppError('ticket_not_writable') : AppError.of(error);
  });
  return { agent: await gate.requireAgent(caller, signal), file };
}

/**
 * For a caller who may write the customer themselves (docs/decisions.md 11). Throws `customer_not_writable` and what
 * `explainCustomerRefusal` throws.
 */
export async function requireCustomerWrite(
  { helpdesk }: Context,
  caller: Caller,
  customer: string,
  signal: AbortSignal,
): Promise<void> {
  const asked = helpdesk.rights.requireCustomerWrite(caller, customer, signal).catch((error: unknown) => {
    if (error instanceof HelpdeskError && error.kind === 'forbidden') throw new AppError('customer_not_writable');
    throw error;
  });
  await explainCustomerRefusal(asked);
}
