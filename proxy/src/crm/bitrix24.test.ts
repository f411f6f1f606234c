import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { type CompanyAnswer, openBitrix24 } from './bitrix24.ts';
import { FieldMap } from './company.ts';
import { bitrixForTest, findCompanies, findUser, orgId, unhurried } from './testing/kit.ts';

const gom = orgId('200000376001');
const twice = orgId('1900000017');
const unknown = orgId('1999999999');

function companies(answer: CompanyAnswer | undefined) {
  if (answer?.kind !== 'found') throw new Error(`expected companies, got ${inspect(answer)}`);
  return answer.companies;
}

test('all org ids, the contacts and the account owner take exactly one request', async () => {
  const { crm, bitrix } = await bitrixForTest();
  const found = await findCompanies(bitrix, [gom, twice, unknown]);
  expect(crm.journal).toHaveLength(1);
  expect(crm.journal[0]).toMatchObject({ method: 'batch', status: 200, webhook: 'main' });
  expect(crm.journal[0]?.commands).toHaveLength(12);

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

test('several companies of one org id come newest first, of the same second the higher id', async () => {
  const { bitrix } = await bitrixForTest();
  const found = await findCompanies(bitrix, [twice, orgId('1000700220')]);
  const ids = (id: string) => companies(found.companies.get(orgId(id))).map(({ fields }) => fields.bitrix_id);
  expect(ids('1900000017')).toEqual(['63006', '63101']);
  expect(ids('1000700220')).toEqual(['63102', '63020']);
});

test.each([
  ['the one changed last', '2026-01-01T09:00:00+07:00', '2026-02-01T09:00:00+07:00'],
  ['of the same second the higher id', '2026-01-01T09:00:00+07:00', '2026-01-01T09:00:00+07:00'],
])('of many companies %s leads, with its own contacts and owner, in the same request', async (_, older, newest) => {
  const { crm, bitrix } = await bitrixForTest();
  // More than a page holds, and the one that counts comes last.
  for (let i = 0; i < 60; i += 1) {
    const isLast = i === 59;
    const ID = String(900 + i);
    crm.putCompany({
      ID,
      UF_CRM_COMPANY_ID: '555',
      DATE_MODIFY: isLast ? newest : older,
      ASSIGNED_BY_ID: isLast ? '338' : '341',
    });
    crm.putContact({ ID: String(9_000 + i), NAME: `Contact ${i}`, COMPANY_ID: ID });
  }
  const found = await findCompanies(bitrix, [orgId('555')]);
  const [leading] = companies(found.companies.get(orgId('555')));
  expect(leading?.fields.bitrix_id).toBe('959');
  expect(leading?.contacts.map(({ id }) => id)).toEqual(['9059']);
  expect([...found.users.keys()]).toEqual(['338']);
  expect(crm.journal).toHaveLength(1);
});

test('each instant counts, not its spelling: another offset does not change the order', async () => {
  const { crm, bitrix } = await bitrixForTest();
  crm.putCompany({ ID: '1', UF_CRM_COMPANY_ID: '555', DATE_MODIFY: '2026-01-01T09:00:00+07:00' });
  crm.putCompany({ ID: '2', UF_CRM_COMPANY_ID: '555', DATE_MODIFY: '2026-01-01T06:00:00+03:00' });
  const found = await findCompanies(bitrix, [orgId('555')]);
  expect(companies(found.companies.get(orgId('555'))).map(({ fields }) => fields.bitrix_id)).toEqual(['2', '1']);
});

test.each([
  ['stored as a number', '1900000001', '63005'],
  ['stored with a blank behind', '1000500108', '63008'],
])('an org id %s is found', async (_, id, bitrixId) => {
  const { bitrix } = await bitrixForTest();
  const found = await findCompanies(bitrix, [orgId(id)]);
  expect(companies(found.companies.get(orgId(id)))[0].fields).toMatchObject({ bitrix_id: bitrixId, company_id: id });
});

test('a company without an owner brings nobody along, though the portal lists everybody then', async () => {
  const { bitrix } = await bitrixForTest();
  const found = await findCompanies(bitrix, [orgId('1000700213'), orgId('1000700214'), unknown]);
  expect(found.users.size).toBe(0);
  expect(companies(found.companies.get(orgId('1000700213')))[0].fields.assigned_by_id).toBeNull();
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
  expect(await findUser(bitrix, user, unhurried())).toMatchObject(answer);
});

test('contacts of a company that has none are none, not those of others', async () => {
  const { bitrix } = await bitrixForTest();
  const id = orgId('1000500107');
  const found = await findCompanies(bitrix, [id]);
  expect(companies(found.companies.get(id))[0].contacts).toEqual([]);
});

test('with a webhook of its own the owner takes a second request, over that webhook', async () => {
  const { crm, bitrix } = await bitrixForTest((c) => ({
    webhookUrls: [c.crmOnlyWebhookUrl],
    responsibleWebhookUrls: [`${c.responsibleWebhookUrl}user.get.json?ID={ASSIGNED_BY_ID}`],
  }));
  const found = await findCompanies(bitrix, [gom]);
  expect(found.users.size).toBe(0);
  expect(crm.journal).toMatchObject([
    { webhook: 'crm_only', commands: ['crm.company.list', 'crm.company.list', 'crm.contact.list'] },
  ]);
  crm.clearJournal();
  expect(await findUser(bitrix, '341', unhurried())).toMatchObject({ kind: 'found', user: { name: 'Lê Thu Hà' } });
  expect(crm.journal).toMatchObject([{ method: 'user.get', webhook: 'responsible' }]);
});

test('two spellings of one webhook are one', async () => {
  const { bitrix } = await bitrixForTest((c) => ({
    responsibleWebhookUrls: [`${c.webhookUrl.replace('/rest/', '/rest/api/')}user.get.json`],
  }));
  expect((await findCompanies(bitrix, [gom])).users.size).toBe(1);
});

test('without a responsible webhook owners are unknown, and nobody is asked', async () => {
  const { crm, bitrix } = await bitrixForTest((c) => ({
    webhookUrls: [c.crmOnlyWebhookUrl],
    responsibleWebhookUrls: [],
  }));
  expect(bitrix.knowsUsers).toBe(false);
  expect(await findUser(bitrix, '341', unhurried())).toEqual({ kind: 'empty' });
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
    expect(await findUser(bitrix, '341', unhurried())).toMatchObject({ kind: 'found' });
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
});

test('another failure than a refusal is not tried again through the second webhook', async () => {
  const { crm, bitrix } = await bitrixForTest((c) => ({ webhookUrls: [c.webhookUrl, c.crmOnlyWebhookUrl] }));
  crm.fault = 'limit';
  await findCompanies(bitrix, [gom]);
  expect(crm.journal.map(({ webhook }) => webhook)).toEqual(['main']);
});

test('links lead to the configured portal', async () => {
  const { bitrix } = await bitrixForTest(() => ({ portalUrl: 'https://portal.example' }));
  const found = await findCompanies(bitrix, [gom]);
  expect(companies(found.companies.get(gom))[0].fields.url).toBe('https://portal.example/crm/company/details/63002/');
});

test('twelve org ids fit into one request, more are refused, none asks nobody', async () => {
  const { crm, bitrix } = await bitrixForTest();
  const ids = Array.from({ length: 13 }, (_, i) => orgId(String(500 + i)));
  expect((await findCompanies(bitrix, ids.slice(0, 12))).companies.get(orgId('511'))).toEqual({
    kind: 'empty',
  });
  await expect(bitrix.findCompanies(ids, 'company_id_then_platform_orgid', unhurried())).rejects.toThrow('At most 12');
  expect((await findCompanies(bitrix, [])).companies.size).toBe(0);
  expect(crm.journal).toHaveLength(1);
});

test('an owner id that is no number asks nobody: without a usable filter everybody would answer', async () => {
  const { crm, bitrix } = await bitrixForTest();
  expect(await findUser(bitrix, "1' or '1'='1", unhurried())).toEqual({ kind: 'empty' });
  expect(crm.journal).toEqual([]);
});

test('the secret is nowhere in what the adapter gives, though the portal sends it', async () => {
  const extra = [
    { field: 'LOGO', key: 'logo', label: 'Logo', group: 'context' },
    { field: 'UF_CRM_CONTRACT_FILE', key: 'contract', label: 'Contract', group: 'context' },
    { field: 'COMMENTS', key: 'comments', label: 'Comments', group: 'context' },
  ];
  const { crm, bitrix } = await bitrixForTest(() => ({ fieldMap: FieldMap.parse({ extra }) }));
  crm.putCompany({ ...crm.company('63002'), ID: '63002', COMMENTS: `see ${crm.webhookUrl}download/?token=1` });
  const given = inspect([await findCompanies(bitrix, [gom]), bitrix], {
    depth: 20,
    showHidden: true,
  });
  expect(given).toContain('Comments');
  for (const secret of crm.secrets) expect(given).not.toContain(secret);
});

test('an address that is no webhook is refused without being quoted', () => {
  const webhookUrl = 'https://crm.example/rest/s3cr3t0key/';
  const make = () =>
    openBitrix24({
      webhookUrls: [webhookUrl],
      responsibleWebhookUrls: [],
      portalUrl: null,
      fieldMap: FieldMap.parse({}),
      upstream: () => {
        throw new Error('not reached');
      },
    });
  expect(make).toThrow(/CRM webhook: expected/);
  expect(make).not.toThrow(/s3cr3t0key/);
});
