import { hash } from 'node:crypto';
import type { Context } from 'hono';
import type { Caller } from '#app/access/caller.ts';
import { AppError } from '#app/runtime/app-error.ts';
import type { AppEnv } from './context.ts';

/**
 * Reads the caller's credential: `Bearer …` or `token key:secret`, nothing else and never a cookie
 * (docs/api.md#callers). Whether it is valid is for the helpdesk to say. Throws `unauthenticated`.
 */
export function callerOf(c: Context<AppEnv>): Caller {
  const authorization = c.req.header('authorization')?.trim() ?? '';
  const scheme = /^(?:(bearer) ([\x21-\x7e]{1,4096})|(token) ([\x21-\x39\x3b-\x7e]{1,256}:[\x21-\x7e]{1,256}))$/i.exec(
    authorization,
  );
  if (!scheme) throw new AppError('unauthenticated');
  const normal = scheme[1] ? `Bearer ${scheme[2]}` : `token ${scheme[4]}`;
  const digest = hash('sha256', normal, 'base64url');
  return { authorization: normal, digest, client: c.env?.client };
}
