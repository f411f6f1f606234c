import { spawn } from 'node:child_process';
import { childEnvironment } from '@deskside/testing/child-environment';
import { printedBy } from '@deskside/testing/printed-by';

export interface ServerProcess {
  pid: number;
  url: string;
  /** Ends it, by default at once. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * Starts a program of Node's that prints its address on a line by itself once it listens.
 * @param group the list of a control group's processes, for it to be in from its first moment on
 */
export async function startProcess(
  args: string[],
  environment: Record<string, string> = {},
  group?: string,
): Promise<ServerProcess> {
  const node = [process.execPath, ...args];
  const [command = '', ...rest] = group ? ['/bin/sh', '-c', 'echo $$ > "$0" && exec "$@"', group, ...node] : node;
  const child = spawn(command, rest, {
    env: childEnvironment(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { address, ended } = printedBy(child);
  return {
    url: await address,
    pid: child.pid ?? 0,
    async end(signal = 'SIGKILL') {
      child.kill(signal);
      await ended;
    },
  };
}
