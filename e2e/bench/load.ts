import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { fileURLToPath } from 'node:url';

interface Load {
  /** Asked in turn. */
  urls: readonly string[];
  headers: Record<string, string>;
  requests: number;
}

/** Connections that are kept alive; each sends its next request when it has the whole answer to its last. */
const connections = 32;

/**
 * Sends requests from a process of its own: the simulators of this one are asked meanwhile, and would be timed along.
 * `send` gives the milliseconds of each request, and throws where one is not answered with 200.
 */
export function startLoad(): { send(load: Load): Promise<number[]>; end(): void } {
  const child = fork(fileURLToPath(import.meta.url));
  return {
    async send(load) {
      child.send(load);
      const [{ milliseconds, error }] = (await once(child, 'message')) as [{ milliseconds?: number[]; error?: string }];
      if (milliseconds === undefined) throw new Error(error);
      return milliseconds;
    },
    end: () => void child.disconnect(),
  };
}

async function carryOut({ urls, headers, requests }: Load): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const milliseconds: number[] = [];
  let left = requests;
  const oneAfterAnother = async () => {
    while (left > 0) {
      left -= 1;
      const from = performance.now();
      const [answer] = await once(get(urls[left % urls.length] ?? '', { agent, headers }), 'response');
      if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} was answered.`);
      await once(answer.resume(), 'end');
      milliseconds.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: connections }, oneAfterAnother));
  agent.destroy();
  return milliseconds;
}

if (import.meta.main) {
  process.on('message', (load) => {
    void carryOut(load as Load).then(
      (milliseconds) => process.send?.({ milliseconds }),
      (error: unknown) => process.send?.({ error: String(error) }),
    );
  });
  process.on('disconnect', () => process.exit(0));
}
