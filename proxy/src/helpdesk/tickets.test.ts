import type { HelpdeskDocument, HelpdeskSeed } from '@deskside/simulators/seed/index';
import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, it } from 'vitest';
import { generations, kind, noon, signal, useSimulatedSite } from './testing/simulated-site.ts';

const shop = { orgId: '200000376001', customer: 'Gốm Sứ Làng Mơ - 200000376001' };
const getOne = '/api/method/helpdesk.helpdesk.doctype.hd_ticket.api.get_one';

/** Every field that intake may find on a site. */
const withIntakeFields = (seed: HelpdeskSeed) => {
  const names = ['custom_platform_shop_link', 'custom_platform_myplatform_link', 'custom_my_platform_domain'];
  const more = names.map((fieldname) => ({ fieldname, fieldtype: 'Data', label: fieldname }));
  seed.customFields = { ...seed.customFields, 'HD Ticket': [...more, ...(seed.customFields['HD Ticket'] ?? [])] };
};

describe.each(generations)('Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);
  const name = demo.tickets.missingOrgId;

  function changed(change: object, seed: (seed: HelpdeskSeed) => void = () => {}) {
    const simulator = site.seeded(seed);
    const ticket = simulator.document('HD Ticket', name) as HelpdeskDocument;
    simulator.put('HD Ticket', { ...ticket, ...change });
    return { simulator, helpdesk: site.adapter() };
  }

  describe('a ticket for the pipeline', () => {
    it('comes in one request as the service account', async () => {
      const helpdesk = await site.warmed();
      await helpdesk.stampOf(noon, signal);
      site.simulator.clearJournal();
      const ticket = await helpdesk.tickets.read(demo.tickets.matched, signal);
      expect(site.calls()).toEqual([`GET /api/resource/HD Ticket ${demo.service.name} 200`]);
      const stored = site.simulator.document('HD Ticket', demo.tickets.matched);
      expect(ticket).toMatchObject({
        file: {
          ticket: { name: demo.tickets.matched, customer: shop.customer, agentGroup: null },
          customer: { name: shop.customer, record: { custom_platform_orgid: shop.orgId } },
          contact: { email_id: demo.portal.name },
        },
        key: stored?.key ?? null,
        status: 'Open',
        closed: false,
        platformDomain: null,
        creation: stored?.creation,
        modified: stored?.modified,
        modifiedBy: stored?.modified_by,
        replied: false,
        segment: null,
        reason: null,
        customerCheckedAt: noon - 2 * 3_600_000,
        stored: { custom_orgid: shop.orgId, agent_group: null },
      });
    });

    it('has text, key, segment, reason and the fields of intake, in their order and without blanks', async () => {
      const { helpdesk } = changed(
        {
          key: 'b5a9d3f0-0000-4000-8000-000000000001',
          description: '<p>Shop <a href="https://a.example">đây</a></p><script>x</script>',
          custom_customer_segment: 'Medium',
          custom_platform_routing_reason: 'Auto-routed: giả mạo',
          custom_store_url: ' https://a.example/admin ',
          custom_myplatform_domain: '  ',
          custom_my_platform_domain: 'a.myplatform.example',
          custom_platform_shop_link: 'b.example',
        },
        withIntakeFields,
      );
      expect(await helpdesk.tickets.read(name, signal)).toMatchObject({
        key: 'b5a9d3f0-0000-4000-8000-000000000001',
        description: 'Shop đây https://a.example',
        segment: 'Medium',
        reason: 'Auto-routed: giả mạo',
        customerCheckedAt: null,
        intakeFields: [
          { field: 'custom_store_url', value: 'https://a.example/admin' },
          { field: 'custom_my_platform_domain', value: 'a.myplatform.example' },
          { field: 'custom_platform_shop_link', value: 'b.example' },
        ],
        platformDomain: 'a.myplatform.example',
      });
    });

    it.each([
      ['Open', false],
      ['Replied', false],
      ['Resolved', true],
      ['Closed', true],
    ])('that is %s needs nobody any more: %s', async (status, closed) => {
      const { helpdesk } = changed({ status });
      expect(await helpdesk.tickets.read(name, signal)).toMatchObject({ status, closed });
    });

    it.each([
      ['first_responded_on', true],
      ['last_agent_response', true],
      ['last_customer_response', false],
    ])('with %s has been replied to: %s', async (field, replied) => {
      const { helpdesk } = changed({ [field]: '2026-11-20 10:00:00.000000' });
      expect(await helpdesk.tickets.read(name, signal)).toMatchObject({ replied });
    });

    it('is read from a site without any custom field', async () => {
      const { helpdesk } = changed({}, (seed) => {
        seed.customFields = {};
      });
      const ticket = await helpdesk.tickets.read(name, signal);
      expect(ticket).toMatchObject({ status: 'Open', intakeFields: [], segment: null, customerCheckedAt: null });
      expect(ticket.file.ticket.orgIdFields).toEqual([]);
    });

    it('is read without a description that is too large', async () => {
      const { helpdesk } = changed({ description: 'a'.repeat(5 * 1024 * 1024), key: 'k' });
      expect(await helpdesk.tickets.read(name, signal)).toMatchObject({ description: '', key: 'k' });
    });

    it.each(['2abc', '02', "1' or '1'='1", '999999', '..'])('is not found under %j', async (wrong) => {
      const helpdesk = site.adapter();
      await expect(helpdesk.tickets.read(wrong, signal)).rejects.toMatchObject(kind('not_found'));
      await expect(helpdesk.tickets.readFirstMessage(wrong, signal)).rejects.toMatchObject(kind('not_found'));
      await expect(helpdesk.assignments.list(wrong, signal)).rejects.toMatchObject(kind('not_found'));
    });

    it('that the service account may not read means a helpdesk that does not work', async () => {
      site.simulator.settings.restrictTicketsByAgentGroup = true;
      const key = { apiKey: demo.otherAgent.apiKey, apiSecret: demo.otherAgent.apiSecret };
      for (const helpdesk of [site.adapter(key), site.adapter({ apiSecret: 'wrong' })]) {
        const ticket = demo.tickets.restrictedTeam;
        await expect(helpdesk.tickets.read(ticket, signal)).rejects.toMatchObject(kind('unavailable'));
        await expect(helpdesk.tickets.readFirstMessage(ticket, signal)).rejects.toMatchObject(kind('unavailable'));
        await expect(helpdesk.assignments.list(ticket, signal)).rejects.toMatchObject(kind('unavailable'));
      }
    });
  });

  describe('the first message', () => {
    const message = (id: string, creation: string, content: string) => ({
      name: id,
      creation,
      content,
      reference_doctype: 'HD Ticket',
      reference_name: name,
    });

    it('is the text of the oldest, read as the service account', async () => {
      const { simulator, helpdesk } = changed({});
      simulator.put('Communication', message('b', '2026-11-20 10:00:00.000002', '<p>hai</p>'));
      simulator.put('Communication', message('a', '2026-11-20 10:00:00.000001', '<p>Mã <b>1000069001</b></p>'));
      expect(await helpdesk.tickets.readFirstMessage(name, signal)).toBe('Mã 1000069001');
      expect(simulator.journal).toMatchObject([{ method: 'GET', path: getOne, user: demo.service.name }]);
    });

    it('is empty where there is none or where it is too large', async () => {
      const { simulator, helpdesk } = changed({});
      expect(await helpdesk.tickets.readFirstMessage(name, signal)).toBe('');
      simulator.put('Communication', message('a', '2026-11-20 10:00:00.000001', 'a'.repeat(5 * 1024 * 1024)));
      expect(await helpdesk.tickets.readFirstMessage(name, signal)).toBe('');
    });
  });

  it('the service account is asked for its name once', async () => {
    const helpdesk = site.adapter();
    expect(await helpdesk.people.serviceUser(signal)).toBe(demo.service.name);
    expect(await helpdesk.people.serviceUser(signal)).toBe(demo.service.name);
    expect(site.simulator.journal).toHaveLength(1);
  });
});
