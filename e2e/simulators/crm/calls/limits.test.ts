import { expect, test } from 'vitest';
import { call, crmForTest } from '#crm/testing/kit.ts';

test.each([
  ['standard', 50, 2],
  ['enterprise', 250, 5],
] as const)('plan %s: %i at once, then %i each second', async (plan, capacity, perSecond) => {
  let now = 1_000_000;
  const crm = await crmForTest({ plan, now: () => now });
  const statuses = async (count: number) => {
    const answers = await Promise.all(Array.from({ length: count }, () => call(crm.webhookUrl, 'scope')));
    return answers.filter(({ status }) => status === 200).length;
  };
  expect(await statuses(capacity + 3)).toBe(capacity);
  expect(crm.journal.at(-1)).toMatchObject({ status: 503, error: 'QUERY_LIMIT_EXCEEDED' });
  now += 3_000;
  expect(await statuses(perSecond * 3 + 2)).toBe(perSecond * 3);
});

test('both webhooks draw from one bucket', async () => {
  const crm = await crmForTest({ now: () => 0 });
  for (let i = 0; i < 50; i += 1) await call(crm.webhookUrl, 'scope');
  expect((await call(crm.responsibleWebhookUrl, 'scope')).status).toBe(503);
});

test('execution time adds up per webhook and method, blocks at the limit and is released after ten minutes', async () => {
  let now = 1_000_000;
  const crm = await crmForTest({ now: () => now });
  crm.operatingSeconds = { perCall: 300, limit: 480 };
  const list = (url = crm.webhookUrl) => call(url, 'crm.company.list', { filter: { ID: 63001 } });
  expect((await list()).body.time).toMatchObject({ operating: 300, operating_reset_at: 1_600 });
  expect((await list()).body.time).toMatchObject({ operating: 600 });
  expect(await list()).toMatchObject({ status: 429, body: { error: 'OPERATION_TIME_LIMIT' } });
  expect((await list(crm.crmOnlyWebhookUrl)).status).toBe(200);
  expect((await call(crm.webhookUrl, 'crm.company.fields')).status).toBe(200);
  const inBatch = (await call(crm.webhookUrl, 'batch', { cmd: { a: 'crm.company.list' } })).body.result;
  expect(inBatch).toMatchObject({ result_error: { a: { error: 'OPERATION_TIME_LIMIT' } } });
  now += 600_000;
  expect((await list()).status).toBe(200);
});
