import { AjaxError, ApiVersion, B24Hook } from '@bitrix24/b24jssdk';
import { expect, onTestFinished, test } from 'vitest';
import type { CrmOptions, CrmSimulator } from './server.ts';
import { crmForTest } from './testing/kit.ts';

// The vendor's own client against the simulator: what it understands, in the way it does, is not our reading of the
// documentation alone.

/** The SDK signed in to the simulator by one of its webhooks. */
async function sdkForTest(
  options: Partial<CrmOptions> = {},
  webhookOf: (crm: CrmSimulator) => string = (crm) => crm.webhookUrl,
) {
  const crm = await crmForTest(options);
  const [, , userId, secret = ''] = new URL(webhookOf(crm)).pathname.split('/');
  const b24 = new B24Hook({ b24Url: crm.url, userId: Number(userId), secret });
  b24.offClientSideWarning();
  // It speaks https whatever it is given, as portals do; the simulator has no certificate.
  b24
    .getHttpClient(ApiVersion.v2)
    .ajaxClient.interceptors.request.use((config) => ({ ...config, url: config.url?.replace(/^https:/, 'http:') }));
  onTestFinished(() => b24.destroy());
  return { crm, b24, v2: b24.actions.v2, stats: () => b24.getHttpClient(ApiVersion.v2).getStats() };
}

type Row = Record<string, unknown> & { ID: string };

/** The error code that a call of the SDK ends with. */
async function codeOf(call: Promise<{ isSuccess: boolean }>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (error instanceof AjaxError) return error.code;
    throw error;
  }
  throw new Error('The call succeeded.');
}

test('a filtered and selected list', async () => {
  const { v2 } = await sdkForTest();
  const answer = await v2.call.make<Row[]>({
    method: 'crm.company.list',
    params: { filter: { UF_CRM_COMPANY_ID: '200000376001' }, select: ['ID', 'TITLE', 'EMAIL'], order: { ID: 'DESC' } },
  });
  expect(answer.isSuccess).toBe(true);
  const { result } = answer.getData() ?? {};
  expect(result).toMatchObject([{ ID: '63002', EMAIL: [{ VALUE: 'shop@gomlangmo.example', VALUE_TYPE: 'WORK' }] }]);
  expect(Object.keys(result?.[0] ?? {}).toSorted()).toEqual(['EMAIL', 'ID', 'TITLE']);
});

test('its walk over more than one page meets every company once', async () => {
  const { crm, v2 } = await sdkForTest();
  for (let id = 80_001; id <= 80_120; id += 1) crm.putCompany({ ID: String(id), TITLE: `Shop ${id}` });
  const answer = await v2.callList.make<Row>({ method: 'crm.company.list', idKey: 'ID', params: { select: ['ID'] } });
  const ids = (answer.getData() ?? []).map(({ ID }) => ID);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining(['63002', '80001', '80120']));
  expect(crm.journal.length).toBe(Math.ceil((ids.length + 1) / 50));
});

test('a batch: a later command uses the result of an earlier one, and a failing one fails alone', async () => {
  const { crm, v2 } = await sdkForTest();
  const answer = await v2.batch.make({
    calls: {
      company: { method: 'crm.company.list', params: { filter: { UF_CRM_COMPANY_ID: '200000376001' } } },
      owner: { method: 'user.get', params: { FILTER: { ID: '$result[company][0][ASSIGNED_BY_ID]' } } },
      nothing: { method: 'crm.nothing', params: {} },
    },
    options: { isHaltOnError: false, returnAjaxResult: true },
  });
  expect(answer.isSuccess).toBe(false);
  expect(answer.getErrorMessages()).toEqual(['Method not found!']);
  const parts = answer.getData() as Record<string, { isSuccess: boolean; getData(): { result: Row[] } }>;
  expect(parts.owner?.getData().result).toMatchObject([{ ID: '341', EMAIL: 'phutrach341@crm.example' }]);
  expect(parts.nothing?.isSuccess).toBe(false);
  expect(crm.journal).toHaveLength(1);
});

test('more than fifty commands go out as several batches, each answered in full', async () => {
  const { crm, v2 } = await sdkForTest();
  const calls = Array.from({ length: 60 }, (): ['crm.company.list', object] => [
    'crm.company.list',
    { filter: { ID: '63002' } },
  ]);
  const answer = await v2.batchByChunk.make({ calls, options: { isHaltOnError: false } });
  expect(answer.isSuccess).toBe(true);
  expect(answer.getData()).toHaveLength(60);
  expect(crm.journal.map(({ commands }) => commands?.length)).toEqual([50, 10]);
});

test.each([
  ['a wrong secret', 'INVALID_CREDENTIALS', 'scope', (crm: CrmSimulator) => `${crm.url}/rest/57001/wrongsecret00000/`],
  ['a method that is none', 'ERROR_METHOD_NOT_FOUND', 'crm.nothing', undefined],
  [
    'a scope that is missing',
    'insufficient_scope',
    'crm.company.list',
    (crm: CrmSimulator) => crm.responsibleWebhookUrl,
  ],
])('%s is told by its code', async (_, code, method, webhookOf) => {
  const { crm, v2 } = await sdkForTest({}, webhookOf);
  expect((await codeOf(v2.call.make({ method }))).toLowerCase()).toBe(code.toLowerCase());
  expect(crm.journal).toHaveLength(1);
});

test('"too many requests" is understood as such: it waits and tries again', async () => {
  const { crm, v2, stats } = await sdkForTest();
  crm.fault = () => (crm.journal.length === 1 ? 'limit' : null);
  const answer = await v2.call.make({ method: 'server.time' });
  expect(answer.isSuccess).toBe(true);
  expect(crm.journal.map(({ error }) => error)).toEqual(['QUERY_LIMIT_EXCEEDED', null]);
  expect(stats().limitHits).toBeGreaterThan(0);
});
