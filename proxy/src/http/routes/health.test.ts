import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { fakeClock } from '#app/testing/fakes.ts';
import type { AppEnv } from '#http/context.ts';
import { readyzRoute } from './health.ts';

test('however many ask, one check in five seconds answers them, whether it fails or not', async () => {
  const clock = fakeClock();
  let checks = 0;
  let isDown = true;
  const helpdesk = async () => {
    checks += 1;
    if (isDown) throw new Error('down');
  };
  const app = new Hono<AppEnv>().get('/readyz', readyzRoute({ helpdesk }, clock));
  const ask = async () => (await app.request('/readyz')).status;
  expect(await Promise.all(Array.from({ length: 100 }, ask))).toEqual(Array(100).fill(503));
  isDown = false;
  clock.advance(4_999);
  expect([await ask(), checks]).toEqual([503, 1]);
  clock.advance(1);
  expect([await ask(), checks]).toEqual([200, 2]);
});
