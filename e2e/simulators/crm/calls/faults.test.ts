import { expect, test } from 'vitest';
import { call, crmForTest } from '#crm/testing/kit.ts';
import { type CrmFault, crmFaults } from './faults.ts';

async function raw(url: string, init: RequestInit = {}): Promise<{ status: number; text: string }> {
  const response = await fetch(`${url}crm.company.list?filter[ID]=63001`, { redirect: 'manual', ...init });
  return { status: response.status, text: await response.text() };
}

test.each<[CrmFault, number, RegExp]>([
  ['html', 200, /^<!DOCTYPE/],
  ['html_502', 502, /^<!DOCTYPE/],
  ['redirect', 302, /^$/],
  ['null_result', 200, /"result":null/],
  ['limit', 503, /"QUERY_LIMIT_EXCEEDED"/],
  ['operation_limit', 429, /"OPERATION_TIME_LIMIT"/],
  ['overload', 503, /"OVERLOAD_LIMIT"/],
  ['unauthorized', 401, /"INVALID_CREDENTIALS"/],
  ['insufficient_scope', 401, /"insufficient_scope"/],
  ['empty_error', 400, /"error":""/],
  ['error_200', 200, /"error":"/],
  ['error_100', 400, /"error":100/],
  ['server_error', 500, /"INTERNAL_SERVER_ERROR"/],
  ['wrong_company', 200, /"ID":"987654321"/],
  ['ignored_filter', 200, /"ID":"63002"/],
])('%s answers %i', async (fault, status, body) => {
  const crm = await crmForTest();
  crm.fault = fault;
  const answer = await raw(crm.webhookUrl);
  expect(answer.status).toBe(status);
  expect(answer.text).toMatch(body);
  expect(crm.journal).toMatchObject([{ status }]);
});

test('huge is more than 4 MiB of valid JSON', async () => {
  const crm = await crmForTest();
  crm.fault = 'huge';
  const { text } = await raw(crm.webhookUrl);
  expect(text.length).toBeGreaterThan(4 * 2 ** 20);
  expect(JSON.parse(text)).toHaveProperty('result');
});

test.each<CrmFault>(['hang', 'slow_body'])(
  '%s never ends by itself, yet the simulator can be closed',
  async (fault) => {
    const crm = await crmForTest();
    crm.fault = fault;
    const impatient = { signal: AbortSignal.timeout(300) };
    await expect(raw(crm.webhookUrl, impatient)).rejects.toMatchObject({ name: 'TimeoutError' });
  },
);

test.each<CrmFault>(['cut', 'truncated'])('%s breaks the connection', async (fault) => {
  const crm = await crmForTest();
  crm.fault = fault;
  await expect(raw(crm.webhookUrl)).rejects.toBeInstanceOf(TypeError);
});

test('per-command faults stand inside of a batch', async () => {
  const crm = await crmForTest();
  for (const fault of ['operation_limit', 'insufficient_scope'] as const) {
    crm.fault = fault;
    const { status, body } = await call(crm.webhookUrl, 'batch', { cmd: { a: 'crm.company.list' } });
    expect(status).toBe(200);
    expect(body.result).toMatchObject({ result: [], result_error: { a: { error: expect.any(String) } } });
  }
});

test('a function chooses the fault by call', async () => {
  const crm = await crmForTest();
  crm.fault = ({ webhook }) => (webhook === 'responsible' ? 'unauthorized' : null);
  expect((await call(crm.webhookUrl, 'scope')).status).toBe(200);
  expect((await call(crm.responsibleWebhookUrl, 'scope')).status).toBe(401);
});

test('latency delays each answer', async () => {
  const crm = await crmForTest();
  crm.latencyMs = 80;
  const startedAt = performance.now();
  await call(crm.webhookUrl, 'scope');
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(79);
});

test('the list of faults names each once', () => expect(new Set(crmFaults).size).toBe(crmFaults.length));
