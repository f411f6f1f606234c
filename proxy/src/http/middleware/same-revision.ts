import { contractRevision, revisionHeader } from '@deskside/shared/revision';
import { createMiddleware } from 'hono/factory';
import { AppError } from '#app/runtime/app-error.ts';
import type { AppEnv } from '#http/context.ts';

/**
 * Answers `other_revision` to an extension that speaks another revision of the contract (docs/api.md#revision): browsers
 * update extensions before operators update proxies. Who names none is served.
 */
export const sameRevision = createMiddleware<AppEnv>(async (c, next) => {
  const revision = c.req.header(revisionHeader);
  if (revision !== undefined && revision !== String(contractRevision)) throw new AppError('other_revision');
  await next();
});
