import { demo, type HelpdeskSeed } from '@deskside/simulators/seed/index';
import { describe, expect, it } from 'vitest';
import { AccountLinkConfig, type CompanySnapshot } from './customer-data.ts';
import { customerData } from './fields.ts';
import { type Adapter, kind, noon, signal, useSimulatedSite } from './testing/simulated-site.ts';

const customer = 'Gốm Sứ Làng Mơ - 200000376001';
const other = 'Khách lẻ';
const snapshot: CompanySnapshot = {
  customer,
  externalId: '63002',
  externalUrl: 'https://crm.example/crm/company/details/63002/',
  matchKey: 'platform_orgid:UF_CRM_PLATFORM_ORG_ID',
  confidence: 95,
  payload: '{"ID":"63002","TITLE":"Gốm <b>Sứ</b> 🛒","UF_CRM_HSI":""}',
  syncedAt: noon,
  isNew: true,
};
const key = { source: 'crm', entity_type: 'company', external_id: '63002' };

const field = (fieldname: string, fieldtype = 'Data', options?: string) => ({
  ...{ fieldname, fieldtype, label: fieldname },
  ...(options !== undefined && { options }),
});

/** The DocType as a site may have made it; agents may only read it unless said otherwise. */
const withDoctype =
  (
    fields: readonly object[] = customerData.fields,
    agentManager: Record<string, number> = { read: 1, write: 1, create: 1 },
    autoname = 'hash',
  ) =>
  (seed: HelpdeskSeed): void => {
    const permissions = [
      { role: 'System Manager', read: 1, write: 1, create: 1, delete: 1 },
      { role: 'Agent Manager', ...agentManager },
    ];
    const doctype = { name: 'HD Customer Data', autoname, custom: 1, fields, permissions };
    seed.documents = { ...seed.documents, DocType: [...(seed.documents.DocType ?? []), doctype] };
  };

describe('a site', () => {
  const site = useSimulatedSite();
  /** An adapter for a site with snapshots; what is stored there, oldest first. */
  function setUp(...doctype: Parameters<typeof withDoctype>) {
    const simulator = site.seeded(withDoctype(...doctype));
    const helpdesk = site.adapter();
    return { simulator, helpdesk, save: (change: Partial<CompanySnapshot> = {}) => save(helpdesk, change) };
  }
  const save = (helpdesk: Adapter, change: Partial<CompanySnapshot> = {}) =>
    helpdesk.snapshots.save({ ...snapshot, ...change }, signal);
  const stored = () => site.all('HD Customer Data');

  it('a snapshot is created with every field, the payload as it is; written again with the time where it has changed, and not for a later time alone', async () => {
    const { simulator, save } = setUp();
    expect(await save()).toBe('written');
    const { externalUrl: external_url, matchKey: match_key, payload: summary_json } = snapshot;
    const saved = { ...key, external_url, match_key, summary_json, confidence: 95, hd_customer: customer };
    expect(stored()).toMatchObject([{ ...saved, last_synced_at: '2026-11-20 12:00:00' }]);
    expect(site.warnings).toEqual([]);
    simulator.clearJournal();
    for (let i = 1; i <= 3; i += 1) expect(await save({ syncedAt: noon + i * 3_600_000 })).toBe('unchanged');
    expect([site.writes(), site.calls().length]).toEqual([[], 3]);
    expect(await save({ customer: other, payload: '{"ID":"63002"}', syncedAt: noon + 1_000 })).toBe('written');
    expect(stored()).toMatchObject([
      { hd_customer: other, summary_json: '{"ID":"63002"}', last_synced_at: '2026-11-20 12:00:01' },
    ]);
  });

  it('one of the same DATE_MODIFY is replaced by nothing but news; a missing one, and one of another version, is written', async () => {
    const { save } = setUp();
    const [first, again, later] = [
      '{"DATE_MODIFY":"1","A":"1"}',
      '{"DATE_MODIFY":"1","A":"2"}',
      '{"DATE_MODIFY":"2","A":"2"}',
    ];
    expect(await save({ payload: first, isNew: false })).toBe('written');
    expect(await save({ payload: again, customer: other, isNew: false })).toBe('unchanged');
    expect(stored()).toMatchObject([{ summary_json: first, hd_customer: customer }]);
    expect(await save({ payload: again, isNew: true })).toBe('written');
    expect(await save({ payload: later, isNew: false })).toBe('written');
    expect(stored()).toMatchObject([{ summary_json: later }]);
  });

  it('those of other sources, entities and companies are other snapshots, also where the database sees no difference', async () => {
    const { simulator, save } = setUp();
    const others = [{ source: 'CRM' }, { entity_type: 'contact' }, { external_id: '63003' }];
    for (const [i, one] of others.entries())
      simulator.put('HD Customer Data', { name: `S${i}`, ...key, ...one, hd_customer: other });
    expect(await save()).toBe('written');
    expect(stored().filter((row) => row.hd_customer === customer)).toHaveLength(1);
    expect(stored().filter((row) => row.hd_customer === other)).toHaveLength(3);
  });

  it('of two that stand for one company the oldest is kept up to date', async () => {
    const { simulator, save } = setUp();
    simulator.put('HD Customer Data', { name: 'A', ...key, creation: '2026-02-01 00:00:00.000000' });
    simulator.put('HD Customer Data', { name: 'Z', ...key, creation: '2026-01-01 00:00:00.000000' });
    expect(await save()).toBe('written');
    expect(simulator.document('HD Customer Data', 'Z')?.summary_json).toBe(snapshot.payload);
    expect(simulator.document('HD Customer Data', 'A')?.summary_json ?? null).toBeNull();
  });

  it('a hundred at once of one company make one, also where the database gave up on it first', async () => {
    const { simulator, save } = setUp();
    let failures = 1;
    simulator.fault = ({ method }) => (method === 'POST' && failures-- > 0 ? 'deadlock' : null);
    const results = await Promise.all(Array.from({ length: 100 }, () => save()));
    expect(results.filter((result) => result === 'written')).toHaveLength(1);
    expect(new Set(results)).toEqual(new Set(['written', 'unchanged']));
    expect(stored()).toHaveLength(1);
    expect(simulator.journal.filter(({ path }) => path.includes('getdoctype'))).toHaveLength(1);
  });

  it('that another process creates or changes at the same moment is read again and met', async () => {
    const { helpdesk } = setUp(undefined, undefined, 'field:external_id');
    const twins = [helpdesk, site.adapter()];
    expect(await Promise.all(twins.map((twin) => save(twin)))).toContain('written');
    const changes = twins.map((twin, i) => save(twin, { payload: `{"a":${i}}` }));
    expect(await Promise.all(changes)).toEqual(['written', 'written']);
    expect(stored()).toMatchObject([{ summary_json: expect.stringMatching(/^\{"a":\d\}$/) }]);
  });

  it('fields that the site lacks or that cannot hold the value are left out and reported once', async () => {
    const texts = ['source', 'entity_type', 'external_id', 'match_key'].map((name) => field(name));
    const more = [field('customer', 'Link', 'HD Customer'), field('confidence', 'Int')];
    const { save } = setUp([...texts, ...more, field('summary_json', 'Small Text')]);
    const payload = JSON.stringify('é'.repeat(40_000));
    expect([await save({ payload }), await save({ payload })]).toEqual(['written', 'unchanged']);
    expect(stored()).toMatchObject([{ customer, confidence: 95, match_key: snapshot.matchKey }]);
    expect(site.warnings.map(([fields]) => fields)).toEqual([
      { doctype: 'HD Customer Data', field: 'external_url', reason: 'no_such_field' },
      { doctype: 'HD Customer Data', field: 'summary_json', reason: 'too_long' },
    ]);
  });

  describe('are absent', () => {
    const notKept = (reason: string) => [
      [{ doctype: 'HD Customer Data', reason }, expect.stringContaining('Snapshots')],
    ];

    it('on a site without that DocType, which is never asked to get or create one; no warning, asked again after ten minutes', async () => {
      const helpdesk = site.adapter();
      const results = await Promise.all(['1', '2', '3'].map((externalId) => save(helpdesk, { externalId })));
      expect(results).toEqual(['absent', 'absent', 'absent']);
      const asked = () => site.simulator.journal.map(({ path, status }) => `${path.split('.').at(-1)} ${status}`);
      site.now += 10 * 60_000 - 1;
      expect(await save(helpdesk)).toBe('absent');
      expect(asked()).toEqual(['getdoctype 403']);
      // Nobody has asked for snapshots there.
      expect(site.warnings).toEqual([]);
      site.now += 1;
      expect(await save(helpdesk)).toBe('absent');
      expect(asked()).toEqual(['getdoctype 403', 'getdoctype 403']);
    });

    it.each([
      ['may not read them', { read: 0 }],
      ['may only read them', { read: 1 }],
    ])('where the service account %s, which is remembered', async (_, permission) => {
      const { save } = setUp(undefined, permission as Record<string, number>);
      expect(await save()).toBe('absent');
      expect(site.warnings).toEqual(notKept('forbidden'));
      const requests = site.calls().length;
      expect(await save()).toBe('absent');
      expect(site.calls()).toHaveLength(requests);
    });

    it('where they could not be told apart', async () => {
      const { save } = setUp([field('source'), field('external_id')]);
      expect(await save()).toBe('absent');
      expect(site.warnings).toEqual(notKept('key_fields'));
      expect(site.writes()).toEqual([]);
    });

    it('but not where the helpdesk is down', async () => {
      const { simulator, save } = setUp();
      simulator.fault = () => 503;
      await expect(save()).rejects.toMatchObject(kind('unavailable'));
      simulator.fault = null;
      expect(await save()).toBe('written');
    });
  });

  describe('platform accounts', () => {
    const doctype = 'Platform Account Link';
    const rights = [{ role: 'Agent', read: 1 }];
    const put = (permissions: object[], fields = ['platform_userid', 'platform_orgid', 'platform_orgname']) =>
      site.simulator.put('DocType', {
        name: doctype,
        fields: [
          ...['user', 'email', ...fields].map((name) => field(name)),
          ...[field('hd_customer', 'Link', 'HD Customer'), field('last_login', 'Datetime')],
        ],
        permissions,
      });

    it('of a customer are read in one request, 20 at most, latest login first', async () => {
      put(rights);
      for (let i = 0; i < 25; i += 1)
        site.simulator.put(doctype, {
          ...{ name: `PLATFORM-${i}`, hd_customer: i === 24 ? 'Khách lẻ' : customer, email: `user${i}@mo.example` },
          platform_orgid: '200000376001',
          last_login: `2026-11-20 00:00:${String(i).padStart(2, '0')}`,
        });
      const helpdesk = await site.warmed();
      const links = await helpdesk.accounts.of(customer, signal);
      expect(links.map(({ email }) => email)).toEqual(Array.from({ length: 20 }, (_, i) => `user${23 - i}@mo.example`));
      expect(links[0]).toEqual({
        ...{ user: null, email: 'user23@mo.example', haravan_userid: null, haravan_orgname: null },
        ...{ haravan_orgid: '200000376001', last_login: '2026-11-20 00:00:23' },
      });
      expect(site.calls()).toEqual([`GET /api/resource/${doctype} ${demo.service.name} 200`]);
      // The database takes that for the same name.
      expect(await helpdesk.accounts.of(customer.toUpperCase(), signal)).toEqual([]);
    });

    it.each<[string, string, () => unknown]>([
      ['there are none', 'No Such Record', () => {}],
      ['a field of theirs is missing', doctype, () => put(rights, [])],
      ['the service account may not read them', doctype, () => put([])],
    ])('are none where %s, which is said once, and not asked for again for ten minutes', async (_, asked, prepare) => {
      prepare();
      const accountLinks = AccountLinkConfig.parse({ doctype: asked, fields: { haravan_userid: 'platform_userid' } });
      const { accounts } = await site.warmed({ accountLinks });
      expect(accounts.areThere()).toBe(true);
      for (const _ of [1, 2]) expect(await accounts.of(customer, signal)).toEqual([]);
      expect([accounts.areThere(), site.calls().length, site.warnings.length]).toEqual([false, 1, 1]);
      site.now += 10 * 60_000;
      expect(accounts.areThere()).toBe(true);
    });
  });
});

it('the configuration of platform accounts needs the DocType only, and says what is wrong', () => {
  expect(AccountLinkConfig.parse({ doctype: 'Platform Account Link' })).toMatchObject({
    customer_field: 'hd_customer',
    fields: { user: 'user', haravan_orgid: 'haravan_orgid' },
  });
  const wrong = { doctype: ' ', customer_field: 'name; drop', fields: { user: 'a.b', other: 'x' } };
  const paths = AccountLinkConfig.safeParse(wrong).error?.issues.map((issue) => issue.path.join('.'));
  expect(paths).toEqual(['doctype', 'customer_field', 'fields.user', 'fields']);
});
