import type { Discovery } from '@deskside/shared/contract';
import type { Context } from 'hono';
import type { AppEnv } from '#http/context.ts';

/** Origins of browser extensions, which no page can have. */
const extension = /^(chrome|moz)-extension:\/\//;

/**
 * GET /.well-known/deskside: what the extension needs before anyone has signed in. Public. An extension may read it
 * before its person has granted it the proxy's address (docs/api.md#callers); pages may not.
 */
export function discoveryRoute(discovery: Discovery) {
  return (c: Context<AppEnv>) => {
    const origin = c.req.header('origin') ?? '';
    c.header('vary', 'Origin');
    if (extension.test(origin)) c.header('access-control-allow-origin', origin);
    return c.json({ success: true, data: discovery, message: 'Deskside.' });
  };
}
