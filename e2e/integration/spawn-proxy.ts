import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { childEnvironment } from '@deskside/testing/child-environment';
import { proxyCli } from '@deskside/testing/proxy-cli';
import { expect, onTestFinished } from 'vitest';

/** The proxy as a process of its own, which ends with the test. */
export async function spawnProxy(environment: Record<string, string>) {
  const child = spawn(process.execPath, [proxyCli, 'serve'], {
    env: childEnvironment({ LOG_LEVEL: 'warn', ...environment }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const ended = once(child, 'close');
  onTestFinished(() => void child.kill('SIGKILL'));
  const address = /^http:\/\/\S+$/m;
  await expect.poll(() => output).toMatch(address);
  return {
    url: address.exec(output)?.[0] ?? '',
    pid: child.pid,
    ended,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    output: () => output,
  };
}
