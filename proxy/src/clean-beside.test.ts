import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { sized } from '@deskside/testing/size';
import { expect, onTestFinished, test } from 'vitest';
import { fillStore, makeOld } from './testing/fill.ts';
import { doRegularWork } from './testing/regular-work.ts';

const old = sized({ small: 1_500, full: 100_000 });

test('another process on the same SQLite store writes all the while old data is deleted, and is never refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'deskside-beside-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const url = `file:${folder}`;
  const size = { tickets: old, waiting: 0, old, now: Date.now() };
  await fillStore(url, size);
  await makeOld(url, size);
  const script = fileURLToPath(new URL('testing/write-beside.ts', import.meta.url));
  const other = spawn(process.execPath, [script, url], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(other.stdout)[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe('ready');
  await doRegularWork(url, size);
  other.stdin.end();
  const outcomes = JSON.parse((await lines.next()).value ?? '{}');
  expect(Object.keys(outcomes)).toEqual(['written']);
});
