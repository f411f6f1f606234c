import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsePhpQuery, phpMap } from './request.ts';

test('brackets nest, empty brackets count up, values are decoded once', () => {
  expect(parsePhpQuery('filter[%3EID]=5&select[]=ID&select[]=UF_*&order[DATE_MODIFY]=DESC&start=-1&a=%2526')).toEqual({
    filter: { '>ID': '5' },
    select: ['ID', 'UF_*'],
    order: { DATE_MODIFY: 'DESC' },
    start: '-1',
    a: '%26',
  });
});

test('a list inside a filter is a list', () => {
  expect(parsePhpQuery('filter[@ID][]=1&filter[@ID][]=2')).toEqual({ filter: { '@ID': ['1', '2'] } });
});

test('whatever text comes in, the prototype of objects stays untouched', () => {
  const before = Object.getOwnPropertyNames(Object.prototype);
  fc.assert(
    fc.property(fc.string(), fc.string(), (key, value) => {
      parsePhpQuery(`__proto__[${key}]=${value}&constructor[prototype][${key}]=${value}&${key}[${value}]=1`);
      expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
    }),
  );
  expect(parsePhpQuery('__proto__[polluted]=1')).not.toHaveProperty('polluted');
});

test('an empty map and one with running numbers are lists on the wire', () => {
  expect(phpMap([])).toEqual([]);
  expect(
    phpMap([
      ['0', 'a'],
      ['1', 'b'],
    ]),
  ).toEqual(['a', 'b']);
  expect(phpMap([['1', 'b']])).toEqual({ '1': 'b' });
  expect(phpMap([['org', 'a']])).toEqual({ org: 'a' });
});
