import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ConfigError } from '#config/environment.ts';
import { dataBeside, environmentFile, readEnvironmentFile } from './environment-file.ts';

const variable = 'DESKSIDE_TEST_OF_A_FILE';

function fileWith(text: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'deskside-env-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  onTestFinished(() => void delete process.env[variable]);
  const file = path.join(folder, 'deskside.env');
  writeFileSync(file, text);
  return file;
}

test('the file that was named is read below the environment, and the store is beside it', () => {
  const file = fileWith(`${variable}=from the file\n`);
  expect(environmentFile(file)).toBe(file);
  const environment = {};
  readEnvironmentFile(file, { environment });
  expect(process.env[variable]).toBe('from the file');
  expect(environment).toEqual({ DATABASE_URL: `file:${path.join(path.dirname(file), 'data')}` });

  process.env[variable] = 'from the environment';
  readEnvironmentFile(file, { environment });
  expect(process.env[variable]).toBe('from the environment');
});

test('a place for the store that is named is kept, and the installed service has its own', () => {
  const environment = { DATABASE_URL: 'postgres://db.example/deskside' };
  readEnvironmentFile(fileWith(''), { environment });
  expect(environment.DATABASE_URL).toBe('postgres://db.example/deskside');
  expect(dataBeside('/etc/deskside/deskside.env')).toBe('/var/lib/deskside');
});

test('a file that is not there is said', () => {
  expect(() => readEnvironmentFile('/nowhere/deskside.env')).toThrow(
    new ConfigError('/nowhere/deskside.env: there is no such file. "deskside init" makes it.'),
  );
});

test.skipIf(process.getuid?.() === 0)(
  'a file of somebody else stops a command, but not the service that was given its settings',
  () => {
    const file = fileWith('');
    chmodSync(file, 0);
    expect(() => readEnvironmentFile(file, { environment: {} })).toThrow(/may not be read\. This runs as /);
    readEnvironmentFile(file, { environment: { HELPDESK_URL: 'https://help.example' } });
  },
);
