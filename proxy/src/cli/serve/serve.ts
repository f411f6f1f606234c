import { Command } from 'commander';
import { unexpected } from '#app/runtime/unexpected.ts';
import { parseConfig } from '#config/environment.ts';
import type { Logger } from '#ports/runtime/logger.ts';
import { wireLogger } from '#wiring/logger.ts';
import { type RunningProxy, startProxy } from '../../start.ts';

/** `deskside serve`: runs until a signal ends it. */
export function serveCommand(): Command {
  return new Command('serve')
    .description('Run the service')
    .option('--json', 'print the address as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const config = parseConfig(process.env);
      const log = wireLogger(config);
      const current = { logger: log.logger };
      logWhatNobodyCaught(current);
      const proxy = await startProxy(config, Date.now, { log });
      current.logger = proxy.logger;
      console.log(json ? JSON.stringify({ url: proxy.url }) : proxy.url);
      stopOnSignals(proxy, log.logger);
      void proxy.damaged.then(async () => {
        await proxy.close();
        process.exit(1);
      });
    });
}

/** One bug ends a request, not everybody's: a rejection is logged and the service goes on. */
function logWhatNobodyCaught(current: Pick<RunningProxy, 'logger'>): void {
  process.on('unhandledRejection', (reason) =>
    current.logger.error({ fault: 'unhandled_rejection', ...unexpected(reason) }, 'A rejection that nobody handled'),
  );
  process.on('uncaughtException', (error) => {
    current.logger.error({ fault: 'uncaught_exception', ...unexpected(error) }, 'An exception that nobody caught');
    process.exit(1);
  });
}

/** A terminal, npm and the script around it each pass the same Ctrl-C on; a second one comes later. */
const sameCtrlCMs = 500;

function stopOnSignals(proxy: RunningProxy, logger: Logger): void {
  let stoppingSince: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stoppingSince === undefined) {
        stoppingSince = performance.now();
        logger.info({ signal }, 'Stopping');
        void proxy.close().then(() => process.exit(0));
      } else if (performance.now() - stoppingSince > sameCtrlCMs) {
        logger.warn({ signal }, 'Stopped at once');
        process.exit(130);
      }
    });
  }
}
