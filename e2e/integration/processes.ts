import { spawn } from 'node:child_process';
import { childEnvironment } from '@deskside/testing/child-environment';
import { printedBy } from '@deskside/testing/printed-by';
import { proxyCli } from '@deskside/testing/proxy-cli';
import { onTestFinished } from 'vitest';

export interface Ran {
  code: number | null;
  out: string;
  error: string;
}

/** A command of the proxy in a process of its own, with this environment alone; nobody answers its questions. */
export async function runDeskside(args: readonly string[], environment: Record<string, string>): Promise<Ran> {
  const child = spawn(process.execPath, ['--', proxyCli, ...args], {
    cwd: '/',
    env: childEnvironment(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', error: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.error += text));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, ...said };
}

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
