import { beforeAll, describe, expect, it } from 'vitest';
import { content, names, useSite } from '#helpdesk/testing/client.ts';
import { ticket } from '#helpdesk/testing/replay-seed.ts';

const spellings = ['2abc', '02', ' 2', '2.0'];

describe('ticket names of 1.24 are numbers that the database coerces', () => {
  const site = useSite('1.24');
  beforeAll(() => site.simulator.put('HD Ticket', ticket('2')));

  it.each(spellings)('%j reads, writes and lists ticket 2', async (name) => {
    const spelled = encodeURIComponent(name);
    const read = await site.get('agent.a', `/api/method/frappe.client.get?doctype=HD+Ticket&name=${spelled}`);
    expect(content(read).name).toBe(2);
    const written = await site.send('agent.a', 'PUT', `/api/resource/HD Ticket/${spelled}`, { custom_orgid: name });
    expect(content(written)).toMatchObject({ name: 2, custom_orgid: name });
    expect(names(await site.list('agent.a', 'HD Ticket', { filters: { name } }))).toEqual([2]);
  });

  it("1' or '1'='1 reads ticket 1", async () => {
    const name = encodeURIComponent("1' or '1'='1");
    expect(content(await site.get('agent.a', `/api/resource/HD Ticket/${name}`)).name).toBe(1);
  });

  it('a new ticket gets the next number', async () => {
    const made = await site.send('agent.a', 'POST', '/api/resource/HD Ticket', { subject: 'x', description: 'y' });
    expect(content(made).name).toBe(3);
    expect(site.simulator.document('HD Ticket', '3')?.name).toBe('3');
  });
});

describe('ticket names of 1.28 are texts', () => {
  const site = useSite('1.28');

  it.each([...spellings, "1' or '1'='1"])('%j is no ticket', async (name) => {
    const spelled = encodeURIComponent(name);
    const read = await site.get('agent.a', `/api/method/frappe.client.get?doctype=HD+Ticket&name=${spelled}`);
    expect(read).toMatchObject({ status: 404, body: { exc_type: 'DoesNotExistError' } });
    expect(names(await site.list('agent.a', 'HD Ticket', { filters: { name } }))).toEqual([]);
  });

  it('older tickets keep their number as a text, new ones count on in four digits', async () => {
    expect(content(await site.get('agent.a', '/api/resource/HD Ticket/2')).name).toBe('2');
    const made = await site.send('agent.a', 'POST', '/api/resource/HD Ticket', { subject: 'x', description: 'y' });
    expect(content(made).name).toBe('0043');
  });
});
