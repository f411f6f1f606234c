import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ConfigError } from '#config.ts';
import { dataBeside, environmentFile, readVariables } from './settings.ts';

function fileWith(text: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'deskside-env-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'deskside.env');
  writeFileSync(file, text);
  return file;
}

const beside = (file: string, name: string) => path.join(path.dirname(file), name);

test('the file that was named is read below the environment, of which an empty variable says nothing', () => {
  const file = fileWith('HOST=of the file\nPUBLIC_URL=of the file\nLOG_LEVEL=warn\n');
  expect(environmentFile(file)).toBe(file);
  const over = { PUBLIC_URL: 'of the environment', LOG_LEVEL: ' ', MASTER_KEY: 'of another program' };
  expect(readVariables(file, { over })).toEqual({
    HOST: 'of the file',
    PUBLIC_URL: 'of the environment',
    LOG_LEVEL: 'warn',
    MASTER_KEY: 'of another program',
    DATABASE_URL: `file:${beside(file, 'data')}`,
  });
});

test('the store and the rules are beside the file, or where it says, from its own folder on', () => {
  const file = fileWith('');
  const placesIn = (text: string) => {
    writeFileSync(file, text);
    const { DATABASE_URL, RULES_FILE } = readVariables(file, { over: {} });
    return [DATABASE_URL, RULES_FILE];
  };
  expect(placesIn('')).toEqual([`file:${beside(file, 'data')}`, undefined]);
  writeFileSync(beside(file, 'rules.json'), '{}');
  expect(placesIn('')).toEqual([`file:${beside(file, 'data')}`, beside(file, 'rules.json')]);
  expect(placesIn('DATABASE_URL=file:./store\nRULES_FILE=other.json')).toEqual([
    `file:${beside(file, 'store')}`,
    beside(file, 'other.json'),
  ]);
  expect(placesIn('DATABASE_URL=postgres://db.example/deskside\nRULES_FILE=/rules.json')).toEqual([
    'postgres://db.example/deskside',
    '/rules.json',
  ]);
  expect(dataBeside('/etc/deskside/deskside.env')).toBe('/var/lib/deskside');
});

test('a file that is not there, or in UTF-16, is said', () => {
  expect(() => readVariables('/nowhere/deskside.env')).toThrow(
    new ConfigError('/nowhere/deskside.env: there is no such file. "deskside init" makes it.'),
  );
  expect(readVariables('/nowhere/deskside.env', { over: {}, mayMiss: true })).toEqual({
    DATABASE_URL: 'file:/nowhere/data',
  });
  const file = fileWith('');
  writeFileSync(file, '\ufeffHOST=a', 'utf16le');
  expect(() => readVariables(file)).toThrow(`${file} cannot be used: it is UTF-16; save it as UTF-8.`);
});

test.skipIf(process.getuid?.() === 0)('a file of somebody else stops a command', () => {
  const file = fileWith('');
  chmodSync(file, 0);
  expect(() => readVariables(file, { over: { HELPDESK_URL: 'https://help.example' } })).toThrow(
    /may not be read\. This runs as /,
  );
});
