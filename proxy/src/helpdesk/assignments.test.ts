import type { HelpdeskSimulator } from '@deskside/simulators/helpdesk/api';
import type { HelpdeskDocument } from '@deskside/simulators/seed/index';
import { demo } from '@deskside/simulators/seed/index';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Helpdesk } from './helpdesk.ts';
import { generations, kind, signal, useSimulatedSite } from './testing/simulated-site.ts';

const ticket = demo.tickets.missingOrgId;
const [an, binh] = ['an@support.example', 'binh@support.example'] as const;

describe.each(generations)('Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);
  let simulator: HelpdeskSimulator;
  let helpdesk: Helpdesk;
  beforeEach(() => {
    ({ simulator } = site);
    helpdesk = site.adapter();
  });

  const list = () => helpdesk.assignments.list(ticket, signal);
  const writes = () =>
    simulator.journal.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
  const setAssignees = (...users: string[]) => {
    const document = simulator.document('HD Ticket', ticket) as HelpdeskDocument;
    simulator.put('HD Ticket', { ...document, _assign: JSON.stringify(users) });
  };
  const putToDo = (id: string, change: object) =>
    simulator.put('ToDo', {
      name: id,
      status: 'Open',
      reference_type: 'HD Ticket',
      reference_name: ticket,
      allocated_to: an,
      assigned_by: demo.service.name,
      description: 'Automatic Assignment',
      creation: '2026-11-20 11:00:00.000000',
      modified: '2026-11-20 11:00:00.000000',
      ...change,
    });

  describe('assigning', () => {
    it('gives the ticket to the user in one request, and leaves the stamp of the ticket alone', async () => {
      const before = simulator.document('HD Ticket', ticket);
      await helpdesk.assignments.add(ticket, an, 'Deskside: round robin', signal);
      expect(writes()).toEqual(['POST /api/method/frappe.desk.form.assign_to.add']);
      const after = simulator.document('HD Ticket', ticket);
      expect(after).toMatchObject({ _assign: `["${an}"]`, modified: before?.modified });
      const [assignment, ...others] = await list();
      expect(others).toEqual([]);
      expect(assignment).toEqual({
        id: expect.stringMatching(/./),
        user: an,
        open: true,
        assignedBy: demo.service.name,
        rule: null,
        description: 'Deskside: round robin',
        creation: simulator.document('ToDo', assignment?.id ?? '')?.creation,
      });
    });

    it('is harmless for a user who is assigned, also eight times at once', async () => {
      await Promise.all(Array.from({ length: 8 }, () => helpdesk.assignments.add(ticket, an, 'd', signal)));
      expect(await list()).toMatchObject([{ user: an, open: true }]);
    });

    it('is repeated when the database gave up on it', async () => {
      let failures = 2;
      simulator.fault = () => (failures-- > 0 ? 'deadlock' : null);
      await helpdesk.assignments.add(ticket, an, 'd', signal);
      expect(simulator.journal.map(({ status }) => status)).toEqual([500, 500, 200]);
      expect(await list()).toMatchObject([{ user: an, open: true }]);
    });

    it('fails for a user or a ticket that does not exist, and for a refused service account', async () => {
      await expect(helpdesk.assignments.add(ticket, 'x@y.example', 'd', signal)).rejects.toMatchObject(
        kind('rejected'),
      );
      await expect(helpdesk.assignments.add('999999', an, 'd', signal)).rejects.toMatchObject(kind('not_found'));
      const refused = site.adapter({ apiSecret: 'wrong' });
      await expect(refused.assignments.add(ticket, an, 'd', signal)).rejects.toMatchObject(kind('unavailable'));
      expect(await list()).toEqual([]);
    });
  });

  describe('the assignments of a ticket', () => {
    it('are told oldest first, closed ones too, with the rule that made them', async () => {
      putToDo('b', {
        creation: '2026-11-20 11:00:00.000002',
        allocated_to: binh,
        assignment_rule: 'R - Support Rotation',
      });
      putToDo('a', { creation: '2026-11-20 11:00:00.000002', status: 'Closed' });
      putToDo('c', { creation: '2026-11-20 11:00:00.000001', status: 'Cancelled' });
      putToDo('d', { reference_name: demo.tickets.matched });
      putToDo('e', { allocated_to: null, role: 'Agent' });
      setAssignees(binh);
      const shown = (await list()).map(({ id, user, open, rule }) => [id, user, open, rule]);
      expect(shown).toEqual([
        ['c', an, false, null],
        ['a', an, false, null],
        ['b', binh, true, 'R - Support Rotation'],
      ]);
    });

    it('that a person made are seen, though not their ToDos', async () => {
      putToDo('a', { allocated_to: an, assigned_by: demo.manager.name });
      putToDo('b', { allocated_to: an, status: 'Cancelled' });
      putToDo('c', { allocated_to: binh });
      setAssignees(an, binh);
      expect(await list()).toMatchObject([
        { id: '', user: an, open: true, assignedBy: null, rule: null, creation: '' },
        { id: 'b', user: an, open: false },
        { id: 'c', user: binh, open: true },
      ]);
      await helpdesk.assignments.withdraw('', signal);
      expect(writes()).toEqual([]);
    });

    it('that end while they are read are not taken for a person’s', async () => {
      putToDo('a', {});
      setAssignees(an);
      simulator.fault = ({ path }) => {
        if (path === '/api/resource/ToDo') {
          putToDo('a', { status: 'Closed' });
          setAssignees();
        }
        return null;
      };
      expect(await list()).toMatchObject([{ id: 'a', open: false }]);
    });

    it('are none where there are none', async () => {
      expect(await list()).toEqual([]);
    });
  });

  describe('withdrawing', () => {
    it('cancels one assignment and no other', async () => {
      await helpdesk.assignments.add(ticket, an, 'd', signal);
      await helpdesk.assignments.add(ticket, binh, 'd', signal);
      const [first] = await list();
      await helpdesk.assignments.withdraw(first?.id ?? '', signal);
      expect((await list()).map(({ user, open }) => [user, open])).toEqual([
        [an, false],
        [binh, true],
      ]);
      expect(simulator.document('ToDo', first?.id ?? '')?.status).toBe('Cancelled');
      expect(simulator.document('HD Ticket', ticket)?._assign).toBe(`["${binh}"]`);
    });

    it.each(['Closed', 'Cancelled'])('leaves one that is %s as it is', async (status) => {
      putToDo('a', { status });
      await helpdesk.assignments.withdraw('a', signal);
      expect(simulator.document('ToDo', 'a')?.status).toBe(status);
      expect(writes()).toEqual([]);
    });

    it('is harmless for one that is gone', async () => {
      await helpdesk.assignments.withdraw('gone', signal);
      expect(writes()).toEqual([]);
    });

    it('does not cancel what was finished at the same moment', async () => {
      putToDo('a', {});
      let once = true;
      simulator.fault = ({ method }) => {
        if (method === 'PUT' && once) {
          once = false;
          putToDo('a', { status: 'Closed', modified: '2026-11-20 11:00:00.000009' });
        }
        return null;
      };
      await helpdesk.assignments.withdraw('a', signal);
      expect(writes()).toHaveLength(1);
      expect(simulator.document('ToDo', 'a')?.status).toBe('Closed');
    });
  });
});
