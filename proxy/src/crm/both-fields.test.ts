import type { CrmErrorCode } from '@deskside/shared/status';
import { describe, expect, test } from 'vitest';
import type { Upstream } from '#net/egress.ts';
import { openBitrix24 } from './bitrix24.ts';
import { FieldMap } from './company.ts';
import { bitrixForTest, orgId, unhurried } from './testing/kit.ts';

const by = 'platform_orgid_then_company_id';
const gom = orgId('200000376001');
const platform = 'UF_CRM_PLATFORM_ORG_ID';
const companyId = 'UF_CRM_COMPANY_ID';

describe('a look-up by the platform org id, then by the Company ID', () => {
  test('is one request, and asks for the whole record', async () => {
    const { crm, bitrix } = await bitrixForTest();
    const { companies } = await bitrix.findCompanies([gom, orgId('1999999999')], by, unhurried());
    expect(crm.journal).toMatchObject([
      {
        method: 'batch',
        commands: Array.from({ length: 2 }, () => ['crm.company.list', 'crm.company.list', 'crm.contact.list']).flat(),
      },
    ]);
    expect(companies.get(gom)).toMatchObject({
      kind: 'found',
      companies: [{ matchedField: platform, fields: { bitrix_id: '63002', company_id: gom } }],
    });
    expect(companies.get(orgId('1999999999'))).toEqual({ kind: 'empty' });
  });

  test('brings the contacts of whichever company it is', async () => {
    const { bitrix } = await bitrixForTest();
    const { companies } = await bitrix.findCompanies([gom], by, unhurried());
    expect(companies.get(gom)).toMatchObject({ companies: [{ contacts: [{ id: '7003' }, { id: '7004' }] }] });
  });

  test('takes the company of the second field where the first names none', async () => {
    const { crm, bitrix } = await bitrixForTest();
    crm.putCompany({ ID: '1', [platform]: '', [companyId]: '555' });
    const { companies } = await bitrix.findCompanies([orgId('555')], by, unhurried());
    expect(companies.get(orgId('555'))).toMatchObject({ companies: [{ matchedField: companyId }] });
  });

  test('where the fields name different companies, the first is taken and the other an alternative, however new', async () => {
    const { crm, bitrix } = await bitrixForTest();
    crm.putCompany({ ID: '1', [platform]: '555', [companyId]: '', DATE_MODIFY: '2020-01-01T00:00:00+03:00' });
    crm.putCompany({ ID: '2', [platform]: '', [companyId]: '555', DATE_MODIFY: '2026-01-01T00:00:00+03:00' });
    const { companies } = await bitrix.findCompanies([orgId('555')], by, unhurried());
    const answer = companies.get(orgId('555'));
    expect(answer?.kind === 'found' && answer.companies.map((c) => [c.fields.bitrix_id, c.matchedField])).toEqual([
      ['1', platform],
      ['2', companyId],
    ]);
  });

  test('a company that both fields name is no alternative to itself', async () => {
    const { bitrix } = await bitrixForTest();
    const { companies } = await bitrix.findCompanies([gom], by, unhurried());
    expect(companies.get(gom)).toMatchObject({ companies: { length: 1 } });
  });

  test('sixteen org ids fit into one request', async () => {
    const { crm, bitrix } = await bitrixForTest();
    const ids = Array.from({ length: 16 }, (_, i) => orgId(String(500 + i)));
    expect((await bitrix.findCompanies(ids, by, unhurried())).companies.get(orgId('515'))).toEqual({ kind: 'empty' });
    expect(crm.journal[0]?.commands).toHaveLength(48);
  });
});

describe('a profile looks up by the Company ID, then by the platform org id', () => {
  const order = 'company_id_then_platform_orgid';

  test('takes the company that only the platform org id names, in the same request', async () => {
    const { crm, bitrix } = await bitrixForTest();
    crm.putCompany({ ID: '1', [platform]: '555', [companyId]: '' });
    const { companies } = await bitrix.findCompanies([orgId('555')], order, unhurried());
    expect(companies.get(orgId('555'))).toMatchObject({ companies: [{ matchedField: platform }] });
    expect(crm.journal).toHaveLength(1);
  });

  test('where the fields name different companies, that of the Company ID is taken and the other an alternative', async () => {
    const { crm, bitrix } = await bitrixForTest();
    crm.putCompany({ ID: '1', [platform]: '555', [companyId]: '', DATE_MODIFY: '2026-01-01T00:00:00+03:00' });
    crm.putCompany({ ID: '2', [platform]: '', [companyId]: '555', DATE_MODIFY: '2020-01-01T00:00:00+03:00' });
    const { companies } = await bitrix.findCompanies([orgId('555')], order, unhurried());
    const answer = companies.get(orgId('555'));
    expect(answer?.kind === 'found' && answer.companies.map((c) => c.fields.bitrix_id)).toEqual(['2', '1']);
  });

  test('says that there is no company only where both fields were answered', async () => {
    const { crm, bitrix } = await bitrixForTest();
    crm.absentFields.add(platform);
    const { companies } = await bitrix.findCompanies([orgId('555'), gom], order, unhurried());
    expect(companies.get(orgId('555'))).toEqual({ kind: 'failed', code: 'bad_answer', lostFilter: platform });
    expect(companies.get(gom)).toMatchObject({ kind: 'found' });
  });
});

const row = { ID: '63002', [platform]: gom, [companyId]: gom };
const failure = { error: 'OPERATION_TIME_LIMIT', error_description: '' };

/** The answer of the look-up to one fixed batch answer. */
async function answerTo(result: Record<string, unknown>, result_error: Record<string, unknown> | [] = []) {
  const text = JSON.stringify({ result: { result, result_error } });
  const upstream: Upstream = {
    origin: 'https://crm.example',
    request: async () => ({ status: 200, headers: {}, text }),
  };
  const bitrix = openBitrix24({
    webhookUrls: ['https://crm.example/rest/1/s3cr3t0key/'],
    responsibleWebhookUrls: [],
    portalUrl: null,
    fieldMap: FieldMap.parse({}),
    upstream: () => upstream,
  });
  const { companies } = await bitrix.findCompanies([gom], by, unhurried());
  return companies.get(gom);
}

describe('"empty" is only said where both searches answered, empty', () => {
  test('both empty', async () => {
    expect(await answerTo({ platform0: [], company0: [], people0: [] })).toEqual({ kind: 'empty' });
  });

  test.each<[string, Record<string, unknown>, Record<string, unknown>, CrmErrorCode]>([
    ['the first failed, the second is empty', { company0: [] }, { platform0: failure }, 'operation_limit'],
    ['the first is empty, the second failed', { platform0: [] }, { company0: failure }, 'operation_limit'],
    ['the first is missing', { company0: [] }, {}, 'bad_answer'],
    ['the second is missing', { platform0: [] }, {}, 'bad_answer'],
    ['the first is null', { platform0: null, company0: [] }, {}, 'bad_answer'],
    ['the first shows others only', { platform0: [{ ...row, [platform]: '1' }], company0: [] }, {}, 'bad_answer'],
    ['the second shows others only', { platform0: [], company0: [{ ...row, [companyId]: '1' }] }, {}, 'bad_answer'],
  ])('%s', async (_, result, errors, code) => {
    expect(await answerTo(result, errors)).toMatchObject({ kind: 'failed', code });
  });

  test('the second does not stand in for a first that failed', async () => {
    expect(await answerTo({ company0: [row] }, { platform0: failure })).toEqual({
      kind: 'failed',
      code: 'operation_limit',
    });
  });

  test('a first that was found needs no second', async () => {
    expect(await answerTo({ platform0: [row] }, { company0: failure })).toMatchObject({ companies: { length: 1 } });
  });
});

test('the payload is the whole record, without addresses of files and without text that quotes a webhook', async () => {
  const { crm, bitrix } = await bitrixForTest();
  const note = `${crm.url}/rest/99/somebodyelse/x and ${crm.webhookUrl}y`;
  crm.putCompany({ ...crm.company('63002'), ID: '63002', UF_CRM_FREE_TEXT: note });
  const { companies } = await bitrix.findCompanies([gom], by, unhurried());
  const answer = companies.get(gom);
  if (answer?.kind !== 'found') throw new Error('not found');
  const { payload } = answer.companies[0];
  const record = JSON.parse(payload);
  expect(record).toMatchObject({ ID: '63002', UF_CRM_COMPANY_ID: gom, EMAIL: [{ VALUE: 'shop@gomlangmo.example' }] });
  expect(record.UF_CRM_GMV_30D).toBeTruthy();
  expect(Object.keys(record.LOGO)).toEqual(['id']);
  expect(Object.keys(record.UF_CRM_CONTRACT_FILE)).toEqual(['id']);
  expect(record.UF_CRM_FREE_TEXT).toBeNull();
  for (const secret of crm.secrets) expect(payload).not.toContain(secret);
});

describe('what else the portal gives', () => {
  test('the names of the segments, read from the portal', async () => {
    const { crm, bitrix } = await bitrixForTest();
    const names = new Map([
      ['15090', 'SME'],
      ['15092', 'Medium'],
      ['15094', 'Enterprise'],
    ]);
    expect(await bitrix.readSegmentNames(unhurried())).toEqual(names);
    expect(crm.journal).toMatchObject([{ method: 'crm.company.userfield.list' }]);
  });

  test('a segment field that the portal does not have has no names', async () => {
    const { bitrix } = await bitrixForTest(() => ({ fieldMap: FieldMap.parse({ customer_segment: 'UF_CRM_NONE' }) }));
    await expect(bitrix.readSegmentNames(unhurried())).rejects.toMatchObject({ code: 'bad_answer' });
  });

  test('the execution time that the last good answer told, for each kind of request', async () => {
    const { crm, bitrix } = await bitrixForTest(undefined, { now: () => 1_000_000 });
    crm.operatingSeconds = { perCall: 30, limit: 480 };
    expect(bitrix.operatingTime('companies')).toBeNull();
    await bitrix.findCompanies([gom, orgId('1900000017')], 'company_id_then_platform_orgid', unhurried());
    expect(bitrix.operatingTime('companies')).toEqual({ seconds: 120, resetAt: 1_600_000 });
    crm.fault = 'operation_limit';
    await bitrix.findCompanies([gom], 'company_id_then_platform_orgid', unhurried());
    expect(bitrix.operatingTime('companies')).toEqual({ seconds: 120, resetAt: 1_600_000 });
    expect(bitrix.operatingTime('users')).toBeNull();
  });

  test('several users in one request, with an answer for each', async () => {
    const { crm, bitrix } = await bitrixForTest();
    const users = await bitrix.findUsers(['341', '999999', '352', "1' or '1'='1"], unhurried());
    expect(users.get('341')).toMatchObject({ kind: 'found', user: { id: '341', active: true } });
    expect(users.get('352')).toMatchObject({ kind: 'found', user: { id: '352', active: false } });
    expect(users.get('999999')).toEqual({ kind: 'empty' });
    expect(users.get("1' or '1'='1")).toEqual({ kind: 'empty' });
    expect(crm.journal).toHaveLength(1);
  });

  test('among people who were not asked for, one who is missing is not "empty"', async () => {
    const { crm, bitrix } = await bitrixForTest();
    crm.fault = 'ignored_filter';
    const users = await bitrix.findUsers(['341', '999999'], unhurried());
    expect(users.get('341')).toMatchObject({ kind: 'found' });
    expect(users.get('999999')).toEqual({ kind: 'failed', code: 'bad_answer' });
  });
});
