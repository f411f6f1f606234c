import { proxyCli } from '@deskside/testing/proxy-cli';
import { proxyEnvironment } from '../../demo/proxy-environment.ts';
import { alternate } from '../frame/alternate.ts';
import { memoryOf } from '../frame/processor-time.ts';
import type { BenchCase } from '../frame/row.ts';
import { startProcess } from '../frame/start-process.ts';

/** From the command to listening, on a store that is there already, beside a Node that does nothing; and the memory then. */
export const start: BenchCase = {
  name: 'start',
  isSlow: true,
  async measure({ rounds, folder }) {
    const timed = async (args: string[], environment: Record<string, string>) => {
      const from = performance.now();
      const started = await startProcess(args, environment);
      const milliseconds = performance.now() - from;
      const memory = memoryOf(started.pid);
      await started.end('SIGTERM');
      return { milliseconds, memory };
    };
    const proxy = () =>
      timed([proxyCli, 'serve'], {
        // Nobody answers there: whether the helpdesk does is not part of starting.
        ...proxyEnvironment({ helpdesk: { url: 'http://127.0.0.1:9' } }, `file:${folder}`),
        LOG_LEVEL: 'error',
      });
    const nothing = () => timed(['-e', 'console.log("http://nothing"); setInterval(() => {}, 1000)'], {});
    await alternate(1, { proxy, nothing });
    const measured = await alternate(rounds, { proxy, nothing });
    const of = (name: 'proxy' | 'nothing', what: 'milliseconds' | 'memory') => measured[name].map((one) => one[what]);
    return [
      {
        measure: 'start to listening',
        unit: 'ms',
        ours: of('proxy', 'milliseconds'),
        baseline: { name: 'an empty Node', figures: of('nothing', 'milliseconds') },
      },
      {
        measure: 'memory once it listens',
        unit: 'MB',
        ours: of('proxy', 'memory'),
        baseline: { name: 'an empty Node', figures: of('nothing', 'memory') },
      },
    ];
  },
};
