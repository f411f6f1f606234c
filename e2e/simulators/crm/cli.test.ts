import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';

const cli = path.join(import.meta.dirname, 'cli.ts');

function run(...args: string[]) {
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

test('prints its address first, serves, and ends on SIGTERM with status 0', async () => {
  const child = run('--json');
  const [line] = await once(createInterface(child.stdout), 'line');
  const { url, webhookUrl } = JSON.parse(String(line)) as { url: string; webhookUrl: string };
  expect(webhookUrl.startsWith(url)).toBe(true);
  expect((await fetch(`${webhookUrl}scope`)).status).toBe(200);
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  expect((await exit)[0]).toBe(0);
});

test.each([
  [['--plan', 'gold'], 'standard or enterprise'],
  [['--port', 'x'], '--port'],
  [['--colour'], '--colour'],
])('%j is refused with a sentence', async (args, expected) => {
  const child = run(...args);
  let text = '';
  child.stderr.on('data', (chunk) => {
    text += chunk;
  });
  expect((await once(child, 'close'))[0]).toBe(1);
  expect(text).toContain(expected);
  expect(text).not.toContain('    at ');
});
