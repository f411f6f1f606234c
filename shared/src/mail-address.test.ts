import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressesIn, isAccountOf, senderIn } from './mail-address.ts';

test.each<[written: string, addresses: string[]]>([
  ['Lan@Shop.vn', ['lan@shop.vn']],
  ['a@x.vn, b@x.vn', ['a@x.vn', 'b@x.vn']],
  ['a@x.vn;b@x.vn', ['a@x.vn', 'b@x.vn']],
  ['a@x.vn / b@x.vn', ['a@x.vn', 'b@x.vn']],
  ['a@x.vn/b@x.vn', ['a@x.vn', 'b@x.vn']],
  ['a@x.vn b@x.vn\na@X.vn', ['a@x.vn', 'b@x.vn']],
  ['a@x.vn hoặc b@x.vn', ['a@x.vn', 'b@x.vn']],
  ['Nguyễn, Lan <lan@x.vn>', ['lan@x.vn']],
  ['"Lan (kế toán)" <lan@x.vn>', ['lan@x.vn']],
  ['lan@x.vn (kế toán)', ['lan@x.vn']],
  ['mailto:lan@x.vn?subject=Hi', ['lan@x.vn']],
  ['Email: lan@x.vn.', ['lan@x.vn']],
  ['lan@x.vn...', ['lan@x.vn']],
  ["'lan@x.vn'", ['lan@x.vn']],
  ["''lan@x.vn''", ['lan@x.vn']],
  ["o'neil@x.vn", ["o'neil@x.vn"]],
  ['lan+1@x.vn', ['lan+1@x.vn']],
  ['la\u200bn@x.vn\u00a0', ['lan@x.vn']],
  ['ｌａｎ＠ｘ．ｖｎ', ['lan@x.vn']],
  ['lan@bücher.vn', ['lan@xn--bcher-kva.vn']],
  ['lan@XN--BCHER-KVA.vn', ['lan@xn--bcher-kva.vn']],
  ['lan@bu\u0308cher.vn', ['lan@xn--bcher-kva.vn']],
  ['chưa có', []],
  ['lan@', []],
  ['@x.vn', []],
  ['lan@127.1', []],
  ['lan@127', []],
  ['lan@127.0x1', []],
])('the CRM’s %j holds %j', (written, addresses) => expect(addressesIn(written)).toEqual(addresses));

test('whatever the CRM holds: each address once, in ASCII behind its last @, and the same when read again', () => {
  const part = fc.oneof(
    fc.constantFrom(...'@.;, /<>()"\':+-'),
    fc.emailAddress(),
    fc.string({ unit: 'grapheme', maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const found = addressesIn(parts.join(''));
      expect(new Set(found).size).toBe(found.length);
      for (const one of found) expect(one).toMatch(/^[^@\s]+@[a-z0-9._-]+$/);
    }),
  );
  const simple = fc.emailAddress().filter((one) => /^[a-z0-9+_-]+@/.test(one));
  fc.assert(
    fc.property(
      fc.uniqueArray(simple, { maxLength: 4 }),
      fc.constantFrom(', ', ';', ' / ', '\n', ' '),
      (all, between) => {
        const wanted = [...new Set(all.map((one) => one.toLowerCase()))];
        expect(addressesIn(all.join(between))).toEqual(wanted);
        expect(wanted.flatMap(addressesIn)).toEqual(wanted);
      },
    ),
  );
});

const boss = 'boss@shop.vn';

test.each<[raisedBy: string | null, sender: string | null]>([
  [' Boss@Shop.VN ', boss],
  ['Sếp Hà <boss@shop.vn>', boss],
  ['"Hà, Sếp" <Boss@shop.vn>', boss],
  ['<boss@shop.vn>', boss],
  ['boss@bücher.vn', 'boss@xn--bcher-kva.vn'],
  ['boss@xn--bcher-kva.vn', 'boss@xn--bcher-kva.vn'],
  ['Administrator', 'administrator'],
  [null, null],
  ['  ', null],
  ['boss@shop.vn, me@evil.example', null],
  ['me@evil.example boss@shop.vn', null],
  ['boss@shop.vn <me@evil.example>', null],
  ['"boss@shop.vn" <me@evil.example>', null],
  ['Sếp <boss@shop.vn> <me@evil.example>', null],
  ['Sếp <boss@shop.vn', null],
  ['boss@shop.vn (me)', null],
  ['bo\u200bss@shop.vn', null],
  ['\u200bboss@shop.vn', null],
  ['boss\u00ad@shop.vn', null],
  ['boss@shop\u2060.vn', null],
  ['Sếp\u202e <boss@shop.vn>', null],
  ['ｂoss@shop.vn', null],
  ['boss@ſhop.vn', null],
  ['boss＠shop.vn', null],
  ['boss@shop。vn', null],
  ['bo ss@shop.vn', null],
  ['mailto:boss@shop.vn', null],
  ['boss@\u212bhop.vn', null],
])('a ticket raised by %j is from %j', (raisedBy, sender) => expect(senderIn(raisedBy)).toBe(sender));

test.each([
  'boss+1@shop.vn',
  'b0ss@shop.vn',
  'böss@shop.vn',
  'boss@shöp.vn',
  'boss@shop.vn.',
  'boss.@shop.vn',
  'bоss@shop.vn',
])('%s is not the boss', (raisedBy) => expect(senderIn(raisedBy)).not.toBe(boss));

test('an account whose address differs from the boss’s in any sign is not the boss’s, but for capitals', () => {
  const unit = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    fc
      .integer({ min: 0x80, max: 0xffff })
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCharCode(code)),
    fc.constantFrom(...'\u200b\u00ad\u2060\ufeff\u200e\u0301\ufe0f\u212aſ．。＠'),
  );
  fc.assert(
    fc.property(unit, fc.nat(boss.length), fc.boolean(), (sign, at, isReplaced) => {
      const other = boss.slice(0, at) + sign + boss.slice(at + Number(isReplaced));
      if (senderIn(other) === boss) expect(other.trim().toLowerCase().replace(/^<|>$/g, '')).toBe(boss);
    }),
    { numRuns: 5_000 },
  );
});

test.each([
  ['boss@shop.vn', true],
  ['Boss@Shop.vn', true],
  ['Sếp <boss@shop.vn>', false],
  ['<boss@shop.vn>', false],
  ['boss@shop.vn ', true],
  ['bo\u200bss@shop.vn', false],
])('the account %j is the boss’s: %j', (account, isOwn) => expect(isAccountOf(boss, account)).toBe(isOwn));

test('an account of a domain in Unicode is its sender’s in ASCII', () => {
  expect(isAccountOf(senderIn('a@xn--bcher-kva.vn') ?? '', 'a@Bücher.vn')).toBe(true);
});
