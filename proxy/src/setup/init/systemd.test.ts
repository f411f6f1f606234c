import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Secret } from '#runtime/secret.ts';
import { desiredWebhook, webhookName } from '#setup/needs/webhook.ts';
import { adminKey, clinic } from '#setup/testing/doctor-kit.ts';
import { emptyOrRemove, servedElsewhere } from './systemd.ts';

// The service does not run on the machine of these tests.

test('a helpdesk whose webhook names another Deskside is left to that one', async () => {
  const { environment, helpdesk } = await clinic();
  const webhook = { ...desiredWebhook('https://new.example'), webhook_secret: 'secret' };
  helpdesk.put('Webhook', { name: webhookName, ...webhook });
  expect(await servedElsewhere(environment, new Secret(adminKey))).toBe(
    `The webhook in the helpdesk leads to https://new.example/webhooks/helpdesk/ticket/after-insert: another Deskside is in use, and not this one at ${environment.PUBLIC_URL}.`,
  );
});

test('so is one that a Deskside on another machine serves under the same address', async () => {
  const { environment } = await clinic();
  expect(await servedElsewhere(environment, new Secret(adminKey))).toBe(
    `Deskside answers at ${environment.PUBLIC_URL}, and does not run on this machine.`,
  );
});

test('where nothing answers there, or nobody knows where that is, the helpdesk is this one’s', async () => {
  const { environment, atPublicUrl, helpdesk } = await clinic();
  atPublicUrl.status = 502;
  expect(await servedElsewhere(environment, new Secret(adminKey))).toBeNull();
  helpdesk.put('Webhook', { ...helpdesk.document('Webhook', webhookName), name: webhookName, request_url: '' });
  expect(await servedElsewhere(environment, new Secret(adminKey))).toBeNull();
  expect(await servedElsewhere({ ...environment, PUBLIC_URL: '' }, new Secret(adminKey))).toBeNull();
});

test('the unit runs no program but ours and the shell, as a small system has no others', () => {
  const unit = readFileSync(new URL('../../../../ops/deskside.service', import.meta.url), 'utf8');
  const programs = [...unit.matchAll(/^Exec\w+=(\S+)/gm)].map(([, program]) => program);
  expect(programs).toEqual(['/opt/deskside/bin/deskside', '/bin/sh', '/bin/sh']);
});

test('of data on a disk of its own everything goes but the place where it is mounted', async ({ skip }) => {
  const place = mkdtempSync(path.join(tmpdir(), 'deskside-mount-'));
  onTestFinished(() => emptyOrRemove(place));
  skip(spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', place]).status !== 0, 'may not mount here');
  onTestFinished(() => void spawnSync('umount', [place]));
  writeFileSync(path.join(place, 'deskside.sqlite'), '');
  await emptyOrRemove(place);
  expect(readdirSync(place)).toEqual([]);
});
