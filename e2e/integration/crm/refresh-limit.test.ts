import { callProxy } from '@deskside/shared/client';
import type { Input } from '@deskside/shared/contract';
import { demo, keyOf } from '@deskside/simulators/seed/index';
import { expect, test } from 'vitest';
import { profileOf, world } from '../kit.ts';

const { matched } = demo.tickets;

/** A clock that stands until it is told to go on. */
function standingClock() {
  let now = Date.now();
  return Object.assign(() => now, { advance: (ms: number) => (now += ms) });
}

type Forced = 'customerProfile' | 'legacyProfile' | 'refreshCustomer' | 'enrichCompany';

const forced: { [E in Forced]: Input<E> } = {
  customerProfile: { ticket: matched, refresh: 1 },
  legacyProfile: { ticket: matched, refresh: 1 },
  refreshCustomer: { hd_customer: 'Gốm Sứ Làng Mơ - 200000376001' },
  enrichCompany: { orgid: '200000376001', force: 1 },
};

test.each(Object.keys(forced) as Forced[])(
  '%s: who refreshes too often is told when to come back, and nobody else',
  async (endpoint) => {
    const clock = standingClock();
    // While the clock stands, the CRM's budget does not refill: the larger one is enough for all.
    const w = await world({ clock, environment: { CRM_PLAN: 'enterprise' } });
    const ask = (who: { apiKey: string; apiSecret: string }) =>
      callProxy(endpoint, forced[endpoint] as never, { baseUrl: w.proxyUrl, authorization: keyOf(who) });
    const granted = await Promise.all(Array.from({ length: 20 }, () => ask(demo.agent)));
    expect(granted.filter(({ ok }) => !ok)).toEqual([]);
    const asked = w.crm.journal.length;

    expect(await ask(demo.agent)).toMatchObject({ ok: false, error: { status: 429, code: 'rate_limited' } });
    const profile = `${w.proxyUrl}/api/method/platform_crm_customer_profile?ticket=${matched}&refresh=1`;
    const refused = await fetch(profile, { headers: { authorization: keyOf(demo.agent) } });
    expect(refused.headers.get('retry-after')).toBe('3');
    expect(await refused.json()).toMatchObject({ data: { code: 'rate_limited', retry_after_seconds: 3 } });
    expect(w.crm.journal).toHaveLength(asked);
    expect((await ask(demo.manager)).ok).toBe(true);
    // What needs no new answer is served as before.
    expect((await profileOf(w, matched)).bitrix.outcome).toBe('matched');
    clock.advance(3_000);
    expect((await ask(demo.agent)).ok).toBe(true);
  },
);

test('a refresh joins the look-up of the same company that is under way', async () => {
  const w = await world();
  w.crm.latencyMs = 500;
  const first = profileOf(w, matched);
  await expect.poll(() => w.crm.journal.length).toBe(1);
  const refreshes = Array.from({ length: 10 }, () => profileOf(w, matched, { refresh: 1 }));
  await Promise.all([first, ...refreshes]);
  expect(w.crm.journal).toHaveLength(1);
});
