import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Answered, Load } from './closed-loop.ts';

export interface LoadProcess {
  send(load: Load): Promise<Answered>;
  end(): void;
}

/**
 * Sends requests from a process of its own: the simulators of this one are asked meanwhile, and would be timed along.
 */
export function startLoadProcess(): LoadProcess {
  const child = fork(fileURLToPath(new URL('./closed-loop.ts', import.meta.url)));
  return {
    async send(load) {
      child.send(load);
      const [{ answered, error }] = (await once(child, 'message')) as [{ answered?: Answered; error?: string }];
      if (answered === undefined) throw new Error(error);
      return answered;
    },
    end: () => void child.disconnect(),
  };
}
