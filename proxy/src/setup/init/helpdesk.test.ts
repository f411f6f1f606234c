import { demo } from '@deskside/simulators/seed/index';
import { expect, test } from 'vitest';
import { HelpdeskAdmin } from '#helpdesk/admin.ts';
import { useSimulatedSite } from '#helpdesk/testing/simulated-site.ts';
import { accountAt, planServiceAccount } from './helpdesk.ts';

const site = useSimulatedSite('1.28');
const user = 'deskside@help.example.com';
const ours = { key: demo.service.apiKey, secret: demo.service.apiSecret };
const clientOf = (key: string) => new HelpdeskAdmin(site.upstream, key);
const admin = () => clientOf(`${demo.administrator.apiKey}:${demo.administrator.apiSecret}`);
const plan = (held: typeof ours | null, of = user) => planServiceAccount(admin(), { user: of, held, clientOf });

test.each([
  ['https://help.example.com', 'deskside@help.example.com'],
  ['http://127.0.0.1:8000', 'deskside@deskside.local'],
  ['http://helpdesk:8000', 'deskside@deskside.local'],
])('the account of %s is %s', (address, account) => {
  expect(accountAt(address)).toBe(account);
});

test('a new account is made whole, with its key or with one that a first run had chosen before it was interrupted', async () => {
  const held = { key: 'chosen-before', secret: 'chosen-before-too' };
  expect((await plan(held)).apiKey).toEqual(held);
  const { items, apiKey } = await plan(null);
  expect(items.map(({ what, state }) => [what, state])).toEqual([[`User "${user}"`, 'create']]);
  expect(JSON.stringify(items)).not.toContain(apiKey.secret);
  await items[0]?.make?.();
  expect(site.simulator.document('User', user)).toMatchObject({
    ...{ api_key: apiKey.key, roles: [{ role: 'Agent' }, { role: 'Agent Manager' }] },
  });
  expect((await clientOf(`${apiKey.key}:${apiKey.secret}`).caller()).user).toBe(user);
});

test('what is accepted is left alone; a secret that is not, or is missing, gives way to that which the helpdesk has', async () => {
  expect(await plan(ours)).toEqual({ items: [], apiKey: ours });
  const taken = { items: [{ what: `User "${demo.service.name}"`, state: 'exists' }], apiKey: ours };
  expect(await plan({ ...ours, secret: 'of-another-time' })).toMatchObject(taken);
  expect(await plan(null, demo.service.name)).toMatchObject(taken);
});

test('a disabled account is named as the cause', async () => {
  const { name } = demo.service;
  site.simulator.put('User', { ...site.simulator.document('User', name), name, enabled: 0 });
  await expect(plan({ ...ours, secret: 'refused' })).rejects.toThrow(`${name} is disabled in the helpdesk`);
});
