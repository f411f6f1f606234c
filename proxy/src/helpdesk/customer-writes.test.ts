import { OrgId } from '@deskside/shared/orgid';
import type { HelpdeskSimulator } from '@deskside/simulators/helpdesk/api';
import { demo } from '@deskside/simulators/seed/index';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CustomerFacts } from './fields.ts';
import type { Helpdesk } from './helpdesk.ts';
import { name, read, sameFacts } from './testing/customers.ts';
import { generations, noon, signal, useSimulatedSite } from './testing/simulated-site.ts';

describe.each(generations)('Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);
  let simulator: HelpdeskSimulator;
  let helpdesk: Helpdesk;
  beforeEach(() => {
    ({ simulator } = site);
    helpdesk = site.adapter();
  });
  const stored = () => simulator.document('HD Customer', name);
  const writes = () =>
    simulator.journal.filter(({ method }) => method !== 'GET').map(({ method, status }) => `${method} ${status}`);

  describe('what would change', () => {
    it('is said by field, as the record shows it, without a request', async () => {
      const record = await read(helpdesk);
      simulator.clearJournal();
      const facts: CustomerFacts = {
        ...sameFacts,
        crmCompanyUrl: 'https://crm.example/crm/company/details/63002/',
        matchConfidence: 90,
        shopPlan: ' Grow 2024 ',
        lastCheckedAt: noon,
      };
      expect(helpdesk.customers.plan(record, facts)).toEqual([
        { field: 'custom_crm_company_url', from: null, to: 'https://crm.example/crm/company/details/63002/' },
        { field: 'custom_crm_match_confidence', from: '95', to: '90' },
        { field: 'custom_shopplan_name', from: 'OMNI SCALE 2025 (1 năm)', to: 'Grow 2024' },
        { field: 'custom_crm_last_checked_at', from: '2026-11-20 10:00:00', to: '2026-11-20 12:00:00' },
      ]);
      expect(helpdesk.customers.plan(null, { segment: 'SME' })).toEqual([
        { field: 'custom_customer_segment', from: null, to: 'SME' },
      ]);
      expect(simulator.journal).toEqual([]);
    });

    it('is nothing where every value stands already, whatever its notation', async () => {
      simulator.put('HD Customer', {
        ...stored(),
        name,
        custom_crm_match_confidence: '95.0',
        custom_customer_segment: ' Medium ',
        custom_crm_last_checked_at: '2026-11-20 10:00:00.734000',
        custom_crm_not_found_at: '',
      });
      expect(helpdesk.customers.plan(await read(helpdesk), sameFacts)).toEqual([]);
    });

    it('is nothing for what the CRM does not say: it never blanks what stands', async () => {
      const silent = { shopPlan: '  ', segment: '', myplatform: '<>', crmCompanyUrl: undefined } as CustomerFacts;
      expect(helpdesk.customers.plan(await read(helpdesk), silent)).toEqual([]);
    });

    it('leaves the domain that a customer has, which may be the shop’s own, and fills in one that is missing', async () => {
      const derived = { myplatform: '1.myplatform.example' };
      expect(helpdesk.customers.plan(await read(helpdesk), derived)).toEqual([]);
      simulator.put('HD Customer', { ...stored(), name, custom_myplatform: '' });
      expect(helpdesk.customers.plan(await read(helpdesk), derived)).toMatchObject([{ field: 'custom_myplatform' }]);
    });

    it('is exactly what is then written', async () => {
      const facts = { ...sameFacts, shopPlan: 'Grow 2024', notFoundAt: noon };
      const record = await read(helpdesk);
      const planned = helpdesk.customers.plan(record, facts);
      expect(await helpdesk.customers.update(record, facts, signal)).toEqual(planned);
      expect(helpdesk.customers.plan(await read(helpdesk), facts)).toEqual([]);
    });
  });

  describe('updating a customer', () => {
    it('writes what differs in one request and touches nothing else, the list of contacts least of all', async () => {
      const before = stored();
      const facts = { ...sameFacts, shopPlan: 'Grow 2024', lastCheckedAt: noon + 999 };
      await helpdesk.customers.update(await read(helpdesk), facts, signal);
      const after = stored();
      const rows = generation === '1.24' ? {} : { contacts: after?.contacts };
      expect(after).toEqual({
        ...before,
        ...rows,
        custom_shopplan_name: 'Grow 2024',
        custom_crm_last_checked_at: '2026-11-20 12:00:00',
        modified: after?.modified,
        modified_by: demo.service.name,
      });
      const members = (document: typeof before) =>
        (document?.contacts as { name: string; contact_name: string }[] | undefined)?.map((row) => [
          row.name,
          row.contact_name,
        ]);
      expect(members(after)).toEqual(members(before));
      expect(writes()).toEqual(['PUT 200']);
    });

    it('is taken back field by field, as far as the fields still show what was written', async () => {
      const before = stored();
      const facts = { ...sameFacts, shopPlan: 'Grow 2024', segment: 'SME', crmCompanyId: '1', notFoundAt: noon };
      const changes = await helpdesk.customers.update(await read(helpdesk), facts, signal);
      if (changes === 'changed_meanwhile') throw new Error('Nobody else writes here.');
      simulator.put('HD Customer', { ...stored(), name, custom_customer_segment: 'Large' });
      const back = await helpdesk.customers.takeBack(await read(helpdesk), changes, signal);
      expect(back).toEqual(
        changes
          .filter(({ field }) => field !== 'custom_customer_segment')
          .map(({ field, from, to }) => ({ field, from: to, to: from })),
      );
      const after = stored();
      const kept = { contacts: after?.contacts, modified: after?.modified, modified_by: after?.modified_by };
      const expected = { ...before, ...(generation === '1.24' ? { ...kept, contacts: before?.contacts } : kept) };
      expect({ ...after, custom_crm_not_found_at: after?.custom_crm_not_found_at || null }).toEqual({
        ...expected,
        custom_customer_segment: 'Large',
        custom_crm_not_found_at: before?.custom_crm_not_found_at || null,
      });
      expect(await helpdesk.customers.takeBack(await read(helpdesk), changes, signal)).toEqual([]);
    });

    it('is not taken back from a record that somebody is just writing', async () => {
      const changes = [{ field: 'custom_shopplan_name', from: 'Other', to: String(stored()?.custom_shopplan_name) }];
      const record = await read(helpdesk);
      simulator.put('HD Customer', { ...stored(), name, modified: '2026-11-21 10:00:00.000001' });
      expect(await helpdesk.customers.takeBack(record, changes, signal)).toBe('changed_meanwhile');
    });

    it('100 times with unchanged data writes nothing at all', async () => {
      const modified = stored()?.modified;
      for (let i = 0; i < 100; i += 1) {
        expect(await helpdesk.customers.update(await read(helpdesk), sameFacts, signal)).toEqual([]);
      }
      expect(writes()).toEqual([]);
      expect(stored()?.modified).toBe(modified);
    });

    it('clears what is to be cleared, once', async () => {
      await helpdesk.customers.update(await read(helpdesk), { notFoundAt: noon }, signal);
      expect(stored()?.custom_crm_not_found_at).toBe('2026-11-20 12:00:00');
      const cleared = { field: 'custom_crm_not_found_at', from: '2026-11-20 12:00:00', to: null };
      const clear = async () => helpdesk.customers.update(await read(helpdesk), { notFoundAt: null }, signal);
      expect([await clear(), await clear()]).toEqual([[cleared], []]);
      expect(stored()?.custom_crm_not_found_at).toBeNull();
    });

    it('never goes over a person’s edit: it is told to read again, and then adds to it', async () => {
      const record = await read(helpdesk);
      simulator.put('HD Customer', {
        ...stored(),
        name,
        modified: '2026-11-20 11:59:00.000001',
        custom_shopplan_name: 'By hand',
      });
      const facts = { shopPlan: 'Grow 2024', segment: 'SME' };
      expect(await helpdesk.customers.update(record, facts, signal)).toBe('changed_meanwhile');
      expect(stored()).toMatchObject({ custom_shopplan_name: 'By hand', custom_customer_segment: 'Medium' });
      expect(await helpdesk.customers.update(await read(helpdesk), { segment: 'SME' }, signal)).toHaveLength(1);
      expect(stored()).toMatchObject({ custom_shopplan_name: 'By hand', custom_customer_segment: 'SME' });
    });

    it('of one that was renamed meanwhile is told to read again', async () => {
      const record = { ...(await read(helpdesk)), name: 'Old name' };
      expect(await helpdesk.customers.update(record, { segment: 'SME' }, signal)).toBe('changed_meanwhile');
    });

    it('by eight who read it at once is done by one, and one after another', async () => {
      const record = await read(helpdesk);
      let maxAtOnce = 0;
      simulator.latency = () => {
        const open = simulator.journal.filter(({ method, status }) => method === 'PUT' && status === 0);
        maxAtOnce = Math.max(maxAtOnce, open.length);
        return 5;
      };
      const update = (i: number) => helpdesk.customers.update(record, { shopPlan: `Grow ${i}` }, signal);
      const results = await Promise.all(Array.from({ length: 8 }, (_, i) => update(i)));
      expect(results.filter((result) => result === 'changed_meanwhile')).toHaveLength(7);
      expect(results[0]).toMatchObject([{ to: 'Grow 0' }]);
      expect(stored()?.custom_shopplan_name).toBe('Grow 0');
      expect(maxAtOnce).toBe(1);
    });

    it('is repeated when the database gave up on it', async () => {
      const record = await read(helpdesk);
      let failures = 3;
      simulator.fault = ({ method }) => (method === 'PUT' && failures-- > 0 ? 'deadlock' : null);
      expect(await helpdesk.customers.update(record, { segment: 'SME' }, signal)).toHaveLength(1);
      expect(writes()).toEqual(['PUT 500', 'PUT 500', 'PUT 500', 'PUT 200']);
    });
  });

  describe('creating a customer', () => {
    const facts: CustomerFacts = { ...sameFacts, platformOrgId: OrgId.parse('777001'), notFoundAt: null };

    it('writes every fact at once and gives the record as it would be read', async () => {
      const created = await helpdesk.customers.create('Tiệm Mới - 777001', facts, signal);
      expect(created).toMatchObject({ name: 'Tiệm Mới - 777001', orgId: '777001', lastCheckedAt: facts.lastCheckedAt });
      expect(writes()).toEqual(['POST 200']);
      expect(simulator.document('HD Customer', 'Tiệm Mới - 777001')).toMatchObject({
        customer_name: 'Tiệm Mới - 777001',
        custom_platform_orgid: '777001',
        custom_crm_match_confidence: 95,
        custom_crm_company_modified_at: '2026-11-18 00:00:00',
      });
      if (created === null) throw new Error('not created');
      expect(await helpdesk.customers.update(created, facts, signal)).toEqual([]);
      expect(helpdesk.customers.plan(await helpdesk.customers.read(created.name, signal), facts)).toEqual([]);
      expect(await helpdesk.customers.update(created, { segment: 'SME' }, signal)).toHaveLength(1);
    });

    it('goes by the name that the helpdesk gives it', async () => {
      const created = await helpdesk.customers.create('  Tiệm / Mới & "Rẻ"? #1 %  ', facts, signal);
      expect(created?.name).toBe('Tiệm / Mới & "Rẻ"? #1 %');
      if (created === null) throw new Error('not created');
      expect(await helpdesk.customers.update(created, { segment: 'SME' }, signal)).toHaveLength(1);
    });

    it.each([name, 'gom su lang mo - 200000376001', ` ${name} `])(
      'under the taken name %j gives none',
      async (taken) => {
        const before = stored();
        expect(await helpdesk.customers.create(taken, facts, signal)).toBeNull();
        expect(stored()).toEqual(before);
      },
    );

    it('eight times at once under one name makes one', async () => {
      const create = () => helpdesk.customers.create('Tiệm Mới - 777001', facts, signal);
      const results = await Promise.all(Array.from({ length: 8 }, create));
      expect(results.filter((result) => result !== null)).toHaveLength(1);
      expect(await helpdesk.customers.findByOrgId(OrgId.parse('777001'), signal)).toHaveLength(1);
    });

    it('by two processes at once under one name makes one', async () => {
      const twin = site.adapter();
      const create = (process: Helpdesk) => process.customers.create('Tiệm Mới - 777001', facts, signal);
      const results = await Promise.all([helpdesk, twin, helpdesk, twin].map(create));
      expect(results.filter((result) => result !== null)).toHaveLength(1);
    });

    it('is repeated when the database gave up on it', async () => {
      let failures = 2;
      simulator.fault = ({ method }) => (method === 'POST' && failures-- > 0 ? 'deadlock' : null);
      expect(await helpdesk.customers.create('Tiệm Mới - 777001', facts, signal)).not.toBeNull();
      expect(writes()).toEqual(['POST 500', 'POST 500', 'POST 200']);
    });
  });
});
