import { expect, test } from 'vitest';
import { call, crmForTest } from '#crm/testing/kit.ts';

interface Batch {
  result: Record<string, unknown>;
  result_error: Record<string, { error: unknown }>;
  result_total: unknown;
  result_next: unknown;
  result_time: Record<string, unknown>;
}

async function batch(url: string, cmd: unknown, halt = 0): Promise<Batch> {
  const { status, body } = await call(url, 'batch', { cmd, halt });
  expect(status).toBe(200);
  return body.result as Batch;
}

test('a later command quotes an earlier result', async () => {
  const { webhookUrl } = await crmForTest();
  const { result, result_error, result_time } = await batch(webhookUrl, {
    org: 'crm.company.list?filter[UF_CRM_COMPANY_ID]=200000376001&select[]=ASSIGNED_BY_ID&start=-1',
    owner: 'user.get?filter%5BID%5D=%24result%5Borg%5D%5B0%5D%5BASSIGNED_BY_ID%5D',
    people: 'crm.contact.list?filter[COMPANY_ID]=$result[org][0][ID]&select[]=COMPANY_ID',
  });
  expect(result.owner).toMatchObject([{ ID: '341' }]);
  expect(result.people).toMatchObject([{ COMPANY_ID: '63002' }, { COMPANY_ID: '63002' }]);
  expect(result_error).toEqual([]);
  expect(Object.keys(result_time)).toEqual(['org', 'owner', 'people']);
});

test('what cannot be resolved travels on as text, so that user.get lists everybody', async () => {
  const { webhookUrl } = await crmForTest();
  const { result, result_error } = await batch(webhookUrl, {
    org: 'crm.company.list?filter[UF_CRM_COMPANY_ID]=404404&start=-1',
    owner: 'user.get?filter[ID]=$result[org][0][ASSIGNED_BY_ID]',
    people: 'crm.contact.list?filter[COMPANY_ID]=$result[org][0][ID]',
  });
  expect(result.org).toEqual([]);
  expect((result.owner as unknown[]).length).toBeGreaterThan(5);
  expect(result.people).toEqual([]);
  expect(result_error).toEqual([]);
});

test('errors stand by command; halt leaves out what follows', async () => {
  const { crmOnlyWebhookUrl: url } = await crmForTest();
  const cmd = { a: 'user.get?ID=338', b: 'crm.nothing', c: 'batch?cmd[x]=scope', d: 'scope' };
  const { result, result_error } = await batch(url, cmd);
  expect(result).toEqual({ d: ['crm'] });
  expect(Object.values(result_error).map((e) => e.error)).toEqual([
    'insufficient_scope',
    'ERROR_METHOD_NOT_FOUND',
    'ERROR_BATCH_METHOD_NOT_ALLOWED',
  ]);
  const halted = await batch(url, cmd, 1);
  expect(halted.result).toEqual([]);
  expect(Object.keys(halted.result_error)).toEqual(['a']);
});

test('numbered aliases come back as lists; more than 50 commands fail one by one', async () => {
  const { webhookUrl } = await crmForTest();
  const numbered = await batch(webhookUrl, ['scope', 'server.time']);
  expect(numbered.result).toHaveLength(2);
  const many = Object.fromEntries(Array.from({ length: 52 }, (_, i) => [`c${i}`, 'scope']));
  const { result, result_error } = await batch(webhookUrl, many);
  expect(Object.keys(result)).toHaveLength(50);
  expect(result_error).toMatchObject({ c50: { error: 'ERROR_BATCH_LENGTH_EXCEEDED' }, c51: {} });
});
