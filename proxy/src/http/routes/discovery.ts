import type { Discovery } from '@deskside/shared/contract';
import type { Context } from 'hono';
import type { AppEnv } from '#http/context.ts';

/** GET /.well-known/deskside: what the extension needs before anyone has signed in. Public. */
export function discoveryRoute(discovery: Discovery) {
  return (c: Context<AppEnv>) => c.json({ success: true, data: discovery, message: 'Deskside.' });
}
