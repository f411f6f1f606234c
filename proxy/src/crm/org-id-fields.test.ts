import type { CrmSimulator } from '@deskside/simulators/crm/server';
import { expect, test } from 'vitest';
import type { LookupFields } from '#store/schema.ts';
import { lookupCompany } from './lookup.ts';
import { inFolder, openLayers } from './testing/crm-layers.ts';
import { bitrixForTest, findCompanies, orgId, unhurried } from './testing/kit.ts';

const [platform, companyId] = ['UF_CRM_PLATFORM_ORG_ID', 'UF_CRM_COMPANY_ID'];

/** A company whose org id fields hold a value, of a portal that has those fields like this. */
function put(crm: CrmSimulator, value: unknown, type = 'string', multiple = false) {
  for (const field of [platform, companyId]) crm.fieldTypes.set(field, { type, multiple });
  crm.putCompany({ ID: '1', TITLE: 'Shop', [platform]: value, [companyId]: value } as never);
}

test.each<[string, unknown, string, string, boolean?]>([
  ['the first of several', ['410000001', '410000002'], '410000001', 'string', true],
  ['the second of several', ['410000001', '410000002'], '410000002', 'string', true],
  ['one of several numbers', [410000001, '410000002.0000000'], '410000002', 'double', true],
  ['behind an empty one', ['', '410000002'], '410000002', 'string', true],
  ['a number with decimals', '470000002.0000000', '470000002', 'double'],
  ['a number', 470000002, '470000002', 'integer'],
  ['behind a sign without width', '\u200b470000002', '470000002', 'string'],
  ['behind a mark of direction and before a blank', '\u200e470000002 ', '470000002', 'string'],
])('an org id that is %s is found, by either look-up', async (_, value, id, type, multiple) => {
  const { crm, bitrix } = await bitrixForTest();
  put(crm, value, type, multiple);
  for (const by of ['company_id_then_platform_orgid', 'platform_orgid_then_company_id'] satisfies LookupFields[]) {
    const { companies } = await bitrix.findCompanies([orgId(id)], by, unhurried());
    expect(companies.get(orgId(id))).toMatchObject({
      kind: 'found',
      companies: [{ fields: { bitrix_id: '1', company_id: id } }],
    });
  }
});

test('what stands in the field otherwise is shown as the org id that it is', async () => {
  const { crm, bitrix } = await bitrixForTest();
  crm.putCompany({ ID: '1', TITLE: 'Shop - 470000002', [platform]: '555', [companyId]: '470000002.0000000' } as never);
  const { companies } = await bitrix.findCompanies([orgId('555')], 'platform_orgid_then_company_id', unhurried());
  expect(companies.get(orgId('555'))).toMatchObject({
    companies: [{ fields: { company_id: '470000002', company_name: 'Shop' } }],
  });
});

test('rows of which none has the org id are a lost filter: an error of that look-up alone, which names the field', async () => {
  const { crm, bitrix } = await bitrixForTest();
  crm.absentFields.add(companyId);
  const lost = await bitrix.findCompanies([orgId('1000069001')], 'platform_orgid_then_company_id', unhurried());
  // The platform's field is there, and has it.
  expect(lost.companies.get(orgId('1000069001'))).toMatchObject({ kind: 'found' });
  const { companies } = await findCompanies(bitrix, [orgId('555')]);
  expect(companies.get(orgId('555'))).toEqual({ kind: 'failed', code: 'bad_answer', lostFilter: companyId });
});

test('twenty lost filters between good look-ups are named in the log, and nobody else fails for them', () =>
  inFolder(async (data) => {
    const { crm } = await bitrixForTest();
    const lines: Record<string, unknown>[] = [];
    const line = (fields: object) => void lines.push({ ...fields });
    const logger = { debug() {}, info() {}, warn: line, error: line };
    const { layers, close } = await openLayers({ crm, data, logger });
    const look = async (id: string) =>
      (await lookupCompany(layers, { orgId: orgId(id), refresh: true, deadlineMs: 60_000 })).status;
    for (let n = 0; n < 20; n += 1) {
      crm.fault = 'ignored_filter';
      expect(await look(String(555_000_000 + n))).toBe('error');
      crm.fault = null;
      if (n % 5 === 0) expect(await look('200000376001')).toBe('matched');
    }
    expect(await look('200000376001')).toBe('matched');
    expect(lines.filter(({ lost_filter }) => lost_filter === companyId)).toHaveLength(20);
    expect(lines.filter(({ fault }) => fault !== undefined)).toEqual([]);
    await close();
  }));
