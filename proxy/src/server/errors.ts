import type { ErrorEnvelope } from '@deskside/shared/envelope';
import { type ErrorCode, errorStatuses } from '@deskside/shared/status';
import type { Context } from 'hono';
import { AppError } from '#runtime/app-error.ts';
import { unexpected } from '#runtime/unexpected.ts';
import { StoreUnavailable } from '#store/store-error.ts';
import type { AppEnv } from './http-context.ts';

/**
 * Responds with an error of the contract. Anything other than an AppError is our fault and is not disclosed to the
 * caller.
 */
export function answerError(error: unknown, c: Context<AppEnv>): Response {
  const known = knownOf(error);
  // A request aborted by its client is not an error, and nobody reads the response.
  if (known !== error && !c.req.raw.signal.aborted) {
    const line = { request_id: c.get('requestId') };
    if (error instanceof StoreUnavailable) c.get('logger').error({ ...line, code: error.code }, 'No database');
    else c.get('logger').error({ ...line, ...unexpected(error) }, 'Unexpected error');
  }
  c.set('errorCode', known.code);
  if (known.code === 'unauthenticated') c.header('www-authenticate', 'Bearer');
  if (known.retryAfterSeconds !== null) c.header('retry-after', String(known.retryAfterSeconds));
  const body: ErrorEnvelope = {
    success: false,
    data: {
      code: known.code,
      request_id: c.get('requestId'),
      ...(known.issues.length > 0 && { issues: known.issues }),
      ...(known.retryAfterSeconds !== null && { retry_after_seconds: known.retryAfterSeconds }),
      ...(known.conflict && { conflict: known.conflict }),
    },
    message: known.message,
  };
  return c.json(body, errorStatuses[known.code satisfies ErrorCode]);
}

function knownOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return error instanceof StoreUnavailable ? AppError.storeUnavailable() : new AppError('internal');
}
