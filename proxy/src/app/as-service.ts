import { HelpdeskError } from '../ports/helpdesk.ts';
import { AppError } from './app-error.ts';

/**
 * What the service account does for a caller must not fail as if he himself were refused: of a helpdesk that refuses,
 * only 'it does not work' is told. Throws AppError.
 */
export async function asService<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof HelpdeskError)) throw error;
    if (error.kind === 'timeout' || error.kind === 'unavailable') throw AppError.of(error);
    throw new AppError('helpdesk_bad_answer');
  });
}

/** What is done as the caller with a customer or contact: a refusal is about that record. Throws AppError. */
export async function asReaderOfCustomer<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof HelpdeskError)) throw error;
    if (error.kind === 'not_found') throw new AppError('customer_not_found');
    if (error.kind === 'forbidden') throw new AppError('customer_not_readable');
    throw AppError.of(error);
  });
}
