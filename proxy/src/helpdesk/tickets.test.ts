import { OrgId } from '@deskside/shared/orgid';
import { demo, type HelpdeskSeed } from '@deskside/simulators/seed/index';
import { describe, expect, it } from 'vitest';
import type { CompanyData, JudgedData, RoutingFields } from './fields.ts';
import { as, generations, kind, noon, signal, useSimulatedSite } from './testing/simulated-site.ts';
import type { PipelineTicket } from './ticket-file.ts';

const shop = { orgId: OrgId.parse('200000376001'), customer: 'Gốm Sứ Làng Mơ - 200000376001' };
const { matched, forgedLink, restrictedTeam } = demo.tickets;
/** A ticket of which nothing is known. */
const name = demo.tickets.missingOrgId;
const domain = 'gomlangmo.myplatform.example';

/** What routing writes in the usual case. */
const decided: RoutingFields = {
  agentGroup: 'Medium - Scale',
  orgId: shop.orgId,
  platformDomain: domain,
  segment: 'Medium',
  shopplan: 'Medium Scale',
  servicePlan: 'OMNI SCALE 2025 (1 năm)',
  status: 'Complete',
  error: '',
  reason: 'Auto-routed: Customer Segment=Medium, Shopplan=Medium Scale. Target team=Medium - Scale.',
  checkedAt: noon,
  crmLastCheckedAt: noon - 1_000,
  crmNotFoundAt: null,
};

type Field = HelpdeskSeed['customFields'][string][number];
const data = (fieldname: string, fieldtype = 'Data'): Field => ({ fieldname, fieldtype, label: fieldname });
/** Adds fields of HD Ticket, in place of those of their names and of the platform domain's. */
const withFields =
  (...fields: Field[]) =>
  (seed: HelpdeskSeed) => {
    const replaced = [...fields.map(({ fieldname }) => fieldname), 'custom_myplatform_domain'];
    const others = (seed.customFields['HD Ticket'] ?? []).filter(({ fieldname }) => !replaced.includes(fieldname));
    seed.customFields = { ...seed.customFields, 'HD Ticket': [...others, ...fields] };
  };

describe.each(generations)('Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);
  const stored = (ticket = name) => site.simulator.document('HD Ticket', ticket);
  const change = (values: object, ticket = name) => site.change('HD Ticket', ticket, values);
  const readAs = (user = demo.agent, ticket = matched) => site.helpdesk.tickets.readAs(as(user), ticket, signal);
  const read = (ticket = name) => site.helpdesk.tickets.read(ticket, signal);
  const answer = async (fields: CompanyData, ticket?: PipelineTicket) =>
    site.helpdesk.tickets.write(ticket ?? (await read()), fields as JudgedData, signal);
  /** What it changes. */
  const write = async (fields: CompanyData) => {
    const written = await answer(fields);
    return written === 'changed_meanwhile' ? written : written.changes;
  };

  it('no ticket is found under a name that the database only takes for 1 or 2', async () => {
    const wrong = ['2abc', '02', '2.0', ' 2', '+2', "1' or '1'='1", '999999', 'null', '%', '..', '2\\', '２'];
    for (const name of wrong)
      for (const asked of [
        readAs(demo.agent, name),
        read(name),
        site.helpdesk.tickets.readFirstMessage(name, signal),
        site.helpdesk.tickets.lastWriterOf(name, 'agent_group', signal),
        site.helpdesk.assignments.list(name, signal),
        site.helpdesk.rights.requireWrite('HD Ticket', name, as(demo.agent), signal),
      ])
        await expect(asked, name).rejects.toMatchObject(kind('not_found'));
  });

  it('what the service account may not see is a helpdesk that does not work, not a caller who is refused', async () => {
    site.simulator.settings.restrictTicketsByAgentGroup = true;
    site.use({ apiKey: demo.otherAgent.apiKey, apiSecret: demo.otherAgent.apiSecret });
    for (const asked of [
      read(restrictedTeam),
      site.helpdesk.tickets.readFirstMessage(restrictedTeam, signal),
      site.helpdesk.assignments.list(restrictedTeam, signal),
    ])
      await expect(asked).rejects.toMatchObject(kind('unavailable'));
  });

  it('a ticket that an account may read but not list is refused to it; one of a similar name is not found', async () => {
    site.use({ apiKey: demo.otherAgent.apiKey, apiSecret: demo.otherAgent.apiSecret });
    site.simulator.fault = ({ path }) => {
      site.simulator.settings.restrictTicketsByAgentGroup = path.startsWith('/api/resource/');
      return null;
    };
    await expect(readAs(demo.otherAgent, restrictedTeam)).rejects.toMatchObject(kind('forbidden'));
    await expect(read(restrictedTeam)).rejects.toMatchObject(kind('unavailable'));
    await expect(readAs(demo.otherAgent, `${restrictedTeam}abc`)).rejects.toMatchObject(kind('not_found'));
  });

  describe('a ticket for a caller', () => {
    it('comes with customer and contact in one request as the caller', async () => {
      await site.warmed();
      const file = await readAs();
      expect(site.calls()).toEqual([`GET /api/resource/HD Ticket ${demo.agent.name} 200`]);
      const sender = demo.portal.name;
      expect(file).toMatchObject({
        ticket: {
          name: matched,
          subject: 'Không đồng bộ được đơn Shopee',
          customer: shop.customer,
          customerOrgId: shop.orgId,
          agentGroup: null,
          origin: { owner: sender, raisedBy: sender },
          creation: stored(matched)?.creation,
          splitFrom: null,
          contactOwner: 'truong@support.example',
          orgIdFields: [
            { field: 'custom_platform_profile_orgid', kind: 'profile', value: null },
            { field: 'custom_orgid', kind: 'current', value: shop.orgId },
            { field: 'custom_org_id', kind: 'older', value: null },
          ],
          responsible: null,
          record: { name: matched, raised_by: sender, agent_group: null, custom_orgid: shop.orgId },
        },
        customer: {
          ...{ name: shop.customer, customer_name: shop.customer, custom_platform_orgid: shop.orgId },
          ...{ custom_crm_company_id: '63002', custom_customer_segment: 'Medium' },
        },
        contact: { name: file.ticket.contact, full_name: 'Trần Quang Khải', email_id: sender, mobile_no: null },
      });
    });

    it('without customer or contact has none; the account owner stands on it', async () => {
      expect(await readAs(demo.agent, name)).toMatchObject({ customer: null, ticket: { splitFrom: null } });
      const bySender = await readAs(demo.agent, demo.tickets.contactBySender);
      expect(bySender).toMatchObject({ contact: null, ticket: { contactOwner: null } });
      const owned = await readAs(demo.agent, demo.tickets.responsibleSet);
      expect(owned.ticket.responsible).toBe('phutrach338@crm.example');
    });

    it('has its team as rules name it, however its accents are written', async () => {
      change({ agent_group: 'Đội Một'.normalize('NFD') });
      const agentGroup = 'Đội Một'.normalize('NFC');
      expect((await readAs(demo.agent, name)).ticket).toMatchObject({
        agentGroup,
        record: { agent_group: agentGroup },
      });
    });

    it('names the ticket that it says it was split from, and the account that made its contact', async () => {
      change({ ticket_split_from: matched }, forgedLink);
      const expected = { splitFrom: matched, contactOwner: demo.forger.name };
      expect((await readAs(demo.agent, forgedLink)).ticket).toMatchObject(expected);
      expect((await read(forgedLink)).file.ticket).toMatchObject(expected);
    });
  });

  describe('a ticket for the pipeline', () => {
    it('comes in one request as the service account', async () => {
      await site.warmed();
      await site.helpdesk.stampOf(noon, signal);
      site.simulator.clearJournal();
      const ticket = await read(matched);
      expect(site.calls()).toEqual([`GET /api/resource/HD Ticket ${demo.service.name} 200`]);
      const there = stored(matched);
      expect(ticket).toMatchObject({
        key: there?.key ?? null,
        modified: there?.modified,
        modifiedBy: there?.modified_by,
        status: 'Open',
        closed: false,
        replied: false,
        file: {
          ticket: { name: matched, customer: shop.customer, agentGroup: null, creation: there?.creation },
          customer: { name: shop.customer, custom_platform_orgid: shop.orgId },
          contact: { email_id: demo.portal.name },
        },
        platformDomain: null,
        segment: null,
        reason: null,
        customerRecord: { name: shop.customer, lastCheckedAt: noon - 2 * 3_600_000 },
        stored: { customer: shop.customer, custom_orgid: shop.orgId, agent_group: null },
      });
      expect(ticket.customerRecord).toEqual(await site.helpdesk.customers.read(shop.customer, signal));
    });

    it('has text, key, segment, reason and the fields of intake, in their order and without blanks', async () => {
      const links = ['custom_platform_shop_link', 'custom_platform_myplatform_link', 'custom_my_platform_domain'];
      site.seeded(withFields(...links.map((field) => data(field)), data('custom_store_url')));
      const key = 'b5a9d3f0-0000-4000-8000-000000000001';
      change({
        key,
        description: '<p>Shop <a href="https://a.example">đây</a></p><script>x</script>',
        custom_customer_segment: 'Medium',
        custom_platform_routing_reason: 'Auto-routed: giả mạo',
        custom_store_url: ' https://a.example/admin ',
        custom_platform_myplatform_link: '  ',
        custom_my_platform_domain: 'a.myplatform.example',
        custom_platform_shop_link: 'b.example',
      });
      expect(await read()).toMatchObject({
        key,
        description: 'Shop đây https://a.example',
        segment: 'Medium',
        reason: 'Auto-routed: giả mạo',
        customerRecord: null,
        intakeFields: [
          { field: 'custom_store_url', value: 'https://a.example/admin' },
          { field: 'custom_my_platform_domain', value: 'a.myplatform.example' },
          { field: 'custom_platform_shop_link', value: 'b.example' },
        ],
        platformDomain: 'a.myplatform.example',
      });
    });

    it.each([
      [{ status: 'Replied' }, { status: 'Replied', closed: false, replied: false }],
      [{ status: null }, { status: '', closed: false }],
      [{ status: 'Resolved' }, { closed: true }],
      [{ status: 'Closed' }, { closed: true }],
      [{ first_responded_on: '2026-11-20 10:00:00.000000' }, { replied: true }],
      [{ last_agent_response: '2026-11-20 10:00:00.000000' }, { replied: true }],
      [{ _assign: '["an@support.example"]' }, { assignees: ['an@support.example'] }],
      [{ last_customer_response: '2026-11-20 10:00:00.000000' }, { replied: false }],
      // What is too large is not read.
      [
        { description: 'a'.repeat(5 * 2 ** 20), key: 'k' },
        { description: '', key: 'k' },
      ],
    ])('with %.40j is %j', async (values, expected) => {
      change(values);
      expect(await read()).toMatchObject(expected);
    });

    it('is read from a site without any custom field', async () => {
      site.seeded((seed) => {
        seed.customFields = {};
      });
      const ticket = await read();
      expect(ticket).toMatchObject({ status: 'Open', intakeFields: [], segment: null, customerRecord: null });
      expect(ticket.file.ticket.orgIdFields).toEqual([]);
    });

    it.each(['an@support.example', '{}', '[1]'])('is no answer where it has %j for its assignees', async (_assign) => {
      change({ _assign });
      await expect(read()).rejects.toMatchObject(kind('bad_answer'));
    });

    it('tells who wrote a field last, as far as the last versions say', async () => {
      const last = () => site.helpdesk.tickets.lastWriterOf(name, 'agent_group', signal);
      expect(await last()).toBeNull();
      await write({ agentGroup: 'Medium - Scale' } as CompanyData);
      expect(await last()).toBe('service@support.example');
      const changed = [['agent_group', 'Medium - Scale', 'CS 60p']];
      site.simulator.put('Version', {
        ...{ name: 'later', ref_doctype: 'HD Ticket', docname: name, owner: demo.agent.name },
        ...{ creation: '2099-01-01 00:00:00.000000', data: JSON.stringify({ changed }) },
      });
      await write({ segment: 'SME' });
      expect(await last()).toBe(demo.agent.name);
    });

    it('has for its first message the text of the oldest; none where there is none or where it is too large', async () => {
      const first = () => site.helpdesk.tickets.readFirstMessage(name, signal);
      const put = (id: string, content: string) =>
        site.simulator.put('Communication', {
          ...{ name: id, content, creation: `2026-11-20 10:00:00.00000${id}` },
          ...{ reference_doctype: 'HD Ticket', reference_name: name },
        });
      expect(await first()).toBe('');
      put('2', '<p>hai</p>');
      put('1', '<p>Mã <b>1000069001</b></p>');
      expect(await first()).toBe('Mã 1000069001');
      put('0', 'a'.repeat(5 * 2 ** 20));
      expect(await first()).toBe('');
    });
  });

  describe('the link of a ticket to its customer', () => {
    const linked = { field: 'customer', from: null, to: shop.customer };

    it('is set and taken away, one request each, and nothing else on the ticket changes', async () => {
      const before = stored();
      expect(await answer({ customer: shop.customer })).toMatchObject({ changes: [linked], customer: shop.customer });
      expect((await read()).file.ticket.customer).toBe(shop.customer);
      expect(await write({ customer: shop.customer })).toEqual([]);
      expect(await answer({ customer: null })).toMatchObject({ customer: null });
      expect(stored()).toEqual({
        ...before,
        customer: null,
        modified: stored()?.modified,
        modified_by: demo.service.name,
      });
      expect(site.writes()).toHaveLength(2);
    });

    it('is not written over a person’s change', async () => {
      const early = await read();
      await write({ responsible: 'person@support.example' });
      expect(await answer({ customer: shop.customer }, early)).toBe('changed_meanwhile');
      expect(stored()?.customer ?? null).toBeNull();
      expect(await write({ customer: shop.customer })).toEqual([linked]);
      expect(stored()).toMatchObject({ custom_responsible: 'person@support.example', customer: shop.customer });
    });

    it('is refused to a customer that does not exist, or that the helpdesk spells otherwise', async () => {
      for (const other of ['Nobody', shop.customer.toLowerCase()])
        await expect(write({ customer: other })).rejects.toMatchObject(kind('rejected'));
    });

    it('goes with the fields in one request, and is taken back with them', async () => {
      await write({ customer: shop.customer, segment: 'Medium' });
      const written = { customer: shop.customer, segment: 'SME' };
      await site.helpdesk.tickets.clear(await read(), written, {}, signal);
      expect(stored()).toMatchObject({ custom_customer_segment: 'Medium' });
      expect(stored()?.customer ?? null).toBeNull();
      expect(site.writes()).toHaveLength(2);
    });
  });

  it('a contact that the helpdesk fills in on a write is in the answer, and on a mere save', async () => {
    site.simulator.put('Contact', { name: 'Ai đó', email_id: String(stored()?.raised_by), owner: 'Guest' });
    change({ contact: null });
    expect(await answer({ error: 'x' })).toMatchObject({ contact: 'Ai đó' });
    change({ contact: null });
    await site.helpdesk.tickets.save(await read(), signal);
    expect(stored()).toMatchObject({ contact: 'Ai đó' });
  });

  describe('what routing decided', () => {
    it('is written in one request and told by field', async () => {
      expect(await write(decided)).toEqual([
        { field: 'agent_group', from: null, to: 'Medium - Scale' },
        { field: 'custom_orgid', from: null, to: '200000376001' },
        { field: 'custom_myplatform_domain', from: null, to: domain },
        { field: 'custom_customer_segment', from: null, to: 'Medium' },
        { field: 'custom_shopplan', from: null, to: 'Medium Scale' },
        { field: 'custom_platform_service_plan', from: null, to: 'OMNI SCALE 2025 (1 năm)' },
        { field: 'custom_platform_profile_status', from: null, to: 'Complete' },
        { field: 'custom_platform_routing_reason', from: null, to: decided.reason },
        { field: 'custom_platform_profile_checked_at', from: null, to: '2026-11-20 12:00:00' },
        { field: 'custom_crm_last_checked_at', from: null, to: '2026-11-20 11:59:59' },
      ]);
      expect(site.writes()).toEqual([`HD Ticket/${name} 200`].map((path) => `PUT ${path}`));
      expect(stored()).toMatchObject({
        agent_group: 'Medium - Scale',
        custom_orgid: '200000376001',
        custom_platform_routing_reason: decided.reason,
        custom_crm_last_checked_at: expect.stringMatching(/^2026-11-20 11:59:59/),
      });
      expect(site.warnings).toEqual([]);
      // Not again, nor for later times of checking alone.
      expect(await write(decided)).toEqual([]);
      expect(await write({ ...decided, checkedAt: noon + 60_000, crmLastCheckedAt: noon + 60_000 })).toEqual([]);
      expect(site.writes()).toHaveLength(1);
    });

    it('is written for a first time of checking alone', async () => {
      const changes = await write({ crmLastCheckedAt: noon });
      expect(changes).toEqual([{ field: 'custom_crm_last_checked_at', from: null, to: '2026-11-20 12:00:00' }]);
      expect(await write({ crmLastCheckedAt: noon + 60_000 })).toEqual([]);
      expect(stored()?.custom_crm_last_checked_at).toMatch(/^2026-11-20 12:00:00/);
    });

    it('takes the times along with what else differs; what is null or empty is cleared', async () => {
      await write({ ...decided, error: 'crm_timeout', crmNotFoundAt: noon });
      expect(await write({ error: '', crmNotFoundAt: null, checkedAt: noon + 60_000 })).toEqual([
        { field: 'custom_platform_profile_error', from: 'crm_timeout', to: null },
        { field: 'custom_platform_profile_checked_at', from: '2026-11-20 12:00:00', to: '2026-11-20 12:01:00' },
        { field: 'custom_crm_not_found_at', from: '2026-11-20 12:00:00', to: null },
      ]);
      expect(stored()).toMatchObject({ custom_crm_not_found_at: null, agent_group: 'Medium - Scale' });
      expect(stored()?.custom_platform_profile_error || null).toBeNull();
    });

    it('is not written over a person’s change', async () => {
      const ticket = await read();
      const person = { modified: '2026-11-20 12:00:00.000009', agent_group: 'Service Ecom' };
      change(person);
      expect(await answer(decided, ticket)).toBe('changed_meanwhile');
      expect(stored()).toMatchObject(person);
    });

    it('fails for a team or a ticket that does not exist, and for an account that may not write it', async () => {
      const ticket = await read();
      const team = write({ ...decided, agentGroup: 'No Such Team' });
      await expect(team).rejects.toMatchObject({
        ...kind('rejected'),
        refusal: 'HD Ticket refuses Team (LinkValidationError)',
      });
      const gone = { ...ticket, file: { ...ticket.file, ticket: { ...ticket.file.ticket, name: '999999' } } };
      await expect(answer(decided, gone)).rejects.toMatchObject(kind('not_found'));
      site.simulator.settings.restrictTicketsByAgentGroup = true;
      change({ agent_group: 'Medium - Scale' });
      const refusal = "Deskside's account may not write HD Ticket";
      const closed = answer(decided, ticket);
      await expect(closed).rejects.toMatchObject({ ...kind('rejected'), refusal });
    });

    it('is left out where the site has no field for it or no room in it, and reported once', async () => {
      site.seeded(withFields({ ...data('custom_customer_segment', 'Select'), options: '\nSME' }));
      expect(await write({ ...decided, servicePlan: 'a'.repeat(141) })).toHaveLength(7);
      await write({ ...decided, servicePlan: 'b'.repeat(141), status: 'API Error' });
      expect(stored()).toMatchObject({ agent_group: 'Medium - Scale', custom_platform_profile_status: 'API Error' });
      expect(site.warnings.map(([fields]) => fields)).toEqual([
        { doctype: 'HD Ticket', field: 'custom_myplatform_domain', reason: 'no_such_field' },
        { doctype: 'HD Ticket', field: 'custom_customer_segment', reason: 'no_such_option' },
        { doctype: 'HD Ticket', field: 'custom_platform_service_plan', reason: 'too_long' },
      ]);
    });

    const reason = [...`Auto-routed: ${'ế🛒'.repeat(200)}`].slice(0, 300);
    const [long, cut] = [reason.join(''), reason.slice(0, 140).join('')];
    const plans = (options: string) => ({ ...data('custom_shopplan', 'Select'), options });
    it.each<[string, Field, RoutingFields, string]>([
      ['among options that name it', plans('\nSME\nMedium'), { shopplan: 'Medium' }, 'Medium'],
      ['else among older ones', plans('\nSME\nMedium Scale'), { shopplan: 'Medium' }, 'SME'],
      ['in the older field of the domain', data('custom_my_platform_domain'), { platformDomain: domain }, domain],
      ['cut to the room of a short field', data('custom_platform_routing_reason'), { reason: long }, cut],
      ['whole in a long one', data('custom_platform_routing_reason', 'Small Text'), { reason: long }, long],
    ])('goes into the field that there is, %s, and is not written again', async (_, field, fields, expected) => {
      site.seeded(withFields(field));
      expect(await write(fields)).toMatchObject([{ field: field.fieldname }]);
      expect(stored()?.[field.fieldname]).toBe(expected);
      expect(await write(fields)).toEqual([]);
      expect(site.warnings).toEqual([]);
    });
  });
});
