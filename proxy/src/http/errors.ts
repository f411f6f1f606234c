import type { ErrorEnvelope } from '@deskside/shared/envelope';
import { type ErrorCode, errorStatuses } from '@deskside/shared/status';
import type { Context } from 'hono';
import { AppError } from '../app/app-error.ts';
import type { AppEnv } from './context.ts';

/** Answers with an error of the contract. Anything that is no AppError is ours and tells the caller nothing. */
export function answerError(error: unknown, c: Context<AppEnv>): Response {
  const known = error instanceof AppError ? error : new AppError('internal');
  if (known !== error) {
    const { name, stack } = error instanceof Error ? error : new Error('not an Error');
    // The stack's first line quotes the message, which may quote data.
    c.get('logger').error(
      { request_id: c.get('requestId'), error: name, stack: stack?.split('\n').slice(1, 8) },
      'Unexpected error',
    );
  }
  c.set('errorCode', known.code);
  if (known.code === 'unauthenticated') c.header('www-authenticate', 'Bearer');
  const body: ErrorEnvelope = {
    success: false,
    data: {
      code: known.code,
      request_id: c.get('requestId'),
      ...(known.issues.length > 0 && { issues: known.issues }),
      ...(known.conflict && { conflict: known.conflict }),
    },
    message: known.message,
  };
  return c.json(body, errorStatuses[known.code satisfies ErrorCode]);
}
