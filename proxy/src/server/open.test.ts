import { contract } from '@deskside/shared/contract';
import { expect, test } from 'vitest';
import { testApp } from './testing/test-app.ts';

const app = testApp();
const readableBy = async (origin: string) =>
  (await app.request(contract.discovery.path, { headers: { origin } })).headers.get('access-control-allow-origin');

test.each([
  'chrome-extension://jhjoljfecgnnofpkppemifcbcoihkgho',
  'moz-extension://ac7e55df-2349-4967-bdd9-71e95296c59e',
])('the extension may read what it needs first without permission, as %s', async (origin) => {
  expect(await readableBy(origin)).toBe(origin);
});

test.each(['https://evil.example', 'https://chrome-extension.example', 'null', ''])(
  'the page %j may not',
  async (origin) => {
    expect(await readableBy(origin)).toBeNull();
  },
);
