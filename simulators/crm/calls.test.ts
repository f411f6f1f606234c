import { expect, test } from 'vitest';
import { parsePhpQuery } from './http/request.ts';
import { call, crmForTest } from './testing/kit.ts';

test('a query is read as PHP reads it: brackets nest, empty ones count up, values are decoded once', () => {
  expect(parsePhpQuery('filter[%3EID]=5&filter[@ID][]=1&filter[@ID][]=2&select[]=ID&start=-1&a=%2526')).toEqual({
    filter: { '>ID': '5', '@ID': ['1', '2'] },
    select: ['ID'],
    start: '-1',
    a: '%26',
  });
});

interface Batch {
  result: Record<string, unknown>;
  result_error: Record<string, { error: unknown }>;
}

async function batch(url: string, cmd: unknown, halt = 0): Promise<Batch> {
  const { status, body } = await call(url, 'batch', { cmd, halt });
  expect(status).toBe(200);
  return body.result as Batch;
}

test('in a batch, what cannot be resolved travels on as text, so that user.get lists everybody', async () => {
  const { webhookUrl } = await crmForTest();
  const { result, result_error } = await batch(webhookUrl, {
    org: 'crm.company.list?filter[UF_CRM_COMPANY_ID]=404404&start=-1',
    owner: 'user.get?filter[ID]=$result[org][0][ASSIGNED_BY_ID]',
    people: 'crm.contact.list?filter[COMPANY_ID]=$result[org][0][ID]',
  });
  expect(result).toMatchObject({ org: [], people: [] });
  expect((result.owner as unknown[]).length).toBeGreaterThan(5);
  expect(result_error).toEqual([]);
});

test('errors of a batch stand by command; halt leaves out what follows; numbered aliases are lists', async () => {
  const { crmOnlyWebhookUrl: url } = await crmForTest();
  const cmd = { a: 'user.get?ID=338', b: 'crm.nothing', c: 'batch?cmd[x]=scope', d: 'scope' };
  const { result, result_error } = await batch(url, cmd);
  expect(result).toEqual({ d: ['crm'] });
  expect(Object.values(result_error).map((e) => e.error)).toEqual([
    ...['insufficient_scope', 'ERROR_METHOD_NOT_FOUND', 'ERROR_BATCH_METHOD_NOT_ALLOWED'],
  ]);
  const halted = await batch(url, cmd, 1);
  expect([halted.result, Object.keys(halted.result_error)]).toEqual([[], ['a']]);
  expect((await batch(url, ['scope', 'server.time'])).result).toHaveLength(2);
  const many = Object.fromEntries(Array.from({ length: 52 }, (_, i) => [`c${i}`, 'scope']));
  expect((await batch(url, many)).result_error).toMatchObject({ c50: { error: 'ERROR_BATCH_LENGTH_EXCEEDED' } });
});

test.each([
  ['standard', 50, 2],
  ['enterprise', 250, 5],
] as const)(
  'plan %s: %i at once, then %i each second, for all webhooks together',
  async (plan, capacity, perSecond) => {
    let now = 1_000_000;
    const crm = await crmForTest({ plan, now: () => now });
    const served = async (count: number) => {
      const urls = [crm.webhookUrl, crm.responsibleWebhookUrl];
      const calls = Array.from({ length: count }, (_, i) => call(urls[i % 2] ?? '', 'scope'));
      return (await Promise.all(calls)).filter(({ status }) => status === 200).length;
    };
    expect(await served(capacity + 3)).toBe(capacity);
    expect(crm.journal.at(-1)).toMatchObject({ status: 503, error: 'QUERY_LIMIT_EXCEEDED' });
    now += 3_000;
    expect(await served(perSecond * 3 + 2)).toBe(perSecond * 3);
  },
);

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
