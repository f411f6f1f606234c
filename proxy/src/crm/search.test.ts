import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readQuery } from '#intake/read-query.ts';
import { spellingsOf, writtenNames } from '#intake/testing/written-names.ts';
import { FieldMap } from './company.ts';
import { phpQuery } from './rest.ts';
import { maxSearches, searchCommands } from './search.ts';
import { bitrixForTest, unhurried } from './testing/kit.ts';

const read = (text: string) => readQuery(text, { platform_hosts: ['myplatform.example'], guarded_domains: [] });

/** CRM ids of what is found. */
async function idsOf(bitrix: Awaited<ReturnType<typeof bitrixForTest>>['bitrix'], text: string) {
  const [answer] = await bitrix.searchCompanies([read(text)], unhurried());
  expect(answer).toMatchObject({ failed: null });
  return [...new Set(answer?.companies.map(({ crmId }) => crmId))];
}

describe('a company is found', () => {
  test.each<[string, string, string[]]>([
    ['by its org id in either field', '1000700230', ['63030', '63103']],
    ['by its org id where only the platform’s field has it', '1000700231', ['63031']],
    ['by a part of its name, whatever the case', 'SỨ LÀNG', ['63002']],
    ['by its title where the store’s name is empty', 'mây lụa', ['63004']],
    ['by a name with quotes and operators in it', 'Bếp "Xinh" & Gấu #1', ['63030']],
    ['by its e-mail address', 'Shop@GomLangMo.example', ['63002']],
    ['by its owner’s, which only a custom field has', 'owner@dacsanbenque.example', ['63007']],
    ['by a contact’s', 'nhanvien@gomlangmo.example', ['63002']],
    ['by its telephone number, nationally', '0900000003', ['63003']],
    ['by a contact’s, internationally', '+84 911 000 003', ['63003']],
    ['by its web address', 'https://www.gomlangmo.example/about', ['63002']],
    ['not by a part of an address', 'langmo.example', []],
    ['not by nothing', '', []],
  ])('%s', async (_, text, ids) => {
    const { bitrix } = await bitrixForTest();
    expect(await idsOf(bitrix, text)).toEqual(ids);
  });

  test('by its name, however it is stored and asked for, or the list says that it was cut', async () => {
    const { crm, bitrix } = await bitrixForTest();
    // A letter of full width, or a sign between two letters, is out of its filters' reach.
    const isInReach = ({ stored }: { stored: string }) => !/[\uff01-\uff5e]|(?<=\p{L})[\u200b\u00ad]/u.test(stored);
    const names = writtenNames(50).filter(isInReach);
    for (const [at, { stored }] of names.entries()) crm.putCompany({ ID: String(90_000 + at), TITLE: stored });
    const missed: string[][] = [];
    let cut = 0;
    for (const [at, { name, stored }] of names.entries()) {
      const spellings = spellingsOf(name);
      const answers = await bitrix.searchCompanies(spellings.map(read), unhurried());
      for (const [n, { companies, isCut, failed }] of answers.entries()) {
        const isFound = companies.some(({ crmId }) => crmId === String(90_000 + at));
        if (isCut) cut += 1;
        else if (!isFound) missed.push([spellings[n] ?? '', stored]);
        expect(failed).toBeNull();
      }
    }
    expect(missed).toEqual([]);
    expect(cut).toBeLessThan(20);
  });

  test.each(['0834567890', '01234567890', '+84 123 456 7890', '84834567890', '+84 (0)834 567 890'])(
    'by its number, written %s',
    async (VALUE) => {
      const { crm, bitrix } = await bitrixForTest();
      crm.putCompany({ ID: '90001', TITLE: 'Tiệm', PHONE: [{ VALUE, VALUE_TYPE: 'WORK' }] });
      expect(await idsOf(bitrix, '0834 567 890')).toEqual(['90001']);
    },
  );

  test('with what the list shows of it, and what it may be recognised by', async () => {
    const { bitrix } = await bitrixForTest();
    const [answer] = await bitrix.searchCompanies([read('nhanvien@gomlangmo.example')], unhurried());
    expect(answer?.companies).toMatchObject([
      {
        orgId: '200000376001',
        name: 'Gốm Sứ Làng Mơ',
        plan: 'OMNI SCALE 2025 (1 năm)',
        url: expect.stringContaining('/crm/company/details/63002/'),
        marks: { people: [{ name: expect.any(String), emails: ['nhanvien@gomlangmo.example'] }] },
      },
    ]);
  });
});

test('several searches are one request; more than fit are refused', async () => {
  const { crm, bitrix } = await bitrixForTest();
  const texts = ['gốm', '0900000003', 'owner@senda.example', 'gomlangmo.example'];
  const found = await bitrix.searchCompanies(texts.map(read), unhurried());
  expect(crm.journal.map(({ method }) => method)).toEqual(['batch']);
  expect(found.map(({ companies }) => companies[0]?.crmId)).toEqual(['63002', '63003', '63006', '63002']);
  const tooMany = Array.from({ length: maxSearches + 1 }, () => read('gốm'));
  await expect(bitrix.searchCompanies(tooMany, unhurried())).rejects.toThrow(RangeError);
});

test('a name of many words has a bounded pattern', () => {
  const { commands } = searchCommands('s', read('gốm sứ mỹ nghệ làng mơ a b c d e f g h i'), FieldMap.parse({}));
  for (const { params } of Object.values(commands)) expect(JSON.stringify(params).split('%').length).toBeLessThan(12);
});

test('a list that is full says that there is more', async () => {
  const { crm, bitrix } = await bitrixForTest();
  for (let id = 90_001; id <= 90_060; id += 1) crm.putCompany({ ID: String(id), TITLE: `Chuỗi ${id}` });
  expect((await bitrix.searchCompanies([read('chuỗi')], unhurried()))[0]).toMatchObject({
    isCut: true,
    companies: { length: 50 },
  });
});

describe('what is typed is only ever a value', () => {
  test('a sign with letters behind it or in front finds nothing', async () => {
    const { bitrix } = await bitrixForTest();
    const signs = [
      '%',
      '%%%',
      '_____',
      "'",
      '" OR 1=1 --',
      '!=TITLE',
      '[]',
      '>ID',
      '\\',
      '&filter[ID]=1',
      '$result[s0c0][0][ID]',
    ];
    for (const sign of signs)
      expect([await idsOf(bitrix, `${sign} zzz`), await idsOf(bitrix, `zzz ${sign}`)], sign).toEqual([[], []]);
  });

  test('a sign that the database may take for any finds what has that sign, and nothing else', async () => {
    const { crm, bitrix } = await bitrixForTest();
    crm.putCompany({ ID: '90001', TITLE: 'Giảm 50% mỗi ngày' });
    crm.putCompany({ ID: '90002', TITLE: 'Giảm 500 mỗi ngày' });
    expect(await idsOf(bitrix, 'giảm 50%')).toEqual(['90001']);
  });

  test('whatever is typed: as many searches as are sent together fit into a batch, with no placeholder but our own', () => {
    const part = fc.oneof(fc.constantFrom('$', 'result', '$result', '[', ']', ' ', '%24result', 'RESULT'), fc.string());
    const own = /^\$result\[s0c\d\](\[(COMPANY|CONTACT)\])?\[\d+\](\[COMPANY_ID\])?$/;
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const { commands } = searchCommands('s0', read(parts.join('')), FieldMap.parse({}));
        expect(Object.keys(commands).length).toBeLessThanOrEqual(50 / maxSearches);
        for (const { params } of Object.values(commands))
          for (const [, value] of new URLSearchParams(phpQuery(params)))
            if (/\$result\[/i.test(value)) expect(value).toMatch(own);
      }),
    );
  });
});

test('one part that fails leaves the others, and is told', async () => {
  const { crm, bitrix } = await bitrixForTest();
  // The first call of each method crosses the line, the second is blocked.
  crm.operatingSeconds = { perCall: 1, limit: 1 };
  const [answer] = await bitrix.searchCompanies([read('0900000003')], unhurried());
  expect(answer).toMatchObject({ failed: 'operation_limit', companies: [{ crmId: '63003' }] });
  expect(bitrix.operatingTime('searches')?.seconds).toBe(1);
  expect(bitrix.operatingTime('companies')).toBeNull();
});
