import { describe, expect, it } from 'vitest';
import { FrappeError } from '#helpdesk/errors.ts';
import { type ColumnKind, matcher, parseFilters } from './filters.ts';

const met = (kind: ColumnKind, stored: unknown, operator: string, value: unknown): boolean =>
  matcher(kind, { field: 'f', operator, value })(stored);

describe('filters are read in every shape that Frappe takes', () => {
  it.each([
    [{ f: 'v' }, [{ field: 'f', operator: '=', value: 'v' }]],
    [{ f: ['!=', 'v'] }, [{ field: 'f', operator: '!=', value: 'v' }]],
    [[['f', 'LIKE', '%v']], [{ field: 'f', operator: 'like', value: '%v' }]],
    [[['f', 'v']], [{ field: 'f', operator: '=', value: 'v' }]],
    [[['HD Ticket', 'f', 'in', ['a']]], [{ doctype: 'HD Ticket', field: 'f', operator: 'in', value: ['a'] }]],
    ['', []],
    [undefined, []],
  ])('%j', (raw, expected) => {
    expect(parseFilters(raw)).toEqual(expected);
    if (typeof raw === 'object') expect(parseFilters(JSON.stringify(raw))).toEqual(expected);
  });

  it.each([['{broken'], ['"text"'], [[['f', 'nope', 1]]], [[1]]])('%j is refused with 417', (raw) => {
    expect(() => parseFilters(raw)).toThrow(FrappeError);
  });
});

describe('conditions compare as the column does', () => {
  it.each<[ColumnKind, unknown, string, unknown, boolean]>([
    ['number', 2, '=', '2abc', true],
    ['number', 2, 'in', ['02', 'x'], true],
    ['text', '2', '=', '2abc', false],
    ['text', '2', '=', '02', false],
    ['text', 'Open', '=', 'OPEN', true],
    ['text', null, '=', '', true],
    ['text', null, '!=', 'x', true],
    ['text', null, 'like', '%', true],
    ['text', 'a', 'in', 'a, b', true],
    ['text', 'c', 'not in', ['a', 'b'], true],
    ['text', '', 'is', 'not set', true],
    ['text', 'x', 'is', 'set', true],
    ['text', 'x', '=', null, false],
    ['datetime', '2026-11-21 05:00:00.000001', '>', '2026-11-21 05:00:00', true],
    ['datetime', '2026-11-21 05:00:00', '=', '2026-11-21 05:00:00.000000', true],
    ['datetime', null, '<', '2026-11-21', true],
    ['datetime', null, '>', '2026-11-21', false],
  ])('%s %j %s %j is %j', (kind, stored, operator, value, expected) => {
    expect(met(kind, stored, operator, value)).toBe(expected);
  });
});
