import { inspect } from 'node:util';
import { OrgId } from '@deskside/shared/orgid';
import { demo, type HelpdeskSeed } from '@deskside/simulators/seed/index';
import { describe, expect, it } from 'vitest';
import { as, generations, kind, signal, useSimulatedSite } from './testing/simulated-site.ts';

const shop = { orgId: OrgId.parse('200000376001'), customer: 'Gốm Sứ Làng Mơ - 200000376001' };

describe.each(generations)('Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);

  describe('the fields of the site', () => {
    const gone = ['custom_platform_profile_orgid', 'custom_org_id', 'custom_responsible', 'custom_crm_company_id'];
    const without = (seed: HelpdeskSeed) => {
      const kept = Object.entries(seed.customFields).map(([doctype, fields]) => [
        doctype,
        fields.filter(({ fieldname }) => !gone.includes(fieldname)),
      ]);
      seed.customFields = Object.fromEntries(kept);
    };

    it('are read once by simultaneous cold requests, and not again', async () => {
      const helpdesk = site.adapter();
      const tickets = [demo.tickets.matched, demo.tickets.likely, demo.tickets.confirmed];
      await Promise.all(tickets.map((name) => helpdesk.tickets.readAs(as(demo.agent), name, signal)));
      await helpdesk.warm(signal);
      const discovery = site.simulator.journal.filter(({ path }) => path.includes('getdoctype'));
      expect(discovery.map(({ query, user }) => [query.doctype, user])).toEqual(
        ['HD Ticket', 'HD Customer', 'Contact'].map((doctype) => [doctype, demo.service.name]),
      );
      expect(site.simulator.journal).toHaveLength(6);
    });

    it('are complete on a site that has all of the specification', async () => {
      const helpdesk = site.adapter();
      expect(helpdesk.missingFields()).toBeNull();
      await helpdesk.warm(signal);
      expect(helpdesk.missingFields()).toEqual([]);
    });

    it('are complete where the platform domain has its older name', async () => {
      const rename = ({ customFields }: HelpdeskSeed) => {
        for (const field of customFields['HD Ticket'] ?? [])
          if (field.fieldname === 'custom_myplatform_domain') field.fieldname = 'custom_my_platform_domain';
      };
      site.seeded(rename);
      const helpdesk = site.adapter();
      await helpdesk.warm(signal);
      expect(helpdesk.missingFields()).toEqual([]);
    });

    it('that are missing are left out and named', async () => {
      site.seeded(without);
      const helpdesk = site.adapter();
      const { ticket, customer } = await helpdesk.tickets.readAs(as(demo.agent), demo.tickets.matched, signal);
      expect(ticket.orgIdFields).toEqual([{ field: 'custom_orgid', kind: 'current', value: shop.orgId }]);
      expect(ticket.responsible).toBeUndefined();
      expect(customer?.record).toMatchObject({ custom_crm_company_id: null, custom_platform_orgid: shop.orgId });
      expect(helpdesk.missingFields()).toEqual(['HD Customer.custom_crm_company_id', 'HD Ticket.custom_responsible']);
      const read = await helpdesk.tickets.read(demo.tickets.matched, signal);
      expect(await helpdesk.tickets.write(read, { responsible: 'an@crm.example' }, signal)).toEqual([]);
    });

    it('that disappear later are noticed by the next reading, which still succeeds', async () => {
      const helpdesk = await site.warmed();
      const changed = site.seeded(without);
      const { ticket } = await helpdesk.tickets.readAs(as(demo.agent), demo.tickets.matched, signal);
      expect(ticket.orgIdFields).toEqual([{ field: 'custom_orgid', kind: 'current', value: shop.orgId }]);
      expect(changed.journal.map(({ path, status }) => `${path.split('.').at(-1)} ${status}`)).toEqual([
        '/api/resource/HD Ticket 417',
        ...['getdoctype 200', 'getdoctype 200', 'getdoctype 200'],
        '/api/resource/HD Ticket 200',
      ]);
    });

    it('are read again in the background after ten minutes, and stay known if that fails', async () => {
      const helpdesk = await site.warmed();
      site.now += 10 * 60_000 - 1;
      await helpdesk.warm(signal);
      expect(site.simulator.journal).toEqual([]);
      site.now += 1;
      site.simulator.fault = () => 503;
      await helpdesk.warm(signal);
      await expect.poll(() => site.warnings).toEqual([[{ kind: 'unavailable' }, expect.stringContaining('fields')]]);
      // The first failure is the read's; the other two requests are under way, and must not find the helpdesk well again.
      const answered = (code: number) => site.simulator.journal.filter(({ status }) => status === code).length;
      await expect.poll(() => answered(503)).toBe(3);
      site.simulator.fault = null;
      await helpdesk.warm(signal);
      await expect.poll(() => answered(200)).toBe(3);
      await helpdesk.warm(signal);
      expect(answered(200)).toBe(3);
    });

    it('cannot be read by a wrong service account: its own calls are refused, a caller is told that the helpdesk fails', async () => {
      const helpdesk = site.adapter({ apiSecret: 'canary-7788' });
      await expect(helpdesk.warm(signal)).rejects.toMatchObject(kind('unauthenticated'));
      expect(helpdesk.missingFields()).toBeNull();
      const read = helpdesk.tickets.readAs(as(demo.agent), demo.tickets.matched, signal);
      await expect(read).rejects.toMatchObject(kind('unavailable'));
      expect(inspect(await read.catch((error: unknown) => error), { depth: 9 })).not.toContain('canary');
    });
  });

  it('says its version to the service account', async () => {
    expect(await site.adapter().version(signal)).toMatch(new RegExp(`^${generation.replace('.', '\\.')}\\.\\d+$`));
  });
});
