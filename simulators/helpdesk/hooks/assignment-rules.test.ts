import { describe, expect, it } from 'vitest';
import type { Generation } from '#helpdesk/api.ts';
import { content, useSite } from '#helpdesk/testing/client.ts';
import { accounts, ticket } from '#helpdesk/testing/replay-seed.ts';

const user = (id: 'agent.a' | 'agent.b' | 'agent.c' | 'runtime') => accounts[id].name;
const rule = (team: string) => `${team} - Support Rotation`;

describe.each<Generation>(['1.24', '1.28'])('native assignment rules of Helpdesk %s', (generation) => {
  const site = useSite(generation);
  let number = 900;
  const newTicket = (values: Record<string, unknown> = {}): string => {
    number += 1;
    site.simulator.put('HD Ticket', ticket(String(number), values));
    return String(number);
  };
  const put = (name: string, values: Record<string, unknown>) =>
    site.send('runtime', 'PUT', `/api/resource/HD Ticket/${name}`, values);
  const assigned = (name: string): unknown => JSON.parse(String(site.simulator.document('HD Ticket', name)?._assign));
  const todos = async (name: string) => {
    const fields = ['name', 'allocated_to', 'status', 'description', 'assignment_rule', 'assigned_by'];
    const filters = { reference_type: 'HD Ticket', reference_name: name };
    const { body } = await site.list('service', 'ToDo', { fields, filters, order_by: 'creation asc' });
    return body.data as Record<string, unknown>[];
  };
  const assign = (name: string, to: string) =>
    site.send('runtime', 'POST', '/api/method/frappe.desk.form.assign_to.add', {
      ...{ doctype: 'HD Ticket', name, assign_to: [to], description: 'Deskside' },
    });
  const switchRule = (team: string, disabled: 0 | 1) =>
    site.send('runtime', 'PUT', `/api/resource/Assignment Rule/${rule(team)}`, { disabled });
  const lastUser = (team: string, last: string | null) =>
    site.simulator.put('Assignment Rule', {
      name: rule(team),
      ...site.simulator.document('Assignment Rule', rule(team)),
      last_user: last,
    });

  it('give a ticket to somebody when its team is set, in the name of whoever set it', async () => {
    lastUser('Medium - Scale', null);
    const name = newTicket();
    const { modified } = content(await put(name, { agent_group: 'Medium - Scale' }));
    expect(await todos(name)).toEqual([
      {
        name: expect.any(String),
        allocated_to: user('agent.a'),
        status: 'Open',
        description: 'Automatic Assignment',
        assignment_rule: rule('Medium - Scale'),
        assigned_by: user('runtime'),
      },
    ]);
    expect(assigned(name)).toEqual([user('agent.a')]);
    expect(site.simulator.document('HD Ticket', name)?.modified).toBe(modified);
  });

  it('are told to every reader of the ticket with its form, though not shown among the ToDos', async () => {
    const name = newTicket();
    await site.send('agent.a', 'PUT', `/api/resource/HD Ticket/${name}`, { agent_group: 'Medium - Grow' });
    const form = await site.get('runtime', `/api/method/frappe.desk.form.load.getdoc?doctype=HD Ticket&name=${name}`);
    const told = { owner: user('agent.b'), description: 'Automatic Assignment', status: 'Open' };
    expect(form.body.docinfo).toMatchObject({ assignments: [{ name: expect.any(String), ...told }] });
    const shown = await site.list('runtime', 'ToDo', { filters: { reference_name: name } });
    expect(shown.body.data).toEqual([]);
  });

  it('take turns, beginning after the one who was last', async () => {
    lastUser('CS 60p', user('agent.b'));
    const turns = [];
    for (let count = 0; count < 4; count += 1) {
      const name = newTicket();
      await put(name, { agent_group: 'CS 60p' });
      turns.push(assigned(name));
    }
    expect(turns.flat()).toEqual([user('agent.c'), user('agent.a'), user('agent.b'), user('agent.c')]);
    expect(site.simulator.document('Assignment Rule', rule('CS 60p'))?.last_user).toBe(user('agent.c'));
  });

  it('work on every kind of save: insert, PUT of anything, a reply; and anew once the assignment was taken back', async () => {
    const values = { subject: 'New', description: 'x', raised_by: user('agent.c'), agent_group: 'Medium - Grow' };
    const created = content(await site.send('agent.a', 'POST', '/api/resource/HD Ticket', values));
    number = Number(created.name);
    const late = newTicket({ agent_group: 'Medium - Grow' });
    await put(late, { subject: 'Anything' });
    const answered = newTicket({ agent_group: 'Medium - Grow' });
    await site.send('agent.a', 'POST', '/api/method/run_doc_method', {
      ...{ dt: 'HD Ticket', dn: answered, method: 'reply_via_agent', args: { message: 'Hello' } },
    });
    for (const name of [String(created.name), late, answered]) expect(assigned(name)).toEqual([user('agent.b')]);
    const [first] = await todos(late);
    await site.send('runtime', 'PUT', `/api/resource/ToDo/${first?.name}`, { status: 'Cancelled' });
    expect(assigned(late)).toEqual([]);
    await put(late, {});
    expect(await todos(late)).toMatchObject([{ status: 'Cancelled' }, { status: 'Open' }]);
  });

  it('leave a ticket alone that is not open, has no team, or whose team’s rule is off', async () => {
    await switchRule('Medium - Grow', 1);
    for (const values of [{ status: 'Closed', agent_group: 'CS 60p' }, {}, { agent_group: 'Medium - Grow' }]) {
      const name = newTicket();
      await put(name, values);
      expect(await todos(name)).toEqual([]);
    }
    await switchRule('Medium - Grow', 0);
  });

  it('leave a member of the team alone who was assigned before the team was set', async () => {
    const name = newTicket();
    await assign(name, user('agent.c'));
    await put(name, { agent_group: 'CS 60p' });
    expect(await todos(name)).toMatchObject([{ allocated_to: user('agent.c'), status: 'Open', assignment_rule: null }]);
  });

  it('replace who is not in the new team, and only while its rule is on', async () => {
    const name = newTicket();
    await assign(name, user('agent.a'));
    await assign(name, user('agent.b'));
    await put(name, { agent_group: 'Medium - Grow' });
    expect(await todos(name)).toMatchObject([
      { allocated_to: user('agent.a'), status: 'Cancelled' },
      { allocated_to: user('agent.b'), status: 'Open' },
    ]);
    expect(assigned(name)).toEqual([user('agent.b')]);

    lastUser('Medium - Scale', null);
    const moved = newTicket();
    await assign(moved, user('agent.c'));
    await put(moved, { agent_group: 'Medium - Scale' });
    expect(assigned(moved)).toEqual([user('agent.a')]);

    await switchRule('Medium - Grow', 1);
    await put(moved, { agent_group: 'Medium - Grow' });
    expect(assigned(moved)).toEqual([user('agent.a')]);
    await switchRule('Medium - Grow', 0);
  });

  it('come back with every save of the team, with its members, and are made for a new team', async () => {
    await switchRule('Medium - Grow', 1);
    const members = (ids: ('agent.a' | 'agent.b' | 'agent.c')[]) => ids.map((id) => ({ user: user(id) }));
    await site.send('agent.a', 'PUT', '/api/resource/HD Team/Medium - Grow', { users: members(['agent.c']) });
    expect(site.simulator.document('Assignment Rule', rule('Medium - Grow'))).toMatchObject({
      disabled: 0,
      users: [{ user: user('agent.c') }],
    });

    const team = { team_name: 'Night and Day', users: members(['agent.a', 'agent.c']) };
    const created = content(await site.send('service', 'POST', '/api/resource/HD Team', team));
    expect(site.simulator.document('HD Team', String(created.name))?.assignment_rule).toBe(rule('Night and Day'));
    const name = newTicket();
    await put(name, { agent_group: 'Night and Day' });
    expect(assigned(name)).toEqual([user('agent.a')]);
  });
});

describe('availability and native rules', () => {
  const site = useSite('1.28');

  it.each([
    [['Away', 'Active', 'Unavailable'], 'agent.b'],
    [['Unavailable', 'Unavailable', 'Away'], 'agent.c'],
    [['Unavailable', 'Unavailable', 'Unavailable'], 'agent.a'],
  ] as const)('%j: %s', async (states, next) => {
    for (const [index, id] of (['agent.a', 'agent.b', 'agent.c'] as const).entries()) {
      const agent = { user: user(id), agent_name: id, is_active: 1, availability: states[index] };
      site.simulator.put('HD Agent', { name: user(id), ...agent });
    }
    const last = { ...site.simulator.document('Assignment Rule', rule('CS 60p')), last_user: user('agent.c') };
    site.simulator.put('Assignment Rule', { name: rule('CS 60p'), ...last });
    const name = await site.simulator.insertTicket(user('agent.a'), { subject: 'Who', agent_group: 'CS 60p' });
    expect(site.simulator.document('HD Ticket', name)?._assign).toBe(JSON.stringify([user(next)]));
  });
});
