import { OrgId } from '@deskside/shared/orgid';
import { anyCharacter } from '@deskside/testing/any-character';
import { anyUrl } from '@deskside/testing/any-url';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hostOf, type Marks, matchReasons, readQuery } from './read-query.ts';

const hosts = { platform_hosts: ['myplatform.example'], guarded_domains: ['google.com', 'gmail.com'] };
const brief = (text: string) => readQuery(text, hosts).map(({ kind, value }) => `${kind} ${value}`);

describe('what is typed is read as', () => {
  test.each<[string, string[]]>([
    ['1000069001', ['org_id 1000069001']],
    [' 1000 069 001 ', ['org_id 1000069001']],
    ['Mã cửa hàng: 1000069001', ['org_id 1000069001']],
    ['org id 1000069001, gói Grow', ['org_id 1000069001']],
    ['0900000002', ['phone 0900000002', 'org_id 0900000002']],
    ['84900000002', ['org_id 84900000002', 'phone 0900000002']],
    ['+84 900 000 002', ['phone 0900000002']],
    ['(090) 0000-002', ['phone 0900000002', 'org_id 0900000002']],
    ['SĐT: 0900 000 002', ['phone 0900000002']],
    ['tel:+15551234567', ['phone 15551234567']],
    ['sđt 0900000002', ['phone 0900000002']],
    ['Hotline: 19001234', ['phone 19001234']],
    [`0${'1'.repeat(19)}`, [`org_id 0${'1'.repeat(19)}`]],
    ['360', ['org_id 360', 'name 360']],
    ['123456', ['org_id 123456', 'name 123456']],
    [`0${'1'.repeat(14)}`, [`phone 0${'1'.repeat(14)}`, `org_id 0${'1'.repeat(14)}`]],
    ['7', ['org_id 7']],
    ['0', []],
    ['1'.repeat(21), []],
    ['Owner@GomLangMo.example', ['email owner@gomlangmo.example']],
    ['"Khải" <owner@gomlangmo.example>', ['email owner@gomlangmo.example']],
    ["'o'neil@x.example'", ["email o'neil@x.example"]],
    ['https://vy@hoa.vn/', ['shop_address hoa.vn']],
    ['mailto:owner@gomlangmo.example?subject=x', ['email owner@gomlangmo.example']],
    ['https://www.gomlangmo.example:8080/admin?x=1', ['shop_address gomlangmo.example']],
    ['gomlangmo.example', ['shop_address gomlangmo.example', 'name gomlangmo.example']],
    [' gomlangmo.example\n', ['shop_address gomlangmo.example', 'name gomlangmo.example']],
    ['gomlangmo.example/x', ['shop_address gomlangmo.example']],
    ['hoawww.vn', ['shop_address hoawww.vn', 'name hoawww.vn']],
    ['HT', ['name HT']],
    ['a@hoa.vn, b@hoa.vn', ['name a@hoa.vn, b@hoa.vn']],
    ['gomlangmo.myplatform.example', ['shop_address gomlangmo.myplatform.example']],
    [
      'https://1000069001.myplatform.example/admin',
      ['org_id 1000069001', 'shop_address 1000069001.myplatform.example'],
    ],
    ['http://169.254.169.254/latest', ['name http://169.254.169.254/latest']],
    ['https://google.com/search', []],
    ['localhost', ['name localhost']],
    ['Gốm Sứ  Làng Mơ', ['name Gốm Sứ Làng Mơ']],
    ['Tiệm Hoa Mẫu - 1000069001', ['org_id 1000069001', 'name Tiệm Hoa Mẫu']],
    ['1000391001 - Cà Phê Sương Núi', ['org_id 1000391001', 'name Cà Phê Sương Núi']],
    ['360 Độ Store', ['name 360 Độ Store']],
    ['Dr. Vy', ['name Dr. Vy']],
    ['a', []],
    ['%%', []],
    ['', []],
    ['   ', []],
  ])('%j', (text, readings) => expect(brief(text)).toEqual(readings));
});

test('whatever is typed: no error, each reading once, of its own form, and short', () => {
  const part = fc.oneof(
    fc.constantFrom(...`%|_|'|"|\\|!|=%|$result[a][0]|gomlangmo.example|vy@hoa.example|0900| - |@|+84`.split('|')),
    fc.string({ unit: anyCharacter, maxLength: 12 }),
    anyUrl,
    fc.emailAddress(),
    fc.bigInt({ min: 0n, max: 10n ** 22n }).map(String),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.constantFrom('', ' '), (parts, between) => {
      const readings = readQuery(parts.join(between), hosts);
      expect(readings.length).toBeLessThanOrEqual(3);
      expect(new Set(readings.map(({ kind }) => kind)).size).toBe(readings.length);
      for (const { kind, value } of readings) {
        expect(value.isWellFormed()).toBe(true);
        expect(value).not.toMatch(/\p{Cc}/u);
        if (kind === 'org_id') expect(OrgId.safeParse(value).success).toBe(true);
        else if (kind === 'phone') expect(value).toMatch(/^\d{7,15}$/);
        else if (kind === 'shop_address') expect(new URL(`https://${value}`).hostname).toBe(value);
        else if (kind === 'email') expect(value).toMatch(/^[^\s@]+@[^\s@]+$/);
        else expect([...value].length).toBeLessThanOrEqual(140);
      }
    }),
  );
});

test.each([
  [' https://www.Gom.example/x', 'gom.example'],
  ['gom.example./?to=https://x.example', 'gom.example'],
  ['hoawww.vn', 'hoawww.vn'],
  ['://', ''],
])('the host of %j is %j', (address, host) => expect(hostOf(address)).toBe(host));

test.each<[written: string, typed: string, isFound: boolean]>([
  ['0909 123 456, 028 7300 0001', '02873000001', true],
  ['28 7300 0001', '02873000001', true],
  ['028 7300 0001', 'tel 28 7300 0001', true],
  ['028 700 0001', '0700 0001', true],
  ['0700 0001', '028 700 0001', true],
  ['028 7000 0012', '0700 0001', false],
  ['028 700 0001', '028 700 0002', false],
])('the telephone %j is found by %j: %j', (written, typed, isFound) => {
  const nothing = { orgIds: [], names: [], addresses: [], emails: [], people: [] };
  const reasons = matchReasons(readQuery(typed, hosts), { ...nothing, phones: [written] });
  expect(reasons.some(({ by }) => by === 'phone')).toBe(isFound);
});

describe('why a record matches', () => {
  const marks: Marks = {
    orgIds: ['001000069001'],
    names: ['Tiệm Hoa Mẫu - 1000069001', 'TIỆM HOA MẪU CN2'],
    addresses: ['http://www.TiemHoaMau.example/', 'tiemhoamau.myplatform.example'],
    emails: [' Shop@TiemHoaMau.example'],
    phones: ['+84 900 000 001#12'],
    people: [{ name: 'Nguyễn Thị Mẫu', emails: ['owner@tiemhoamau.example'], phones: ['0911.000.001'] }],
  };
  test.each<[string, unknown]>([
    ['1000069001', { by: 'org_id', value: '001000069001' }],
    ['tiem hoa mau', { by: 'name', value: 'Tiệm Hoa Mẫu - 1000069001', rank: 3 }],
    ['hoa mẫu cn', { by: 'name', value: 'TIỆM HOA MẪU CN2' }],
    ['shop@tiemhoamau.example', { by: 'email', value: ' Shop@TiemHoaMau.example', person: null }],
    ['owner@tiemhoamau.example', { by: 'email', value: 'owner@tiemhoamau.example', person: 'Nguyễn Thị Mẫu' }],
    ['0900000001', { by: 'phone', value: '+84 900 000 001#12', person: null }],
    ['+84911000001', { by: 'phone', value: '0911.000.001', person: 'Nguyễn Thị Mẫu' }],
    ['https://tiemhoamau.example/x', { by: 'shop_address', value: 'http://www.TiemHoaMau.example/' }],
    ['tiemhoamau.myplatform.example', { by: 'shop_address', value: 'tiemhoamau.myplatform.example' }],
  ])('%s', (text, reason) => expect(matchReasons(readQuery(text, hosts), marks)[0]).toMatchObject(reason as object));

  test.each([
    '1000069002',
    'tiệm hoa_mẫu',
    'hoa%cn2',
    'Tiệm.*',
    'hop@tiemhoamau.example',
    '0900000011',
    'hoamau.example',
    'mau.myplatform.example',
  ])('not %s', (text) => expect(matchReasons(readQuery(text, hosts), marks)).toEqual([]));

  test.each<[string, string, number]>([
    ['the org id before anything else', '1000069001', 0],
    ['the company’s own address', 'shop@tiemhoamau.example', 1],
    ['one of its people’s', 'owner@tiemhoamau.example', 2],
    ['one of its people’s numbers', '0911000001', 2],
    ['its web address', 'tiemhoamau.example', 1],
    ['its whole name', 'TIEM HOA MAU CN2', 3],
    ['how a name begins', 'tiệm hoa', 4],
    ['a part of a name', 'hoa mẫu', 5],
  ])('how close it is: %s', (_, text, rank) => {
    expect(matchReasons(readQuery(text, hosts), marks)[0]?.rank).toBe(rank);
  });

  test('the closest reason comes first, and of several names the closest alone', () => {
    const two = { ...marks, names: ['Shop tiệm hoa', 'Tiệm hoa 7', 'Tiệm hoa'], orgIds: ['7'] };
    expect(
      matchReasons(
        [
          { kind: 'name', value: 'tiệm hoa' },
          { kind: 'org_id', value: '7' as OrgId },
        ],
        two,
      ),
    ).toEqual([
      { by: 'org_id', value: '7', person: null, rank: 0 },
      { by: 'name', value: 'Tiệm hoa', person: null, rank: 3 },
    ]);
  });

  test('a shop’s address that stands in a name is found there', () => {
    const named = { ...marks, addresses: [], names: ['Tiệm', 'Tiệm hoamau.example'] };
    expect(matchReasons([{ kind: 'shop_address', value: 'hoamau.example' }], named)).toMatchObject([
      { value: 'Tiệm hoamau.example', rank: 4 },
    ]);
  });

  test('an org id is compared as a number, and as it is where it is none', () => {
    const found = (id: string, wanted: string) =>
      matchReasons([{ kind: 'org_id', value: wanted as OrgId }], { ...marks, orgIds: [id] }).length;
    expect([found('0007', '7'), found('7', '0007'), found('a7', '7'), found('7a', '7'), found('70', '7')]).toEqual([
      1, 1, 0, 0, 0,
    ]);
  });

  test('a short number is the end of no longer one', () => {
    expect(matchReasons([{ kind: 'phone', value: '000001' }], marks)).toEqual([]);
  });
});

test('what somebody copies from a record finds that record', () => {
  const digits = fc.integer({ min: 100_000_000, max: 999_999_999 }).map(String);
  // One that begins with a quotation mark is taken for a quotation.
  const ownEmail = fc.emailAddress().filter((one) => !one.startsWith("'"));
  fc.assert(
    fc.property(digits, ownEmail, fc.domain(), fc.boolean(), (number, email, domain, inland) => {
      const marks = {
        orgIds: [`1${number}`],
        names: [`Tiệm ${number} - 1${number}`],
        addresses: [`https://www.${domain}/`],
        emails: [email],
        phones: [inland ? `0${number}` : `+84 ${number}`],
        people: [],
      };
      const { orgIds, names, phones } = marks;
      for (const copied of [...orgIds, ...names, ...phones])
        expect(matchReasons(readQuery(copied, hosts), marks), copied).not.toEqual([]);
      expect(matchReasons(readQuery(email, hosts), marks)).toMatchObject([{ by: 'email', value: email }]);
    }),
  );
});
