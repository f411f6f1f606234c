import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, it } from 'vitest';
import { generations, kind, signal, useSimulatedSite } from './testing/simulated-site.ts';

const customer = 'Gốm Sứ Làng Mơ - 200000376001';

describe.each(generations)('Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);
  const put = (name: string) => `PUT /api/resource/HD Ticket/${name} ${demo.service.name} 200`;

  describe('the link of a ticket to its customer', () => {
    it('is read in one request as the service account', async () => {
      const link = await site.adapter().tickets.readLink(demo.tickets.matched, signal);
      expect(link).toMatchObject({ name: demo.tickets.matched, customer });
      expect(link.modified).toBe(site.simulator.document('HD Ticket', demo.tickets.matched)?.modified);
      expect(site.calls()).toEqual([`GET /api/resource/HD Ticket ${demo.service.name} 200`]);
    });

    it('is none where there is none', async () => {
      expect(await site.adapter().tickets.readLink(demo.tickets.missingOrgId, signal)).toMatchObject({
        customer: null,
      });
    });

    it.each(['2abc', '02', "1' or '1'='1", '999999', '..'])('is not found for the ticket %j', async (name) => {
      await expect(site.adapter().tickets.readLink(name, signal)).rejects.toMatchObject(kind('not_found'));
    });

    it('that the service account may not read means a helpdesk that does not work, not a caller who is refused', async () => {
      site.simulator.settings.restrictTicketsByAgentGroup = true;
      const name = demo.tickets.restrictedTeam;
      const read = site.adapter({ apiKey: demo.otherAgent.apiKey, apiSecret: demo.otherAgent.apiSecret });
      await expect(read.tickets.readLink(name, signal)).rejects.toMatchObject(kind('unavailable'));
      const wrong = site.adapter({ apiSecret: 'canary-7788' }).tickets.readLink(name, signal);
      await expect(wrong).rejects.toMatchObject(kind('unavailable'));
    });

    it('is set and taken away, one request each, and nothing else on the ticket changes', async () => {
      const { simulator } = site;
      const helpdesk = site.adapter();
      const name = demo.tickets.missingOrgId;
      const before = simulator.document('HD Ticket', name);
      const link = await helpdesk.tickets.readLink(name, signal);
      expect(await helpdesk.tickets.link(link, customer, signal)).toBe('linked');
      const linked = await helpdesk.tickets.readLink(name, signal);
      expect(linked.customer).toBe(customer);
      expect(await helpdesk.tickets.link(linked, null, signal)).toBe('linked');
      const after = simulator.document('HD Ticket', name);
      expect(after).toEqual({ ...before, customer: null, modified: after?.modified, modified_by: demo.service.name });
      expect(simulator.journal.filter(({ method }) => method !== 'GET')).toHaveLength(2);
    });

    it('that stands already is not written', async () => {
      const helpdesk = site.adapter();
      const link = await helpdesk.tickets.readLink(demo.tickets.matched, signal);
      site.simulator.clearJournal();
      expect(await helpdesk.tickets.link(link, customer, signal)).toBe('unchanged');
      expect(await helpdesk.tickets.link({ ...link, customer: null }, null, signal)).toBe('unchanged');
      expect(site.calls()).toEqual([]);
    });

    it('is not written over a person’s change', async () => {
      const { simulator } = site;
      const helpdesk = site.adapter();
      const name = demo.tickets.missingOrgId;
      const link = await helpdesk.tickets.readLink(name, signal);
      const read = await helpdesk.tickets.read(name, signal);
      await helpdesk.tickets.write(read, { responsible: 'person@support.example' }, signal);
      expect(await helpdesk.tickets.link(link, customer, signal)).toBe('changed_meanwhile');
      expect(simulator.document('HD Ticket', name)).toMatchObject({ custom_responsible: 'person@support.example' });
      expect(simulator.document('HD Ticket', name)?.customer ?? null).toBeNull();
      const fresh = await helpdesk.tickets.readLink(name, signal);
      expect(await helpdesk.tickets.link(fresh, customer, signal)).toBe('linked');
    });

    it('is written once by eight who read it at once', async () => {
      const { simulator } = site;
      const helpdesk = site.adapter();
      const link = await helpdesk.tickets.readLink(demo.tickets.missingOrgId, signal);
      const results = await Promise.all(Array.from({ length: 8 }, () => helpdesk.tickets.link(link, customer, signal)));
      expect(results.sort()).toEqual([...Array.from({ length: 7 }, () => 'changed_meanwhile'), 'linked']);
      expect(simulator.document('HD Ticket', link.name)?.customer).toBe(customer);
    });

    it('is repeated when the database gave up on it', async () => {
      const { simulator } = site;
      const helpdesk = site.adapter();
      const link = await helpdesk.tickets.readLink(demo.tickets.missingOrgId, signal);
      let failures = 2;
      simulator.fault = () => (failures-- > 0 ? 'deadlock' : null);
      simulator.clearJournal();
      expect(await helpdesk.tickets.link(link, customer, signal)).toBe('linked');
      expect(simulator.journal.map(({ status }) => status)).toEqual([500, 500, 200]);
    });

    it('to a customer that does not exist is refused, and of a ticket that does not exist not found', async () => {
      const helpdesk = site.adapter();
      const link = await helpdesk.tickets.readLink(demo.tickets.missingOrgId, signal);
      await expect(helpdesk.tickets.link(link, 'Nobody', signal)).rejects.toMatchObject(kind('rejected'));
      const gone = { ...link, name: '999999' };
      await expect(helpdesk.tickets.link(gone, customer, signal)).rejects.toMatchObject(kind('not_found'));
      expect(site.calls()).not.toContain(put(link.name));
    });

    it('that the helpdesk changes on its own while saving is an error', async () => {
      // The database finds the customer without regard to case, and the helpdesk keeps its own spelling.
      const helpdesk = site.adapter();
      const link = await helpdesk.tickets.readLink(demo.tickets.missingOrgId, signal);
      const linking = helpdesk.tickets.link(link, customer.toLowerCase(), signal);
      await expect(linking).rejects.toMatchObject(kind('rejected'));
    });
  });
});
