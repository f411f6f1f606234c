import { beforeAll, describe, expect, it } from 'vitest';
import { names, useSite } from '#helpdesk/testing/client.ts';
import { ticket } from '#helpdesk/testing/replay-seed.ts';
import { type ColumnKind, matcher, parseFilters } from './filters.ts';

it.each([
  [{ f: 'v' }, [{ field: 'f', operator: '=', value: 'v' }]],
  [{ f: ['!=', 'v'] }, [{ field: 'f', operator: '!=', value: 'v' }]],
  [[['f', 'LIKE', '%v']], [{ field: 'f', operator: 'like', value: '%v' }]],
  [[['f', 'v']], [{ field: 'f', operator: '=', value: 'v' }]],
  [[['HD Ticket', 'f', 'in', ['a']]], [{ doctype: 'HD Ticket', field: 'f', operator: 'in', value: ['a'] }]],
])('filters are read in every shape that Frappe takes: %j', (raw, expected) => {
  expect(parseFilters(raw)).toEqual(expected);
  expect(parseFilters(JSON.stringify(raw))).toEqual(expected);
});

it.each<[ColumnKind, unknown, string, unknown, boolean]>([
  ['number', 2, '=', '2abc', true],
  ['number', 1, '=', "1' or '1'='1", true],
  ['number', 2, 'in', ['02', 'x'], true],
  ['text', '2', '=', '2abc', false],
  ['text', '2', '=', '02', false],
  ['text', 'Open', '=', 'OPEN  ', true],
  ['text', 'Cà phê', '=', 'ca phe', true],
  ['text', ' a', '=', 'a', false],
  ['text', null, '=', '', true],
  ['text', null, '!=', 'x', true],
  ['text', null, 'like', '%', true],
  ['text', 'My SHOP online', 'like', '%shop%', true],
  ['text', 'My shop', 'like', 'shop%', false],
  ['text', 'abbc', 'like', 'a_c', false],
  ['text', '50x', 'like', '50.%', false],
  ['text', 'a', 'in', 'a, b', true],
  ['text', 'c', 'not in', ['a', 'b'], true],
  ['text', '', 'is', 'not set', true],
  ['text', 'x', 'is', 'set', true],
  ['datetime', '2026-11-21 05:00:00.000001', '>', '2026-11-21 05:00:00', true],
  ['datetime', '2026-11-21 05:00:00', '=', '2026-11-21 05:00:00.000000', true],
  ['datetime', null, '<', '2026-11-21', true],
  ['datetime', null, '>', '2026-11-21', false],
])('a condition compares as the column does: %s %j %s %j is %j', (kind, stored, operator, value, expected) => {
  expect(matcher(kind, { field: 'f', operator, value })(stored)).toBe(expected);
});

describe('lists', () => {
  const site = useSite('1.28');
  const list = (parameters: Record<string, unknown>, doctype = 'HD Ticket') =>
    site.list('agent.a', doctype, parameters);

  beforeAll(() => {
    for (let number = 100; number < 130; number += 1) {
      const values = {
        subject: number % 2 === 0 ? 'Đơn hàng' : 'Kho',
        modified: `2026-11-22 05:00:${number - 80}.000000`,
      };
      site.simulator.put('HD Ticket', ticket(`0${number}`, values));
    }
  });

  it('hold 20 rows unless the caller says how many, all of them with 0, in the order of the names or as asked', async () => {
    expect(names(await list({}))).toHaveLength(20);
    expect(names(await list({ limit: '0' }))).toHaveLength(36);
    expect(names(await list({ limit_page_length: '2', limit_start: '4' }))).toEqual(['0100', '0101']);
    const swept = { order_by: 'modified asc, name asc', filters: [['modified', '>=', '2026-11-22 05:00:48']] };
    expect(names(await list(swept))).toEqual(['0128', '0129']);
  });

  it('cannot be ordered by what a joined table has as well, unless that is selected', async () => {
    const joined = ['name', 'customer.domain as domain'];
    const asked = async (fields: string[], order_by: string) => (await list({ fields, order_by })).status;
    expect([await asked(joined, 'modified desc'), await asked([...joined, 'modified'], 'modified desc')]).toEqual([
      500, 200,
    ]);
    expect([await asked(joined, 'name asc'), await asked(joined, 'subject desc')]).toEqual([200, 200]);
    const filters = [['Contact Email', 'email_id', '=', 'portal@example.test']];
    expect((await list({ order_by: 'modified desc', filters }, 'Contact')).status).toBe(500);
  });

  it('show accounts to whoever may select them, but not what they are; a filter may ask for that', async () => {
    const accounts = (filters: unknown[]) => list({ fields: ['name', 'user_type'], filters }, 'User');
    const all = await accounts([]);
    expect(all.text).not.toContain('user_type');
    const desk = names(await accounts([['user_type', '=', 'System User']]));
    expect(desk).toContain('agent.a@example.test');
    expect(names(all).length).toBeGreaterThan(desk.length);
  });

  it('join all conditions of filters, and any of or_filters', async () => {
    const both = [
      ['subject', 'like', '%đơn%'],
      ['name', '>=', '0126'],
    ];
    expect(names(await list({ filters: both }))).toEqual(['0126', '0128']);
    const either = [
      ['name', '=', '0100'],
      ['name', '=', '2'],
    ];
    expect(names(await list({ or_filters: either }))).toEqual(['0100', '2']);
  });

  it('give joined columns under their alias, and one row per child for a column of a table', async () => {
    const fields = ['name', 'customer.custom_platform_orgid as orgid', 'contact.full_name'];
    expect((await list({ fields, filters: { name: '2' } })).body.data).toEqual([
      { name: '2', orgid: '200000001', full_name: 'Portal Customer' },
    ]);
    const members = { fields: ['name', 'users.user'], filters: { name: 'CS 60p' } };
    expect((await list(members, 'HD Team')).body.data).toHaveLength(3);
    const filters = [['HD Team Member', 'user', '=', 'agent.a@example.test']];
    expect(names(await list({ filters }, 'HD Team'))).toEqual(['CS 60p', 'Medium - Scale']);
  });

  it('drop columns above the reader’s permission level without a word', async () => {
    const field = { dt: 'HD Ticket', fieldname: 'custom_secret', label: 'Secret', fieldtype: 'Data', permlevel: 1 };
    expect((await site.send('service', 'POST', '/api/resource/Custom Field', field)).status).toBe(200);
    const asked = { fields: ['name', 'custom_secret'], filters: { name: '2' } };
    expect((await list(asked)).body.data).toEqual([{ name: '2' }]);
  });

  it.each([
    ['fields', ['customer.custom_nope']],
    ['fields', ['name; drop table']],
    ['order_by', 'custom_nope desc'],
  ])('refuse what does not exist in %s %j with 417 DataError', async (parameter, value) => {
    expect(await list({ [parameter]: value })).toMatchObject({ status: 417, body: { exc_type: 'DataError' } });
  });
});
