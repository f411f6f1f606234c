import { anyCharacter } from '@deskside/testing/any-character';
import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { type DesiredValue, differs, encode, shown, siteZone } from './values.ts';

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
