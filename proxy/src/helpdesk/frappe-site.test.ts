import { OrgId } from '@deskside/shared/orgid';
import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, it } from 'vitest';
import { AccountLinkConfig } from './accounts.ts';
import { as, generations, kind, signal, useSimulatedSite } from './testing/simulated-site.ts';

const shop = { orgId: OrgId.parse('200000376001'), customer: 'Gốm Sứ Làng Mơ - 200000376001' };

describe.each(generations)('Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);

  describe('who a credential belongs to', () => {
    it('is said in one request, agents as agents', async () => {
      expect(await site.adapter().people.identify(as(demo.agent), signal)).toEqual({
        id: demo.agent.name,
        fullName: demo.agent.fullName,
        language: null,
        isAgent: true,
      });
      expect(site.calls()).toEqual([`GET /api/method/helpdesk.api.auth.get_user ${demo.agent.name} 200`]);
    });

    it('comes with their own language, else the site’s', async () => {
      const language = async () => (await site.adapter().people.identify(as(demo.agent), signal)).language;
      site.simulator.settings.language = 'vi';
      expect(await language()).toBe('vi');
      const user = site.simulator.document('User', demo.agent.name);
      site.simulator.put('User', { ...user, name: demo.agent.name, language: 'en-GB' });
      expect(await language()).toBe('en-GB');
    });

    it.each(['portal', 'sysonly', 'administrator'] as const)('is no agent for %s', async (who) => {
      expect(await site.adapter().people.identify(as(demo[who]), signal)).toMatchObject({
        id: demo[who].name,
        isAgent: false,
      });
    });

    it.each(['token wrong:wrong', 'Bearer wrong', 'token', 'nonsense', 'Basic', ''])(
      'is nobody for the credential %j',
      async (authorization) => {
        await expect(site.adapter().people.identify({ authorization }, signal)).rejects.toMatchObject(
          kind('unauthenticated'),
        );
      },
    );
  });

  it('says its version to the service account', async () => {
    expect(await site.adapter().version(signal)).toMatch(new RegExp(`^${generation.replace('.', '\\.')}\\.\\d+$`));
  });

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
      const { simulator, upstream } = await site.another(() => {});
      const stored = simulator.document('HD Ticket', demo.tickets.forgedLink);
      if (stored === undefined) throw new Error('The seed has no such ticket.');
      simulator.put('HD Ticket', { ...stored, ticket_split_from: demo.tickets.matched });
      const helpdesk = site.adapter({ upstream });
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

  describe('platform accounts', () => {
    it('of a customer are read in one request, 20 at most, latest login first', async () => {
      const field = (fieldname: string, fieldtype = 'Data') => ({ fieldname, fieldtype, label: fieldname });
      site.simulator.put('DocType', {
        name: 'Platform Account Link',
        fields: [
          ...['user', 'email', 'platform_userid', 'platform_orgid', 'platform_orgname'].map((name) => field(name)),
          { ...field('hd_customer', 'Link'), options: 'HD Customer' },
          field('last_login', 'Datetime'),
        ],
        permissions: [{ role: 'Agent', read: 1 }],
      });
      for (let i = 0; i < 25; i += 1) {
        site.simulator.put('Platform Account Link', {
          name: `PLATFORM-${i}`,
          hd_customer: i % 25 === 24 ? 'Khách lẻ' : shop.customer,
          email: `user${i}@mo.example`,
          platform_orgid: shop.orgId,
          last_login: `2026-11-20 00:00:${String(i).padStart(2, '0')}`,
        });
      }
      const helpdesk = await site.warmed();
      const links = await helpdesk.accounts.of(shop.customer, signal);
      expect(links.map(({ email }) => email)).toEqual(Array.from({ length: 20 }, (_, i) => `user${23 - i}@mo.example`));
      expect(links[0]).toEqual({
        user: null,
        email: 'user23@mo.example',
        haravan_userid: null,
        haravan_orgid: shop.orgId,
        haravan_orgname: null,
        last_login: '2026-11-20 00:00:23',
      });
      expect(site.calls()).toEqual([`GET /api/resource/Platform Account Link ${demo.service.name} 200`]);
    });

    it('are none on a site without such records, which is remembered', async () => {
      const config = AccountLinkConfig.parse({ doctype: 'No Such Record' });
      const helpdesk = await site.warmed({ accountLinks: config });
      expect(helpdesk.accounts.areThere()).toBe(true);
      for (const _ of [1, 2]) expect(await helpdesk.accounts.of(shop.customer, signal)).toEqual([]);
      expect([helpdesk.accounts.areThere(), site.simulator.journal.length]).toEqual([false, 1]);
    });
  });

  describe('writing the account owner', () => {
    const ticket = demo.tickets.ownerMissing;

    it('changes that field and no other, in one request', async () => {
      const helpdesk = await site.warmed();
      const before = site.simulator.document('HD Ticket', ticket);
      await helpdesk.tickets.writeResponsible(ticket, 'an@crm.example', signal);
      expect(site.calls()).toEqual([`PUT /api/resource/HD Ticket/${ticket} ${demo.service.name} 200`]);
      const changed = { custom_responsible: 'an@crm.example', modified_by: demo.service.name };
      const after = site.simulator.document('HD Ticket', ticket);
      expect(after).toEqual({ ...before, ...changed, modified: after?.modified });
    });

    it('survives many at once, one after another', async () => {
      const helpdesk = await site.warmed();
      const emails = Array.from({ length: 8 }, (_, i) => `agent${i}@crm.example`);
      await Promise.all(emails.map((email) => helpdesk.tickets.writeResponsible(ticket, email, signal)));
      expect(site.simulator.document('HD Ticket', ticket)?.custom_responsible).toBe('agent7@crm.example');
      expect(site.calls()).toEqual(emails.map(() => `PUT /api/resource/HD Ticket/${ticket} ${demo.service.name} 200`));
    });

    it('is repeated when the database gave up on it', async () => {
      const helpdesk = await site.warmed();
      let failures = 3;
      site.simulator.fault = () => (failures-- > 0 ? 'deadlock' : null);
      await helpdesk.tickets.writeResponsible(ticket, 'again@crm.example', signal);
      expect(site.simulator.document('HD Ticket', ticket)?.custom_responsible).toBe('again@crm.example');
      expect(site.simulator.journal.map(({ status }) => status)).toEqual([500, 500, 500, 200]);
    });

    it('to a ticket that does not exist is an error', async () => {
      const write = (await site.warmed()).tickets.writeResponsible('999999', 'an@crm.example', signal);
      await expect(write).rejects.toMatchObject(kind('not_found'));
    });
  });
});
