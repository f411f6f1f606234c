import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { writeRules, writeSettings } from './own-settings.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'deskside-write-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});
const at = (name: string) => path.join(folder, name);
const modeOf = (file: string) => statSync(file).mode & 0o777;

test('a file that is not there is made for its owner alone, with its folder', () => {
  const file = path.join(folder, 'new', 'deskside.env');
  writeSettings(file, { HOST: 'a' });
  expect([readFileSync(file, 'utf8'), modeOf(file)]).toEqual(['HOST=a\n', 0o600]);
});

test('one that is there keeps its mode, its link and every other line, and nothing is left beside it', () => {
  writeFileSync(at('real'), '# a comment\nHOST=a\n');
  chmodSync(at('real'), 0o640);
  symlinkSync('real', at('deskside.env'));
  writeSettings(at('deskside.env'), { HOST: 'b', PORT: '1' });
  expect(readFileSync(at('real'), 'utf8')).toBe('# a comment\nHOST=b\nPORT=1\n');
  expect([modeOf(at('real')), lstatSync(at('deskside.env')).isSymbolicLink()]).toEqual([0o640, true]);
  expect(readdirSync(folder).toSorted()).toEqual(['deskside.env', 'real']);
});

test.runIf(process.getuid?.() === 0)('and its owner, also where root writes', async () => {
  const { chownSync } = await import('node:fs');
  writeFileSync(at('deskside.env'), '');
  chownSync(at('deskside.env'), 4711, 4712);
  writeSettings(at('deskside.env'), { HOST: 'b' });
  expect(statSync(at('deskside.env'))).toMatchObject({ uid: 4711, gid: 4712 });
});

test('of the rules the others stay, in their order', () => {
  writeFileSync(at('rules.json'), '{"teams":{"sme":"CS"},"claims":"hold","platform_hosts":["p.example"]}');
  writeRules(at('rules.json'), { claims: 'accept', medium_segments: ['Medium'] });
  expect(Object.entries(JSON.parse(readFileSync(at('rules.json'), 'utf8')))).toEqual([
    ['teams', { sme: 'CS' }],
    ['claims', 'accept'],
    ['platform_hosts', ['p.example']],
    ['medium_segments', ['Medium']],
  ]);
});

test('what cannot be written is said, and the file stays', () => {
  writeFileSync(at('file'), 'HOST=a\n');
  expect(() => writeSettings(path.join(at('file'), 'deskside.env'), { HOST: 'b' })).toThrow(/cannot be written \(/);
  expect(readFileSync(at('file'), 'utf8')).toBe('HOST=a\n');
});
