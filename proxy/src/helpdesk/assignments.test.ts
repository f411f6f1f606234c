import type { HelpdeskDocument } from '@deskside/simulators/seed/index';
import { demo } from '@deskside/simulators/seed/index';
import { beforeEach, describe, expect, it } from 'vitest';
import { generations, kind, signal, useSimulatedSite } from './testing/simulated-site.ts';

const ticket = demo.tickets.missingOrgId;
const [an, binh] = ['an@support.example', 'binh@support.example'] as const;

describe.each(generations)('Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);
  const list = () => site.helpdesk.assignments.list(ticket, signal);
  const withdraw = (assignment: { id: string | null }) =>
    site.helpdesk.assignments.withdraw({ ...assignment, ticket, user: an }, signal);
  const add = (user: string, to = ticket) => site.helpdesk.assignments.add(to, user, 'Deskside: round robin', signal);
  const document = (doctype: string, name: string) => site.simulator.document(doctype, name) as HelpdeskDocument;
  const setAssignees = (...users: string[]) => site.change('HD Ticket', ticket, { _assign: JSON.stringify(users) });
  const putToDo = (id: string, change: object = {}) =>
    site.simulator.put('ToDo', {
      ...{ name: id, status: 'Open', allocated_to: an, assigned_by: demo.service.name },
      ...{ reference_type: 'HD Ticket', reference_name: ticket, description: 'Automatic Assignment' },
      ...{ creation: '2026-11-20 11:00:00.000000', modified: '2026-11-20 11:00:00.000000' },
      ...change,
    });

  it('assigning gives the ticket to the user in one request, and leaves the stamp of the ticket alone', async () => {
    const { modified } = document('HD Ticket', ticket);
    await add(an);
    expect(site.writes()).toEqual(['POST frappe.desk.form.assign_to.add 200']);
    expect(document('HD Ticket', ticket)).toMatchObject({ _assign: `["${an}"]`, modified });
    const [assignment, ...others] = await list();
    expect(others).toEqual([]);
    expect(assignment).toEqual({
      ...{ id: expect.stringMatching(/./), ticket, user: an, open: true, assignedBy: demo.service.name, rule: null },
      description: 'Deskside: round robin',
      creation: document('ToDo', assignment?.id ?? '').creation,
    });
    await Promise.all(Array.from({ length: 8 }, () => add(an)));
    expect(await list()).toMatchObject([{ user: an, open: true }]);
  });

  it('assigning fails for a user or a ticket that does not exist', async () => {
    await expect(add('x@y.example')).rejects.toMatchObject(kind('rejected'));
    await expect(add(an, '999999')).rejects.toMatchObject(kind('not_found'));
    expect(await list()).toEqual([]);
  });

  describe('the assignments of a ticket', () => {
    it('are told oldest first, closed ones too, with the rule that made them', async () => {
      const later = '2026-11-20 11:00:00.000002';
      putToDo('b', { creation: later, allocated_to: binh, assignment_rule: 'R - Support Rotation' });
      putToDo('a', { creation: later, status: 'Closed' });
      putToDo('c', { status: 'Cancelled', description: null });
      putToDo('d', { reference_name: demo.tickets.matched });
      putToDo('e', { allocated_to: null, role: 'Agent' });
      putToDo('f', { reference_type: 'HD Customer' });
      // The database takes it for the ticket's name, where that is a text.
      if (generation === '1.28') putToDo('g', { reference_name: `${ticket}\u200b` });
      setAssignees(binh);
      const told = (await list()).map(({ id, user, open, rule, description }) => [id, user, open, rule, description]);
      expect(told).toEqual([
        ['c', an, false, null, ''],
        ['a', an, false, null, 'Automatic Assignment'],
        ['b', binh, true, 'R - Support Rotation', 'Automatic Assignment'],
      ]);
    });

    it('take one request where it is known who has it and all are shown', async () => {
      putToDo('a');
      const { assignments } = await site.warmed();
      expect(await assignments.list(ticket, signal, [an])).toMatchObject([{ id: 'a' }]);
      expect(site.calls()).toEqual([`GET /api/resource/ToDo ${demo.service.name} 200`]);
    });

    describe('that are not shown', () => {
      beforeEach(() => {
        putToDo('a', { assigned_by: demo.manager.name });
        putToDo('b', { status: 'Cancelled' });
        putToDo('c', { allocated_to: binh });
        setAssignees(an, binh);
      });
      const shown = [
        { id: 'b', user: an, open: false },
        { id: 'c', user: binh, open: true },
      ];
      const byPerson = { id: null, ticket, user: an, open: true, assignedBy: null, rule: null, creation: '' };

      it.each([
        ['as a native rule describes its own are that rule’s', 'Automatic Assignment', 'CS 60p - Support Rotation'],
        ['as no rule does are a person’s', 'Yours', null],
        ['not at all are a person’s, be there a rule that does so too', '', null],
        ['by nothing, not even an empty text, are a person’s', null, null],
      ])('and described %s', async (_, description, rule) => {
        if (!description) site.change('Assignment Rule', 'CS 60p - Support Rotation', { description });
        putToDo('a', { assigned_by: demo.manager.name, description });
        expect(await list()).toMatchObject([{ ...byPerson, rule, description: description ?? '' }, ...shown]);
      });

      it('are a person’s where only a rule for other documents describes its own so', async () => {
        site.change('Assignment Rule', 'Others', { document_type: 'HD Customer', description: 'Yours' });
        putToDo('a', { assigned_by: demo.manager.name, description: 'Yours' });
        expect(await list()).toMatchObject([byPerson, ...shown]);
      });

      it('are a person’s where the service may not read rules', async () => {
        site.simulator.setRoles(demo.service.name, ['Agent']);
        expect(await list()).toMatchObject([byPerson, ...shown]);
      });

      it('are a person’s where the ticket’s page is too large to read', async () => {
        site.change('HD Ticket', ticket, { description: 'a'.repeat(5 * 2 ** 20) });
        expect(await list()).toMatchObject([{ ...byPerson, description: '' }, ...shown]);
      });

      it.each(['form.load.getdoc', 'Assignment Rule'])('are not guessed where the helpdesk fails at %s', async (at) => {
        site.simulator.fault = ({ path }) => (decodeURI(path).endsWith(at) ? 503 : null);
        await expect(list()).rejects.toMatchObject(kind('unavailable'));
      });

      it('end by the name of their user, and no other does', async () => {
        await withdraw({ id: null });
        expect(document('ToDo', 'a').status).toBe('Cancelled');
        expect(document('HD Ticket', ticket)._assign).toBe(`["${binh}"]`);
        expect(site.writes()).toEqual(['POST frappe.desk.form.assign_to.remove 200']);
      });
    });

    it('that end while they are read are not taken for a person’s', async () => {
      putToDo('a');
      setAssignees(an);
      site.simulator.fault = ({ path }) => {
        if (path === '/api/resource/ToDo') {
          putToDo('a', { status: 'Closed' });
          setAssignees();
        }
        return null;
      };
      expect(await list()).toMatchObject([{ id: 'a', open: false }]);
    });
  });

  it('withdrawing cancels one assignment and no other', async () => {
    await add(an);
    await add(binh);
    const id = (await list())[0]?.id ?? '';
    await withdraw({ id });
    expect((await list()).map(({ user, open }) => [user, open])).toEqual([
      [an, false],
      [binh, true],
    ]);
    expect(document('ToDo', id).status).toBe('Cancelled');
    expect(document('HD Ticket', ticket)._assign).toBe(`["${binh}"]`);
  });

  it.each(['Closed', 'Cancelled', null])('withdrawing leaves one that is %s, or gone, as it is', async (status) => {
    if (status !== null) putToDo('a', { status });
    await withdraw({ id: 'a' });
    expect(site.simulator.document('ToDo', 'a')?.status).toBe(status ?? undefined);
    expect(site.writes()).toEqual([]);
  });

  it('withdrawing leaves one whose name the database takes for the same', async () => {
    putToDo('a');
    await withdraw({ id: 'A' });
    expect(document('ToDo', 'a').status).toBe('Open');
  });

  const changed = () => {
    site.change('ToDo', 'a', { modified: `${document('ToDo', 'a').modified}9` });
    return null;
  };
  const gone = () => {
    site.remove('ToDo', 'a');
    return null;
  };

  // What happens at each write that is tried; what that gives is a fault.
  it.each<[string, (() => 503 | null)[], number, string | undefined, string | null]>([
    ['is tried again after another’s write', [changed, changed], 3, 'Cancelled', null],
    ['fails after three of them', [changed, changed, changed], 3, 'Open', 'conflict'],
    ['fails at once with the helpdesk', [() => 503], 1, 'Open', 'unavailable'],
    ['ends where it goes at that moment', [gone], 1, undefined, null],
  ])('withdrawing %s', async (_, meets, writes, status, failure) => {
    putToDo('a');
    site.simulator.fault = ({ method }) => (method === 'PUT' && meets.shift()?.()) || null;
    const withdrawing = withdraw({ id: 'a' });
    if (failure === null) await withdrawing;
    else await expect(withdrawing).rejects.toMatchObject(kind(failure));
    expect(site.simulator.document('ToDo', 'a')?.status).toBe(status);
    expect(site.writes()).toHaveLength(writes);
  });

  it('whoever wants to know of writes to a ticket is told of each', async () => {
    const told: string[] = [];
    const { assignments } = site.use({ signs: { emit: (_, name) => told.push(name) } });
    putToDo('a');
    await assignments.withdraw({ id: 'a', ticket, user: an }, signal);
    await assignments.add(ticket, an, '', signal);
    await assignments.withdraw({ id: null, ticket, user: an }, signal);
    expect(told).toEqual([ticket, ticket, ticket]);
  });

  it('withdrawing does not cancel what was finished at the same moment', async () => {
    putToDo('a');
    site.simulator.fault = ({ method }) => {
      if (method === 'PUT') putToDo('a', { status: 'Closed', modified: '2026-11-20 11:00:00.000009' });
      return null;
    };
    await withdraw({ id: 'a' });
    expect(site.writes()).toHaveLength(1);
    expect(document('ToDo', 'a').status).toBe('Closed');
  });
});
