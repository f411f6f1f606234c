import { demo } from '@deskside/simulators/seed/index';
import { expect, test } from 'vitest';
import { createAdminClient } from '#helpdesk/admin.ts';
import { useSimulatedSite } from '#helpdesk/testing/simulated-site.ts';
import { createEgress } from '#net/egress.ts';
import { accountAt, planServiceAccount } from './service-account.ts';

const site = useSimulatedSite('1.28');
const signal = new AbortController().signal;
const user = 'deskside@help.example.com';

async function setUp() {
  const { simulator } = await site.another(() => {});
  const egress = createEgress({ allowInsecure: true });
  const upstream = egress.upstream(simulator.url, { timeoutMs: 10_000 });
  const admin = createAdminClient(upstream, `${demo.administrator.apiKey}:${demo.administrator.apiSecret}`);
  const clientOf = (key: string) => createAdminClient(upstream, key);
  return { simulator, admin, clientOf };
}

test.each([
  ['https://help.example.com', 'deskside@help.example.com'],
  ['http://127.0.0.1:8000', 'deskside@deskside.local'],
  ['http://helpdesk:8000', 'deskside@deskside.local'],
])('the account of %s is %s', (address, account) => {
  expect(accountAt(address)).toBe(account);
});

test('a new account is made whole, with its key', async () => {
  const { admin, clientOf, simulator } = await setUp();
  const { items, apiKey } = await planServiceAccount(admin, { user, held: null, clientOf }, signal);
  expect(items.map(({ what, state }) => [what, state])).toEqual([[`User "${user}"`, 'create']]);
  expect(JSON.stringify(items)).not.toContain(apiKey.secret);
  await items[0]?.make?.();
  expect(simulator.document('User', user)).toMatchObject({
    api_key: apiKey.key,
    roles: [{ role: 'Agent' }, { role: 'Agent Manager' }],
  });
  expect((await clientOf(`${apiKey.key}:${apiKey.secret}`).caller(signal)).user).toBe(user);
});

test('the key of an account that is there is taken over, not replaced', async () => {
  const { admin, clientOf } = await setUp();
  const { name, apiKey: key, apiSecret: secret } = demo.service;
  const planned = await planServiceAccount(admin, { user: name, held: null, clientOf }, signal);
  expect(planned).toMatchObject({ items: [{ state: 'exists', make: null }], apiKey: { key, secret } });
});

test('what is accepted is left alone; a secret that is not gives way to that which the helpdesk has', async () => {
  const { admin, clientOf } = await setUp();
  const ours = { key: demo.service.apiKey, secret: demo.service.apiSecret };
  expect(await planServiceAccount(admin, { user, held: ours, clientOf }, signal)).toEqual({ items: [], apiKey: ours });
  const held = { ...ours, secret: 'of-another-time' };
  const planned = await planServiceAccount(admin, { user, held, clientOf }, signal);
  expect(planned).toMatchObject({ items: [{ what: `User "${demo.service.name}"`, make: null }], apiKey: ours });
});

test('a disabled account is named as the cause', async () => {
  const { admin, clientOf, simulator } = await setUp();
  const { name, apiKey: key } = demo.service;
  simulator.put('User', { ...simulator.document('User', name), name, enabled: 0 });
  const planned = planServiceAccount(admin, { user, held: { key, secret: 'refused' }, clientOf }, signal);
  await expect(planned).rejects.toThrow(`${name} is disabled in the helpdesk`);
});

test('a key that a first run had chosen, before it was interrupted, is given to the account', async () => {
  const { admin, clientOf, simulator } = await setUp();
  const held = { key: 'chosen-before', secret: 'chosen-before-too' };
  const { items, apiKey } = await planServiceAccount(admin, { user, held, clientOf }, signal);
  expect(apiKey).toEqual(held);
  await items[0]?.make?.();
  expect(simulator.document('User', user)).toMatchObject({ api_key: held.key });
});
