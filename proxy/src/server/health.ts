import { contract, type Discovery } from '@deskside/shared/contract';
import type { Handler } from 'hono';
import type { Readiness } from '#runtime/readiness.ts';
import type { AppEnv } from './middleware.ts';
import { describeApi, type OpenApi } from './openapi.ts';

/** Origins of browser extensions, which no page can have. */
const extension = /^(chrome|moz)-extension:\/\//;

/** What anybody may ask by GET, without a credential, by path. */
export function openRoutes(
  discovery: Discovery,
  readiness: Pick<Readiness, 'checks'>,
): Record<string, Handler<AppEnv>> {
  let described: OpenApi | undefined;
  return {
    // What the extension needs before anyone has signed in. It may read this before its person has granted it the proxy's
    // address (docs/api.md#callers); pages may not.
    [contract.discovery.path]: (c) => {
      const origin = c.req.header('origin') ?? '';
      c.header('vary', 'Origin');
      if (extension.test(origin)) c.header('access-control-allow-origin', origin);
      return c.json({ success: true, data: discovery, message: 'Deskside.' });
    },

    '/livez': (c) => c.json({ success: true, data: {}, message: 'Alive.' }),

    // 503, with what is wrong, unless every part works. Not the CRM: without it, profiles still work.
    '/readyz': async (c) => {
      const checks = await readiness.checks();
      const failing = checks.filter(({ ok }) => !ok).map(({ message }) => message);
      const isReady = failing.length === 0;
      const message = isReady ? 'Ready.' : `Not ready. ${failing.join(' ')}`;
      return c.json({ success: isReady, data: { checks }, message }, isReady ? 200 : 503);
    },

    // Made when first asked for.
    '/openapi.json': (c) => {
      described ??= describeApi(discovery.version);
      return c.json(described);
    },
  };
}
