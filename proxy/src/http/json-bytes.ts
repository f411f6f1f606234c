import type { Context } from 'hono';
import type { AppEnv } from './context.ts';
import { securityHeaders } from './middleware/secure-headers.ts';

/** What every response that is JSON has besides its request's id. */
export const jsonHeaders = { ...securityHeaders, 'content-type': 'application/json' };

/**
 * JSON as it is sent, with one character (U+0000 to U+00FF) for each byte of its UTF-8. Node sends that in one piece with
 * the headers; bytes it would have to gather beside them.
 */
export type JsonBytes = string;

export function jsonBytesOf(value: unknown): JsonBytes {
  return Buffer.from(JSON.stringify(value)).toString('latin1');
}

/** Responds with JSON that is there as bytes already. It has all its headers at once, which spares building them up. */
export function jsonBytes(c: Context<AppEnv>, bytes: JsonBytes): Response {
  c.set('hasAllHeaders', true);
  return new Response(Buffer.from(bytes, 'latin1'), {
    headers: { ...jsonHeaders, 'x-request-id': c.get('requestId') },
  });
}
