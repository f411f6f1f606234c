import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, it } from 'vitest';
import { as, generations, kind, signal, useSimulatedSite } from './testing/simulated-site.ts';

const customer = 'Gốm Sứ Làng Mơ - 200000376001';
const ticket = demo.tickets.matched;

describe.each(generations)('Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);

  describe('writing a ticket', () => {
    it('is for agents, judged from their own credential in two requests at once', async () => {
      await site.adapter().rights.requireTicketWrite(as(demo.agent), ticket, signal);
      expect(site.calls().sort()).toEqual([
        `GET /api/method/frappe.client.has_permission ${demo.agent.name} 200`,
        `GET /api/resource/HD Ticket ${demo.agent.name} 200`,
      ]);
      expect(site.simulator.journal.find(({ path }) => path.includes('permission'))?.query).toMatchObject({
        perm_type: 'write',
      });
    });

    it.each(['2abc', '02', ' 2', "1' or '1'='1", '999999', '..'])('is not found under %j', async (name) => {
      const asked = site.adapter().rights.requireTicketWrite(as(demo.agent), name, signal);
      await expect(asked).rejects.toMatchObject(kind('not_found'));
    });

    it('is forbidden to an agent outside of a restricted team, and open to one inside', async () => {
      site.simulator.settings.restrictTicketsByAgentGroup = true;
      const { restrictedTeam } = demo.tickets;
      const asked = site.adapter().rights.requireTicketWrite(as(demo.otherAgent), restrictedTeam, signal);
      await expect(asked).rejects.toMatchObject(kind('forbidden'));
      await site.adapter().rights.requireTicketWrite(as(demo.agent), restrictedTeam, signal);
    });

    it('is forbidden to an agent who may only read', async () => {
      for (const role of ['Agent', 'All']) {
        const response = await site.upstream.request({
          ...{ method: 'POST', signal },
          path: '/api/method/frappe.core.page.permission_manager.permission_manager.update',
          headers: { ...as(demo.sysonly), 'content-type': 'application/json' },
          body: JSON.stringify({ doctype: 'HD Ticket', role, permlevel: 0, ptype: 'write', value: 0 }),
        });
        expect(response.status).toBe(200);
      }
      const helpdesk = site.adapter();
      expect((await helpdesk.tickets.readAs(as(demo.agent), ticket, signal)).ticket.name).toBe(ticket);
      const asked = helpdesk.rights.requireTicketWrite(as(demo.agent), ticket, signal);
      await expect(asked).rejects.toMatchObject(kind('forbidden'));
    });

    it('is forbidden to a System Manager who is no agent, and nobody’s without a credential', async () => {
      const ask = (authorization: string) =>
        site.adapter().rights.requireTicketWrite({ authorization }, ticket, signal);
      await expect(ask(as(demo.sysonly).authorization)).rejects.toMatchObject(kind('forbidden'));
      await expect(ask('token wrong:wrong')).rejects.toMatchObject(kind('unauthenticated'));
      await expect(ask('nonsense')).rejects.toMatchObject(kind('forbidden'));
    });

    it('is open to customers on their own tickets only: that they are not agents is judged elsewhere', async () => {
      await site.adapter().rights.requireTicketWrite(as(demo.portal), ticket, signal);
      const other = site.adapter().rights.requireTicketWrite(as(demo.portal), demo.tickets.missingOrgId, signal);
      await expect(other).rejects.toMatchObject(kind('forbidden'));
    });
  });

  describe('writing a customer', () => {
    it('is for the desk: in 1.28 agents may only read', async () => {
      const ask = (user: Parameters<typeof as>[0]) =>
        site.adapter().rights.requireCustomerWrite(as(user), customer, signal);
      if (generation === '1.24') await ask(demo.agent);
      else await expect(ask(demo.agent)).rejects.toMatchObject(kind('forbidden'));
      await ask(demo.service);
      await expect(ask(demo.forger)).rejects.toMatchObject(kind('forbidden'));
    });
  });

  describe('reading a customer', () => {
    it('is for agents, judged from their own credential in one request', async () => {
      await site.adapter().rights.requireCustomerRead(as(demo.agent), customer, signal);
      expect(site.calls()).toEqual([`GET /api/method/frappe.client.get ${demo.agent.name} 200`]);
    });

    it.each(['Gom Su Lang Mo - 200000376001', customer.toUpperCase(), `${customer} `, 'Nobody', '..'])(
      'is not found under %j, even where the database takes that for the same name',
      async (name) => {
        const asked = site.adapter().rights.requireCustomerRead(as(demo.agent), name, signal);
        await expect(asked).rejects.toMatchObject(kind('not_found'));
      },
    );

    it('is forbidden to a portal customer of another company, and nobody’s without a credential', async () => {
      const ask = (authorization: string) =>
        site.adapter().rights.requireCustomerRead({ authorization }, 'Khách lẻ', signal);
      await expect(ask(as(demo.portal).authorization)).rejects.toMatchObject(kind('forbidden'));
      await expect(ask('token wrong:wrong')).rejects.toMatchObject(kind('unauthenticated'));
    });
  });
});
