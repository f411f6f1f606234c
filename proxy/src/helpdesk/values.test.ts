import { anyCharacter } from '@deskside/testing/any-character';
import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { siteZone, stampBefore } from './site-time.ts';
import { type DesiredValue, differs, encode, shown } from './values.ts';

const zone = siteZone('Asia/Ho_Chi_Minh');
const field = (fieldtype: string, options = '', length = 0) => ({
  label: '',
  required: false,
  default: '',
  fieldname: 'custom_it',
  fieldtype,
  options,
  length,
  permlevel: 0,
});
const instant = Date.UTC(2026, 10, 20, 5, 0, 0, 999);

describe('a value is put into the form of its field', () => {
  it.each<[string, ReturnType<typeof field>, DesiredValue, unknown]>([
    ['text is trimmed', field('Data'), { text: ' Scale 24 tháng ' }, 'Scale 24 tháng'],
    [
      'markup is taken out of text',
      field('Small Text'),
      { text: '<img src=x onerror=alert(1)>' },
      'img src=x onerror=alert(1)',
    ],
    ['an accent that is a sign of its own', field('Data'), { text: 'Phở'.normalize('NFD') }, 'Phở'.normalize('NFC')],
    ['half a sign is replaced', field('Data'), { text: 'a\ud83d' }, 'a\ufffd'],
    ['code is left as it is', field('Code'), { text: ' {"TITLE":"<b>"} ' }, ' {"TITLE":"<b>"} '],
    ['140 signs fit, counted as signs', field('Data'), { text: '🛒'.repeat(140) }, '🛒'.repeat(140)],
    ['a field may be longer than usual', field('Data', '', 200), { text: 'a'.repeat(200) }, 'a'.repeat(200)],
    ['an option', field('Select', '\nSME\nMedium'), { text: 'Medium' }, 'Medium'],
    ['a Select without options takes everything', field('Select'), { text: 'Medium' }, 'Medium'],
    ['a number', field('Percent'), { text: '95' }, 95],
    ['the largest Int', field('Int'), { text: '2147483647' }, 2_147_483_647],
    ['an org id in a Float', field('Float'), { text: '200000376001' }, 200_000_376_001],
    ['an instant', field('Datetime'), { instant }, '2026-11-20 12:00:00'],
    ['an instant in a Date', field('Date'), { instant }, '2026-11-20'],
    ['an instant in a text', field('Data'), { instant }, '2026-11-20 12:00:00'],
    ['a link', field('Link', 'HD Customer'), { link: 'A <b>', to: 'HD Customer' }, 'A <b>'],
    ['nothing', field('Datetime'), null, null],
  ])('%s', (_, into, desired, value) => expect(encode(into, desired, zone)).toEqual({ value }));
});

describe('a value that the field would refuse or change is a misfit', () => {
  it.each<[ReturnType<typeof field>, DesiredValue, string]>([
    [field('Data'), { text: 'a'.repeat(141) }, 'too_long'],
    [field('Data', '', 20), { text: 'a'.repeat(21) }, 'too_long'],
    [field('Small Text'), { text: 'é'.repeat(32_768) }, 'too_long'],
    [field('Select', 'SME\nMedium'), { text: 'Enterprise' }, 'no_such_option'],
    [field('Int'), { text: '2147483648' }, 'out_of_range'],
    [field('Int'), { text: '200000376001' }, 'out_of_range'],
    [field('Float'), { text: '12345678901234567890' }, 'out_of_range'],
    [field('Int'), { text: '007' }, 'type'],
    [field('Int'), { text: '1.5' }, 'type'],
    [field('Int'), { text: 'abc' }, 'type'],
    [field('Int'), { text: '1e3' }, 'type'],
    [field('Check'), { text: '95' }, 'type'],
    [field('Int'), { instant }, 'type'],
    [field('Int'), null, 'type'],
    [field('Datetime'), { text: 'yesterday' }, 'type'],
    [field('Datetime'), { instant: Number.NaN }, 'out_of_range'],
    [field('Link', 'Segment'), { text: 'Medium' }, 'type'],
    [field('Link', 'Customer'), { link: 'A', to: 'HD Customer' }, 'type'],
    [field('Table', 'HD Customer Member'), { text: 'A' }, 'type'],
  ])('%j of %j is %s', (into, desired, misfit) => expect(encode(into, desired, zone)).toEqual({ misfit }));
});

describe('what stands in a record is compared as its type shows it', () => {
  it.each<[ReturnType<typeof field>, unknown, string | number | null]>([
    [field('Percent'), '95.0', 95],
    [field('Int'), 95, 95],
    [field('Check'), true, 1],
    [field('Data'), ' Medium ', 'Medium'],
    [field('Data'), '', null],
    [field('Data'), 'Phở'.normalize('NFD'), 'Phở'.normalize('NFC')],
    [field('Datetime'), undefined, null],
    [field('Datetime'), '2026-11-20 12:00:00.654321', '2026-11-20 12:00:00'],
    [field('Date'), '2026-11-20', '2026-11-20'],
    [field('JSON'), '{"b": 1, "a": [2]}', '{"a":[2],"b":1}'],
    [field('JSON'), { a: 1 }, '{"a":1}'],
  ])('%j: %j is the same as %j', (of, stored, value) => expect(differs(of, stored, value)).toBe(false));

  it.each<[ReturnType<typeof field>, unknown, string | number | null]>([
    [field('Percent'), 0, 95],
    [field('Data'), 'medium', 'Medium'],
    [field('Data'), 'Scale', null],
    [field('Data'), null, 'Scale'],
    [field('Datetime'), '2026-11-20 12:00:01.000000', '2026-11-20 12:00:00'],
    [field('JSON'), '{"a":1}', '{"a":2}'],
    [field('JSON'), 'no JSON', '{"a":2}'],
    [field('Code'), '{"a": 1}', '{"a":1}'],
  ])('%j: %j is another than %j', (of, stored, value) => expect(differs(of, stored, value)).toBe(true));
});

test('whatever could be written compares as unchanged once it stands there', () => {
  const types = ['Data', 'Small Text', 'Code', 'JSON', 'Select', 'Int', 'Float', 'Percent', 'Datetime', 'Date'];
  const texts = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 150 }),
    fc.integer().map(String),
    fc.double().map(String),
  );
  const desired = fc.oneof(
    texts.map((text) => ({ text })),
    fc.integer({ min: 0, max: 4e12 }).map((time) => ({ instant: time })),
  );
  fc.assert(
    fc.property(fc.constantFrom(...types), desired, (type, value) => {
      const encoded = encode(field(type), value, zone);
      if (!('value' in encoded)) return;
      expect(differs(field(type), encoded.value, encoded.value)).toBe(false);
      const stored = shown(field(type), encoded.value);
      expect(differs(field(type), stored, encoded.value)).toBe(false);
    }),
    { numRuns: 500 },
  );
});

const hourMs = 3_600_000;
const at = (iso: string) => Date.parse(iso);

describe('in Asia/Ho_Chi_Minh', () => {
  const zone = siteZone('Asia/Ho_Chi_Minh');

  it('an instant is written naive, seven hours ahead of UTC, and read back', () => {
    expect(zone.fromInstant(at('2026-11-20T05:00:00Z'))).toBe('2026-11-20 12:00:00');
    expect(zone.fromInstant(at('2026-12-31T17:00:00.999Z'))).toBe('2027-01-01 00:00:00');
    expect(zone.toInstant('2026-11-20 12:00:00')).toBe(at('2026-11-20T05:00:00Z'));
    expect(zone.toInstant('2026-11-20 12:00:00.987654')).toBe(at('2026-11-20T05:00:00Z'));
    expect(zone.toInstant('2026-11-20')).toBe(at('2026-11-19T17:00:00Z'));
  });

  it.each([
    ...[null, undefined, '', 0, 'yesterday', '2026', '2026-11-20T12:00:00Z'],
    ...['0000-00-00 00:00:00', '2026-02-30 00:00:00', '2026-13-01 00:00:00', '2026-11-20 24:00:00'],
  ])('%j is no time of a site', (stored) => expect(zone.toInstant(stored)).toBeNull());

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Date.UTC(-5, 0), 9e15])('%d cannot be written', (instant) =>
    expect(zone.fromInstant(instant)).toBeNull(),
  );
});

describe('in America/New_York', () => {
  const zone = siteZone('America/New_York');

  it('clocks that go forward skip an hour of naive time', () => {
    expect(zone.fromInstant(at('2026-03-08T06:59:59Z'))).toBe('2026-03-08 01:59:59');
    expect(zone.fromInstant(at('2026-03-08T07:00:00Z'))).toBe('2026-03-08 03:00:00');
    expect(zone.toInstant('2026-03-08 01:59:59')).toBe(at('2026-03-08T06:59:59Z'));
    expect(zone.toInstant('2026-03-08 03:00:00')).toBe(at('2026-03-08T07:00:00Z'));
  });

  it('a time within the skipped hour is read as if clocks had not been moved', () => {
    expect(zone.toInstant('2026-03-08 02:30:00')).toBe(at('2026-03-08T07:30:00Z'));
  });

  it('clocks that go back show an hour twice, which is read as its first time', () => {
    const [first, second] = [at('2026-11-01T05:30:00Z'), at('2026-11-01T06:30:00Z')];
    expect([first, second].map(zone.fromInstant)).toEqual(['2026-11-01 01:30:00', '2026-11-01 01:30:00']);
    expect(zone.toInstant('2026-11-01 01:30:00')).toBe(first);
    expect(zone.toInstant('2026-11-01 00:59:59')).toBe(at('2026-11-01T04:59:59Z'));
    expect(zone.toInstant('2026-11-01 02:00:00')).toBe(at('2026-11-01T07:00:00Z'));
  });
});

test.each([
  ...['UTC', 'Asia/Ho_Chi_Minh', 'Asia/Kolkata', 'Asia/Kathmandu', 'America/New_York', 'America/St_Johns'],
  ...['Europe/Dublin', 'Australia/Lord_Howe', 'Pacific/Apia', 'Africa/Casablanca', 'Asia/Tehran'],
])(
  'in %s what was written, read and written again is the same, and read as the same instant or its earlier twin',
  (name) => {
    const zone = siteZone(name);
    const years = { min: Date.UTC(1990, 0), max: Date.UTC(2040, 0) };
    fc.assert(
      fc.property(fc.integer(years), (instant) => {
        const written = zone.fromInstant(instant);
        const read = zone.toInstant(written);
        expect(read).not.toBeNull();
        expect(zone.fromInstant(read ?? 0)).toBe(written);
        const early = Math.floor(instant / 1_000) * 1_000 - (read ?? 0);
        expect(early).toBeGreaterThanOrEqual(0);
        expect(early).toBeLessThanOrEqual(hourMs);
      }),
      { numRuns: 300 },
    );
  },
);

test.each([
  ['2026-11-21 05:03:45.920547', 300_000, '2026-11-21 04:58:45.920547'],
  ['2026-11-21 05:03:45', 0, '2026-11-21 05:03:45'],
  ['2026-01-01 00:00:00.5', 1_000, '2025-12-31 23:59:59.5'],
  ['2026-03-01 01:00:00.000001', 3 * 3_600_000, '2026-02-28 22:00:00.000001'],
  ['', 1_000, ''],
  ['yesterday', 1_000, 'yesterday'],
])('%s less %d ms is %s', (stamp, ms, expected) => {
  expect(stampBefore(stamp, ms)).toBe(expected);
});
