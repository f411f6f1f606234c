import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readVariables } from '#commands/settings.ts';
import { useSimulatedSite } from '#helpdesk/testing/simulated-site.ts';
import { webhookName } from './desired-state.ts';
import { bare, idsOf, run, settingsFolder } from './testing/run-provision.ts';

const site = useSimulatedSite('1.28');
const noSecret = { HELPDESK_WEBHOOK_SECRET: '' };
const inFile = (folder: string) => readVariables(path.join(folder, 'deskside.env'), { over: {} });

test('the webhook’s secret and the clients’ ids are written into the file, and nobody has to set them', async () => {
  const { simulator } = await site.another(bare);
  const folder = settingsFolder();
  const file = path.join(folder, 'deskside.env');
  writeFileSync(file, '# ours\nCRM_PLAN=standard # for now\n', { mode: 0o640 });
  const first = await run(simulator, {}, noSecret, null, folder);
  expect(first.out).toMatch(/will be created +Setting HELPDESK_WEBHOOK_SECRET +new$/m);
  const { HELPDESK_WEBHOOK_SECRET: secret, OAUTH_CLIENT_IDS: ids = '' } = inFile(folder);
  expect(simulator.document('Webhook', webhookName)).toMatchObject({ webhook_secret: secret });
  expect(first.out).not.toContain(secret);
  expect(first.out).toContain(`${file} changed: HELPDESK_WEBHOOK_SECRET, OAUTH_CLIENT_IDS.`);
  expect(JSON.parse(ids)).toEqual(idsOf(first.out));
  const written = readFileSync(file, 'utf8');
  expect(written).toMatch(/^# ours\nCRM_PLAN=standard # for now\nHELPDESK_WEBHOOK_SECRET=/);

  const second = await run(simulator, {}, noSecret, null, folder);
  expect(second).toMatchObject({ code: 0, writes: [], out: expect.stringContaining('Nothing to do.') });
  expect(readFileSync(file, 'utf8')).toBe(written);
});

test('a file that was lost takes over the secret of the webhook, which stays as it is', async () => {
  const { simulator } = await site.another(bare);
  await run(simulator, {});
  const secret = simulator.document('Webhook', webhookName)?.webhook_secret;
  const folder = settingsFolder();
  const again = await run(simulator, {}, noSecret, null, folder);
  expect(again).toMatchObject({ code: 0, writes: [] });
  expect(again.out).toMatch(/will be created +Setting HELPDESK_WEBHOOK_SECRET +that of the webhook which is there$/m);
  expect(inFile(folder).HELPDESK_WEBHOOK_SECRET).toBe(secret);
});

test('--remove takes out of the file what it had written there, and says so', async () => {
  const { simulator } = await site.another(bare);
  const folder = settingsFolder();
  const file = path.join(folder, 'deskside.env');
  writeFileSync(file, '# ours\nCRM_PLAN=standard\n');
  await run(simulator, {}, noSecret, null, folder);
  const removed = await run(simulator, { remove: true }, noSecret, null, folder);
  expect(removed.out).toMatch(/will be deleted +Setting HELPDESK_WEBHOOK_SECRET$/m);
  expect(removed.out).toContain(`${file} changed: HELPDESK_WEBHOOK_SECRET, OAUTH_CLIENT_IDS.`);
  expect(readFileSync(file, 'utf8')).toBe('# ours\nCRM_PLAN=standard\n');
});

test('a webhook that leads to another Deskside is not turned without a word', async () => {
  const { simulator } = await site.another(bare);
  await run(simulator, {});
  const moved = await run(simulator, { plan: true }, { PUBLIC_URL: 'https://second.example' });
  expect(moved.out).toContain(
    'Warning: The webhook leads to https://deskside.example/webhooks/helpdesk/ticket/after-insert now. If another Deskside',
  );
});

test('what the environment says of the clients goes over the file, and is said where it differs', async () => {
  const { simulator } = await site.another(bare);
  const folder = settingsFolder();
  const { out } = await run(simulator, {}, { OAUTH_CLIENT_IDS: '{"chrome":"of-before"}' }, null, folder);
  expect(out).toMatch(/CONFLICT +Setting OAUTH_CLIENT_IDS +the environment goes over the file/);
  expect(
    readVariables(path.join(folder, 'deskside.env'), { over: {}, mayMiss: true }).OAUTH_CLIENT_IDS,
  ).toBeUndefined();
});

test.skipIf(process.getuid?.() === 0)(
  'where the file may not be written, what belongs into it is printed',
  async () => {
    const { simulator } = await site.another(bare);
    const folder = settingsFolder();
    const file = path.join(folder, 'deskside.env');
    writeFileSync(file, '# ours\n', { mode: 0o440 });
    chmodSync(folder, 0o500);
    const { code, out } = await run(
      simulator,
      {},
      { ...noSecret, DATABASE_URL: `file:${settingsFolder()}` },
      null,
      folder,
    );
    chmodSync(folder, 0o700);
    const secret = simulator.document('Webhook', webhookName)?.webhook_secret;
    expect(code).toBe(0);
    expect(out).toContain(`This account may not write ${file}. Put into it: HELPDESK_WEBHOOK_SECRET=${secret}`);
    expect(out).toContain(`rules.json. Put into it: "claims"`);
    expect(readFileSync(file, 'utf8')).toBe('# ours\n');
  },
);
