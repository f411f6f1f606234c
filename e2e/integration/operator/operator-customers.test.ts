import { CustomerMatches } from '@deskside/shared/operator/customers';
import { makeSeedInUse } from '@deskside/simulators/seed/in-use';
import { demo } from '@deskside/simulators/seed/index';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod';
import type { World } from '../../demo/world.ts';
import { world } from '../kit.ts';
import { Visitor } from '../operator-kit.ts';

const seed = makeSeedInUse({ seed: 7, customers: 20 });
let w: World;
const ends: (() => Promise<void>)[] = [];
beforeAll(async () => {
  w = await world({ operator: true, seed }, (end) => void ends.push(end as () => Promise<void>));
});
afterAll(() => Promise.all(ends.map((end) => end())));

async function signedIn(user: string) {
  const visitor = new Visitor(w);
  await visitor.signIn(user);
  const post = (endpoint: 'matchCustomers' | 'acceptMatch' | 'acceptCertain' | 'undoAccepted', input: object = {}) =>
    visitor.ask(endpoint, { body: JSON.stringify(input), headers: { 'content-type': 'application/json' } });
  const list = async () => z.object({ data: CustomerMatches }).parse((await visitor.ask('customers')).body).data;
  return { post, list };
}

const batch = '3f0f2a52-52f0-4b6e-9df5-3b8c3b8d5c11';

test('a System Manager has the companies looked for, accepts and undoes; an Agent Manager only looks', async () => {
  const [manager, admin] = [await signedIn(demo.manager.name), await signedIn(demo.admin.name)];
  expect(await manager.list()).toEqual({ has_crm: true, run: null, matches: [], accepted: [] });
  const judged_at = '2026-11-20T05:00:00.000Z';
  for (const [endpoint, input] of [
    ['matchCustomers', {}],
    ['acceptMatch', { customer: 'A', org_id: '7' }],
    ['acceptCertain', { judged_at, batch, after: null }],
    ['undoAccepted', { batch }],
  ] as const)
    expect(await manager.post(endpoint, input)).toMatchObject({
      status: 403,
      body: { data: { code: 'not_a_system_manager' } },
    });

  expect(await admin.post('matchCustomers')).toMatchObject({ status: 200 });
  await vi.waitFor(async () => expect((await manager.list()).run?.is_done).toBe(true), {
    timeout: 60_000,
    interval: 200,
  });
  const { run, matches } = await manager.list();
  const certain = matches.filter(({ verdict }) => verdict === 'certain').map(({ customer }) => customer);
  expect(certain.length).toBeGreaterThan(1);

  // Of another look than the one on screen.
  expect(await admin.post('acceptCertain', { judged_at, batch, after: null })).toMatchObject({ status: 409 });
  const order = { judged_at: run?.begun_at, batch };
  expect(await admin.post('acceptCertain', order)).toMatchObject({ status: 200, body: { data: { next: null } } });
  const { accepted } = await manager.list();
  expect(accepted.map(({ customer }) => customer).toSorted()).toEqual(certain.toSorted());
  expect(new Set(accepted.map(({ by }) => by))).toEqual(new Set([demo.admin.name]));
  const orgIdOf = (name: string) => w.helpdesk.document('HD Customer', name)?.custom_platform_orgid ?? null;
  for (const { customer, org_id } of accepted) expect(orgIdOf(customer)).toBe(org_id);

  expect(await admin.post('undoAccepted', { id: accepted[0]?.id })).toMatchObject({ status: 200 });
  expect(orgIdOf(accepted[0]?.customer ?? '')).toBeNull();
  expect(await admin.post('undoAccepted', { batch })).toMatchObject({ status: 200, body: { data: { left: 0 } } });
  expect(accepted.map(({ customer }) => orgIdOf(customer)).filter((id) => id !== null)).toEqual([]);
});

test('bad input is told by its field', async () => {
  const { post } = await signedIn(demo.admin.name);
  for (const [endpoint, input, field] of [
    ['acceptMatch', { customer: '', org_id: '7' }, 'customer'],
    ['acceptMatch', { customer: 'A', org_id: 'x' }, 'org_id'],
    ['acceptCertain', { judged_at: 'today', batch, after: null }, 'judged_at'],
    ['acceptCertain', { judged_at: '2026-11-20T05:00:00Z', batch: 'x', after: null }, 'batch'],
  ] as const)
    expect(await post(endpoint, input)).toMatchObject({ status: 400, body: { data: { issues: [{ field }] } } });
});
