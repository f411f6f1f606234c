import { HelpdeskError } from '#helpdesk/errors.ts';
import { AppError } from './app-error.ts';

/**
 * A refusal of the service account must not look as if the caller had been refused, so it is reported as a helpdesk
 * that does not work. Throws AppError.
 */
export async function hideServiceRefusal<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof HelpdeskError)) throw error;
    const isAboutThem = error.kind === 'not_found' || error.kind === 'forbidden' || error.kind === 'unauthenticated';
    throw isAboutThem ? new AppError('helpdesk_bad_answer') : AppError.of(error);
  });
}

/** For requests made as the caller with a customer or contact: a refusal is about that record. Throws AppError. */
export async function explainCustomerRefusal<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof HelpdeskError)) throw error;
    if (error.kind === 'not_found') throw new AppError('customer_not_found');
    if (error.kind === 'forbidden') throw new AppError('customer_not_readable');
    throw AppError.of(error);
  });
}
