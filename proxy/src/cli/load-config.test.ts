import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { changeSetting } from '#app/settings/change-setting.ts';
import { parseConfig } from '#config/environment.ts';
import { silent } from '#ports/testing/quiet.ts';
import { openStore } from '#store/store.ts';
import { followedSettings } from '#wiring/settings.ts';
import { loadConfig, overStoredSecrets } from './load-config.ts';

const lan = { name: 'lan@desk.example' };
const { signal } = new AbortController();

/** The environment of a store that settings were changed in. */
async function changedStore(change: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'deskside-config-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const environment = {
    HELPDESK_URL: 'https://help.example',
    HELPDESK_API_KEY: 'key',
    HELPDESK_API_SECRET: 'the-secret',
    DATABASE_URL: `file:${folder}`,
    MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
  };
  const config = parseConfig(environment);
  const store = await openStore(`file:${folder}`);
  const first = { current: config, seen: 0 };
  const settings = followedSettings({ config, store: store.settings, first, clock: Date.now, logger: silent });
  const set = (wanted: Omit<Parameters<typeof changeSetting>[1], 'actor'>) =>
    changeSetting({ settings, clock: Date.now }, { actor: lan, ...wanted }, signal);
  await set({ name: 'claims', slot: 'current', value: 'accept' });
  const secret = { name: 'HELPDESK_WEBHOOK_SECRET', slot: 'current', value: 'the-current-secret' } as const;
  await set(secret);
  await set({ ...secret, slot: 'next', value: 'the-next-secret-of-all' });
  await store.close();
  return { folder, environment: { ...environment, ...change } };
}

test('a command goes by what a proxy would have in force, and changes nothing', async () => {
  const { environment } = await changedStore();
  const config = await loadConfig(environment);
  expect(config.rules.claims).toBe('accept');
  expect(config.HELPDESK_WEBHOOK_SECRET?.map((secret) => secret.reveal())).toEqual([
    'the-next-secret-of-all',
    'the-current-secret',
  ]);
  const empty = mkdtempSync(join(tmpdir(), 'deskside-config-'));
  onTestFinished(() => rmSync(empty, { recursive: true }));
  expect((await loadConfig({ ...environment, DATABASE_URL: `file:${empty}` })).rules.claims).toBe('hold');
  expect(readdirSync(empty)).toEqual([]);
});

test('provision gives the helpdesk the next secret of the store, unless the environment has one', async () => {
  const { environment } = await changedStore();
  const { HELPDESK_API_KEY: _, HELPDESK_API_SECRET: __, ...incomplete } = environment;
  const secretIn = async (given: Record<string, string>) =>
    (await overStoredSecrets(given)).HELPDESK_WEBHOOK_SECRET?.split(',')[0];
  expect(await secretIn(incomplete)).toBe('the-next-secret-of-all');
  expect(await secretIn({ ...incomplete, HELPDESK_WEBHOOK_SECRET: 'of-the-environment' })).toBe('of-the-environment');
});

test('another master key is named, and no secret', async () => {
  const { environment } = await changedStore({ MASTER_KEY: Buffer.alloc(32, 2).toString('base64') });
  for (const load of [loadConfig, overStoredSecrets])
    await expect(load(environment)).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringMatching(/^HELPDESK_WEBHOOK_SECRET: the store's value does not open under this MASTER_KEY/),
    });
});
