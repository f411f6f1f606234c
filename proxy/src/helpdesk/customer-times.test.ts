import { describe, expect, it } from 'vitest';
import type { CustomerFacts } from './fields.ts';
import { name, read } from './testing/customers.ts';
import { generations, signal, useSimulatedSite } from './testing/simulated-site.ts';

const at = (iso: string) => Date.parse(iso);

/** Instants around changes of clocks, and what a site's clock shows then. */
const cases: [zone: string, instant: string, stored: string, readAs: string][] = [
  ['Asia/Ho_Chi_Minh', '2026-05-07T23:30:00+03:00', '2026-05-08 03:30:00', '2026-05-07T20:30:00Z'],
  ['America/New_York', '2026-03-08T06:59:59Z', '2026-03-08 01:59:59', '2026-03-08T06:59:59Z'],
  ['America/New_York', '2026-03-08T07:00:00Z', '2026-03-08 03:00:00', '2026-03-08T07:00:00Z'],
  ['America/New_York', '2026-11-01T05:30:00Z', '2026-11-01 01:30:00', '2026-11-01T05:30:00Z'],
  ['America/New_York', '2026-11-01T06:30:00Z', '2026-11-01 01:30:00', '2026-11-01T05:30:00Z'],
  ['America/New_York', '2026-11-01T07:00:00Z', '2026-11-01 02:00:00', '2026-11-01T07:00:00Z'],
];

describe.each(generations)('Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);

  it.each(cases)('a site in %s keeps %s as %s, and it compares as unchanged', async (zone, instant, stored, readAs) => {
    const simulator = site.seeded((seed) => {
      seed.timeZone = zone;
    });
    const helpdesk = site.adapter();
    const times = ['companyModifiedAt', 'lastSyncedAt', 'lastCheckedAt', 'notFoundAt'] as const;
    const facts: CustomerFacts = Object.fromEntries(times.map((fact) => [fact, at(instant)]));
    expect(await helpdesk.customers.update(await read(helpdesk), facts, signal)).toHaveLength(4);
    expect(simulator.document('HD Customer', name)).toMatchObject({
      custom_crm_company_modified_at: stored,
      custom_crm_last_synced_at: stored,
      custom_crm_last_checked_at: stored,
      custom_crm_not_found_at: stored,
    });
    const record = await read(helpdesk);
    expect([record.companyModifiedAt, record.lastCheckedAt]).toEqual([at(readAs), at(readAs)]);
    expect(helpdesk.customers.plan(record, facts)).toEqual([]);
    expect(helpdesk.customers.plan(record, { companyModifiedAt: at(instant) + 999 })).toEqual([]);
    expect(helpdesk.customers.plan(record, { companyModifiedAt: at(instant) + 1_000 })).toHaveLength(1);
    simulator.clearJournal();
    expect(await helpdesk.customers.update(record, facts, signal)).toEqual([]);
    expect(simulator.journal).toEqual([]);
  });

  it('the zone is asked for once, and again in the background after ten minutes', async () => {
    const helpdesk = site.adapter();
    const asked = () => site.simulator.journal.filter(({ path }) => path.endsWith('get_time_zone')).length;
    await Promise.all([read(helpdesk), read(helpdesk)]);
    await read(helpdesk);
    expect(asked()).toBe(1);
    site.now += 10 * 60_000;
    await read(helpdesk);
    await expect.poll(asked).toBe(2);
  });

  it('a zone that does not exist is a bad answer, and nothing is written in it', async () => {
    const helpdesk = site.adapter({
      upstream: {
        origin: site.upstream.origin,
        async request(options) {
          const response = await site.upstream.request(options);
          return { ...response, text: response.text.replace('Asia/Ho_Chi_Minh', 'Mars/Olympus') };
        },
      },
    });
    await expect(helpdesk.customers.create('X', { lastCheckedAt: 0 }, signal)).rejects.toMatchObject({
      kind: 'bad_answer',
    });
    expect(site.simulator.document('HD Customer', 'X')).toBeUndefined();
  });
});
