import { inspect } from 'node:util';
import type { CrmErrorCode } from '@deskside/shared/status';
import { describe, expect, test } from 'vitest';
import type { Upstream } from '#net/egress.ts';
import { FieldMap } from './company.ts';
import { bitrixForTest, bitrixOn, findCompanies, findUser, orgId, unhurried } from './testing/kit.ts';
import { companyIdFirst, platformFirst, type TestAnswer } from './testing/test-answer.ts';

const gom = orgId('200000376001');
const twice = orgId('1900000017');
const unknown = orgId('1999999999');
const some = orgId('555');
const [platform, companyId] = ['UF_CRM_PLATFORM_ORG_ID', 'UF_CRM_COMPANY_ID'];

function companies(answer: TestAnswer | undefined) {
  if (answer?.kind !== 'found') throw new Error(`expected companies, got ${inspect(answer)}`);
  return answer.companies;
}

test('all org ids, the contacts and the account owner take exactly one request', async () => {
  const { crm, bitrix } = await bitrixForTest();
  const found = await findCompanies(bitrix, [gom, twice, unknown]);
  expect(crm.journal).toMatchObject([{ method: 'batch', status: 200, webhook: 'main', commands: { length: 12 } }]);

  const [company] = companies(found.companies.get(gom));
  expect(company.fields).toMatchObject({
    bitrix_id: '63002',
    company_id: '200000376001',
    company_name: 'Gốm Sứ Làng Mơ',
    customer_segment: 'Medium',
    current_shopplan: 'OMNI SCALE 2025 (1 năm)',
    url: `${crm.url}/crm/company/details/63002/`,
  });
  expect(company.emails).toEqual(expect.arrayContaining(['shop@gomlangmo.example', 'owner@gomlangmo.example']));
  expect(company.contacts).toMatchObject([
    { id: '7003', emails: ['owner@gomlangmo.example'], url: `${crm.url}/crm/contact/details/7003/` },
    { id: '7004', phones: ['+84 911 000 002'] },
  ]);
  expect(found.users.get('341')).toEqual({
    kind: 'found',
    user: { id: '341', active: true, email: 'phutrach341@crm.example', name: 'Lê Thu Hà', userType: 'employee' },
  });
  expect(found.companies.get(unknown)).toEqual({ kind: 'empty' });
});

test('employees in an operator’s own fields are asked for with the account owner, by whichever field the company is found', async () => {
  const extra = ['UF_CRM_CARE', 'UF_CRM_NOBODY'].map((field) => ({
    ...{ field, key: field.toLowerCase(), label: field, group: 'context' as const, type: 'employee' as const },
  }));
  const { crm, bitrix } = await bitrixForTest(() => ({ fieldMap: FieldMap.parse({ extra }) }));
  const of = { ASSIGNED_BY_ID: '338', UF_CRM_CARE: '341', UF_CRM_NOBODY: '99999' };
  crm.putCompany({ ID: '901', [companyId]: '555', ...of } as never);
  crm.putCompany({ ID: '902', [platform]: '556', ...of } as never);
  const other = orgId('556');
  const found = await findCompanies(bitrix, [some, other], unhurried(), companyIdFirst);
  for (const id of [some, other]) {
    const [company] = companies(
      (await findCompanies(bitrix, [id], unhurried(), id === some ? companyIdFirst : platformFirst)).companies.get(id),
    );
    expect(company?.fields.context?.map(({ value }) => value)).toEqual(['Lê Thu Hà', '99999']);
  }
  expect(found.users.get('338')).toMatchObject({ kind: 'found' });
  expect(crm.journal.map(({ method }) => method)).toEqual(['batch', 'batch', 'batch']);
});

test.each([
  // Each instant counts, not its spelling.
  ['the one changed last', '2026-01-01T09:00:00+07:00', '2026-01-01T06:00:00+03:00'],
  ['of the same second the higher id', '2026-01-01T09:00:00+07:00', '2026-01-01T09:00:00+07:00'],
])(
  'of more companies than a page %s leads, with its own contacts and owner, in the same request',
  async (_, older, newest) => {
    const { crm, bitrix } = await bitrixForTest();
    for (let i = 0; i < 60; i += 1) {
      const [ID, isLast] = [String(900 + i), i === 59];
      const owner = isLast ? '338' : '341';
      crm.putCompany({ ID, [companyId]: '555', DATE_MODIFY: isLast ? newest : older, ASSIGNED_BY_ID: owner } as never);
      crm.putContact({ ID: `9${ID}`, NAME: `Contact ${i}`, COMPANY_ID: ID });
    }
    const found = await findCompanies(bitrix, [some]);
    const all = companies(found.companies.get(some));
    expect(all[0]).toMatchObject({ fields: { bitrix_id: '959' }, contacts: [{ id: '9959' }] });
    expect(all.map(({ fields }) => fields.bitrix_id)).toEqual(Array.from({ length: 50 }, (_, i) => String(959 - i)));
    expect([...found.users.keys()]).toEqual(['338']);
    expect(crm.journal).toHaveLength(1);
  },
);

describe.each([[companyIdFirst], [platformFirst]])('read by %s', (order) => {
  const [first, second] = order;

  test('is one request, whoever asks', async () => {
    const { crm, bitrix } = await bitrixForTest();
    const { companies } = await findCompanies(bitrix, [gom], unhurried(), order);
    const commands = ['crm.company.list', 'crm.company.list', 'crm.contact.list', 'user.get'];
    expect(crm.journal).toMatchObject([{ method: 'batch', commands }]);
    expect(companies.get(gom)).toMatchObject({
      kind: 'found',
      // A company that both fields name is no alternative to itself.
      companies: { length: 1, 0: { matchedFields: [first, second], contacts: [{ id: '7003' }, { id: '7004' }] } },
    });
    expect(bitrix.fieldOrder(first === companyId ? 'company_id' : 'platform_org_id')).toEqual(order);
  });

  test('takes the company of the second field where the first names none', async () => {
    const { crm, bitrix } = await bitrixForTest();
    crm.putCompany({ ID: '1', [first]: '', [second]: '555' } as never);
    const { companies } = await findCompanies(bitrix, [some], unhurried(), order);
    expect(companies.get(some)).toMatchObject({ companies: [{ matchedFields: [second] }] });
  });

  test('where the fields name different companies, the first is taken and the other an alternative, however new', async () => {
    const { crm, bitrix } = await bitrixForTest();
    crm.putCompany({ ID: '1', [first]: '555', [second]: '', DATE_MODIFY: '2020-01-01T00:00:00+03:00' } as never);
    crm.putCompany({ ID: '2', [first]: '', [second]: '555', DATE_MODIFY: '2026-01-01T00:00:00+03:00' } as never);
    const { companies } = await findCompanies(bitrix, [some], unhurried(), order);
    expect(companies.get(some)).toMatchObject({
      companies: [
        { fields: { bitrix_id: '1' }, matchedFields: [first] },
        { fields: { bitrix_id: '2' }, matchedFields: [second] },
      ],
    });
  });

  test('a field by which the portal does not filter is a failure that names it, unless the other has the company', async () => {
    const { crm, bitrix } = await bitrixForTest();
    crm.absentFields.add(second);
    const { companies } = await findCompanies(bitrix, [some, gom], unhurried(), order);
    expect(companies.get(some)).toEqual({ kind: 'failed', code: 'bad_answer', lostFilter: second });
    expect(companies.get(gom)).toMatchObject({ kind: 'found' });
  });

  test.each<[string, unknown, string, string, boolean?]>([
    ['the second of several', ['410000001', '410000002'], '410000002', 'string', true],
    ['one of several numbers', [410000001, '410000002.0000000'], '410000002', 'double', true],
    ['behind an empty one', ['', '410000002'], '410000002', 'string', true],
    ['a number', 470000002, '470000002', 'integer'],
    ['behind a sign without width', '\u200b470000002', '470000002', 'string'],
    ['behind a mark of direction and before a blank', '\u200e470000002 ', '470000002', 'string'],
  ])('an org id that is %s is found', async (_, value, id, type, multiple = false) => {
    const { crm, bitrix } = await bitrixForTest();
    for (const field of [platform, companyId]) crm.fieldTypes.set(field, { type, multiple });
    crm.putCompany({ ID: '1', TITLE: 'Shop', [platform]: value, [companyId]: value } as never);
    const { companies } = await findCompanies(bitrix, [orgId(id)], unhurried(), order);
    expect(companies.get(orgId(id))).toMatchObject({ companies: [{ fields: { bitrix_id: '1', company_id: id } }] });
  });

  const most = 12;
  test(`${most} org ids fit into one request, more are refused, none asks nobody`, async () => {
    const { crm, bitrix } = await bitrixForTest();
    const ids = Array.from({ length: most + 1 }, (_, i) => orgId(String(500 + i)));
    const { companies } = await findCompanies(bitrix, ids.slice(1), unhurried(), order);
    expect(companies.get(ids[most] ?? some)).toEqual({ kind: 'empty' });
    await expect(bitrix.findCompanies(ids, unhurried())).rejects.toThrow(`At most ${most}`);
    expect((await findCompanies(bitrix, [], unhurried(), order)).companies.size).toBe(0);
    expect(crm.journal).toMatchObject([{ commands: { length: 48 } }]);
  });
});

test('a company that the platform’s field names has the org id that was looked up, and its title loses the other one', async () => {
  const { crm, bitrix } = await bitrixForTest();
  crm.putCompany({ ID: '1', TITLE: 'Shop - 470000002', [platform]: '555', [companyId]: '470000002.0000000' } as never);
  const { companies } = await findCompanies(bitrix, [some], unhurried(), platformFirst);
  expect(companies.get(some)).toMatchObject({
    companies: [{ fields: { company_id: some, company_name: 'Shop' } }],
  });
});

describe('"empty" is only said where both searches answered, empty; contacts are left out where they are nobody’s', () => {
  const row = { ID: '63002', [platform]: gom, [companyId]: gom };
  const failure = { error: 'OPERATION_TIME_LIMIT', error_description: '' };
  const failed = (code: CrmErrorCode) => ({ kind: 'failed', code });
  const people = (ID: string, COMPANY_ID: string) => ({ ID, NAME: 'Vy', COMPANY_ID });

  test.each<[string, Record<string, unknown>, Record<string, unknown> | [], object]>([
    ['both empty', { platform0: [], company0: [], people0: [] }, [], { kind: 'empty' }],
    ['the first failed, the second is empty', { company0: [] }, { platform0: failure }, failed('operation_limit')],
    ['the first failed, the second was found', { company0: [row] }, { platform0: failure }, failed('operation_limit')],
    ['the first is empty, the second failed', { platform0: [] }, { company0: failure }, failed('operation_limit')],
    [
      'the first was found, the second failed',
      { platform0: [row] },
      { company0: failure },
      { companies: { length: 1 } },
    ],
    ['the first is missing', { company0: [] }, {}, failed('bad_answer')],
    ['the second is missing', { platform0: [] }, {}, failed('bad_answer')],
    ['the first is null', { platform0: null, company0: [] }, {}, failed('bad_answer')],
    [
      'the first shows others only',
      { platform0: [{ ...row, [platform]: '1' }], company0: [] },
      {},
      failed('bad_answer'),
    ],
    [
      'the second shows others only',
      { platform0: [], company0: [{ ...row, [companyId]: '1' }] },
      {},
      failed('bad_answer'),
    ],
    [
      'contacts cannot be read',
      { platform0: [row], company0: [] },
      { people0: failure },
      { companies: [{ contacts: [] }] },
    ],
    [
      'a contact is of another company',
      { platform0: [row], company0: [], people0: [people('1', '63003'), people('2', '63002')] },
      [],
      { companies: [{ contacts: [{ id: '2' }] }] },
    ],
  ])('%s', async (_, result, result_error, answer) => {
    const text = JSON.stringify({ result: { result, result_error } });
    const upstream: Upstream = {
      origin: 'https://crm.example',
      request: async () => ({ status: 200, headers: {}, text }),
    };
    const { companies } = await findCompanies(bitrixOn(upstream), [gom], unhurried(), platformFirst);
    expect(companies.get(gom)).toMatchObject(answer);
  });
});

test('a company without an owner or contacts brings nobody along, though the portal lists everybody then', async () => {
  const { bitrix } = await bitrixForTest();
  const found = await findCompanies(bitrix, [orgId('1000700213'), orgId('1000700214'), orgId('1000500107'), unknown]);
  expect(found.users.get('')).toBeUndefined();
  expect(companies(found.companies.get(orgId('1000700213')))[0].fields.assigned_by_id).toBeNull();
  expect(companies(found.companies.get(orgId('1000500107')))[0].contacts).toEqual([]);
});

test.each([
  ['dismissed', '200000376010', '352', { kind: 'found', user: { active: false } }],
  ['dismissed, as N', '1000700221', '356', { kind: 'found', user: { active: false } }],
  ['active, as Y', '1900000017', '345', { kind: 'found', user: { active: true } }],
  ['without e-mail', '1000700219', '360', { kind: 'found', user: { active: true, email: null } }],
  ['hidden', '200000376011', '367', { kind: 'empty' }],
  ['non-existent', '200000376012', '999999', { kind: 'empty' }],
])('an owner who is %s', async (_, id, user, answer) => {
  const { bitrix } = await bitrixForTest();
  const { users } = await findCompanies(bitrix, [orgId(id)]);
  expect(users.get(user)).toMatchObject(answer);
  expect(await findUser(bitrix, user)).toMatchObject(answer);
});

test('several users are one request, with an answer for each; what is no number asks nobody', async () => {
  const { crm, bitrix } = await bitrixForTest();
  const injected = "1' or '1'='1";
  // Without a usable filter everybody would answer.
  expect(await findUser(bitrix, injected)).toEqual({ kind: 'empty' });
  expect(crm.journal).toEqual([]);
  const users = await bitrix.findUsers(['341', '999999', '352', injected], unhurried());
  expect([...users]).toMatchObject([
    ['341', { kind: 'found', user: { id: '341', active: true } }],
    ['999999', { kind: 'empty' }],
    ['352', { kind: 'found', user: { id: '352', active: false } }],
    [injected, { kind: 'empty' }],
  ]);
  expect(crm.journal).toHaveLength(1);
  // Among people who were not asked for, one who is missing is not "empty".
  crm.fault = 'ignored_filter';
  const among = await bitrix.findUsers(['341', '999999'], unhurried());
  expect(among.get('341')).toMatchObject({ kind: 'found' });
  expect(among.get('999999')).toEqual({ kind: 'failed', code: 'bad_answer' });
});

test('with a webhook of its own the owner takes a second request, over that webhook', async () => {
  const { crm, bitrix } = await bitrixForTest((c) => ({
    webhookUrls: [c.crmOnlyWebhookUrl],
    responsibleWebhookUrls: [`${c.responsibleWebhookUrl}user.get.json?ID={ASSIGNED_BY_ID}`],
  }));
  expect((await findCompanies(bitrix, [gom])).users.size).toBe(0);
  const lists = ['crm.company.list', 'crm.company.list', 'crm.contact.list'];
  expect(crm.journal).toMatchObject([{ webhook: 'crm_only', commands: lists }]);
  const user = { id: '341', active: true, name: 'Lê Thu Hà', email: expect.stringMatching(/@/), userType: 'employee' };
  expect(await findUser(bitrix, '341')).toEqual({ kind: 'found', user });
  expect(crm.journal[1]).toMatchObject({ method: 'user.get', webhook: 'responsible' });
});

test('without a responsible webhook owners are unknown, and nobody is asked', async () => {
  const { crm, bitrix } = await bitrixForTest(() => ({ responsibleWebhookUrls: [] }));
  expect(bitrix.knowsUsers).toBe(false);
  expect(await findUser(bitrix, '341')).toEqual({ kind: 'empty' });
  expect(crm.journal).toEqual([]);
});

test('of two webhooks the second serves while the first is refused, and stays in use until it is refused itself', async () => {
  const { crm, bitrix } = await bitrixForTest((c) => ({
    webhookUrls: [c.crmOnlyWebhookUrl, c.webhookUrl],
    responsibleWebhookUrls: [c.responsibleWebhookUrl, c.webhookUrl],
  }));
  const used = async () => {
    crm.clearJournal();
    const found = await findCompanies(bitrix, [gom]);
    expect(found.companies.get(gom)).toMatchObject({ kind: 'found' });
    expect(await findUser(bitrix, '341')).toMatchObject({ kind: 'found' });
    return crm.journal.map(({ webhook }) => webhook);
  };
  expect(await used()).toEqual(['crm_only', 'responsible']);
  crm.fault = ({ webhook }) => (webhook === 'main' ? null : 'unauthorized');
  expect(await used()).toEqual(['crm_only', 'main', 'responsible', 'main']);
  crm.fault = null;
  expect(await used()).toEqual(['main', 'main']);
  crm.fault = ({ webhook }) => (webhook === 'main' ? 'unauthorized' : null);
  expect(await used()).toEqual(['main', 'crm_only', 'main', 'responsible']);
  crm.fault = 'unauthorized';
  const refused = await findCompanies(bitrix, [gom]);
  expect(refused.companies.get(gom)).toEqual({ kind: 'failed', code: 'unauthorized' });
  // Another failure than a refusal is not tried again through the second.
  crm.fault = 'limit';
  crm.clearJournal();
  await findCompanies(bitrix, [gom]);
  expect(crm.journal).toHaveLength(1);
});

test('links lead to the configured portal', async () => {
  const { bitrix } = await bitrixForTest(() => ({ portalUrl: 'https://portal.example' }));
  const found = await findCompanies(bitrix, [gom]);
  expect(companies(found.companies.get(gom))[0].fields.url).toBe('https://portal.example/crm/company/details/63002/');
});

test('the secret is nowhere in what the adapter gives, though the portal sends it', async () => {
  const extra = [
    { field: 'LOGO', key: 'logo', label: 'Logo', group: 'context' },
    { field: 'UF_CRM_CONTRACT_FILE', key: 'contract', label: 'Contract', group: 'context' },
    { field: 'COMMENTS', key: 'comments', label: 'Comments', group: 'context' },
  ];
  const { crm, bitrix } = await bitrixForTest(() => ({ fieldMap: FieldMap.parse({ extra }) }));
  crm.putCompany({ ...crm.company('63002'), ID: '63002', COMMENTS: `see ${crm.webhookUrl}download/?token=1` });
  const given = inspect([await findCompanies(bitrix, [gom]), bitrix], { depth: 20, showHidden: true });
  expect(given).toContain('Comments');
  for (const secret of crm.secrets) expect(given).not.toContain(secret);
});

test('the payload is the whole record, without addresses of files and without text that quotes a webhook', async () => {
  const { crm, bitrix } = await bitrixForTest();
  const note = `${crm.url}/rest/99/somebodyelse/x and ${crm.webhookUrl}y`;
  const WEB = [{ ID: '9', VALUE_TYPE: 'WORK', VALUE: 'https://gomlangmo.example', TYPE_ID: 'WEB' }];
  crm.putCompany({ ...crm.company('63002'), ID: '63002', UF_CRM_FREE_TEXT: note, WEB });
  const found = await bitrix.findCompanies([gom], unhurried());
  const payload = found.companies.get(gom)?.payloads['63002'] ?? '';
  const record = JSON.parse(payload);
  expect(record).toMatchObject({
    ID: '63002',
    UF_CRM_COMPANY_ID: gom,
    EMAIL: [{ VALUE: 'shop@gomlangmo.example' }],
    WEB,
  });
  expect(record.PHONE).toEqual([expect.objectContaining({ VALUE: expect.any(String) })]);
  expect(record.UF_CRM_GMV_30D).toBeTruthy();
  expect([Object.keys(record.LOGO), Object.keys(record.UF_CRM_CONTRACT_FILE)]).toEqual([['id'], ['id']]);
  expect(record.UF_CRM_FREE_TEXT).toBeNull();
  for (const secret of crm.secrets) expect(payload).not.toContain(secret);
});

test('an address that is no webhook is refused without being quoted', () => {
  const upstream = { origin: 'https://crm.example', request: () => Promise.reject(new Error('not reached')) };
  const make = () => bitrixOn(upstream, { webhookUrls: ['https://crm.example/rest/s3cr3t0key/'] });
  expect(make).toThrow(/CRM webhook: expected/);
  expect(make).not.toThrow(/s3cr3t0key/);
});

test('the names of the segments are read from the portal; a field that it does not have has none', async () => {
  const { crm, bitrix } = await bitrixForTest();
  const names = { '15090': 'SME', '15092': 'Medium', '15094': 'Enterprise' };
  expect(Object.fromEntries(await bitrix.readSegmentNames(unhurried()))).toEqual(names);
  expect(crm.journal).toMatchObject([{ method: 'crm.company.userfield.list' }]);
  const other = await bitrixForTest(() => ({ fieldMap: FieldMap.parse({ customer_segment: 'UF_CRM_NONE' }) }));
  await expect(other.bitrix.readSegmentNames(unhurried())).rejects.toMatchObject({ code: 'bad_answer' });
});

test('the execution time that the last good answer told, for each kind of request', async () => {
  const { crm, bitrix } = await bitrixForTest(undefined, { now: () => 1_000_000 });
  crm.operatingSeconds = { perCall: 30, limit: 480 };
  expect(bitrix.operatingTime('companies')).toBeNull();
  await findCompanies(bitrix, [gom, twice]);
  crm.fault = 'operation_limit';
  await findCompanies(bitrix, [gom]);
  expect(bitrix.operatingTime('companies')).toEqual({ seconds: 120, resetAt: 1_600_000 });
  expect(bitrix.operatingTime('users')).toBeNull();
});
