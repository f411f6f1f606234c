import { contractRevision, revisionHeader } from '@deskside/shared/revision';
import { bodyLimit } from 'hono/body-limit';
import { createMiddleware } from 'hono/factory';
import { AppError } from '#runtime/app-error.ts';
import type { AppEnv } from './http-context.ts';

/** Limits the simultaneous requests of one client address; those above the limit are `rate_limited`. */
export function limitPerClient(max: number) {
  const open = new Map<string, number>();
  return createMiddleware<AppEnv>(async (c, next) => {
    const client = c.env?.client ?? 'unknown';
    const before = open.get(client) ?? 0;
    if (before >= max) throw AppError.rateLimited(1);
    open.set(client, before + 1);
    try {
      await next();
    } finally {
      const left = (open.get(client) ?? 1) - 1;
      if (left > 0) open.set(client, left);
      else open.delete(client);
    }
  });
}

/**
 * Answers `other_revision` to an extension that speaks another revision of the contract (docs/api.md#revision): browsers
 * update extensions before operators update proxies. Who names none is served.
 */
export const sameRevision = createMiddleware<AppEnv>((c, next) => {
  const revision = c.req.header(revisionHeader);
  if (revision !== undefined && revision !== String(contractRevision)) throw new AppError('other_revision');
  return next();
});

/** Rejects bodies larger than `maxSize` bytes with 413, whatever length they claim to have. */
export function limitBody(maxSize: number) {
  return bodyLimit({
    maxSize,
    onError: () => {
      throw new AppError('body_too_large');
    },
  });
}

/**
 * For routes that require a credential: a caller who was served has a valid one, so their connection is no longer a
 * stranger's.
 */
export const markKnown = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  if (c.res.status < 300) c.env?.markKnown?.();
});
