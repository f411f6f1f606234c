import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import type { AppEnv } from './http-context.ts';

// Callers who have a secret instead of a credential of the helpdesk.

/** Says whether a text is one of these. Compares with all, and hashes of equal length, so that timing reveals nothing. */
export function isOneOf(expected: readonly string[]): (given: string) => boolean {
  const digests = expected.map(digestOf);
  return (text) => {
    const given = digestOf(text);
    return digests.map((digest) => timingSafeEqual(digest, given)).includes(true);
  };
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** @param errorCode for the log line */
export function refuse(c: Context<AppEnv>, errorCode: string, message: string, status: 401 | 403 = 403): Response {
  c.set('errorCode', errorCode);
  const data = { code: 'unauthenticated', request_id: c.get('requestId') };
  return c.json({ success: false, data, message }, status);
}
