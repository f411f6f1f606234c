import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

test.skipIf(process.platform === 'win32')(
  'what npm was told to end ends, though the shell between passes nothing on',
  async () => {
    const env = { ...process.env, npm_lifecycle_event: 'start' };
    // The colon keeps the shell from putting the program in its own place.
    const folder = await mkdtemp(path.join(tmpdir(), 'deskside-run-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const program = path.join(folder, 'program.ts');
    await writeFile(program, 'console.log("here" as string); setInterval(() => {}, 1_000);');
    const shell = spawn('sh', ['-c', `"${process.execPath}" scripts/run.mjs "${path.relative(root, program)}"; :`], {
      cwd: root,
      env,
    });
    const [first] = await once(shell.stdout, 'data');
    expect(String(first)).toContain('here');
    const ended = once(shell.stdout, 'close');
    shell.kill('SIGTERM');
    await ended;
  },
);
