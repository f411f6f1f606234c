import { anyCharacter } from '@deskside/testing/any-character';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareNames, coreName } from './match.ts';

test.each([
  ['Công ty TNHH Gốm Sứ Làng Mơ', 'gom su lang mo'],
  ['CTY CP GỐM SỨ - LÀNG MƠ (KH cũ)', 'gom su lang mo'],
  ['200000376001 - Shop Gốm Sứ Làng Mơ', 'gom su lang mo'],
  ['Lang Mo Co., Ltd', 'lang mo'],
  ['Công ty TNHH', 'cong ty tnhh'],
  ['Shop', 'shop'],
  ['360 Store', '360'],
])('what tells %s from others is %s', (name, core) => expect(coreName(name)).toBe(core));

test.each([
  ['Gốm Sứ Làng Mơ', 'GOM SU LANG MO - 200000376001', 'same'],
  ['Gốm Sứ Làng Mơ Q1', 'Gốm Sứ Làng Mơ', 'part'],
  ['Làng Mơ', 'Gốm Sứ Làng Mơ', 'part'],
  ['Gốm Sứ Làng', 'Gốm Sứ Làngxóm', null],
  ['Mơ', 'Mơ', 'part'],
  ['Mơ', 'Gốm Mơ', null],
  ['', '', null],
])('%s and %s: %s', (one, other, fit) => {
  expect([compareNames(one, other), compareNames(other, one)]).toEqual([fit, fit]);
});

test('no name breaks it, and a name is the same as itself or says too little', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: anyCharacter, maxLength: 60 }),
      fc.string({ unit: anyCharacter, maxLength: 60 }),
      (one, other) => {
        expect(compareNames(one, other)).toBe(compareNames(other, one));
        expect(['same', 'part', null]).toContain(compareNames(one, one));
      },
    ),
  );
});
