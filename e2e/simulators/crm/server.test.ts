import { describe, expect, test } from 'vitest';
import type { CrmRecord } from '#seed/types.ts';
import type { CrmSimulator } from './simulator.ts';
import { call, crmForTest } from './testing/kit.ts';

const rows = (body: Record<string, unknown>) => body.result as CrmRecord[];
const byOrgId = (id: string) => ({
  filter: { UF_CRM_COMPANY_ID: id },
  order: { DATE_MODIFY: 'DESC', ID: 'DESC' },
  start: -1,
});

describe('transport', () => {
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
    expect(body.time).toMatchObject({ duration: expect.any(Number), operating: expect.any(Number) });
  });

  test.each([
    ['a wrong secret', 401, 'INVALID_CREDENTIALS', 'rest/57001/wrongsecret/', 'crm.company.list', {}],
    ['another user', 401, 'INVALID_CREDENTIALS', 'rest/1/canarymainsecret01/', 'crm.company.list', {}],
    ['an unknown method', 404, 'ERROR_METHOD_NOT_FOUND', null, 'crm.nothing', {}],
    ['an order that is no map', 400, '', null, 'crm.company.list', { order: 'ID' }],
  ])('%s', async (_, status, error, path, method, params) => {
    const crm = await crmForTest();
    const answer = await call(path ? `${crm.url}/${path}` : crm.webhookUrl, method, params);
    expect(answer).toMatchObject({ status, body: { error, error_description: expect.any(String) } });
    expect(answer.body).not.toHaveProperty('result');
  });

  test('each webhook has its scopes', async () => {
    const crm = await crmForTest();
    const denied = { status: 401, body: { error: 'insufficient_scope' } };
    expect(await call(crm.crmOnlyWebhookUrl, 'user.get', { FILTER: { ID: 338 } })).toMatchObject(denied);
    expect(await call(crm.responsibleWebhookUrl, 'crm.company.list')).toMatchObject(denied);
    expect((await call(crm.webhookUrl, 'scope')).body.result).toEqual(['crm', 'user_basic']);
    crm.scopes.main = ['user_brief'];
    expect((await call(crm.webhookUrl, 'scope')).body.result).toEqual(['user_brief']);
    expect(await call(crm.webhookUrl, 'crm.company.list')).toMatchObject(denied);
    crm.fault = ({ webhook }) => (webhook === 'main' ? 'no_auth' : null);
    expect(await call(crm.webhookUrl, 'scope')).toMatchObject({ status: 401, body: { error: 'NO_AUTH_FOUND' } });
    expect((await call(crm.crmOnlyWebhookUrl, 'server.time')).body.result).toMatch(/\+03:00$/);
  });
});

describe('search by e-mail or phone', () => {
  const find = async (params: unknown) => {
    const { webhookUrl } = await crmForTest();
    return call(webhookUrl, 'crm.duplicate.findbycomm', params);
  };

  test.each([
    [
      'companies of an address',
      { type: 'EMAIL', values: ['SHOP@gomlangmo.example'], entity_type: 'COMPANY' },
      { COMPANY: [63_002] },
    ],
    ['all kinds, those with a find', { type: 'EMAIL', values: ['owner@gomlangmo.example'] }, { CONTACT: [7_003] }],
    ['nothing, as an empty list', { type: 'EMAIL', values: ['nobody@gomlangmo.example'] }, []],
    ['a number by its digits', { type: 'PHONE', values: ['+84 (900) 000-002'] }, { COMPANY: [63_002] }],
    ['not by another prefix', { type: 'PHONE', values: ['0900000002'], entity_type: 'COMPANY' }, []],
    [
      'several values',
      { type: 'PHONE', values: ['84900000002', '84900000003'], entity_type: 'COMPANY' },
      { COMPANY: [63_002, 63_003] },
    ],
  ])('%s', async (_, params, result) => expect((await find(params)).body).toMatchObject({ result }));

  test.each([
    ['no type', { values: ['1'] }],
    ['another type', { type: 'WEB', values: ['1'] }],
    ['no values', { type: 'EMAIL', values: [] }],
    ['values that are no list', { type: 'EMAIL', values: 'a@b.example' }],
  ])('%s is an error without a code', async (_, params) =>
    expect(await find(params)).toMatchObject({ status: 400, body: { error: '' } }),
  );

  test('the twenty oldest of a kind, which hide the kinds behind it', async () => {
    const crm = await crmForTest();
    const EMAIL = [{ VALUE: 'chung@x.example' }];
    for (let id = 90_030; id > 90_000; id -= 1) crm.putContact({ ID: String(id), EMAIL });
    crm.putCompany({ ID: '95001', EMAIL });
    const ask = (params: object) =>
      call(crm.webhookUrl, 'crm.duplicate.findbycomm', { type: 'EMAIL', values: ['chung@x.example'], ...params });
    const oldest = Array.from({ length: 20 }, (_, n) => 90_001 + n);
    expect((await ask({})).body.result).toEqual({ CONTACT: oldest });
    expect((await ask({ entity_type: 'COMPANY' })).body.result).toEqual({ COMPANY: [95_001] });
  });
});

describe('companies', () => {
  test('an org id finds its companies, newest first, equal ones by id; multi fields only when named', async () => {
    const { webhookUrl } = await crmForTest();
    const ids = async (orgId: string) =>
      rows((await call(webhookUrl, 'crm.company.list', byOrgId(orgId))).body).map((r) => r.ID);
    expect(await ids('1900000017')).toEqual(['63006', '63101']);
    expect(await ids('1000700220')).toEqual(['63102', '63020']);
    expect(await ids('1900000001')).toEqual(['63005']);
    expect(await ids('1000500108')).toEqual(['63008']);
    const [plain] = rows((await call(webhookUrl, 'crm.company.list', byOrgId('1000069001'))).body);
    expect(plain).toHaveProperty('UF_CRM_STORENAME');
    expect(plain).not.toHaveProperty('EMAIL');
  });

  test('pages have 50 rows; start -1 counts nothing and names no next page', async () => {
    const crm = await crmForTest();
    for (let id = 90_001; id <= 90_100; id += 1) crm.putCompany({ ID: String(id), TITLE: 'Thêm' });
    const page = async (start: number) =>
      (await call(crm.webhookUrl, 'crm.company.list', { filter: { '>ID': 90_000 }, order: { ID: 'ASC' }, start })).body;
    expect(await page(0)).toMatchObject({ total: 100, next: 50 });
    const last = await page(50);
    expect(last).not.toHaveProperty('next');
    expect(
      rows(last)
        .map((r) => r.ID)
        .at(-1),
    ).toBe('90100');
    const uncounted = await page(-1);
    expect(uncounted).toMatchObject({ total: 0 });
    expect(uncounted).not.toHaveProperty('next');
    expect(rows(uncounted)).toHaveLength(50);
  });

  test('an unknown filter field is ignored, or refused where so set', async () => {
    const crm = await crmForTest();
    const ask = () => call(crm.webhookUrl, 'crm.company.list', { filter: { UF_CRM_TYPO: '1' } });
    expect(rows((await ask()).body).length).toBeGreaterThan(30);
    crm.unknownFilterField = 'error';
    expect(await ask()).toMatchObject({ status: 400, body: { error: 'INVALID_ARG_VALUE' } });
  });

  test('a field that the portal lacks is neither described, listed nor filtered by', async () => {
    const crm = await crmForTest();
    const { webhookUrl } = crm;
    crm.absentFields.add('UF_CRM_COMPANY_ID');
    const result = async (method: string, params = {}) => (await call(webhookUrl, method, params)).body.result;
    expect(await result('crm.company.fields')).not.toHaveProperty('UF_CRM_COMPANY_ID');
    const filter = { FIELD_NAME: 'UF_CRM_COMPANY_ID' };
    expect(await result('crm.company.userfield.list', { filter })).toEqual([]);
    const { body } = await call(webhookUrl, 'crm.company.list', byOrgId('1900000017'));
    expect(rows(body).length).toBeGreaterThan(2);
    expect(rows(body)[0]).not.toHaveProperty('UF_CRM_COMPANY_ID');
  });

  test('fields and custom fields are described', async () => {
    const { webhookUrl } = await crmForTest();
    const result = async (method: string, params = {}) => (await call(webhookUrl, method, params)).body.result;
    expect(await result('crm.company.fields')).toMatchObject({
      UF_CRM_1778130421650: {
        type: 'enumeration',
        isDynamic: true,
        items: expect.arrayContaining([{ ID: '15092', VALUE: 'Medium' }]),
      },
    });
    const filter = { FIELD_NAME: 'UF_CRM_1778130421650', LANG: 'vi' };
    expect(await result('crm.company.userfield.list', { filter })).toMatchObject([
      { LIST: expect.arrayContaining([expect.objectContaining({ ID: '15092' })]), EDIT_FORM_LABEL: expect.any(String) },
    ]);
  });

  test('a file field carries the secret of the webhook that asks, as portals do', async () => {
    const { webhookUrl, secrets } = await crmForTest();
    const { body } = await call(webhookUrl, 'crm.company.list', { filter: { ID: 63002 } });
    expect(JSON.stringify(body)).toContain(secrets[0]);
  });

  test('the company card has a page, its text escaped', async () => {
    const { url } = await crmForTest();
    const page = await (await fetch(`${url}/crm/company/details/63021/`)).text();
    expect(page).toContain('&lt;script&gt;');
    expect(page).not.toContain('<script>');
    expect((await fetch(`${url}/crm/company/details/1/`)).status).toBe(404);
  });
});

describe('users', () => {
  const get = async (url: string, params: object) => rows((await call(url, 'user.get', params)).body);

  test('by filter or top-level id; dismissed ones come too, hidden ones and unknown ones never', async () => {
    const { webhookUrl } = await crmForTest();
    expect(await get(webhookUrl, { FILTER: { ID: 338 } })).toMatchObject([
      { ID: '338', ACTIVE: true, TIMESTAMP_X: {} },
    ]);
    expect(await get(webhookUrl, { ID: '352' })).toMatchObject([{ ID: '352', ACTIVE: false }]);
    expect(await get(webhookUrl, { filter: { ID: ['338', '341'] } })).toHaveLength(2);
    expect(await get(webhookUrl, { filter: { ID: '352', ACTIVE: true } })).toEqual([]);
    expect(await get(webhookUrl, { ID: '367' })).toEqual([]);
    expect(await get(webhookUrl, { ID: '999999' })).toEqual([]);
  });

  test('an id that is no number filters nothing: everybody is listed', async () => {
    const { webhookUrl } = await crmForTest();
    for (const id of ['', '$result[a][0][ASSIGNED_BY_ID]'])
      expect((await get(webhookUrl, { filter: { ID: id } })).length).toBeGreaterThan(5);
  });

  test('columns follow the scope', async () => {
    const { responsibleWebhookUrl } = await crmForTest();
    const [user] = await get(responsibleWebhookUrl, { ID: 338 });
    expect(user).toHaveProperty('EMAIL');
    expect(user).not.toHaveProperty('LAST_LOGIN');
  });
});

describe('journal', () => {
  test('one entry per request, with the commands of a batch and which webhook it was', async () => {
    const crm = await crmForTest();
    await call(crm.webhookUrl, 'batch', { cmd: { a: 'server.time', b: 'user.get?ID=1' } });
    await call(`${crm.url}/rest/1/nobody/`, 'scope');
    expect(crm.journal).toMatchObject([
      { method: 'batch', commands: ['server.time', 'user.get'], status: 200, error: null, webhook: 'main' },
      { method: 'scope', status: 401, error: 'INVALID_CREDENTIALS', webhook: null },
    ]);
    crm.clearJournal();
    expect(crm.journal).toEqual([]);
  });
});

describe('fields as portals have them', () => {
  const found = async (crm: CrmSimulator, id: string) =>
    rows((await call(crm.webhookUrl, 'crm.company.list', byOrgId(id))).body).map(({ ID }) => ID);

  test('a field of several values is found by each of them, and given as a list', async () => {
    const crm = await crmForTest();
    crm.fieldTypes.set('UF_CRM_COMPANY_ID', { type: 'string', multiple: true });
    crm.putCompany({ ID: '1', UF_CRM_COMPANY_ID: ['410000001', '410000002'] });
    for (const id of ['410000001', '410000002']) expect(await found(crm, id)).toEqual(['1']);
    expect(await found(crm, '41000000')).toEqual([]);
    const { body } = await call(crm.webhookUrl, 'crm.company.fields');
    expect(body.result).toMatchObject({ UF_CRM_COMPANY_ID: { type: 'string', isMultiple: true } });
  });

  test('a number is found whatever its decimals, a text only as it is but for signs without width', async () => {
    const crm = await crmForTest();
    crm.putCompany({ ID: '1', UF_CRM_COMPANY_ID: '470000002.0000000' });
    crm.putCompany({ ID: '2', UF_CRM_COMPANY_ID: '\u200b470000003' });
    expect(await found(crm, '470000002')).toEqual([]);
    expect(await found(crm, '470000003')).toEqual(['2']);
    crm.fieldTypes.set('UF_CRM_COMPANY_ID', { type: 'double', multiple: false });
    expect(await found(crm, '470000002')).toEqual(['1']);
  });

  test('a page of contacts ends at 50', async () => {
    const crm = await crmForTest();
    for (let n = 1; n <= 51; n += 1) crm.putContact({ ID: String(90_000 + n), NAME: `${n}`, COMPANY_ID: '63002' });
    const list = (filter: object) => call(crm.webhookUrl, 'crm.contact.list', { filter, start: -1 });
    expect(rows((await list({ COMPANY_ID: '63002' })).body)).toHaveLength(50);
  });

  test('of users only what is selected', async () => {
    const crm = await crmForTest();
    const { body } = await call(crm.webhookUrl, 'user.get', { FILTER: { ID: '341' }, select: ['EMAIL', 'NONE'] });
    expect(rows(body)).toEqual([{ ID: '341', EMAIL: 'phutrach341@crm.example' }]);
  });
});
