import type { HelpdeskSimulator } from '@deskside/simulators/helpdesk/api';
import { demo, type HelpdeskSeed } from '@deskside/simulators/seed/index';
import { beforeEach, describe, expect, test } from 'vitest';
import { generations, signal, useSimulatedSite } from '#helpdesk/testing/simulated-site.ts';
import type { Upstream } from '#net/egress.ts';
import { bare, keys, run } from './testing/run-provision.ts';

const customer = 'Gốm Sứ Làng Mơ - 200000376001';
const unprotected = (seed: HelpdeskSeed) => {
  delete seed.protectedFields;
};
const orgIdField = 'HD Customer-custom_platform_orgid';

describe.each(generations)('provision and the org id of customers on Helpdesk %s', (generation) => {
  const open = generation === '1.28';
  const site = useSimulatedSite(generation);
  let simulator: HelpdeskSimulator;
  let upstream: Upstream;
  beforeEach(async () => {
    ({ simulator, upstream } = await site.another(unprotected));
  });
  const provision = (more = {}) => run(simulator, { ...more });
  const levelOf = (name: string) => simulator.document('Custom Field', name)?.permlevel ?? 0;
  const managers = (writes: string[]) => writes.filter((write) => /permission_manager|Custom DocPerm/.test(write));

  async function write(key: string, fields: object) {
    const response = await fetch(`${simulator.url}/api/resource/HD Customer/${customer}`, {
      method: 'PUT',
      headers: { authorization: `token ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    });
    return response.status;
  }
  const stored = () => simulator.document('HD Customer', customer)?.custom_platform_orgid;

  test('a field that the service may not write at its level is told, and left there', async () => {
    const { simulator: moved } = await site.another((seed) => {
      for (const field of seed.customFields['HD Ticket'] ?? [])
        if (field.fieldname === 'custom_platform_routing_reason') Object.assign(field, { permlevel: 1 });
    });
    const { code, out } = await run(moved, {});
    expect(code).toBe(0);
    expect(out).toContain('may not read and write custom_platform_routing_reason (level 1) of HD Ticket.');
    expect(moved.document('Custom Field', 'HD Ticket-custom_platform_routing_reason')?.permlevel).toBe(1);
  });

  test('portal customers can no longer change it, the desk and the service still write and read it', async () => {
    const first = await provision();
    expect(first.code).toBe(0);
    expect(first.out.includes('Warning: Portal customers with the role HD Customer Manager may change')).toBe(open);
    expect(managers(first.writes).length > 0).toBe(open);
    expect([levelOf(orgIdField), levelOf('HD Customer-custom_crm_company_id')]).toEqual(open ? [1, 1] : [0, 0]);
    expect(levelOf('HD Customer-custom_customer_segment')).toBe(0);

    expect(await write(`${demo.portal.apiKey}:${demo.portal.apiSecret}`, { custom_platform_orgid: '299999999' })).toBe(
      open ? 200 : 403,
    );
    expect(stored()).toBe('200000376001');
    const helpdesk = site.adapter({ upstream });
    expect(await helpdesk.rights.crmIdIsProtected(signal)).toBe(true);
    const record = await helpdesk.customers.read(customer, signal);
    if (record === null) throw new Error('the service account cannot read the customer');
    expect(record.orgId).toBe('200000376001');
    expect(await helpdesk.customers.update(record, { crmCompanyId: '7' }, signal)).toHaveLength(1);
    const agent = { authorization: `token ${keys.agent}` };
    const file = await helpdesk.tickets.readAs(agent, demo.tickets.matched, signal);
    expect(file.customer?.record.custom_platform_orgid).toBe('200000376001');

    const second = await provision();
    expect(second).toMatchObject({ code: 0, writes: [] });
    expect(second.out).not.toContain('Warning');
  });

  test('new fields are made at that level', async () => {
    simulator = (await site.another(bare)).simulator;
    await provision();
    expect(simulator.document('Custom Field', orgIdField)).toMatchObject({ permlevel: open ? 1 : 0, read_only: 0 });
  });

  if (open) {
    test('the field stays open to the desk while a row is missing; the next run completes it', async () => {
      let rows = 0;
      simulator.fault = ({ method, path }) =>
        method === 'POST' && path === '/api/resource/Custom DocPerm' && ++rows === 2 ? 500 : null;
      const { code, out } = await provision();
      expect(code).toBe(1);
      expect(out).toMatch(/FAILED +HD Customer.custom_platform_orgid: not tried/);
      expect(out).toMatch(/done +Webhook/);
      expect(levelOf(orgIdField)).toBe(0);
      simulator.fault = null;
      expect((await provision()).code).toBe(0);
      expect(levelOf(orgIdField)).toBe(1);
    });
  }
});
