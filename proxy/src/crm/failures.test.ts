import { inspect } from 'node:util';
import type { CrmErrorCode } from '@deskside/shared/status';
import { type CrmFault, crmFaults } from '@deskside/simulators/crm/faults';
import { describe, expect, test } from 'vitest';
import type { Upstream } from '#net/egress.ts';
import type { FieldOrder } from './answer.ts';
import { codeOfException, RestClient } from './rest.ts';
import { bitrixForTest, bitrixOn, findCompanies, findUser, orgId, unhurried } from './testing/kit.ts';
import { companyIdFirst, platformFirst } from './testing/test-answer.ts';

const gom = orgId('200000376001');
const unknown = orgId('1999999999');

const codes: Record<CrmFault, CrmErrorCode> = {
  hang: 'timeout',
  slow_body: 'timeout',
  cut: 'unreachable',
  truncated: 'unreachable',
  html: 'bad_answer',
  html_502: 'server_error',
  redirect: 'redirected',
  null_result: 'bad_answer',
  limit: 'rate_limited',
  operation_limit: 'operation_limit',
  overload: 'overloaded',
  unauthorized: 'unauthorized',
  no_auth: 'unauthorized',
  insufficient_scope: 'insufficient_scope',
  empty_error: 'bad_answer',
  error_200: 'bad_answer',
  error_100: 'bad_answer',
  server_error: 'server_error',
  huge: 'bad_answer',
  wrong_company: 'bad_answer',
  ignored_filter: 'bad_answer',
};

describe.each(crmFaults)('%s', (fault) => {
  test(`is ${codes[fault]} for companies, owners and searches, there or not, never "empty", and gives no secret away`, async () => {
    const { crm, bitrix } = await bitrixForTest();
    crm.fault = fault;
    const signal = codes[fault] === 'timeout' ? AbortSignal.timeout(200) : unhurried();
    const ask = (order: FieldOrder) => findCompanies(bitrix, [gom, unknown], signal, order);
    const searched = bitrix.searchCompanies([[{ kind: 'name', value: 'không ai tên thế này' }]], signal).then(
      ([answer]) => answer?.failed,
      (error: unknown) => codeOfException(error, signal.aborted),
    );
    const [byCompany, byPlatform, user, nobody, search] = await Promise.all([
      ask(companyIdFirst),
      ask(platformFirst),
      findUser(bitrix, '341', signal),
      findUser(bitrix, '999999', signal),
      searched,
    ]);
    // A portal that ignores the filter still shows the company among its first 50, and that one is the right one.
    const among = fault === 'ignored_filter';
    const failed = { kind: 'failed', code: codes[fault] };
    for (const { companies } of [byCompany, byPlatform]) {
      const found = { companies: [{ fields: { bitrix_id: '63002' } }] };
      expect(companies.get(gom)).toMatchObject(among ? found : failed);
      // An empty list has no row that could be another company's.
      expect(companies.get(unknown)).toMatchObject(fault === 'wrong_company' ? { kind: 'empty' } : failed);
    }
    if (among) expect(user).toMatchObject({ kind: 'found', user: { id: '341' } });
    else expect(user).toEqual(failed);
    if (fault !== 'wrong_company') expect([nobody, search]).toEqual([failed, codes[fault]]);
    const said = inspect([byCompany, byPlatform, user], { depth: 20 });
    for (const secret of crm.secrets) expect(said).not.toContain(secret);
  });
});

test('a caller who has left already costs no request', async () => {
  const { crm, bitrix } = await bitrixForTest();
  const { companies } = await findCompanies(bitrix, [gom], AbortSignal.abort());
  expect(companies.get(gom)).toEqual({ kind: 'failed', code: 'timeout' });
  expect(crm.journal).toEqual([]);
});

test('a portal that is not there is unreachable', async () => {
  const { crm, bitrix } = await bitrixForTest();
  await crm.close();
  const { companies } = await findCompanies(bitrix, [gom]);
  expect(companies.get(gom)).toEqual({ kind: 'failed', code: 'unreachable' });
});

const upstreamOf = (status: number, headers: Record<string, string>, text: string): Upstream => ({
  origin: 'https://crm.example',
  request: async () => ({ status, headers, text }),
});

test.each<[number, unknown, CrmErrorCode]>([
  [200, { error: 'expired_token' }, 'unauthorized'],
  [200, { error: 'QUERY_LIMIT_EXCEEDED' }, 'rate_limited'],
  [400, { error: '', error_description: 'ACCESS DENIED.' }, 'insufficient_scope'],
  [400, { error: 0 }, 'bad_answer'],
  [400, { error: null }, 'bad_answer'],
  [400, { error: 'constructor' }, 'bad_answer'],
  [404, { error: 'ERROR_METHOD_NOT_FOUND' }, 'bad_answer'],
  [403, '<html>blocked</html>', 'unauthorized'],
  [503, '', 'server_error'],
  [204, '', 'bad_answer'],
  [200, [], 'bad_answer'],
  [200, 'null', 'bad_answer'],
  [200, { result: [] }, 'bad_answer'],
  [200, { result: { result: [], result_error: [] } }, 'bad_answer'],
  [200, { result: { result: [[], []], result_error: [] } }, 'bad_answer'],
  [200, { result: { result: { company0: {}, company1: 'x' }, result_error: [] } }, 'bad_answer'],
  [200, { result: { result: { company0: null, company1: [null] }, result_error: [] } }, 'bad_answer'],
  [
    200,
    { result: { result: { company0: [{ ID: '1' }], company1: [{ ID: '2', UF_CRM_COMPANY_ID: '7' }] } } },
    'bad_answer',
  ],
])('status %i with %j is %s for every org id', async (status, body, code) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const { companies } = await findCompanies(bitrixOn(upstreamOf(status, {}, text)), [gom, unknown]);
  for (const id of [gom, unknown]) expect(companies.get(id)).toMatchObject({ kind: 'failed', code });
});

test.each<[number, Record<string, string>, string, object]>([
  [429, { 'retry-after': '7' }, '<html>slow down</html>', { code: 'rate_limited', retryAfterMs: 7_000 }],
  [503, { 'retry-after': '3' }, '{"error":"QUERY_LIMIT_EXCEEDED"}', { code: 'rate_limited', retryAfterMs: 3_000 }],
  [429, { 'retry-after': '99999' }, '', { code: 'rate_limited', retryAfterMs: 600_000 }],
  [429, { 'retry-after': 'soon' }, '', { code: 'rate_limited', retryAfterMs: null }],
  [429, {}, '', { code: 'rate_limited', retryAfterMs: null }],
  [200, { 'content-type': 'text/html' }, ' <!DOCTYPE html><p>Sign in', { code: 'bad_answer', isPage: true }],
  [200, {}, '\ufeff<html lang="en">', { code: 'bad_answer', isPage: true }],
  [502, {}, '<html>', { code: 'server_error', isPage: true }],
  [200, {}, 'OK', { code: 'bad_answer', isPage: false }],
])('status %i with %j and %j is told as what it is', async (status, headers, text, told) => {
  const webhook = { origin: 'https://crm.example', userId: '1', secret: 's3cr3t0key' };
  await expect(
    new RestClient(upstreamOf(status, headers, text), [webhook]).call('scope', {}, unhurried()),
  ).rejects.toMatchObject(told);
});
