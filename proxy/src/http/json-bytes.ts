import type { Context } from 'hono';
import type { AppEnv } from './context.ts';
import { securityHeaders } from './middleware/secure-headers.ts';

/** All headers of a response that is JSON. */
export function bytesHeaders(requestId: string) {
  return { ...securityHeaders, 'x-request-id': requestId, 'content-type': 'application/json' };
}

/** Responds with JSON that is there as bytes already. It has all its headers at once, which spares building them up. */
export function jsonBytes(c: Context<AppEnv>, bytes: Uint8Array): Response {
  c.set('hasAllHeaders', true);
  return new Response(bytes as Uint8Array<ArrayBuffer>, { headers: bytesHeaders(c.get('requestId')) });
}
