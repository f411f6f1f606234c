import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startCrm } from '@deskside/simulators/crm/server';
import { demo, sharedSeed } from '@deskside/simulators/seed/index';
import { slicesOf } from '@deskside/testing/slices-of';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildExtension } from '../../browser/build-extension.ts';

/** The extension that a company builds for itself. */
let extension: string;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'deskside-company-'));
  extension = await buildExtension({
    out: folder,
    helpdeskOrigin: 'https://help.example',
    proxyOrigin: 'https://deskside.example:8443',
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('it has its two addresses as permissions and can ask for no other', async () => {
  const manifest = JSON.parse(await readFile(path.join(extension, 'manifest.json'), 'utf8'));
  expect(manifest.host_permissions).toEqual(['https://help.example/*', 'https://deskside.example/*']);
  expect(manifest).not.toHaveProperty('optional_host_permissions');
});

test('it holds these addresses and no secret', async () => {
  const crm = await startCrm({ seed: sharedSeed().crm });
  onTestFinished(() => crm.close());
  const needles = slicesOf([...crm.secrets, demo.service.apiSecret]);
  const files = await readdir(extension, { recursive: true, withFileTypes: true });
  let addresses = 0;
  for (const file of files.filter((f) => f.isFile())) {
    const text = await readFile(path.join(file.parentPath, file.name), 'latin1');
    expect(
      needles.filter((needle) => text.includes(needle)),
      file.name,
    ).toEqual([]);
    addresses += Number(text.includes('https://deskside.example:8443'));
  }
  expect(addresses).toBeGreaterThan(0);
});
