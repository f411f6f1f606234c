import { describe, expect, it } from 'vitest';
import type { Generation } from '#helpdesk/api.ts';
import { accounts, ticket } from '#helpdesk/replay/seed.ts';
import { content, useSite } from '#helpdesk/testing/client.ts';

describe.each<Generation>(['1.24', '1.28'])('assigning at the same time in Helpdesk %s', (generation) => {
  const site = useSite(generation);
  const add = (name: string, id: 'agent.a' | 'agent.b') => {
    const target = { doctype: 'HD Ticket', name, assign_to: [accounts[id].name], description: 'd' };
    return site.send('service', 'POST', '/api/method/frappe.desk.form.assign_to.add', target);
  };
  const open = async (name: string): Promise<unknown[]> => {
    const parameters = { fields: ['allocated_to'], filters: { reference_name: name, status: 'Open' } };
    const { body } = await site.list('service', 'ToDo', parameters);
    return (body.data as { allocated_to: string }[]).map((todo) => todo.allocated_to);
  };

  it('is skipped for a user who has it already, as long as calls do not race', async () => {
    site.simulator.put('HD Ticket', ticket('700'));
    const answers = await Promise.all(Array.from({ length: 8 }, () => add('700', 'agent.a')));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(await open('700')).toEqual([accounts['agent.a'].name]);
  });

  it('makes two open ToDos for one user and deadlocks for the rest where calls race', async () => {
    site.simulator.settings.assignRace = true;
    site.simulator.put('HD Ticket', ticket('701'));
    const answers = await Promise.all(Array.from({ length: 8 }, () => add('701', 'agent.a')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, ...Array(6).fill(500)]);
    for (const { status, body } of answers) if (status === 500) expect(body.exc_type).toBe('QueryDeadlockError');
    expect(await open('701')).toEqual(Array(2).fill(accounts['agent.a'].name));
  });

  it('is as always for a call by itself, and for another ticket', async () => {
    site.simulator.settings.assignRace = true;
    for (const name of ['702', '703']) site.simulator.put('HD Ticket', ticket(name));
    const both = await Promise.all([add('702', 'agent.a'), add('703', 'agent.b')]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(content(await add('702', 'agent.a'))).toHaveLength(1);
    expect(await open('703')).toEqual([accounts['agent.b'].name]);
  });
});
