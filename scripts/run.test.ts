import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

test.skipIf(process.platform === 'win32')(
  'what npm was told to end ends, though the shell between passes nothing on',
  async () => {
    const env = { ...process.env, npm_lifecycle_event: 'sim:crm' };
    // The colon keeps the shell from putting the program in its own place.
    const shell = spawn('sh', ['-c', `"${process.execPath}" scripts/run.mjs e2e/simulators/crm/cli.ts --port 0; :`], {
      cwd: root,
      env,
    });
    const [first] = await once(shell.stdout, 'data');
    expect(String(first)).toContain('http://');
    const ended = once(shell.stdout, 'close');
    shell.kill('SIGTERM');
    await ended;
  },
);
