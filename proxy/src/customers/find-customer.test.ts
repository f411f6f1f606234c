import { OrgId } from '@deskside/shared/orgid';
import { anyCharacter } from '@deskside/testing/any-character';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { orgIdInName } from '#intake/org-id.ts';
import { customerNameFor, fitOf } from './find-customer.ts';

const orgId = '1000069001' as OrgId;
const other = '200000376001' as OrgId;
const target = { orgId, crmCompanyId: '63001' };

describe('whose a customer is (decision 11)', () => {
  test.each([
    ['carries the org id', { name: 'Shop', orgId, crmCompanyId: null }, 'same'],
    ['carries the org id, and an older CRM company', { name: 'Shop', orgId, crmCompanyId: '1' }, 'same'],
    ['carries another org id', { name: 'Shop', orgId: other, crmCompanyId: null }, 'other'],
    ['carries another org id, and this CRM company', { name: 'Shop', orgId: other, crmCompanyId: '63001' }, 'other'],
    ['carries the org id in its name', { name: `Shop - ${orgId}`, orgId: null, crmCompanyId: null }, 'same'],
    ['carries another org id in its name', { name: `${other} - Shop`, orgId: null, crmCompanyId: null }, 'other'],
    ['its field counts for more than its name', { name: `Shop - ${other}`, orgId, crmCompanyId: null }, 'same'],
    ['is known as this CRM company', { name: 'Shop', orgId: null, crmCompanyId: '63001' }, 'same'],
    ['is known as another CRM company', { name: 'Shop', orgId: null, crmCompanyId: '9' }, 'other'],
    ['is nobody’s', { name: '360 Store', orgId: null, crmCompanyId: null }, 'free'],
  ])('%s', (_, customer, fit) => {
    expect(fitOf(customer, target)).toBe(fit);
  });

  test('known as a CRM company while the look-up found none: somebody else’s', () => {
    const customer = { name: 'Shop', orgId: null, crmCompanyId: '9' };
    expect(fitOf(customer, { orgId, crmCompanyId: null })).toBe('other');
  });
});

test.each([
  ['Gốm Sứ Làng Mơ - 200000376001', 'Gốm Sứ Làng Mơ - 200000376001'],
  ['Gốm Sứ Làng Mơ', 'Gốm Sứ Làng Mơ - 200000376001'],
  ['  Gốm   Sứ\r\n\tLàng Mơ  -  63002 ', 'Gốm Sứ Làng Mơ - 200000376001'],
  ['A - B - 77', 'A - B - 200000376001'],
  ['360 Store', '360 Store - 200000376001'],
  ['Shop-2024', 'Shop-2024 - 200000376001'],
  ['<b>Trà</b> <3 - 5', 'bTrà/b 3 - 200000376001'],
  ['Shop <> - 5', 'Shop - 200000376001'],
  ['', '200000376001'],
  [' <> ', '200000376001'],
  ['- 5', '200000376001'],
  ['200000376001', '200000376001'],
  ['\ud83d shop', '\ufffd shop - 200000376001'],
])('the CRM name %j makes %j', (crmName, expected) => expect(customerNameFor(crmName, other)).toBe(expected));

test('a long name is cut to 140 characters in front of the org id, signs beyond the basic plane kept whole', () => {
  const name = customerNameFor('🛒'.repeat(200), other);
  expect([...name]).toHaveLength(140);
  expect(name).toBe(`${'🛒'.repeat(125)} - 200000376001`);
  expect(customerNameFor(`${'a'.repeat(124)} b`, other)).toBe(`${'a'.repeat(124)} - 200000376001`);
});

test('signs that nobody sees are no name', () => {
  expect(customerNameFor('\u{e0000}\u200b', OrgId.parse('7'))).toBe('7');
});

test('every name is one that the helpdesk takes as it is, carries the org id, and stays the same when made again', () => {
  const names = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 200 }),
    fc.string({ unit: 'grapheme', maxLength: 200 }),
  );
  fc.assert(
    fc.property(names, fc.stringMatching(/^[1-9]\d{0,19}$/), (crmName, digits) => {
      const id = OrgId.parse(digits);
      const name = customerNameFor(crmName, id);
      expect(name).not.toMatch(/[<>\p{Cc}]/u);
      expect(name).toBe(name.trim());
      expect(name.isWellFormed()).toBe(true);
      expect([...name].length).toBeLessThanOrEqual(140);
      if (name !== id) expect(orgIdInName(name)).toBe(id);
      expect(customerNameFor(name, id)).toBe(name);
      const second = customerNameFor(crmName, id, 2);
      expect([...second].length).toBeLessThanOrEqual(140);
      expect([second.endsWith(`(2) - ${id}`), orgIdInName(`x${second}`)]).toEqual([true, id]);
    }),
  );
});
