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
  return { simulator, admin };
}

test.each([
  ['https://help.example.com', 'deskside@help.example.com'],
  ['http://127.0.0.1:8000', 'deskside@deskside.local'],
  ['http://helpdesk:8000', 'deskside@deskside.local'],
])('the account of %s is %s', (address, account) => {
  expect(accountAt(address)).toBe(account);
});

test('a new account is made whole, with its key', async () => {
  const { admin } = await setUp();
  const { items, apiKey } = await planServiceAccount(admin, { user, held: null, isAccepted: false }, signal);
  const document = { api_key: apiKey.key, api_secret: apiKey.secret, send_welcome_email: 0 };
  expect(items).toMatchObject([{ state: 'create', step: { kind: 'create', doctype: 'User', document } }]);
  expect(JSON.stringify(items.map(({ what, detail }) => [what, detail]))).not.toContain(apiKey.secret);
});

test('the key of an account that is there is taken over, not replaced', async () => {
  const { admin } = await setUp();
  const { name, apiKey: key, apiSecret: secret } = demo.service;
  const planned = await planServiceAccount(admin, { user: name, held: null, isAccepted: false }, signal);
  expect(planned).toMatchObject({ items: [{ state: 'exists', step: null }], apiKey: { key, secret } });
});

test('what is accepted is left alone; what is refused, and somebody’s, is not replaced', async () => {
  const { admin } = await setUp();
  const held = { key: demo.service.apiKey, secret: 'of-another-time' };
  expect(await planServiceAccount(admin, { user, held, isAccepted: true }, signal)).toEqual({
    items: [],
    apiKey: held,
  });
  const refused = planServiceAccount(admin, { user, held, isAccepted: false }, signal);
  await expect(refused).rejects.toThrow('The helpdesk refuses HELPDESK_API_SECRET');
});

test('a key that a first run had chosen, before it was interrupted, is given to the account', async () => {
  const { admin } = await setUp();
  const held = { key: 'chosen-before', secret: 'chosen-before-too' };
  const { items, apiKey } = await planServiceAccount(admin, { user, held, isAccepted: false }, signal);
  expect(apiKey).toEqual(held);
  expect(items).toMatchObject([
    { state: 'create', step: { document: { api_key: held.key, api_secret: held.secret } } },
  ]);
});
