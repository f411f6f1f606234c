import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseConfig } from '#config.ts';
import type { HelpdeskAdmin } from '#helpdesk/admin.ts';
import { type CheckInput, run } from '#setup/report.ts';
import { openStore } from '#store/database.ts';
import * as notes from '#store/notes.ts';
import { version as versionOf } from './helpdesk.ts';
import { aboutRoom, backup, clocks, files } from './machine.ts';

const helpdesk = 'https://help.example';
const now = Date.UTC(2026, 10, 20, 12);
const dayMs = 86_400_000;

/** What the checks of this machine go by. */
function at(databaseUrl: string, file: string | null = null): CheckInput {
  const service = { HELPDESK_API_KEY: 'key', HELPDESK_API_SECRET: 'secret' };
  const config = parseConfig({ HELPDESK_URL: helpdesk, DATABASE_URL: databaseUrl, ...service });
  return { config, file, clock: () => now } as CheckInput;
}

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'deskside-here-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

describe('the clocks', () => {
  const minutes = 60_000;
  const off = async (helpdesk: number | null, CRM: number | null) => {
    const { said } = await run('Clocks', clocks({ helpdesk, CRM }));
    return said.filter(({ level }) => level === 'fault');
  };

  test('within a minute nothing is found, beyond it something is', async () => {
    const ahead = fc.option(fc.integer({ min: -600_000, max: 600_000 }));
    await fc.assert(
      fc.asyncProperty(ahead, ahead, async (helpdesk, crm) => {
        const isOff = [helpdesk, crm].some((value) => value !== null && Math.abs(value) > minutes);
        expect((await off(helpdesk, crm)).length > 0).toBe(isOff);
      }),
    );
  });
});

describe('the data folder', () => {
  const said = async (databaseUrl: string, file: string | null = null) =>
    (await run('Files', files(at(databaseUrl, file)))).said.map(({ level, text }) => `${level}: ${text}`);

  test('of ours, with and without a file that others can read', async () => {
    const path = await folder();
    expect(await said(`file:${path}/later`)).toEqual([`ok: ${path}/later is yet to be made.`]);
    expect(await said(`file:${path}`)).toEqual([`ok: ${path} can be written to.`]);
    await writeFile(join(path, 'state.db'), '', { mode: 0o600 });
    await writeFile(join(path, 'state.db-wal'), '', { mode: 0o600 });
    await chmod(join(path, 'state.db-wal'), 0o640);
    expect(await said(`file:${path}`)).toEqual([
      `warning: Other users of this machine can read ${path}/state.db-wal, which holds customer data.`,
    ]);
  });

  test('and the settings that everybody can read', async () => {
    const path = await folder();
    const file = join(path, 'deskside.env');
    await writeFile(file, '', { mode: 0o640 });
    expect(await said(`file:${path}`, file)).toEqual([expect.stringMatching(/^ok/)]);
    await chmod(file, 0o644);
    expect(await said(`file:${path}`, file)).toEqual([
      `warning: Other users of this machine can read ${file}, which holds secrets.`,
    ]);
  });

  test.runIf(process.getuid?.() === 0)('root is told what the folder’s owner cannot write', async () => {
    const path = await folder();
    await chown(path, 4_711, 4_711);
    await writeFile(join(path, 'state.db'), '', { mode: 0o600 });
    expect(await said(`file:${path}`)).toEqual([`fault: The account of the service cannot write to ${path}/state.db.`]);
    await chown(join(path, 'state.db'), 4_711, 4_711);
    expect(await said(`file:${path}`)).toEqual([expect.stringMatching(/^ok/)]);
    await chmod(path, 0o500);
    expect(await said(`file:${path}`)).toEqual([expect.stringContaining(`cannot write to ${path}.`)]);
  });
});

describe('the backup', () => {
  async function said(last: number | null, installed: number | null): Promise<string> {
    const url = `file:${await folder()}`;
    const store = await openStore(url);
    if (installed !== null) await notes.noteInstalled(store.db, '2026-11-18 10:00:00', installed);
    if (last !== null) await notes.noteBackup(store.db, last);
    await store.close();
    const { level, text } = await backup(at(url));
    return `${level}: ${text}`;
  }

  const [twoDays, longer] = [now - 2 * dayMs, now - 2 * dayMs - 1];

  test.each([
    ['none at all', null, longer, 'warning: The store has never been backed up.'],
    [
      'none of a store that no sweep has begun with',
      null,
      null,
      'ok: There is no backup yet: the store is younger than two days.',
    ],
    ['none of a new store', null, twoDays, 'ok: There is no backup yet: the store is younger than two days.'],
    ['one of two days ago', twoDays, 0, 'ok: The last backup is of 2026-11-18.'],
    ['one of two days and a moment ago', longer, 0, 'warning: The last backup is 2 days old.'],
  ])('%s', async (_, last, installed, expected) => {
    expect(await said(last, installed)).toBe(expected);
  });

  test('a place without a store is well, and PostgreSQL is backed up otherwise', async () => {
    expect(await backup(at(`file:${await folder()}`))).toMatchObject({ level: 'ok' });
    expect(await backup(at('postgres://db.example/deskside'))).toMatchObject({ level: 'unchecked' });
  });
});

test.each([
  [{}, 'fault', 'Helpdesk is not installed'],
  [{ helpdesk: { version: '1.9.3' } }, 'warning', 'is older than 1.24'],
  [{ helpdesk: { version: 'v1.24.0-dev' } }, 'ok', 'responds'],
  [{ helpdesk: { version: '2.0.0' } }, 'ok', 'responds'],
])('the versions %j: %s', async (versions, level, text) => {
  const service = { call: async () => versions } as unknown as HelpdeskAdmin;
  expect(await versionOf({ service } as CheckInput)).toMatchObject({ level, text: expect.stringContaining(text) });
});

test('a disk without room is a fault', () => {
  expect(aboutRoom('/data', 0)).toMatchObject({ level: 'fault', text: expect.stringContaining(': 0 MB are left.') });
  expect(aboutRoom('/data', 50 * 1024 * 1024 - 1)).toMatchObject({ level: 'fault' });
  expect(aboutRoom('/data', 50 * 1024 * 1024)).toMatchObject({ level: 'ok' });
});
