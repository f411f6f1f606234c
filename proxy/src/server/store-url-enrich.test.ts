import { contract } from '@deskside/shared/contract';
import type { IntakeData } from '@deskside/shared/routing';
import { expect, test } from 'vitest';
import { testApp } from './testing/test-app.ts';

const { path } = contract.storeUrlEnrich;
const nothing: IntakeData = {
  status: 'not_found',
  orgid: null,
  platform_domain: null,
  findings: [],
  meta_failures: [],
  ticket: { name: '61307' },
  changes: [],
};

function setUp(status: IntakeData['status'] = 'not_found') {
  const seen: object[] = [];
  const app = testApp({
    verbs: {
      storeUrlEnrich: async (asked) => {
        seen.push(asked);
        return { ...nothing, status };
      },
    },
  });
  const post = (body: unknown, authorization = 'token key:secret') =>
    app.request(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', authorization },
    });
  return { post, seen };
}

test.each([
  ['found', true, 'Org id found.'],
  ['not_found', true, 'No org id found.'],
  ['failed', false, 'No org id found, and a store address did not respond.'],
] as const)('%s is told as such', async (status, success, message) => {
  const response = await setUp(status).post({ ticket: '61307' });
  expect([response.status, await response.json()]).toEqual([200, { success, data: { ...nothing, status }, message }]);
});

test('the ticket, under any of its names, and the address are passed on', async () => {
  const { post, seen } = setUp();
  await post({ ticket_name: 61307, store_url: ' tiemhoamau.example ' });
  await post({ hd_ticket: '61307' });
  expect(seen).toMatchObject([
    { ticket: '61307', storeUrl: 'tiemhoamau.example' },
    { ticket: '61307', storeUrl: null },
  ]);
});

test('nobody, and no ticket, are errors', async () => {
  const { post, seen } = setUp();
  expect((await post({ ticket: '61307' }, '')).status).toBe(401);
  expect((await post({ store_url: 'tiemhoamau.example' })).status).toBe(400);
  expect((await post({ ticket: '61307', store_url: 'a'.repeat(2_001) })).status).toBe(400);
  expect(seen).toEqual([]);
});
