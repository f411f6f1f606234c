import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { memoryStore } from '#store/testing/memory-store.ts';
import { partOfContext } from '#testing/part-of-context.ts';
import type { AppEnv } from './middleware.ts';
import { answerError, limitBody } from './middleware.ts';
import { crmEventRoute, maxEventBytes } from './webhooks.ts';

const tokens = ['canary-current-token', 'canary-previous-token'];

function setUp() {
  /** The companies that were marked as outdated. */
  const marked: string[] = [];
  const app = new Hono<AppEnv>();
  app.onError(answerError);
  app.use(async (c, next) => {
    c.set('requestId', 'r1');
    await next();
  });
  app.post(
    '/',
    limitBody(maxEventBytes),
    crmEventRoute(
      partOfContext({
        clock: () => 1,
        db: memoryStore().db,
        crm: {
          clock: () => 1,
          forgetSegments: () => {},
          cache: {
            forgetMissing: async () => {},
            markOutdated: async (companyId) => {
              marked.push(companyId);
              return [];
            },
          },
        },
      }),
      { tokens },
    ),
  );
  const post = (body: string) =>
    app.request('/', { method: 'POST', body, headers: { 'content-type': 'application/x-www-form-urlencoded' } });
  return { post, marked };
}

function form(members: Record<string, string>): string {
  return new URLSearchParams({
    event: 'ONCRMCOMPANYUPDATE',
    event_handler_id: '5',
    'data[FIELDS][ID]': '63002',
    ts: '1795000000',
    'auth[domain]': 'crm.example',
    'auth[member_id]': 'a1b2',
    'auth[application_token]': tokens[0] ?? '',
    ...members,
  }).toString();
}

test('an event with a good token, the current or the previous, is passed on', async () => {
  const { post, marked } = setUp();
  for (const token of tokens) {
    const response = await post(form({ 'auth[application_token]': token }));
    expect([response.status, await response.json()]).toEqual([200, { success: true, data: {}, message: 'Noted.' }]);
  }
  expect(marked).toEqual(tokens.map(() => '63002'));
});

test('an event that does not concern us is accepted, and nothing comes of it', async () => {
  const { post, marked } = setUp();
  expect((await post(form({ event: 'ONCRMCONTACTUPDATE' }))).status).toBe(200);
  expect(marked).toEqual([]);
});

test.each(['', 'wrong', 'canary-current-toke', 'canary-current-token ', `${tokens.join(',')}`, 'Canary-current-token'])(
  'the token %j is refused, changes nothing and is not quoted',
  async (token) => {
    const { post, marked } = setUp();
    const response = await post(form({ 'auth[application_token]': token }));
    const text = await response.text();
    expect(response.status).toBe(403);
    expect(text).not.toContain('canary');
    expect(marked).toEqual([]);
  },
);

test('no body, a body that is none, and JSON are refused as without a token', async () => {
  const { post, marked } = setUp();
  for (const body of ['', '%%%&&&===', '{"auth":{"application_token":"canary-current-token"}}'])
    expect((await post(body)).status).toBe(403);
  expect(marked).toEqual([]);
});

test.each(['', '0', '-1', 'abc', '63002 or 1=1', '1'.repeat(21)])('the id %j is none', async (id) => {
  const { post, marked } = setUp();
  expect((await post(form({ 'data[FIELDS][ID]': id }))).status).toBe(200);
  expect(marked).toEqual([]);
});

test('more than 16 kB are not read', async () => {
  const { post, marked } = setUp();
  expect((await post(form({ padding: 'x'.repeat(16 * 1024) }))).status).toBe(413);
  expect((await post(form({ padding: 'x'.repeat(15 * 1024) }))).status).toBe(200);
  expect(marked).toHaveLength(1);
});
