import { contract } from '@deskside/shared/contract';
import type { ProfileData } from '@deskside/shared/profile';
import { collectGarbage } from '@deskside/testing/collect-garbage';
import { type Context, Hono } from 'hono';
import { expect, test } from 'vitest';
import type { AppEnv } from '#http/context.ts';
import { customerProfileRoute } from './customer-profile.ts';

test('what answers a request again holds nothing of the request that it was kept for, nor its answer', async () => {
  const profile = { bitrix: { lookup_trust: null } } as ProfileData;
  const kept: ((client: string) => string | null)[] = [];
  const requests: WeakRef<Context<AppEnv>>[] = [];
  const route = customerProfileRoute({
    getTicketProfile: async () => profile,
    rememberedProfile: () => profile,
    repeats: { keep: (_, again) => void kept.push(again), answer: () => false },
  });
  const app = new Hono<AppEnv>().get(contract.customerProfile.path, (c) => {
    requests.push(new WeakRef(c));
    return route(c);
  });
  const path = `${contract.customerProfile.path}?ticket=1`;
  await (await app.request(path, { headers: { authorization: 'token key:secret' } })).text();
  await expect
    .poll(() => {
      collectGarbage();
      return requests.map((request) => request.deref() !== undefined);
    })
    .toEqual([false]);
  expect(kept.map((again) => again('::1'))).toEqual([expect.stringContaining('Customer profile loaded.')]);
});
