import { demo, type HelpdeskSeed } from '@deskside/simulators/seed/index';
import { describe, expect, it } from 'vitest';
import type { CompanySnapshot } from './customer-data.ts';
import { as, generations, kind, noon, signal, useSimulatedSite } from './testing/simulated-site.ts';

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
};

const field = (fieldname: string, fieldtype = 'Data', options?: string) => ({
  fieldname,
  fieldtype,
  label: fieldname,
  ...(options !== undefined && { options }),
});
const allFields = [
  field('hd_customer', 'Link', 'HD Customer'),
  field('source'),
  field('entity_type', 'Select', 'company\ncontact'),
  field('external_id'),
  field('external_url'),
  field('match_key'),
  field('confidence', 'Percent'),
  field('last_synced_at', 'Datetime'),
  field('summary_json', 'JSON'),
];

/** The DocType as a site may have made it; agents may only read it unless said otherwise. */
const withDoctype =
  (fields = allFields, agentManager: Record<string, number> = { read: 1, write: 1, create: 1 }, autoname = 'hash') =>
  (seed: HelpdeskSeed): void => {
    const permissions = [
      { role: 'System Manager', read: 1, write: 1, create: 1, delete: 1 },
      { role: 'Agent Manager', ...agentManager },
    ];
    const doctype = { name: 'HD Customer Data', autoname, custom: 1, fields, permissions };
    seed.documents = { ...seed.documents, DocType: [...(seed.documents.DocType ?? []), doctype] };
  };

describe.each(generations)('Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);
  const data = '/api/resource/HD Customer Data';

  /** Names of the snapshots that were written, in order. */
  async function stored() {
    const path = `${data}?fields=["*"]&limit_page_length=0&order_by=creation asc`;
    const { text } = await site.upstream.request({ method: 'GET', path, headers: { ...as(demo.manager) }, signal });
    return (JSON.parse(text) as { data: Record<string, unknown>[] }).data;
  }
  const writes = () =>
    site.simulator.journal.filter(({ method }) => method !== 'GET').map(({ method, status }) => `${method} ${status}`);

  it('a snapshot is created with every field, the payload as it is', async () => {
    site.seeded(withDoctype());
    expect(await site.adapter().snapshots.save(snapshot, signal)).toBe('written');
    expect(await stored()).toMatchObject([
      {
        hd_customer: customer,
        source: 'crm',
        entity_type: 'company',
        external_id: '63002',
        external_url: snapshot.externalUrl,
        match_key: snapshot.matchKey,
        confidence: 95,
        last_synced_at: '2026-11-20 12:00:00',
        summary_json: snapshot.payload,
      },
    ]);
    expect(site.warnings).toEqual([]);
  });

  it('an unchanged one is not written, however much later', async () => {
    const simulator = site.seeded(withDoctype());
    const helpdesk = site.adapter();
    await helpdesk.snapshots.save(snapshot, signal);
    simulator.clearJournal();
    for (let i = 1; i <= 100; i += 1) {
      const later = { ...snapshot, syncedAt: noon + i * 60_000 };
      expect(await helpdesk.snapshots.save(later, signal)).toBe('unchanged');
    }
    expect(writes()).toEqual([]);
    expect(simulator.journal).toHaveLength(100);
    expect((await stored())[0]?.last_synced_at).toBe('2026-11-20 12:00:00');
  });

  it('a changed one is written over the same document, with the time', async () => {
    site.seeded(withDoctype());
    const helpdesk = site.adapter();
    await helpdesk.snapshots.save(snapshot, signal);
    const changed = { ...snapshot, customer: other, payload: '{"ID":"63002"}', syncedAt: noon + 1_000 };
    expect(await helpdesk.snapshots.save(changed, signal)).toBe('written');
    expect(writes()).toEqual(['POST 200', 'PUT 200']);
    expect(await stored()).toMatchObject([
      { hd_customer: other, summary_json: '{"ID":"63002"}', last_synced_at: '2026-11-20 12:00:01' },
    ]);
  });

  it('those of other sources, entities and companies are other snapshots, also where the database sees no difference', async () => {
    const simulator = site.seeded(withDoctype());
    for (const [i, key] of [
      { source: 'CRM', entity_type: 'company', external_id: '63002' },
      { source: 'crm', entity_type: 'contact', external_id: '63002' },
      { source: 'crm', entity_type: 'company', external_id: '63002 ' },
      { source: 'crm', entity_type: 'company', external_id: '63003' },
    ].entries()) {
      simulator.put('HD Customer Data', { name: `S${i}`, ...key, hd_customer: other });
    }
    const helpdesk = site.adapter();
    expect(await helpdesk.snapshots.save(snapshot, signal)).toBe('written');
    const names = (await stored()).filter((row) => row.hd_customer === customer);
    expect(names).toHaveLength(1);
    expect(simulator.document('HD Customer Data', 'S0')?.hd_customer).toBe(other);
  });

  it('of two that stand for one company the oldest is kept up to date', async () => {
    const simulator = site.seeded(withDoctype());
    const key = { source: 'crm', entity_type: 'company', external_id: '63002' };
    simulator.put('HD Customer Data', { name: 'A', ...key, creation: '2026-02-01 00:00:00.000000' });
    simulator.put('HD Customer Data', { name: 'Z', ...key, creation: '2026-01-01 00:00:00.000000' });
    expect(await site.adapter().snapshots.save(snapshot, signal)).toBe('written');
    expect(simulator.document('HD Customer Data', 'Z')?.summary_json).toBe(snapshot.payload);
    expect(simulator.document('HD Customer Data', 'A')?.summary_json ?? null).toBeNull();
  });

  it('a hundred at once of one company make one', async () => {
    const simulator = site.seeded(withDoctype());
    const helpdesk = site.adapter();
    const results = await Promise.all(Array.from({ length: 100 }, () => helpdesk.snapshots.save(snapshot, signal)));
    expect(results.filter((result) => result === 'written')).toHaveLength(1);
    expect(new Set(results)).toEqual(new Set(['written', 'unchanged']));
    expect(await stored()).toHaveLength(1);
    expect(simulator.journal.filter(({ path }) => path.includes('getdoctype'))).toHaveLength(1);
  });

  it('that another process creates or changes at the same moment is read again and met', async () => {
    site.seeded(withDoctype(allFields, undefined, 'field:external_id'));
    const twins = [site.adapter(), site.adapter()];
    const results = await Promise.all(twins.map((twin) => twin.snapshots.save(snapshot, signal)));
    expect(results).toContain('written');
    const payloads = ['{"a":1}', '{"a":2}'];
    const changes = twins.map((twin, i) => twin.snapshots.save({ ...snapshot, payload: payloads[i] ?? '' }, signal));
    expect(await Promise.all(changes)).toEqual(['written', 'written']);
    const [only, ...more] = await stored();
    expect(more).toEqual([]);
    expect(payloads).toContain(only?.summary_json);
  });

  it('is repeated when the database gave up on it', async () => {
    const simulator = site.seeded(withDoctype());
    let failures = 2;
    simulator.fault = ({ method }) => (method === 'POST' && failures-- > 0 ? 'deadlock' : null);
    expect(await site.adapter().snapshots.save(snapshot, signal)).toBe('written');
    expect(await stored()).toHaveLength(1);
  });

  it('fields that the site lacks or that cannot hold the value are left out and reported once', async () => {
    const fields = [
      ...['source', 'entity_type', 'external_id', 'match_key'].map((name) => field(name)),
      field('customer', 'Link', 'HD Customer'),
      field('confidence', 'Int'),
      field('summary_json', 'Small Text'),
    ];
    site.seeded(withDoctype(fields));
    const helpdesk = site.adapter();
    const large = { ...snapshot, payload: JSON.stringify('é'.repeat(40_000)) };
    expect(await helpdesk.snapshots.save(large, signal)).toBe('written');
    expect(await helpdesk.snapshots.save(large, signal)).toBe('unchanged');
    expect(await stored()).toMatchObject([{ customer, confidence: 95, match_key: snapshot.matchKey }]);
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
      const results = await Promise.all(
        [1, 2, 3].map((i) => helpdesk.snapshots.save({ ...snapshot, externalId: `${i}` }, signal)),
      );
      expect(results).toEqual(['absent', 'absent', 'absent']);
      const asked = () => site.simulator.journal.map(({ path, status }) => `${path.split('.').at(-1)} ${status}`);
      expect(asked()).toEqual(['getdoctype 403']);
      site.now += 10 * 60_000 - 1;
      expect(await helpdesk.snapshots.save(snapshot, signal)).toBe('absent');
      expect(asked()).toHaveLength(1);
      // Nobody has asked for snapshots there.
      expect(site.warnings).toEqual([]);
      site.now += 1;
      expect(await helpdesk.snapshots.save(snapshot, signal)).toBe('absent');
      expect(asked()).toEqual(['getdoctype 403', 'getdoctype 403']);
    });

    it.each<[string, Record<string, number>]>([
      ['may not read them', { read: 0 }],
      ['may only read them', { read: 1 }],
    ])('where the service account %s, which is remembered', async (_, permission) => {
      const simulator = site.seeded(withDoctype(allFields, permission));
      const helpdesk = site.adapter();
      expect(await helpdesk.snapshots.save(snapshot, signal)).toBe('absent');
      expect(site.warnings).toEqual(notKept('forbidden'));
      const requests = simulator.journal.length;
      expect(await helpdesk.snapshots.save(snapshot, signal)).toBe('absent');
      expect(simulator.journal).toHaveLength(requests);
    });

    it('where they could not be told apart', async () => {
      site.seeded(withDoctype([field('source'), field('external_id')]));
      expect(await site.adapter().snapshots.save(snapshot, signal)).toBe('absent');
      expect(site.warnings).toEqual(notKept('key_fields'));
      expect(writes()).toEqual([]);
    });
  });

  it('of a helpdesk that is down, or does not know the service account, are an error and not absent', async () => {
    const simulator = site.seeded(withDoctype());
    simulator.fault = () => 503;
    const helpdesk = site.adapter();
    await expect(helpdesk.snapshots.save(snapshot, signal)).rejects.toMatchObject(kind('unavailable'));
    simulator.fault = null;
    const wrong = site.adapter({ apiSecret: 'canary-7788' });
    await expect(wrong.snapshots.save(snapshot, signal)).rejects.toMatchObject(kind('unavailable'));
    expect(await helpdesk.snapshots.save(snapshot, signal)).toBe('written');
  });
});
