import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { AppEnv } from '#http/context.ts';
import { discoveryRoute } from './discovery.ts';

const discovery = {
  name: 'deskside',
  version: '1',
  helpdesk_url: 'https://help.example',
  oauth_client_ids: {},
} as const;
const app = new Hono<AppEnv>().get('/', discoveryRoute(discovery));
const readableBy = async (origin: string) =>
  (await app.request('/', { headers: { origin } })).headers.get('access-control-allow-origin');

test.each([
  'chrome-extension://jhjoljfecgnnofpkppemifcbcoihkgho',
  'moz-extension://ac7e55df-2349-4967-bdd9-71e95296c59e',
])('the extension may read it without permission, as %s', async (origin) => {
  expect(await readableBy(origin)).toBe(origin);
});

test.each(['https://evil.example', 'https://chrome-extension.example', 'null', ''])(
  'the page %j may not',
  async (origin) => {
    expect(await readableBy(origin)).toBeNull();
  },
);
