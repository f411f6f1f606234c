import { expect, test } from 'vitest';
import type { CrmRecord } from '#seed/types.ts';
import { call, crmForTest } from './testing/kit.ts';

const rows = (body: Record<string, unknown>) => body.result as CrmRecord[];
/** A method's result, on a portal of its own unless one is given. */
async function resultOf(method: string, params: object = {}, url?: string) {
  return (await call(url ?? (await crmForTest()).webhookUrl, method, params)).body.result;
}
const idsOf = async (method: string, filter: object, url?: string) =>
  ((await resultOf(method, { filter, start: -1 }, url)) as CrmRecord[]).map(({ ID }) => ID);

test('GET, form and JSON, with and without suffix and trailing slash, in any case, give the same', async () => {
  const { webhookUrl } = await crmForTest();
  const query = 'FILTER[ID]=63002&SELECT[]=ID&SELECT[]=EMAIL';
  const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: query };
  const asked = [
    fetch(`${webhookUrl}crm.company.list?${query}`),
    fetch(`${webhookUrl}CRM.Company.List.json?${query}`),
    fetch(`${webhookUrl}crm.company.list.json/`, form),
    fetch(`${webhookUrl.replace('/rest/', '/rest/api/')}crm.company.list`, form),
  ];
  for (const response of await Promise.all(asked))
    expect(((await response.json()) as { result: unknown }).result).toMatchObject([{ ID: '63002' }]);
  const { body } = await call(webhookUrl, 'crm.company.list', { filter: { ID: 63002 }, select: ['ID', 'EMAIL'] });
  expect(Object.keys(rows(body)[0] ?? {})).toEqual(['ID', 'EMAIL']);
});

test('each webhook has its scopes', async () => {
  const crm = await crmForTest();
  const denied = { status: 401, body: { error: 'insufficient_scope' } };
  expect(await call(crm.crmOnlyWebhookUrl, 'user.get', { FILTER: { ID: 338 } })).toMatchObject(denied);
  expect(await call(crm.responsibleWebhookUrl, 'crm.company.list')).toMatchObject(denied);
  crm.scopes.main = ['user_brief'];
  expect(await resultOf('scope', {}, crm.webhookUrl)).toEqual(['user_brief']);
  expect(await call(crm.webhookUrl, 'crm.company.list')).toMatchObject(denied);
  expect(await resultOf('server.time', {}, crm.crmOnlyWebhookUrl)).toMatch(/\+03:00$/);
});

const ofCompanies = { entity_type: 'COMPANY' };
test.each([
  [{ type: 'EMAIL', values: ['SHOP@gomlangmo.example'], ...ofCompanies }, { COMPANY: [63_002] }],
  [{ type: 'EMAIL', values: ['owner@gomlangmo.example'] }, { CONTACT: [7_003] }],
  [{ type: 'EMAIL', values: ['nobody@gomlangmo.example'] }, []],
  [{ type: 'PHONE', values: ['+84 (900) 000-002'] }, { COMPANY: [63_002] }],
  [{ type: 'PHONE', values: ['0900000002'], ...ofCompanies }, []],
  [{ type: 'PHONE', values: ['84900000002', '84900000003'], ...ofCompanies }, { COMPANY: [63_002, 63_003] }],
])('crm.duplicate.findbycomm %j', async (params, result) =>
  expect(await resultOf('crm.duplicate.findbycomm', params)).toEqual(result),
);

test.each([
  { values: ['1'] },
  { type: 'WEB', values: ['1'] },
  { type: 'EMAIL', values: [] },
  { type: 'EMAIL', values: 'a' },
])('crm.duplicate.findbycomm %j is an error without a code', async (params) => {
  const { webhookUrl } = await crmForTest();
  expect(await call(webhookUrl, 'crm.duplicate.findbycomm', params)).toMatchObject({
    status: 400,
    body: { error: '' },
  });
});

test('of one address the twenty oldest of a kind are found, which hide the kinds behind it', async () => {
  const crm = await crmForTest();
  const EMAIL = [{ VALUE: 'chung@x.example' }];
  for (let id = 90_030; id > 90_000; id -= 1) crm.putContact({ ID: String(id), EMAIL });
  crm.putCompany({ ID: '95001', EMAIL });
  const ask = (more: object) =>
    resultOf('crm.duplicate.findbycomm', { type: 'EMAIL', values: ['chung@x.example'], ...more }, crm.webhookUrl);
  expect(await ask({})).toEqual({ CONTACT: Array.from({ length: 20 }, (_, n) => 90_001 + n) });
  expect(await ask(ofCompanies)).toEqual({ COMPANY: [95_001] });
});

test.each([
  [{ '=ID': 63001 }, true],
  [{ ID: ['1', '63001'] }, true],
  [{ '@ID': ['1', '2'] }, false],
  [{ '>ID': '9000' }, true],
  [{ '%TITLE': 'hoa mẫu' }, true],
  [{ '=%TITLE': 'Tiệm%1000069001' }, true],
  [{ '%=TITLE': 'Tiệm_Hoa%' }, true],
  [{ UF_CRM_PLATFORM_ORG_ID: '1000069001' }, true],
  [{ UF_CRM_COMPANY_ID: '1000' }, true],
  [{ UF_CRM_CHANNELS: '' }, true],
  [{ EMAIL: 'shop@x.example' }, true],
  [{ '%EMAIL': 'x.example' }, false],
  [{ '%EMAIL': 'shop@x.example' }, true],
  [{ '>DATE_MODIFY': '2026-05-05T18:40:09+00:00' }, true],
  [{ '>DATE_MODIFY': '2026-05-05T18:40:10Z' }, false],
  [{ ID: '63001', TITLE: 'other' }, false],
  [{ UF_CRM_TYPO: '1' }, true],
])('the filter %j: %j', async (filter, expected) => {
  const crm = await crmForTest({ seed: { companies: [], contacts: [], users: [] } });
  crm.putCompany({
    ...{ ID: '63001', TITLE: 'Tiệm Hoa Mẫu - 1000069001', DATE_MODIFY: '2026-05-05T21:40:10+03:00' },
    ...{ UF_CRM_PLATFORM_ORG_ID: 1_000_069_001, UF_CRM_COMPANY_ID: '1000 ', UF_CRM_CHANNELS: false },
    EMAIL: [{ VALUE: 'shop@x.example' }],
  });
  expect(await idsOf('crm.company.list', filter, crm.webhookUrl)).toEqual(expected ? ['63001'] : []);
});

test('newest first, equal ones by id; multi fields only when named', async () => {
  const order = { DATE_MODIFY: 'DESC', ID: 'DESC' };
  for (const [orgId, ids] of [
    ['1900000017', ['63006', '63101']],
    ['1000700220', ['63102', '63020']],
  ]) {
    const found = (await resultOf('crm.company.list', { filter: { UF_CRM_COMPANY_ID: orgId }, order })) as CrmRecord[];
    expect(found.map(({ ID }) => ID)).toEqual(ids);
    expect(found[0]).toHaveProperty('UF_CRM_STORENAME');
    expect(found[0]).not.toHaveProperty('EMAIL');
  }
});

test('pages have 50 rows; start -1 counts nothing and names no next page', async () => {
  const crm = await crmForTest();
  for (let id = 90_001; id <= 90_100; id += 1) crm.putCompany({ ID: String(id), TITLE: 'Thêm' });
  const page = async (start: number) =>
    (await call(crm.webhookUrl, 'crm.company.list', { filter: { '>ID': 90_000 }, order: { ID: 'ASC' }, start })).body;
  expect(await page(0)).toMatchObject({ total: 100, next: 50 });
  const [last, uncounted] = [await page(50), await page(-1)];
  expect(rows(last).at(-1)?.ID).toBe('90100');
  expect(uncounted).toMatchObject({ total: 0 });
  for (const body of [last, uncounted]) expect(body).not.toHaveProperty('next');
  expect(rows(uncounted)).toHaveLength(50);
});

test('a field that the portal lacks is neither described, listed nor filtered by', async () => {
  const { absentFields, webhookUrl } = await crmForTest();
  absentFields.add('UF_CRM_COMPANY_ID');
  expect(await resultOf('crm.company.fields', {}, webhookUrl)).not.toHaveProperty('UF_CRM_COMPANY_ID');
  const filter = { FIELD_NAME: 'UF_CRM_COMPANY_ID' };
  expect(await resultOf('crm.company.userfield.list', { filter }, webhookUrl)).toEqual([]);
  const { body } = await call(webhookUrl, 'crm.company.list', { filter: { UF_CRM_COMPANY_ID: '1900000017' } });
  expect(rows(body).length).toBeGreaterThan(2);
  expect(rows(body)[0]).not.toHaveProperty('UF_CRM_COMPANY_ID');
});

test('a field of several values is found by each of them; a number whatever its decimals; a text as it is', async () => {
  const crm = await crmForTest();
  const found = (id: string) => idsOf('crm.company.list', { UF_CRM_COMPANY_ID: id }, crm.webhookUrl);
  crm.fieldTypes.set('UF_CRM_COMPANY_ID', { type: 'string', multiple: true });
  crm.putCompany({ ID: '1', UF_CRM_COMPANY_ID: ['410000001', '410000002'] });
  crm.putCompany({ ID: '2', UF_CRM_COMPANY_ID: '\u200b470000003' });
  crm.putCompany({ ID: '3', UF_CRM_COMPANY_ID: '470000002.0000000' });
  expect([await found('410000001'), await found('410000002'), await found('41000000')]).toEqual([['1'], ['1'], []]);
  expect(await resultOf('crm.company.fields', {}, crm.webhookUrl)).toMatchObject({
    UF_CRM_COMPANY_ID: { type: 'string', isMultiple: true },
  });
  expect([await found('470000002'), await found('470000003')]).toEqual([[], ['2']]);
  crm.fieldTypes.set('UF_CRM_COMPANY_ID', { type: 'double', multiple: false });
  expect(await found('470000002')).toEqual(['3']);
});

test('a file field carries the secret of the webhook that asks, as portals do', async () => {
  const { webhookUrl, secrets } = await crmForTest();
  const answer = await call(webhookUrl, 'crm.company.list', { filter: { ID: 63002 } });
  expect(JSON.stringify(answer.body)).toContain(secrets[0]);
});

test('people by filter or top-level id; dismissed ones come too, hidden ones and unknown ones never', async () => {
  const { webhookUrl } = await crmForTest();
  const get = async (params: object) =>
    ((await resultOf('user.get', params, webhookUrl)) as CrmRecord[]).map((u) => u.ID);
  expect(await get({ FILTER: { ID: 338 } })).toEqual(['338']);
  expect(await get({ ID: '352' })).toEqual(['352']);
  expect(await get({ filter: { ID: ['338', '341'] } })).toHaveLength(2);
  for (const filter of [{ ID: '352', ACTIVE: true }, { ID: '367' }, { ID: '999999' }])
    expect(await get({ filter })).toEqual([]);
  // An id that is no number filters nothing: everybody is listed.
  for (const ID of ['', '$result[a][0][ASSIGNED_BY_ID]'])
    expect((await get({ filter: { ID } })).length).toBeGreaterThan(5);
});

test('columns of people follow the scope, and what is selected', async () => {
  const crm = await crmForTest();
  const [user] = (await resultOf('user.get', { ID: 338 }, crm.responsibleWebhookUrl)) as CrmRecord[];
  expect(user).toHaveProperty('EMAIL');
  expect(user).not.toHaveProperty('LAST_LOGIN');
  const selected = { FILTER: { ID: '341' }, select: ['EMAIL', 'NONE'] };
  expect(await resultOf('user.get', selected)).toEqual([{ ID: '341', EMAIL: 'phutrach341@crm.example' }]);
});

test('the journal has one entry per request, with the commands of a batch and which webhook it was', async () => {
  const crm = await crmForTest();
  await call(crm.webhookUrl, 'batch', { cmd: { a: 'server.time', b: 'user.get?ID=1' } });
  await call(`${crm.url}/rest/1/nobody/`, 'scope');
  expect(crm.journal).toMatchObject([
    { method: 'batch', commands: ['server.time', 'user.get'], status: 200, error: null, webhook: 'main' },
    { method: 'scope', status: 401, error: 'INVALID_CREDENTIALS', webhook: null },
  ]);
});
