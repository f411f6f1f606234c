import type { Context } from '#context.ts';
import { AppError } from '#runtime/app-error.ts';
import { explainCustomerRefusal } from '#runtime/helpdesk-refusal.ts';
import type { Caller } from './caller.ts';
import { HelpdeskError } from './helpdesk.ts';

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
  const asked = helpdesk.requireCustomerWrite(caller, customer, signal).catch((error: unknown) => {
    if (error instanceof HelpdeskError && error.kind === 'forbidden') throw new AppError('customer_not_writable');
    throw error;
  });
  await explainCustomerRefusal(asked);
}
