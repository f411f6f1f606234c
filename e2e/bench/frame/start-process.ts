import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { childEnvironment } from '@deskside/testing/child-environment';

export interface ServerProcess {
  pid: number;
  url: string;
  /** What it has printed so far. */
  output(): string;
  /** Ends it, by default at once. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a program of Node's that prints its address on a line by itself once it listens. */
export async function startProcess(args: string[], environment: Record<string, string> = {}): Promise<ServerProcess> {
  const child = spawn(process.execPath, args, {
    env: childEnvironment(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const address = Promise.withResolvers<string>();
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const url = /^http:\/\/\S+$/m.exec(output)?.[0];
      if (url !== undefined) address.resolve(url);
    });
  void ended.then(() => address.reject(new Error(`A process ended: ${output}`)));
  return {
    url: await address.promise,
    pid: child.pid ?? 0,
    output: () => output,
    async end(signal = 'SIGKILL') {
      child.kill(signal);
      await ended;
    },
  };
}
