import { spawn } from 'node:child_process';
import { childEnvironment } from '@deskside/testing/child-environment';
import { proxyCli } from '@deskside/testing/proxy-cli';

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
