import { OrgId } from '@deskside/shared/orgid';
import { HelpdeskContact, HelpdeskCustomer } from '@deskside/shared/profile';
import { demo, type HelpdeskSeed } from '@deskside/simulators/seed/index';
import { describe, expect, it } from 'vitest';
import type { CustomerFacts } from './fields.ts';
import {
  as,
  kind,
  customerName as name,
  noon,
  readCustomer as read,
  signal,
  useSimulatedSite,
} from './testing/simulated-site.ts';

const orgId = OrgId.parse('200000376001');
const hourMs = 3_600_000;
const contact = `Trần Quang Khải-${name}`;
const fresh = 'Tiệm Mới - 777001';
const nfc = 'Bánh Mì Phở Việt - 200000888001'.normalize('NFC');
const nfd = nfc.normalize('NFD');

/** What the seed's customer already holds. */
const sameFacts: CustomerFacts = {
  platformOrgId: orgId,
  myplatform: 'gomlangmo.myplatform.example',
  crmCompanyId: '63002',
  matchConfidence: 95,
  syncStatus: 'matched',
  segment: 'Medium',
  shopPlan: 'OMNI SCALE 2025 (1 năm)',
  companyModifiedAt: noon - 60 * hourMs,
  lastSyncedAt: noon - 50 * hourMs,
  lastCheckedAt: noon - 2 * hourMs,
  notFoundAt: null,
};

/** Changes, or with null removes, one of a seed's custom fields of HD Customer. */
const withField =
  (fieldname: string, change: { fieldtype: string; options?: string } | null) =>
  (seed: HelpdeskSeed): void => {
    const fields = seed.customFields['HD Customer'] ?? [];
    const changed = fields.flatMap((field) => {
      if (field.fieldname !== fieldname) return [field];
      return change === null ? [] : [{ ...field, ...change }];
    });
    seed.customFields = { ...seed.customFields, 'HD Customer': changed };
  };

/** Long org ids cannot have got into such a field. */
const withIntOrgId = (seed: HelpdeskSeed) => {
  withField('custom_platform_orgid', { fieldtype: 'Int' })(seed);
  for (const customer of seed.documents['HD Customer'] ?? []) customer.custom_platform_orgid = 0;
};

describe('customers', () => {
  const site = useSimulatedSite();
  const stored = (customer = name) => site.simulator.document('HD Customer', customer);
  const change = (values: object) => site.change('HD Customer', name, values);
  const update = async (facts: CustomerFacts) =>
    site.helpdesk.customers.update(await read(site.helpdesk), facts, signal);
  const plan = async (facts: CustomerFacts) => site.helpdesk.customers.plan(await read(site.helpdesk), facts);
  const byOrgId = async (id: string) =>
    (await site.helpdesk.customers.findByOrgId(OrgId.parse(id), signal)).map((record) => record.name);

  describe('a customer', () => {
    it('is read in one request as the service account, times as instants', async () => {
      await site.warmed();
      const times = { companyModifiedAt: noon - 60 * 3_600_000, lastCheckedAt: noon - 2 * 3_600_000 };
      const modified = stored()?.modified;
      expect(await read(site.helpdesk)).toMatchObject({ name, orgId, crmCompanyId: '63002', ...times, modified });
      await read(site.helpdesk);
      const list = `GET /api/resource/HD Customer ${demo.service.name} 200`;
      const zone = `GET /api/method/frappe.client.get_time_zone ${demo.service.name} 200`;
      expect(site.calls()).toEqual([zone, list, list]);
    });

    it('is none under another name, even where the database takes that for the same', async () => {
      const alike = ['Gom Su Lang Mo - 200000376001', name.toUpperCase(), `${name} `];
      for (const other of [...alike, 'Nobody', '', '..', '%', "1' or '1'='1"]) {
        expect(await site.helpdesk.customers.read(other, signal), other).toBeNull();
        for (const asked of [
          site.helpdesk.rights.requireCustomerRead(as(demo.agent), other, signal),
          site.helpdesk.customers.readAs(as(demo.agent), { customer: other, contact }, signal),
        ])
          await expect(asked, other).rejects.toMatchObject(kind('not_found'));
      }
    });

    it('is found by its org id and by its CRM id, and by nothing that only looks like them', async () => {
      expect(await byOrgId(orgId)).toEqual([name]);
      for (const other of [`0${orgId}`, '20000037600', '1']) expect(await byOrgId(other)).toEqual([]);
      const byCrmId = (id: string) => site.helpdesk.customers.findByCrmId(id, signal);
      expect(await byCrmId('63002')).toMatchObject([{ name }]);
      for (const other of ['063002', '63002 ', '63002a', '']) expect(await byCrmId(other)).toEqual([]);
    });

    it('comes first where it is the oldest of those with the same org id', async () => {
      const add = (name: string, creation: string) =>
        site.simulator.put('HD Customer', { name, creation, custom_platform_orgid: '777001' });
      add('A newer', '2025-03-01 00:00:00.000000');
      add('Z oldest', '2024-01-01 00:00:00.000000');
      add('B newest', '2025-03-01 00:00:00.000001');
      expect(await byOrgId('777001')).toEqual(['Z oldest', 'A newer', 'B newest']);
    });

    it('is not asked for by a field that the site lacks', async () => {
      site.seeded(withField('custom_platform_orgid', null));
      expect(await byOrgId(orgId)).toEqual([]);
      expect(site.calls().filter((call) => call.includes('resource'))).toEqual([]);
      expect(await read(site.helpdesk)).toMatchObject({ orgId: null, crmCompanyId: '63002' });
    });

    it('is still read when a field disappears while the proxy runs', async () => {
      const helpdesk = await site.warmed();
      await read(helpdesk);
      site.seeded(withField('custom_myplatform', null));
      expect(await read(helpdesk)).toMatchObject({ name, orgId });
      expect(helpdesk.customers.plan(null, { myplatform: 'a.example' })).toEqual([]);
    });

    it.each([
      ['composed', nfc, nfd],
      ['decomposed', nfd, nfc],
    ])('or a team whose name is stored %s is found by the other spelling', async (_, written, asked) => {
      site.simulator.put('HD Customer', { name: written, customer_name: written, owner: 'Administrator' });
      site.simulator.put('HD Team', { name: written, team_name: written, users: [] });
      expect((await site.helpdesk.customers.read(asked, signal))?.name).toBe(written);
      expect(await site.helpdesk.people.readTeam(asked, signal)).toMatchObject({ name: nfc });
      const value = asked.slice(0, asked.indexOf(' -'));
      const { customers } = await site.helpdesk.customerSearch.searchAs(
        as(demo.agent),
        [{ kind: 'name', value }],
        signal,
      );
      expect(customers.map(({ name }) => name)).toEqual([written]);
    });

    it('is read as the caller with a contact, with every field that the contract names', async () => {
      const readAs = (asked: string | null, caller = as(demo.agent)) =>
        site.helpdesk.customers.readAs(caller, { customer: name, contact: asked }, signal);
      const file = await readAs(contact);
      expect(HelpdeskCustomer.parse(file.customer)).toEqual(file.customer);
      expect(HelpdeskContact.parse(file.contact)).toEqual(file.contact);
      expect(file).toMatchObject({
        customer: { name, custom_crm_company_id: '63002', custom_platform_orgid: orgId },
        contact: { name: contact, email_id: 'owner@gomlangmo.example' },
      });
      expect(site.simulator.journal.map(({ user }) => user)).toEqual([demo.agent.name, demo.agent.name]);
      expect((await readAs(null)).contact).toBeNull();
      expect(site.simulator.journal).toHaveLength(3);
      await expect(readAs('nobody')).rejects.toMatchObject(kind('not_found'));
      const stranger = readAs(null, { authorization: 'token nobody:nothing' });
      await expect(stranger).rejects.toMatchObject(kind('unauthenticated'));
    });
  });

  describe('what would change', () => {
    it('is said by field, as the record shows it, without a request', async () => {
      const record = await read(site.helpdesk);
      site.simulator.clearJournal();
      const crmCompanyUrl = 'https://crm.example/crm/company/details/63002/';
      const facts = { ...sameFacts, crmCompanyUrl, matchConfidence: 90, shopPlan: ' Grow 2024 ', lastCheckedAt: noon };
      expect(site.helpdesk.customers.plan(record, facts)).toEqual([
        { field: 'custom_crm_company_url', from: null, to: crmCompanyUrl },
        { field: 'custom_crm_match_confidence', from: '95', to: '90' },
        { field: 'custom_shopplan_name', from: 'OMNI SCALE 2025 (1 năm)', to: 'Grow 2024' },
        { field: 'custom_crm_last_checked_at', from: '2026-11-20 10:00:00', to: '2026-11-20 12:00:00' },
      ]);
      expect(site.helpdesk.customers.plan(null, { segment: 'SME' })).toEqual([
        { field: 'custom_customer_segment', from: null, to: 'SME' },
      ]);
      expect(site.calls()).toEqual([]);
    });

    it('is nothing for what the CRM does not say, nor for a domain that may be the shop’s own', async () => {
      const silent = { shopPlan: '  ', segment: '', myplatform: '<>', crmCompanyUrl: undefined } as CustomerFacts;
      expect(await plan(silent)).toEqual([]);
      const derived = { myplatform: '1.myplatform.example' };
      expect(await plan(derived)).toEqual([]);
      change({ custom_myplatform: '' });
      expect(await plan(derived)).toMatchObject([{ field: 'custom_myplatform' }]);
    });
  });

  describe('updating a customer', () => {
    it('writes exactly what was planned in one request and touches nothing else, the list of contacts least of all', async () => {
      const before = stored();
      const facts = { ...sameFacts, shopPlan: 'Grow 2024', lastCheckedAt: noon + 999 };
      const planned = await plan(facts);
      expect(await update(facts)).toEqual(planned);
      const after = stored();
      expect(after).toEqual({
        ...before,
        contacts: after?.contacts,
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
      expect(await update(facts)).toEqual([]);
      expect(site.writes()).toEqual([`PUT HD Customer/${name} 200`]);
    });

    it('is taken back field by field, as far as the fields still show what was written', async () => {
      const before = stored();
      const facts = { ...sameFacts, shopPlan: 'Grow 2024', segment: 'SME', crmCompanyId: '1', notFoundAt: noon };
      const changes = await update(facts);
      if (changes === 'changed_meanwhile') throw new Error('Nobody else writes here.');
      change({ custom_customer_segment: 'Large' });
      const takeBack = async () => site.helpdesk.customers.takeBack(await read(site.helpdesk), changes, signal);
      expect(await takeBack()).toEqual(
        changes
          .filter(({ field }) => field !== 'custom_customer_segment')
          .map(({ field, from, to }) => ({ field, from: to, to: from })),
      );
      const fields = ['custom_shopplan_name', 'custom_crm_company_id', 'custom_crm_last_checked_at'];
      for (const field of fields) expect(stored()?.[field]).toEqual(before?.[field]);
      expect(stored()).toMatchObject({ custom_customer_segment: 'Large' });
      expect(await takeBack()).toEqual([]);
    });

    it('clears what is to be cleared, once', async () => {
      await update({ notFoundAt: noon });
      const cleared = { field: 'custom_crm_not_found_at', from: '2026-11-20 12:00:00', to: null };
      expect([await update({ notFoundAt: null }), await update({ notFoundAt: null })]).toEqual([[cleared], []]);
      expect(stored()?.custom_crm_not_found_at).toBeNull();
    });

    it('never goes over a person’s edit or a new name: it is told to read again, and then adds to it', async () => {
      const record = await read(site.helpdesk);
      const taken = [{ field: 'custom_shopplan_name', from: 'Other', to: String(stored()?.custom_shopplan_name) }];
      const { customers } = site.helpdesk;
      change({ modified: '2026-11-20 11:59:00.000001', custom_shopplan_name: 'By hand' });
      expect(await customers.update(record, { shopPlan: 'Grow', segment: 'SME' }, signal)).toBe('changed_meanwhile');
      expect(await customers.takeBack(record, taken, signal)).toBe('changed_meanwhile');
      expect(stored()).toMatchObject({ custom_shopplan_name: 'By hand', custom_customer_segment: 'Medium' });
      expect(await update({ segment: 'SME' })).toHaveLength(1);
      expect(stored()).toMatchObject({ custom_shopplan_name: 'By hand', custom_customer_segment: 'SME' });
      const renamed = { ...record, name: 'Old name' };
      expect(await customers.update(renamed, { segment: 'SME' }, signal)).toBe('changed_meanwhile');
    });
  });

  describe('creating a customer', () => {
    const facts: CustomerFacts = { ...sameFacts, platformOrgId: OrgId.parse('777001'), notFoundAt: null };

    it('writes every fact at once and gives the record as it would be read', async () => {
      const created = await site.helpdesk.customers.create(fresh, facts, signal);
      expect(created).toMatchObject({ name: fresh, orgId: '777001', lastCheckedAt: facts.lastCheckedAt });
      expect(site.writes()).toEqual(['POST HD Customer 200']);
      expect(stored(fresh)).toMatchObject({
        customer_name: fresh,
        custom_platform_orgid: '777001',
        custom_crm_match_confidence: 95,
        custom_crm_company_modified_at: '2026-11-18 00:00:00',
      });
      if (created === null) throw new Error('not created');
      expect(await site.helpdesk.customers.update(created, facts, signal)).toEqual([]);
      expect(site.helpdesk.customers.plan(await site.helpdesk.customers.read(created.name, signal), facts)).toEqual([]);
      expect(await site.helpdesk.customers.update(created, { segment: 'SME' }, signal)).toHaveLength(1);
    });

    it.each([
      ['  Tiệm / Mới & "Rẻ"? #1 %  ', 'Tiệm / Mới & "Rẻ"? #1 %'],
      [nfd, nfc],
    ])('under %j goes by the name that the helpdesk gives it, composed', async (given, expected) => {
      const created = await site.helpdesk.customers.create(given, { shopPlan: 'Gói Lớn'.normalize('NFD') }, signal);
      expect(created?.name).toBe(expected);
      expect(stored(expected)?.custom_shopplan_name).toBe('Gói Lớn'.normalize('NFC'));
    });

    it.each([name, 'gom su lang mo - 200000376001', ` ${name} `])('under the taken %j gives none', async (taken) => {
      const before = stored();
      expect(await site.helpdesk.customers.create(taken, facts, signal)).toBeNull();
      expect(stored()).toEqual(before);
    });

    it('by two processes, several times at once under one name, makes one', async () => {
      const twin = site.adapter();
      const { helpdesk } = site;
      const all = [helpdesk, twin, helpdesk, twin, helpdesk];
      const results = await Promise.all(all.map(({ customers }) => customers.create(fresh, facts, signal)));
      expect(results.filter((result) => result !== null)).toHaveLength(1);
      expect(await byOrgId('777001')).toHaveLength(1);
    });
  });

  it('what a site does not take is left out of an update and of a new customer, which have the rest; it is reported once, without its value', async () => {
    site.seeded((seed) => {
      withIntOrgId(seed);
      withField('custom_shopplan_name', null)(seed);
      withField('custom_customer_segment', { fieldtype: 'Select', options: '\nSME\nMedium' })(seed);
    });
    const facts: CustomerFacts = {
      platformOrgId: OrgId.parse('200000376999'),
      segment: 'Enterprise',
      shopPlan: 'Grow 2024',
    };
    const before = stored();
    expect(await update({ ...facts, syncStatus: 'error' })).toMatchObject([
      { field: 'custom_crm_sync_status', from: 'matched', to: 'error' },
    ]);
    expect(await update({ ...facts, syncStatus: 'error' })).toEqual([]);
    expect(stored()).toMatchObject({
      custom_customer_segment: before?.custom_customer_segment,
      custom_platform_orgid: 0,
    });
    const created = await site.helpdesk.customers.create(fresh, { ...facts, crmCompanyId: '1' }, signal);
    expect(created).toMatchObject({ crmCompanyId: '1', orgId: null, segment: null });
    const skipped = [
      { field: 'custom_platform_orgid', reason: 'out_of_range' },
      { field: 'custom_customer_segment', reason: 'no_such_option' },
      { field: 'custom_shopplan_name', reason: 'no_such_field' },
    ].map((one) => [{ doctype: 'HD Customer', ...one }, expect.stringContaining('left out')]);
    expect(site.warnings).toEqual(skipped);
    for (const value of Object.values(facts)) expect(JSON.stringify(site.warnings)).not.toContain(value);
  });

  it('an org id of type Int is written while it fits, found by that very number, and compares as unchanged', async () => {
    site.seeded(withIntOrgId);
    const facts = { platformOrgId: OrgId.parse('1900000001'), matchConfidence: 95 };
    const created = await site.helpdesk.customers.create(fresh, facts, signal);
    expect(stored(fresh)?.custom_platform_orgid).toBe(1_900_000_001);
    expect(created?.orgId).toBe('1900000001');
    expect([await byOrgId('1900000001'), await byOrgId('01900000001')]).toEqual([[fresh], []]);
    if (created) expect(await site.helpdesk.customers.update(created, facts, signal)).toEqual([]);
  });

  it('a site without any field of the specification is never written to', async () => {
    site.seeded((seed) => {
      seed.customFields = {};
    });
    const record = await read(site.helpdesk);
    expect(record).toMatchObject({ orgId: null, crmCompanyId: null, companyModifiedAt: null, lastCheckedAt: null });
    expect(await site.helpdesk.customers.update(record, { ...sameFacts, platformOrgId: orgId }, signal)).toEqual([]);
    expect(site.writes()).toEqual([]);
    expect(site.warnings).toHaveLength(11);
  });

  it('a zone that does not exist is a bad answer, and nothing is written in it', async () => {
    site.use({
      upstream: {
        origin: site.upstream.origin,
        async request(options) {
          const response = await site.upstream.request(options);
          return { ...response, text: response.text.replace('Asia/Ho_Chi_Minh', 'Mars/Olympus') };
        },
      },
    });
    const creating = site.helpdesk.customers.create('X', { lastCheckedAt: 0 }, signal);
    await expect(creating).rejects.toMatchObject(kind('bad_answer'));
    expect(stored('X')).toBeUndefined();
  });
});
