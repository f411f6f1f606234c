import { OrgId } from '@deskside/shared/orgid';
import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, it } from 'vitest';
import type { CustomerRecord } from './customers.ts';
import { name, orgId, read, withField } from './testing/customers.ts';
import { generations, kind, noon, signal, useSimulatedSite } from './testing/simulated-site.ts';

describe.each(generations)('Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);
  const refusalAsOutage = (call: string) => `${call} ${demo.service.name} 200`;

  describe('a customer', () => {
    it('is read in one request as the service account, times as instants', async () => {
      const helpdesk = await site.warmed();
      const record = await read(helpdesk);
      expect(record).toMatchObject({
        name,
        orgId,
        crmCompanyId: '63002',
        companyModifiedAt: noon - 60 * 3_600_000,
        lastCheckedAt: noon - 2 * 3_600_000,
      });
      expect(record.modified).toBe(site.simulator.document('HD Customer', name)?.modified);
      await read(helpdesk);
      const list = refusalAsOutage('GET /api/resource/HD Customer');
      expect(site.calls()).toEqual([refusalAsOutage('GET /api/method/frappe.client.get_time_zone'), list, list]);
    });

    it.each(['Gom Su Lang Mo - 200000376001', name.toUpperCase(), `${name} `, 'Nobody', '', '..', '%'])(
      'is none under %j, even where the database takes that for the same name',
      async (other) => {
        expect(await site.adapter().customers.read(other, signal)).toBeNull();
      },
    );

    it('is found by its org id and by its CRM id, and by nothing that only looks like them', async () => {
      const helpdesk = site.adapter();
      const names = (records: CustomerRecord[]) => records.map((record) => record.name);
      const byOrgId = (id: string) => helpdesk.customers.findByOrgId(OrgId.parse(id), signal);
      expect(names(await byOrgId(orgId))).toEqual([name]);
      for (const other of [`0${orgId}`, '20000037600', '1']) expect(await byOrgId(other)).toEqual([]);
      expect(names(await helpdesk.customers.findByCrmId('63002', signal))).toEqual([name]);
      for (const other of ['063002', '63002 ', '63002a', '']) {
        expect(await helpdesk.customers.findByCrmId(other, signal)).toEqual([]);
      }
    });

    it('comes first where it is the oldest of those with the same org id', async () => {
      const { simulator } = site;
      const add = (newName: string, creation: string) =>
        simulator.put('HD Customer', {
          name: newName,
          customer_name: newName,
          creation,
          custom_platform_orgid: '777001',
        });
      add('A newer', '2025-03-01 00:00:00.000000');
      add('Z oldest', '2024-01-01 00:00:00.000000');
      add('B newest', '2025-03-01 00:00:00.000001');
      const found = await site.adapter().customers.findByOrgId(OrgId.parse('777001'), signal);
      expect(found.map((record) => record.name)).toEqual(['Z oldest', 'A newer', 'B newest']);
    });

    it('is not asked for by a field that the site lacks', async () => {
      const simulator = site.seeded(withField('custom_platform_orgid', null));
      const helpdesk = site.adapter();
      expect(await helpdesk.customers.findByOrgId(orgId, signal)).toEqual([]);
      expect(simulator.journal.filter(({ path }) => path.includes('resource'))).toEqual([]);
      expect(await read(helpdesk)).toMatchObject({ orgId: null, crmCompanyId: '63002' });
    });

    it('with an org id of type Int is found by that very number', async () => {
      const simulator = site.seeded(withField('custom_platform_orgid', { fieldtype: 'Int' }));
      const helpdesk = site.adapter();
      simulator.put('HD Customer', { name: 'Int', customer_name: 'Int', custom_platform_orgid: 777_001 });
      expect(await helpdesk.customers.findByOrgId(OrgId.parse('777001'), signal)).toMatchObject([{ orgId: '777001' }]);
      expect(await helpdesk.customers.findByOrgId(OrgId.parse('0777001'), signal)).toEqual([]);
    });

    it('is still read when a field disappears while the proxy runs', async () => {
      const helpdesk = await site.warmed();
      await read(helpdesk);
      site.seeded(withField('custom_myplatform', null));
      expect(await read(helpdesk)).toMatchObject({ name, orgId });
      expect(helpdesk.customers.plan(null, { myplatform: 'a.example' })).toEqual([]);
    });

    it('that the service account may not read means a helpdesk that does not work, not a caller who is refused', async () => {
      const { portal } = demo;
      for (const account of [
        { apiSecret: 'canary-7788' },
        { apiKey: portal.apiKey, apiSecret: `${portal.apiSecret}-wrong` },
      ]) {
        await expect(site.adapter(account).customers.read(name, signal)).rejects.toMatchObject(kind('unavailable'));
        await expect(site.adapter(account).customers.create('X', {}, signal)).rejects.toMatchObject(
          kind('unavailable'),
        );
      }
    });
  });
});
