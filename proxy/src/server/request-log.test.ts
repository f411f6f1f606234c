import { expect, test } from 'vitest';
import type { LogFields } from '#runtime/log.ts';
import { silent } from '#testing/quiet.ts';
import { everySurface, testApp } from './testing/test-app.ts';

const profile = '/api/method/platform_crm_customer_profile?ticket=1';

test('of anonymous requests that are refused one a minute is logged, with how many before it were not', async () => {
  let now = 0;
  const lines: LogFields[] = [];
  const logger = { ...silent, info: (fields: LogFields) => void lines.push(fields) };
  const app = testApp({ ...everySurface, ctx: { ...everySurface.ctx, logger, clock: () => now } });
  const ask = async (path: string, authorization = '') => {
    expect((await app.request(path, { headers: { authorization } })).status).toBe(401);
  };
  const logged = () => lines.splice(0).map(({ status, code, unlogged }) => ({ status, code, unlogged }));
  const line = { status: 401, code: 'unauthenticated' };

  await ask(profile);
  expect(logged()).toEqual([{ ...line, unlogged: undefined }]);
  now = 59_999;
  await ask(profile, 'Basic a2V5OnNlY3JldA==');
  await ask('/metrics', 'Bearer another');
  expect(logged()).toEqual([]);
  now = 60_000;
  await ask(profile);
  expect(logged()).toEqual([{ ...line, unlogged: 2 }]);
  now = 600_000;
  await ask(profile);
  expect(logged()).toEqual([{ ...line, unlogged: undefined }]);
});

test('a request with a credential is logged each time, refused or not', async () => {
  const lines: LogFields[] = [];
  const logger = { ...silent, info: (fields: LogFields) => void lines.push(fields) };
  const app = testApp({ ctx: { logger, clock: () => 0 } });
  for (let nth = 0; nth < 3; nth += 1)
    await app.request(profile.split('?')[0] ?? '', { headers: { authorization: 'token key:secret' } });
  expect(lines.map(({ status }) => status)).toEqual([400, 400, 400]);
});
