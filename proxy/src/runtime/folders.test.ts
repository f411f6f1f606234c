import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolders, notAllowed, notReadable, whoMayWrite } from './folders.ts';

test('who runs it, whose the folder is, and what to do', () => {
  expect(notAllowed(4_711, 0, '/data')).toBe(' This runs as 4711, and /data belongs to root: run it with sudo.');
  expect(notAllowed(0, 4_711, '/data')).toContain(`("sudo -u '#4711' …")`);
  expect(notAllowed(4_711, 4_711, '/data')).toContain('run "chmod u+rwX /data"');
});

test('settings that the service may not read: the file, whose it is, and both commands', () => {
  expect(notReadable(4_711, 0, '/etc/a.env')).toBe(
    ' This runs as 4711, and /etc/a.env belongs to root: run the command with sudo. If this is the service, run "sudo chgrp 4711 /etc/a.env && sudo chmod 640 /etc/a.env".',
  );
  expect(notReadable(4_711, 4_712, '/etc/a.env')).toContain('belongs to 4712');
});

test.runIf(process.platform === 'linux' && process.getuid?.() !== 0)('the rights that are missing are named', () => {
  expect(whoMayWrite('/deskside/data')).toContain('/ belongs to root');
});

test.runIf(process.platform === 'linux')('where no folder can be made is said, and does not go on for ever', () => {
  expect(() => makeFolders('/proc/deskside/data')).toThrow(/ENOENT/);
});

test.runIf(process.getuid?.() !== 0)('a folder that may not even be looked into is named', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'deskside-closed-'));
  onTestFinished(() => {
    chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true });
  });
  chmodSync(folder, 0o000);
  expect(whoMayWrite(path.join(folder, 'data', 'state.db'))).toContain(`run "chmod u+rwX ${folder}"`);
});

test('a path that cannot be looked at is explained by what is above it', () => {
  expect(whoMayWrite(path.join(tmpdir(), 'x'.repeat(300), 'data'))).toBe('');
});
