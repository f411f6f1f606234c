import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { useSimulatedSite } from '#adapters/helpdesk-frappe/testing/simulated-site.ts';
import { overStoredSecrets } from '#cli/load-config.ts';
import { bare, idsOf, run } from '#cli/testing/run-provision.ts';
import { webhookName } from '#setup/desired-state.ts';
import { ownSettings } from './own-settings.ts';

const site = useSimulatedSite('1.28');
const masterKey = { MASTER_KEY: randomBytes(32).toString('base64'), HELPDESK_WEBHOOK_SECRET: '' };

async function emptyStore(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'deskside-kept-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return `file:${folder}`;
}

const secretIn = async (environment: Record<string, string>) =>
  (await overStoredSecrets(environment)).HELPDESK_WEBHOOK_SECRET;

test('the webhook’s secret and the clients’ ids are kept in the store, and nobody has to set them', async () => {
  const { simulator } = await site.another(bare);
  const environment = { ...masterKey, DATABASE_URL: await emptyStore() };
  const first = await run(simulator, {}, environment);
  expect(first.out).toMatch(/will be created +Setting HELPDESK_WEBHOOK_SECRET +new; sealed in the store$/m);
  const secret = await secretIn(environment);
  expect(simulator.document('Webhook', webhookName)).toMatchObject({ webhook_secret: secret });
  expect(first.out).not.toContain(secret);
  const { clientIds } = await ownSettings(environment, null);
  expect(clientIds).toEqual({ by: 'store', ids: idsOf(first.out) });

  const second = await run(simulator, {}, environment);
  expect(second).toMatchObject({ code: 0, writes: [], out: expect.stringContaining('Nothing to do.') });
  expect(await secretIn(environment)).toBe(secret);
});

test('a store that was lost takes over the secret of the webhook, which stays as it is', async () => {
  const { simulator } = await site.another(bare);
  await run(simulator, {});
  const secret = simulator.document('Webhook', webhookName)?.webhook_secret;
  const environment = { ...masterKey, DATABASE_URL: await emptyStore() };
  const again = await run(simulator, {}, environment);
  expect(again).toMatchObject({ code: 0, writes: [] });
  expect(again.out).toMatch(/will be created +Setting HELPDESK_WEBHOOK_SECRET +that of the webhook which is there/);
  expect(await secretIn(environment)).toBe(secret);
});

test('what the environment says of the clients goes over the store, and is said where it differs', async () => {
  const { simulator } = await site.another(bare);
  const environment = { DATABASE_URL: await emptyStore(), OAUTH_CLIENT_IDS: '{"chrome":"of-before"}' };
  const { out } = await run(simulator, {}, environment);
  expect(out).toMatch(/CONFLICT +Setting OAUTH_CLIENT_IDS +the environment goes over the store/);
  expect((await ownSettings({ DATABASE_URL: environment.DATABASE_URL }, null)).clientIds.by).toBeNull();
});
