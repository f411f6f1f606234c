import type { Input } from '@deskside/shared/contract';
import { demo, keyOf } from '@deskside/simulators/seed/index';
import { expect, test } from 'vitest';
import { call, profileOf, refusal, world } from '../kit.ts';

const { matched } = demo.tickets;

type ForcedVerb = 'customerProfile' | 'legacyProfile' | 'refreshCustomer';

const forced: { [E in ForcedVerb]: Input<E> } = {
  customerProfile: { ticket: matched, refresh: 1 },
  legacyProfile: { ticket: matched, refresh: 1 },
  refreshCustomer: { hd_customer: 'Gốm Sứ Làng Mơ - 200000376001' },
};

test('an agent who refreshes too often, by whatever endpoint, is told when to come back, and nobody else', async () => {
  // While the clock stands, the CRM's budget does not refill: the larger one is enough for all.
  let now = Date.now();
  const w = await world({ clock: () => now, environment: { CRM_PLAN: 'enterprise' } });
  for (const endpoint of Object.keys(forced) as ForcedVerb[]) {
    const input = forced[endpoint] as never;
    await Promise.all(Array.from({ length: 20 }, () => call(w, endpoint, input)));
    const asked = w.crm.journal.length;
    expect(await refusal(w, endpoint, input)).toMatchObject({ status: 429, code: 'rate_limited' });
    const profile = `${w.proxyUrl}/api/method/platform_crm_customer_profile?ticket=${matched}&refresh=1`;
    const refused = await fetch(profile, { headers: { authorization: keyOf(demo.agent) } });
    expect(refused.headers.get('retry-after')).toBe('3');
    expect(await refused.json()).toMatchObject({ data: { code: 'rate_limited', retry_after_seconds: 3 } });
    expect(w.crm.journal).toHaveLength(asked);
    await call(w, endpoint, input, keyOf(demo.manager));
    // What needs no new answer is served as before.
    expect((await profileOf(w, matched)).bitrix.outcome).toBe('matched');
    now += 3_000;
    await call(w, endpoint, input);
    now += 60_000;
  }
});
