import { OrgId } from '@deskside/shared/orgid';
import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, it } from 'vitest';
import { as, generations, kind, signal, useSimulatedSite } from './testing/simulated-site.ts';

const shop = { orgId: OrgId.parse('200000376001'), customer: 'Gốm Sứ Làng Mơ - 200000376001' };

describe.each(generations)('Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);

  describe('a ticket', () => {
    it('comes with customer and contact in one request as the caller', async () => {
      const file = await (await site.warmed()).tickets.readAs(as(demo.agent), demo.tickets.matched, signal);
      expect(site.calls()).toEqual([`GET /api/resource/HD Ticket ${demo.agent.name} 200`]);
      const sender = demo.portal.name;
      expect(file).toMatchObject({
        ticket: {
          name: demo.tickets.matched,
          subject: 'Không đồng bộ được đơn Shopee',
          customer: shop.customer,
          agentGroup: null,
          origin: { owner: sender, raisedBy: sender },
          creation: site.simulator.document('HD Ticket', demo.tickets.matched)?.creation,
          splitFrom: null,
          contactOwner: 'truong@support.example',
          orgIdFields: [
            { field: 'custom_platform_profile_orgid', kind: 'profile', value: null },
            { field: 'custom_orgid', kind: 'current', value: shop.orgId },
            { field: 'custom_org_id', kind: 'older', value: null },
          ],
          responsible: null,
          record: { name: demo.tickets.matched, raised_by: sender, agent_group: null, custom_orgid: shop.orgId },
        },
        customer: {
          name: shop.customer,
          orgIdField: { field: 'custom_platform_orgid', value: shop.orgId },
          crmCompanyId: '63002',
          segment: 'Medium',
          record: {
            name: shop.customer,
            customer_name: shop.customer,
            custom_platform_orgid: shop.orgId,
            custom_crm_company_id: '63002',
            custom_customer_segment: 'Medium',
          },
        },
        contact: { full_name: 'Trần Quang Khải', email_id: sender, mobile_no: null },
      });
      expect(file.contact?.name).toBe(file.ticket.contact);
    });

    it('without customer or contact has none', async () => {
      const helpdesk = await site.warmed();
      const stranger = await helpdesk.tickets.readAs(as(demo.agent), demo.tickets.missingOrgId, signal);
      expect(stranger.customer).toBeNull();
      expect(stranger.ticket.splitFrom).toBeNull();
      const bySender = await helpdesk.tickets.readAs(as(demo.agent), demo.tickets.contactBySender, signal);
      expect(bySender.contact).toBeNull();
      expect(bySender.ticket.contactOwner).toBeNull();
    });

    it('names the ticket that it says it was split from, and the account that made its contact', async () => {
      const { simulator } = site;
      const stored = simulator.document('HD Ticket', demo.tickets.forgedLink);
      if (stored === undefined) throw new Error('The seed has no such ticket.');
      simulator.put('HD Ticket', { ...stored, ticket_split_from: demo.tickets.matched });
      const helpdesk = site.adapter();
      const { ticket } = await helpdesk.tickets.readAs(as(demo.agent), demo.tickets.forgedLink, signal);
      expect(ticket).toMatchObject({ splitFrom: demo.tickets.matched, contactOwner: demo.forger.name });
      const { file } = await helpdesk.tickets.read(demo.tickets.forgedLink, signal);
      expect(file.ticket).toMatchObject({ splitFrom: demo.tickets.matched, contactOwner: demo.forger.name });
    });

    it('carries the account owner that stands on it', async () => {
      const { ticket } = await (await site.warmed()).tickets.readAs(
        as(demo.agent),
        demo.tickets.responsibleSet,
        signal,
      );
      expect(ticket.responsible).toBe('phutrach338@crm.example');
    });

    it('of a name that none has is not found, after a second request', async () => {
      await expect((await site.warmed()).tickets.readAs(as(demo.agent), '999999', signal)).rejects.toMatchObject(
        kind('not_found'),
      );
      expect(site.simulator.journal).toHaveLength(2);
    });

    it.each(['2abc', '02', '2.0', ' 2', '+2', "1' or '1'='1", 'null', '%', '..', '2\\', '２'])(
      'is not found under %j, even where the database takes that for ticket 1 or 2',
      async (name) => {
        const helpdesk = await site.warmed();
        await expect(helpdesk.tickets.readAs(as(demo.agent), name, signal)).rejects.toMatchObject(kind('not_found'));
      },
    );

    it('is forbidden to an agent outside of a restricted team, after a second request, and open to one inside', async () => {
      const helpdesk = await site.warmed();
      site.simulator.settings.restrictTicketsByAgentGroup = true;
      const ticket = demo.tickets.restrictedTeam;
      await expect(helpdesk.tickets.readAs(as(demo.otherAgent), ticket, signal)).rejects.toMatchObject(
        kind('forbidden'),
      );
      expect(site.simulator.journal).toHaveLength(2);
      expect((await helpdesk.tickets.readAs(as(demo.agent), ticket, signal)).ticket.name).toBe(ticket);
    });

    it('is forbidden to a System Manager who is no agent', async () => {
      const read = (await site.warmed()).tickets.readAs(as(demo.sysonly), demo.tickets.matched, signal);
      await expect(read).rejects.toMatchObject(kind('forbidden'));
    });

    it('is, for the customer who raised it, what that version of the helpdesk lets customers list', async () => {
      const read = (await site.warmed()).tickets.readAs(as(demo.portal), demo.tickets.matched, signal);
      if (generation === '1.24') await expect(read).rejects.toMatchObject(kind('forbidden'));
      else expect((await read).ticket.name).toBe(demo.tickets.matched);
      expect(site.simulator.journal).toHaveLength(1);
    });

    it('is for nobody without a valid credential', async () => {
      const helpdesk = await site.warmed();
      const read = (authorization: string) => helpdesk.tickets.readAs({ authorization }, demo.tickets.matched, signal);
      await expect(read('token wrong:wrong')).rejects.toMatchObject(kind('unauthenticated'));
      await expect(read('nonsense')).rejects.toMatchObject(kind('forbidden'));
    });
  });
});
