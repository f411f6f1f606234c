import { contract } from '@deskside/shared/contract';
import { contractRevision, ErrorEnvelope, revisionHeader } from '@deskside/shared/envelope';
import type { ProfileData } from '@deskside/shared/profile';
import { ErrorCode, errorStatuses } from '@deskside/shared/status';
import { describe, expect, test } from 'vitest';
import type { Caller } from '#helpdesk/credentials.ts';
import { AppError } from '#runtime/app-error.ts';
import type { LogFields } from '#runtime/log.ts';
import { silent } from '#runtime/testing/quiet.ts';
import { testApp } from './testing/test-app.ts';

const { path: profile } = contract.customerProfile;
const authorization = 'token key:secret';

/** What the profile is asked with. */
type Ask = (asked: { ticket: string; caller: Caller }) => unknown;

function setUp(ask: Ask = () => ({})) {
  const lines: LogFields[] = [];
  const keep = (fields: object, message: string) => lines.push({ ...fields, message });
  const now = { ms: 0 };
  const data: unknown = { pending: ['haravan'], bitrix: { status: 'matched', lookup_trust: null, also_named: [] } };
  const app = testApp({
    verbs: {
      async customerProfile(asked) {
        await ask(asked);
        return data as ProfileData;
      },
    },
    secrets: { metrics: ['token'] },
    ctx: { logger: { ...silent, info: keep, error: keep }, clock: () => now.ms },
  });
  const get = (path: string, headers: Record<string, string> = { authorization }) => app.request(path, { headers });
  return { app, get, lines, now };
}

async function errorOf(response: Response) {
  return ErrorEnvelope.parse(await response.json()).data;
}

describe('credentials', () => {
  test.each(['Bearer abc.def-123', 'bearer abc', 'token key:secret'])('%j is passed on', async (value) => {
    const seen: string[] = [];
    const { get } = setUp(({ caller }) => seen.push(caller.authorization));
    expect((await get(`${profile}?ticket=1`, { authorization: value })).status).toBe(200);
    expect(seen[0]?.toLowerCase()).toBe(value.toLowerCase());
  });

  test.each([
    ...'|token|token key|token :|Basic a2V5OnNlY3JldA==|Bearer|Bearer a b|Bearer a, token k:s'.split('|'),
    `Bearer ${'x'.repeat(4097)}`,
  ])('%j is nobody, nor is a cookie anybody', async (value) => {
    const { get } = setUp();
    const response = await get(`${profile}?ticket=1`, { authorization: value, cookie: 'sid=abc' });
    expect([response.status, (await errorOf(response)).code]).toEqual([401, 'unauthenticated']);
  });

  test('two spellings of one credential have one digest, two credentials two', async () => {
    const digests: string[] = [];
    const { get } = setUp(({ caller }) => digests.push(caller.digest));
    for (const value of ['Bearer abc', 'bearer abc', 'Bearer abd'])
      await get(`${profile}?ticket=1`, { authorization: value });
    expect(new Set(digests).size).toBe(2);
    expect(digests.join()).not.toContain('abc');
  });
});

test('a ticket name arrives as it was sent', async () => {
  const seen: string[] = [];
  const { get } = setUp(({ ticket }) => seen.push(ticket));
  const name = "1' or '1'='1 & 50%25+";
  await get(`${profile}?ticket=${encodeURIComponent(name)}`);
  expect(seen).toEqual([name]);
});

test('whatever of a query is wrong is named, and what was expected', async () => {
  const response = await setUp().get(`${profile}?ticket=${'9'.repeat(141)}&refresh=x`);
  const { code, issues } = await errorOf(response);
  expect([response.status, code, issues?.map((i) => i.field)]).toEqual([400, 'bad_input', ['ticket', 'refresh']]);
  expect(issues?.every((i) => i.message.startsWith('Expected'))).toBe(true);
});

describe('errors', () => {
  test.each(ErrorCode.options)('%s has its status, its code and a request id that is in the log', async (code) => {
    const { get, lines } = setUp(() => {
      throw new AppError(code);
    });
    const response = await get(`${profile}?ticket=1`);
    const data = await errorOf(response);
    expect([response.status, data.code]).toEqual([errorStatuses[code], code]);
    expect(response.headers.get('x-request-id')).toBe(data.request_id);
    // Whoever asked too much, or while the database was away, is told when to come back, in both places; nobody else is.
    const seconds = ['rate_limited', 'store_unavailable', 'helpdesk_rate_limited'].includes(code) ? 1 : undefined;
    expect(data.retry_after_seconds).toBe(seconds);
    expect(response.headers.get('retry-after')).toBe(seconds ? String(seconds) : null);
    expect(lines).toContainEqual(expect.objectContaining({ request_id: data.request_id, code, route: profile }));
  });

  test('an unexpected error tells the caller and the log nothing of its message', async () => {
    const { get, lines } = setUp(() => {
      throw new Error('connect to https://crm.example/rest/1/abcdefgh failed');
    });
    const response = await get(`${profile}?ticket=1`);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('crm.example');
    expect(JSON.stringify(lines)).not.toContain('crm.example');
  });

  test('a conflict names both sides', async () => {
    const conflict = { code: 'other_company_matched', asked: '1', found: '2' } as const;
    const { get } = setUp(() => {
      throw AppError.conflict(conflict);
    });
    const response = await get(`${profile}?ticket=1`);
    expect([response.status, await errorOf(response)]).toMatchObject([409, { code: 'identity_conflict', conflict }]);
  });
});

test('no answer may be kept, framed or sniffed, and no page of another origin may read one', async () => {
  const { get } = setUp();
  for (const path of [`${profile}?ticket=1`, '/livez', '/api/nothing', '/.well-known/deskside']) {
    const { headers } = await get(path, { authorization, origin: 'https://evil.example' });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(headers.get('set-cookie')).toBeNull();
  }
});

test('the log says which endpoint, never what was asked or by whom', async () => {
  const { get, lines } = setUp();
  await get(`${profile}?ticket=61307`);
  expect(lines).toHaveLength(1);
  expect(JSON.stringify(lines)).not.toMatch(/61307|secret/);
});

test.each([
  ['chrome-extension://jhjoljfecgnnofpkppemifcbcoihkgho', true],
  ['moz-extension://ac7e55df-2349-4967-bdd9-71e95296c59e', true],
  ['https://evil.example', false],
  ['https://chrome-extension.example', false],
  ['null', false],
])('what needs no credential may be read by %s: %j', async (origin, isAllowed) => {
  const response = await setUp().get(contract.discovery.path, { origin });
  expect(response.status).toBe(200);
  expect(response.headers.get('access-control-allow-origin')).toBe(isAllowed ? origin : null);
});

test.each([
  ['customerProfile', 'matched', true, 'Customer profile loaded.'],
  ['customerProfile', 'cached', true, 'Customer profile loaded.'],
  ['customerProfile', 'cached', true, 'No CRM company found.', 'not_found'],
  ['customerProfile', 'not_found', true, 'No CRM company found.'],
  ['customerProfile', 'missing_orgid', true, 'No Company ID for CRM lookup.'],
  ['customerProfile', 'disabled', true, 'CRM enrichment is disabled.'],
  ['customerProfile', 'missing_config', true, 'CRM is not configured.'],
  ['customerProfile', 'error', true, 'CRM fetch failed.'],
  ['enrichCompany', 'missing_orgid', true, 'No orgid supplied.'],
  ['enrichCompany', 'disabled', true, 'CRM enrichment is disabled.'],
  ['enrichCompany', 'missing_config', true, 'CRM webhook is not configured.'],
  ['enrichCompany', 'cached', true, 'CRM check skipped by TTL.'],
  ['enrichCompany', 'not_found', true, 'No CRM company found.'],
  ['enrichCompany', 'error', false, 'CRM company fetch failed.'],
  ['enrichCompany', 'matched', true, 'CRM company data synced.'],
  ['storeUrlEnrich', 'found', true, 'Org id found.'],
  ['storeUrlEnrich', 'not_found', true, 'No org id found.'],
  ['storeUrlEnrich', 'failed', false, 'No org id found, and a store address did not respond.'],
] as const)(
  '%s answers %s as HTTP 200 with success %j: %s',
  async (name, status, success, message, outcome?: string) => {
    const data = { status, pending: ['haravan'], bitrix: { status, outcome, lookup_trust: null, also_named: [] } };
    const app = testApp({ verbs: { [name]: async () => data } });
    const { method, path } = contract[name];
    const response = await app.request(`${path}?ticket=1`, { method, headers: { authorization } });
    expect([response.status, await response.json()]).toEqual([200, { success, data, message }]);
  },
);

test.each(['', '1', String(contractRevision - 1), String(contractRevision + 1), 'two'])(
  'an extension of revision %j is told that it does not fit, before anything is done; one of ours is served',
  async (revision) => {
    const asked: string[] = [];
    const { get } = setUp(({ ticket }) => asked.push(ticket));
    const response = await get(`${profile}?ticket=7`, { authorization, [revisionHeader]: revision });
    expect([response.status, (await errorOf(response)).code, asked]).toEqual([409, 'other_revision', []]);
    const ours = { authorization, [revisionHeader]: String(contractRevision) };
    expect((await get(`${profile}?ticket=7`, ours)).status).toBe(200);
  },
);

test('of anonymous requests that are refused one a minute is logged, with how many before it were not', async () => {
  const { app, get, lines, now } = setUp();
  const ask = async (path: string = profile, given = '') => {
    expect((await get(path, { authorization: given })).status).toBe(401);
    return lines.splice(0).map(({ status, code, unlogged }) => ({ status, code, unlogged }));
  };
  const line = { status: 401, code: 'unauthenticated' };
  expect(await ask()).toEqual([{ ...line, unlogged: undefined }]);
  now.ms = 59_999;
  expect(await ask(profile, 'Basic a2V5OnNlY3JldA==')).toEqual([]);
  expect(await ask('/metrics', 'Bearer another')).toEqual([]);
  now.ms = 60_000;
  expect(await ask()).toEqual([{ ...line, unlogged: 2 }]);
  now.ms = 120_000;
  expect(await ask()).toEqual([{ ...line, unlogged: undefined }]);
  // So are those of addresses that are none, or with another method, each by itself.
  for (let nth = 0; nth < 3; nth += 1) {
    expect((await get('/nowhere')).status).toBe(404);
    expect((await app.request('/livez', { method: 'DELETE' })).status).toBe(405);
  }
  expect(lines.splice(0).map(({ code }) => code)).toEqual(['route_not_found', 'method_not_allowed']);
  now.ms = 180_000;
  await get('/nowhere');
  expect(lines.splice(0)).toMatchObject([{ code: 'route_not_found', unlogged: 2 }]);
  // Whoever has a credential is logged each time, refused or not.
  for (let nth = 0; nth < 3; nth += 1) await get(profile);
  expect(lines.map(({ status }) => status)).toEqual([400, 400, 400]);
});

test('those who are told to come back later are logged so, too: an invented token is refused by that after a hundred others', async () => {
  const { get, lines } = setUp(() => {
    throw AppError.rateLimited(1);
  });
  for (let nth = 0; nth < 3; nth += 1) expect((await get(`${profile}?ticket=1`)).status).toBe(429);
  expect(lines.map(({ code }) => code)).toEqual(['rate_limited']);
});
