import { OrgId } from '@deskside/shared/orgid';
import type { HelpdeskSeed } from '@deskside/simulators/seed/index';
import { describe, expect, it } from 'vitest';
import type { CustomerFacts } from './fields.ts';
import { name, orgId, read, sameFacts, withField } from './testing/customers.ts';
import { generations, signal, useSimulatedSite } from './testing/simulated-site.ts';

/** Long org ids cannot have got into such a field. */
const withIntOrgId = (seed: HelpdeskSeed) => {
  withField('custom_platform_orgid', { fieldtype: 'Int' })(seed);
  for (const customer of seed.documents['HD Customer'] ?? []) customer.custom_platform_orgid = 0;
};

/** One that is empty: a domain that stands there is left alone anyway. */
const withLinkedDomain = (seed: HelpdeskSeed) => {
  withField('custom_myplatform', { fieldtype: 'Link' })(seed);
  for (const customer of seed.documents['HD Customer'] ?? []) customer.custom_myplatform = null;
};

/** What a site does not take, and the facts that meet it. */
const cases: [field: string, reason: string, change: (seed: HelpdeskSeed) => void, facts: CustomerFacts][] = [
  ['custom_shopplan_name', 'no_such_field', withField('custom_shopplan_name', null), { shopPlan: 'Grow 2024' }],
  [
    'custom_customer_segment',
    'no_such_option',
    withField('custom_customer_segment', { fieldtype: 'Select', options: '\nSME\nMedium' }),
    { segment: 'Enterprise' },
  ],
  ['custom_platform_orgid', 'out_of_range', withIntOrgId, { platformOrgId: OrgId.parse('200000376999') }],
  ['custom_crm_company_url', 'too_long', () => {}, { crmCompanyUrl: `https://crm.example/${'a'.repeat(121)}` }],
  ['custom_myplatform', 'type', withLinkedDomain, { myplatform: 'a.example' }],
];

describe.each(generations)('Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);

  describe.each(cases)('a value that %s does not take (%s)', (field, reason, change, facts) => {
    const report = [{ doctype: 'HD Customer', field, reason }, expect.stringContaining('left out')];

    it('is left out of an update, which writes the rest; it is reported once and is no reason to write', async () => {
      const simulator = site.seeded(change);
      const helpdesk = site.adapter();
      const before = simulator.document('HD Customer', name)?.[field];
      const update = async () =>
        helpdesk.customers.update(await read(helpdesk), { ...facts, syncStatus: 'error' }, signal);
      expect(await update()).toMatchObject([{ field: 'custom_crm_sync_status', from: 'matched', to: 'error' }]);
      expect(await update()).toEqual([]);
      expect(simulator.document('HD Customer', name)).toMatchObject({ custom_crm_sync_status: 'error' });
      expect(simulator.document('HD Customer', name)?.[field]).toEqual(before);
      expect(site.warnings).toEqual([report]);
    });

    it('is left out of a new customer too, and never shown in a log', async () => {
      const simulator = site.seeded(change);
      const helpdesk = site.adapter();
      const created = await helpdesk.customers.create('Tiệm Mới - 1', { ...facts, crmCompanyId: '1' }, signal);
      expect(created).toMatchObject({ crmCompanyId: '1' });
      expect(simulator.document('HD Customer', 'Tiệm Mới - 1')?.[field] || null).toBeNull();
      expect(site.warnings).toEqual([report]);
      for (const value of Object.values(facts)) expect(JSON.stringify(site.warnings)).not.toContain(value);
    });
  });

  it('an org id of type Int is written while it fits, and compares as unchanged', async () => {
    const simulator = site.seeded(withIntOrgId);
    const helpdesk = site.adapter();
    const facts = { platformOrgId: OrgId.parse('1900000001'), matchConfidence: 95 };
    const created = await helpdesk.customers.create('Tiệm Mới - 1900000001', facts, signal);
    expect(simulator.document('HD Customer', 'Tiệm Mới - 1900000001')?.custom_platform_orgid).toBe(1_900_000_001);
    expect(created?.orgId).toBe('1900000001');
    if (created === null) throw new Error('not created');
    expect(await helpdesk.customers.update(created, facts, signal)).toEqual([]);
  });

  it('a site without any field of the specification is never written to', async () => {
    const simulator = site.seeded((seed) => {
      seed.customFields = {};
    });
    const helpdesk = site.adapter();
    const record = await read(helpdesk);
    expect(record).toMatchObject({ orgId: null, crmCompanyId: null, companyModifiedAt: null, lastCheckedAt: null });
    expect(await helpdesk.customers.update(record, { ...sameFacts, platformOrgId: orgId }, signal)).toEqual([]);
    expect(simulator.journal.every(({ method }) => method === 'GET')).toBe(true);
    expect(site.warnings).toHaveLength(11);
  });
});
