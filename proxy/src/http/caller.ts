import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { AppError } from '../app/app-error.ts';
import type { Caller } from '../app/open-ticket.ts';
import type { AppEnv } from './context.ts';

/**
 * Reads the caller's credential: `Bearer …` or `token key:secret`, nothing else and never a cookie (design.md section
 * 2). Whether it is anybody's is for the helpdesk to say. Throws `unauthenticated`.
 */
export function callerOf(c: Context<AppEnv>): Caller {
  const authorization = c.req.header('authorization')?.trim() ?? '';
  const scheme = /^(?:(bearer) ([\x21-\x7e]{1,4096})|(token) ([\x21-\x39\x3b-\x7e]{1,256}:[\x21-\x7e]{1,256}))$/i.exec(
    authorization,
  );
  if (!scheme) throw new AppError('unauthenticated');
  const normal = scheme[1] ? `Bearer ${scheme[2]}` : `token ${scheme[4]}`;
  return { authorization: normal, digest: createHash('sha256').update(normal).digest('base64url') };
}
