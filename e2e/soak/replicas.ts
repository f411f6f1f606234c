import { readdirSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '@deskside/simulators/seed/random';
import { memoryOf } from '../bench/frame/processor-time.ts';
import { serveProxy } from '../bench/frame/serve-proxy.ts';
import type { ServerProcess } from '../bench/frame/start-process.ts';
import type { Relay } from './relay.ts';

/** Processes of the proxy on one store. The first is spared, so that its memory and its files can be watched. */
export interface Replicas {
  /** Kills one of the others as `kill -9` does, and starts another in its place. */
  killOne(random: Random): Promise<void>;
  spared: ServerProcess;
  end(): Promise<void>;
}

export async function startReplicas(
  count: number,
  environment: Record<string, string>,
  front: Relay,
): Promise<Replicas> {
  const start = () => serveProxy(environment);
  // Like a supervisor: a process that finds no database at its start ends, and is started again.
  const restart = async (): Promise<ServerProcess> => {
    while (!isOver) {
      const started = await start().catch(() => null);
      if (started) return started;
      await wait(500);
    }
    throw new Error('No process came up before the end.');
  };
  let isOver = false;
  const spared = await start();
  const others: ServerProcess[] = [];
  const announce = () => {
    front.targets = [spared, ...others].map(({ url }) => Number(new URL(url).port));
  };
  while (others.length < count - 1) others.push(await start());
  announce();
  return {
    spared,
    async killOne(random) {
      const [killed] = others.splice(random.int(others.length), 1);
      await killed?.end('SIGKILL');
      // The balancer does not know at once.
      await wait(200 + random.int(1_000));
      announce();
      others.push(await restart());
      announce();
    },
    async end() {
      isOver = true;
      await Promise.all([spared, ...others].map((one) => one.end('SIGTERM')));
    },
  };
}

/** Memory in megabytes and open files of a process, now. */
export function footprint({ pid }: ServerProcess): { memory: number; files: number } {
  return { memory: memoryOf(pid), files: readdirSync(`/proc/${pid}/fd`).length };
}
