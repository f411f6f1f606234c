import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { childEnvironment } from '@deskside/testing/child-environment';
import { proxyCli } from '@deskside/testing/proxy-cli';
import { expect, test } from 'vitest';
import { ConfigError } from '#config.ts';
import { openStore } from '#store/database.ts';
import * as decisions from '#store/decisions.ts';
import { draftOf } from '#store/testing/decision-draft.ts';
import { temporaryFolder } from '#store/testing/state-file.ts';
import { migrateCommand } from './store.ts';

test('a store is backed up and restored, as an operator does', async () => {
  const folder = temporaryFolder();
  const settings = join(folder, 'deskside.env');
  const inFile = ['HELPDESK_URL=https://help.example', `DATABASE_URL=file:${join(folder, 'data')}`, ''].join('\n');
  writeFileSync(settings, inFile);
  writeFileSync(join(folder, 'rules.json'), '{}');
  const run = (...args: string[]) => {
    const options = { cwd: folder, env: childEnvironment({}), encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [proxyCli, '--env-file', settings, ...args],
      options,
    );
    return { status, said: stdout + stderr };
  };
  const decidedIn = async (place: string) => {
    const store = await openStore(`file:${join(folder, place)}`);
    return decisions.latestNamed(store.db, 'T1').finally(() => store.close());
  };
  const backup = join(folder, 'backup.db');
  const store = await openStore(`file:${join(folder, 'data')}`);
  await decisions.add(store.db, draftOf('T1'), 0, null);

  expect(run('backup', backup)).toEqual({ status: 0, said: `Backed up into ${backup}.\n` });
  expect(run('migrate')).toMatchObject({ status: 2, said: expect.stringContaining("required option '--to") });
  await expect(migrateCommand().parseAsync(['--to', 'data'], { from: 'user' })).rejects.toThrow(
    new ConfigError('--to: expected postgres://…'),
  );
  const refused = run('restore', backup);
  expect(refused).toEqual({ status: 1, said: expect.stringContaining('is in use: stop the service first.') });
  await store.close();
  rmSync(join(folder, 'data'), { recursive: true });
  expect(run('restore', backup)).toMatchObject({
    status: 0,
    said: expect.stringContaining(`Restored from ${backup}.`),
  });
  expect(await decidedIn('data')).toMatchObject({ ticket: 'T1' });
});
