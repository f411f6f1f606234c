import { createMiddleware } from 'hono/factory';
import { AppError } from '#app/runtime/app-error.ts';
import type { AppEnv } from '#http/context.ts';

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
