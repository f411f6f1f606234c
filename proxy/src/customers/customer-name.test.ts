import { OrgId } from '@deskside/shared/orgid';
import { anyCharacter } from '@deskside/testing/any-character';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { orgIdInName } from '#intake/org-id.ts';
import { customerNameFor } from './find-customer.ts';

const orgId = OrgId.parse('200000376001');

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
])('the CRM name %j makes %j', (crmName, expected) => expect(customerNameFor(crmName, orgId)).toBe(expected));

test('a long name is cut to 140 characters in front of the org id, signs beyond the basic plane kept whole', () => {
  const name = customerNameFor('🛒'.repeat(200), orgId);
  expect([...name]).toHaveLength(140);
  expect(name).toBe(`${'🛒'.repeat(125)} - 200000376001`);
  expect(customerNameFor(`${'a'.repeat(124)} b`, orgId)).toBe(`${'a'.repeat(124)} - 200000376001`);
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
    }),
  );
});
