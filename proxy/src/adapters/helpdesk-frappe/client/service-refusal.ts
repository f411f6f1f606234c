import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';

/**
 * Waits for a request made as the service account. A refusal of that account must not look as if the caller had been
 * refused: to the caller, the helpdesk does not work.
 */
export async function refusalAsOutage<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof HelpdeskError) || (error.kind !== 'unauthenticated' && error.kind !== 'forbidden'))
      throw error;
    throw new HelpdeskError('unavailable', `The service account is refused. ${error.message}`);
  }
}
