import { spawn } from 'node:child_process';
import { childEnvironment } from '@deskside/testing/child-environment';
import { printedBy } from '@deskside/testing/printed-by';
import { proxyCli } from '@deskside/testing/proxy-cli';
import { onTestFinished } from 'vitest';

/** The proxy as a process of its own, which ends with the test, or when `finished` says. */
export async function spawnProxy(
  environment: Record<string, string>,
  finished: (end: () => Promise<void>) => void = onTestFinished,
) {
  const child = spawn(process.execPath, [proxyCli, 'serve'], {
    env: childEnvironment({ LOG_LEVEL: 'warn', ...environment }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { address, ended } = printedBy(child);
  finished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return {
    url: await address,
    pid: child.pid,
    ended,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
  };
}
