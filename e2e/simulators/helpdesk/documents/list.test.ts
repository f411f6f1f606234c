import { beforeAll, describe, expect, it } from 'vitest';
import { names, useSite } from '#helpdesk/testing/client.ts';
import { ticket } from '#helpdesk/testing/replay-seed.ts';

describe('lists', () => {
  const site = useSite('1.28');

  beforeAll(() => {
    for (let number = 100; number < 130; number += 1) {
      const subject = number % 2 === 0 ? 'Đơn hàng' : 'Kho';
      site.simulator.put(
        'HD Ticket',
        ticket(`0${number}`, { subject, modified: `2026-11-22 05:00:${number - 80}.000000` }),
      );
    }
  });

  it('hold 20 rows unless the caller says how many, and all of them with 0', async () => {
    expect(names(await site.list('agent.a', 'HD Ticket'))).toHaveLength(20);
    expect(names(await site.list('agent.a', 'HD Ticket', { limit: '0' }))).toHaveLength(36);
    expect(names(await site.list('agent.a', 'HD Ticket', { limit_page_length: '3' }))).toHaveLength(3);
  });

  it('come in the order of the names, or as asked', async () => {
    expect(names(await site.list('agent.a', 'HD Ticket', { limit: '2', limit_start: '4' }))).toEqual(['0100', '0101']);
    const newest = { order_by: 'modified desc, name asc', limit: '2' };
    expect(names(await site.list('agent.a', 'HD Ticket', newest))).toEqual(['0129', '0128']);
  });

  it('cannot be ordered by what a joined table has as well, unless that is selected', async () => {
    const asked = (fields: string[], order_by: string, filters: unknown[] = []) =>
      site.list('agent.a', 'HD Ticket', { fields: JSON.stringify(fields), filters: JSON.stringify(filters), order_by });
    const joined = ['name', 'customer.domain as domain'];
    expect(await asked(joined, 'modified desc')).toMatchObject({ status: 500, body: { exc_type: 'OperationalError' } });
    const member = [['Contact Email', 'email_id', '=', 'portal@example.test']];
    const contacts = { order_by: 'modified desc', filters: JSON.stringify(member) };
    expect(await site.list('agent.a', 'Contact', contacts)).toMatchObject({ status: 500 });
    for (const [fields, order] of [
      [joined, 'name asc'],
      [joined, 'subject desc'],
      [[...joined, 'modified'], 'modified desc'],
    ] as const)
      expect(await asked([...fields], order)).toMatchObject({ status: 200 });
  });

  it('show accounts to whoever may select them, but not what they are; a filter may ask for that', async () => {
    const accounts = (filters: unknown[]) =>
      site.list('agent.a', 'User', { fields: JSON.stringify(['name', 'user_type']), filters: JSON.stringify(filters) });
    const all = await accounts([]);
    expect(all.text).not.toContain('user_type');
    const desk = names(await accounts([['user_type', '=', 'System User']]));
    expect(desk).toContain('agent.a@example.test');
    expect(names(all).length).toBeGreaterThan(desk.length);
  });

  it('can be swept: from a stamp on, oldest first, a page at a time', async () => {
    for (const name of ['0200', '0201', '0202']) {
      site.simulator.put('HD Ticket', ticket(name, { modified: '2027-01-01 10:00:00.000001' }));
    }
    site.simulator.put('HD Ticket', ticket('0199', { modified: '2027-01-01 10:00:00.000002' }));
    const page = async (filters: unknown[], limit_start: number) =>
      names(
        await site.list('runtime', 'HD Ticket', { filters, order_by: 'modified asc, name asc', limit_start, limit: 2 }),
      );
    const from = ['modified', '>=', '2027-01-01 10:00:00.000001'];
    expect(await page([from], 0)).toEqual(['0200', '0201']);
    expect(await page([from], 2)).toEqual(['0202', '0199']);
    expect(await page([from], 4)).toEqual([]);
    expect(await page([['modified', '>', '2027-01-01 10:00:00.000001']], 0)).toEqual(['0199']);
    expect(await page([from, ['name', 'in', ['0201', '0199', '0100']]], 0)).toEqual(['0201', '0199']);
    expect(await page([from, ['name', 'like', '020%']], 0)).toEqual(['0200', '0201']);
    for (const name of ['0199', '0200', '0201', '0202']) {
      await site.send('service', 'DELETE', `/api/resource/HD Ticket/${name}`, {});
    }
  });

  it('join all conditions of filters, and any of or_filters', async () => {
    const filters = [
      ['subject', 'like', '%đơn%'],
      ['name', '>=', '0126'],
    ];
    expect(names(await site.list('agent.a', 'HD Ticket', { filters }))).toEqual(['0126', '0128']);
    const either = {
      or_filters: [
        ['name', '=', '0100'],
        ['name', '=', '2'],
      ],
    };
    expect(names(await site.list('agent.a', 'HD Ticket', either))).toEqual(['0100', '2']);
  });

  it('give joined columns of linked documents under their alias', async () => {
    const fields = ['name', 'customer.custom_platform_orgid as orgid', 'contact.full_name'];
    const answer = await site.list('agent.a', 'HD Ticket', { fields, filters: { name: '2' } });
    expect(answer.body.data).toEqual([{ name: '2', orgid: '200000001', full_name: 'Portal Customer' }]);
  });

  it('give one row per child for a column of a table', async () => {
    const answer = await site.list('service', 'HD Team', {
      fields: ['name', 'users.user'],
      filters: { name: 'CS 60p' },
    });
    expect(answer.body.data).toHaveLength(3);
    const filters = [['HD Team Member', 'user', '=', 'agent.a@example.test']];
    expect(names(await site.list('service', 'HD Team', { filters }))).toEqual(['CS 60p', 'Medium - Scale']);
  });

  it('drop columns above the reader’s permission level without a word', async () => {
    const field = { dt: 'HD Ticket', fieldname: 'custom_secret', label: 'Secret', fieldtype: 'Data', permlevel: 1 };
    expect((await site.send('service', 'POST', '/api/resource/Custom Field', field)).status).toBe(200);
    const answer = await site.list('agent.a', 'HD Ticket', {
      fields: ['name', 'custom_secret'],
      filters: { name: '2' },
    });
    expect(answer.body.data).toEqual([{ name: '2' }]);
  });

  it.each([
    ['fields', ['custom_nope']],
    ['fields', ['customer.custom_nope']],
    ['fields', ['name; drop table']],
    ['filters', [['custom_nope', '=', '1']]],
    ['order_by', 'custom_nope desc'],
  ])('refuse what does not exist in %s %j with 417 DataError', async (parameter, value) => {
    const answer = await site.list('agent.a', 'HD Ticket', { [parameter]: value });
    expect(answer).toMatchObject({ status: 417, body: { exc_type: 'DataError' } });
  });
});
