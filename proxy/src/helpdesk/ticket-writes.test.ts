import { OrgId } from '@deskside/shared/orgid';
import { demo, type HelpdeskSeed } from '@deskside/simulators/seed/index';
import { describe, expect, it } from 'vitest';
import type { RoutingFields } from './fields.ts';
import { generations, kind, noon, signal, useSimulatedSite } from './testing/simulated-site.ts';

const name = demo.tickets.missingOrgId;

/** What routing writes in the usual case. */
const decided: RoutingFields = {
  agentGroup: 'Medium - Scale',
  orgId: OrgId.parse('200000376001'),
  platformDomain: 'gomlangmo.myplatform.example',
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

/** Adds a field of HD Ticket, in place of the one of that name and of the platform domain's. */
const withField = (field: Field) => (seed: HelpdeskSeed) => {
  const replaced = [field.fieldname, 'custom_myplatform_domain'];
  const others = (seed.customFields['HD Ticket'] ?? []).filter(({ fieldname }) => !replaced.includes(fieldname));
  seed.customFields = { ...seed.customFields, 'HD Ticket': [...others, field] };
};
const data = (fieldname: string, fieldtype = 'Data'): Field => ({ fieldname, fieldtype, label: fieldname });

describe.each(generations)('Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);

  function fresh(seed: (seed: HelpdeskSeed) => void = () => {}) {
    const simulator = site.seeded(seed);
    const helpdesk = site.adapter();
    const read = () => helpdesk.tickets.read(name, signal);
    const writes = () => simulator.journal.filter(({ method }) => method !== 'GET');
    const write = async (fields: RoutingFields) => helpdesk.tickets.write(await read(), fields, signal);
    return { simulator, helpdesk, read, write, writes, stored: () => simulator.document('HD Ticket', name) };
  }

  describe('what routing decided', () => {
    it('is written in one request and told by field', async () => {
      const { write, writes, stored } = fresh();
      expect(await write(decided)).toEqual([
        { field: 'agent_group', from: null, to: 'Medium - Scale' },
        { field: 'custom_orgid', from: null, to: '200000376001' },
        { field: 'custom_myplatform_domain', from: null, to: 'gomlangmo.myplatform.example' },
        { field: 'custom_customer_segment', from: null, to: 'Medium' },
        { field: 'custom_shopplan', from: null, to: 'Medium Scale' },
        { field: 'custom_platform_service_plan', from: null, to: 'OMNI SCALE 2025 (1 năm)' },
        { field: 'custom_platform_profile_status', from: null, to: 'Complete' },
        { field: 'custom_platform_routing_reason', from: null, to: decided.reason },
        { field: 'custom_platform_profile_checked_at', from: null, to: '2026-11-20 12:00:00' },
        { field: 'custom_crm_last_checked_at', from: null, to: '2026-11-20 11:59:59' },
      ]);
      expect(writes()).toMatchObject([{ method: 'PUT', path: `/api/resource/HD Ticket/${name}`, status: 200 }]);
      expect(stored()).toMatchObject({
        agent_group: 'Medium - Scale',
        custom_orgid: '200000376001',
        custom_platform_routing_reason: decided.reason,
        custom_crm_last_checked_at: expect.stringMatching(/^2026-11-20 11:59:59/),
      });
      expect(site.warnings).toEqual([]);
    });

    it('is not written again, nor for later times of checking alone', async () => {
      const { write, writes } = fresh();
      await write(decided);
      expect(await write(decided)).toEqual([]);
      expect(await write({ ...decided, checkedAt: noon + 60_000, crmLastCheckedAt: noon + 60_000 })).toEqual([]);
      expect(writes()).toHaveLength(1);
    });

    it('is written for a first time of checking alone', async () => {
      const { write, stored } = fresh();
      const changes = await write({ crmLastCheckedAt: noon });
      expect(changes).toEqual([{ field: 'custom_crm_last_checked_at', from: null, to: '2026-11-20 12:00:00' }]);
      expect(await write({ crmLastCheckedAt: noon + 60_000 })).toEqual([]);
      expect(stored()?.custom_crm_last_checked_at).toMatch(/^2026-11-20 12:00:00/);
    });

    it('takes the times along with what else differs; what is null or empty is cleared', async () => {
      const { write, stored } = fresh();
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
      const { helpdesk, simulator, read, stored } = fresh();
      const ticket = await read();
      const person = { modified: '2026-11-20 12:00:00.000009', agent_group: 'Service Ecom' };
      simulator.put('HD Ticket', { ...stored(), name, ...person });
      expect(await helpdesk.tickets.write(ticket, decided, signal)).toBe('changed_meanwhile');
      expect(stored()).toMatchObject(person);
    });

    it('is written once by eight who read the ticket at once, and one after another', async () => {
      const { helpdesk, simulator, read, writes, stored } = fresh();
      const ticket = await read();
      let maxAtOnce = 0;
      simulator.latency = () => {
        const open = writes().filter(({ status }) => status === 0);
        maxAtOnce = Math.max(maxAtOnce, open.length);
        return 5;
      };
      const write = (i: number) => helpdesk.tickets.write(ticket, { ...decided, shopplan: `Plan ${i}` }, signal);
      const results = await Promise.all(Array.from({ length: 8 }, (_, i) => write(i)));
      expect(results.filter((result) => result === 'changed_meanwhile')).toHaveLength(7);
      expect(results[0]).toHaveLength(10);
      expect(stored()?.custom_shopplan).toBe('Plan 0');
      expect(writes()).toHaveLength(8);
      expect(maxAtOnce).toBe(1);
    });

    it('is repeated when the database gave up on it', async () => {
      const { helpdesk, simulator, read, writes } = fresh();
      const ticket = await read();
      let failures = 2;
      simulator.fault = ({ method }) => (method === 'PUT' && failures-- > 0 ? 'deadlock' : null);
      expect(await helpdesk.tickets.write(ticket, decided, signal)).toHaveLength(10);
      expect(writes().map(({ status }) => status)).toEqual([500, 500, 200]);
    });

    it('fails for a team or a ticket that does not exist, and for a refused service account', async () => {
      const { helpdesk, read, write, simulator, stored } = fresh();
      const ticket = await read();
      await expect(write({ ...decided, agentGroup: 'No Such Team' })).rejects.toMatchObject(kind('rejected'));
      const gone = { ...ticket, file: { ...ticket.file, ticket: { ...ticket.file.ticket, name: '999999' } } };
      await expect(helpdesk.tickets.write(gone, decided, signal)).rejects.toMatchObject(kind('not_found'));
      simulator.settings.restrictTicketsByAgentGroup = true;
      simulator.put('HD Ticket', { ...stored(), name, agent_group: 'Medium - Scale' });
      await expect(helpdesk.tickets.write(ticket, decided, signal)).rejects.toMatchObject({
        ...kind('rejected'),
        refusal: "Deskside's account may not write HD Ticket",
      });
    });

    it('is left out where the site has no field for it or no room in it, and reported once', async () => {
      const noSegment = withField({ ...data('custom_customer_segment', 'Select'), options: '\nSME' });
      const { write, stored } = fresh(noSegment);
      const changes = await write({ ...decided, servicePlan: 'a'.repeat(141) });
      await write({ ...decided, servicePlan: 'b'.repeat(141), status: 'API Error' });
      expect(changes).toHaveLength(7);
      expect(stored()).toMatchObject({ agent_group: 'Medium - Scale', custom_platform_profile_status: 'API Error' });
      expect(site.warnings.map(([fields]) => fields)).toEqual([
        { doctype: 'HD Ticket', field: 'custom_myplatform_domain', reason: 'no_such_field' },
        { doctype: 'HD Ticket', field: 'custom_customer_segment', reason: 'no_such_option' },
        { doctype: 'HD Ticket', field: 'custom_platform_service_plan', reason: 'too_long' },
      ]);
    });

    it.each([
      ['Data', '', 'Medium'],
      ['Select', '\nSME\nMedium', 'Medium'],
      ['Select', '\nSME\nMedium Scale', 'SME'],
    ])('a Medium plan group in a field of type %s with the options %j is %s', async (type, options, expected) => {
      const { write, stored } = await fresh(withField({ ...data('custom_shopplan', type), options }));
      await write({ shopplan: 'Medium' });
      expect(stored()).toMatchObject({ custom_shopplan: expected });
    });

    it('goes into the older field of the domain where the site has only that', async () => {
      const { write, stored } = fresh(withField(data('custom_my_platform_domain')));
      const platformDomain = 'gomlangmo.myplatform.example';
      expect(await write({ platformDomain })).toMatchObject([{ field: 'custom_my_platform_domain' }]);
      expect(stored()).toMatchObject({ custom_my_platform_domain: platformDomain });
      expect(await write({ platformDomain })).toEqual([]);
    });

    it.each([
      ['Data', 140],
      ['Small Text', 300],
    ])('has its reason cut to the room of a field of type %s', async (type, room) => {
      const { write, stored } = fresh(withField(data('custom_platform_routing_reason', type)));
      const reason = `Auto-routed: ${'ế🛒'.repeat(200)}`;
      const wanted = [...reason].slice(0, 300).join('');
      await write({ reason: wanted });
      expect(stored()?.custom_platform_routing_reason).toBe([...wanted].slice(0, room).join(''));
      expect(await write({ reason: wanted })).toEqual([]);
      expect(site.warnings).toEqual([]);
    });
  });
});
