import { Command } from 'commander';
import { ConfigError, parseConfig } from '#config.ts';
import { wireLogger } from '#logger.ts';
import type { Logger } from '#runtime/logger.ts';
import { unexpected } from '#runtime/unexpected.ts';
import { type RunningProxy, startProxy } from '#serve.ts';
import type { Variables } from './environment-file.ts';

/**
 * `deskside serve`: runs until a signal ends it. SIGHUP has it read its settings again.
 *
 * @param read the settings as file and environment have them now; throws ConfigError
 */
export function serveCommand(read: () => Variables): Command {
  return new Command('serve')
    .description('Run the service')
    .option('--json', 'print the address as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const started = Promise.withResolvers<RunningProxy>();
      // Also while it starts: otherwise the signal would end it.
      process.on('SIGHUP', () => void started.promise.then((proxy) => reload(proxy, read)));
      const config = parseConfig(read());
      const log = wireLogger(config);
      const current = { logger: log.logger };
      logWhatNobodyCaught(current);
      const proxy = await startProxy(config, Date.now, { log });
      current.logger = proxy.logger;
      started.resolve(proxy);
      console.log(json ? JSON.stringify({ url: proxy.url }) : proxy.url);
      stopOnSignals(proxy, log.logger);
      void proxy.damaged.then(async () => {
        await proxy.close();
        process.exit(1);
      });
    });
}

/** Whether what the files said last could not be used. */
let isUnusable = false;

/** Takes over what file and environment say now. What cannot be used is named in one line, and what was in force stays. */
function reload(proxy: RunningProxy, read: () => Variables): void {
  try {
    proxy.use(parseConfig(read()));
    if (isUnusable) proxy.logger.info({ fault_ended: 'settings_unusable' }, 'The settings can be used again');
    isUnusable = false;
  } catch (error) {
    const fields = error instanceof ConfigError ? { error: error.message } : unexpected(error);
    const message = 'The settings cannot be used; those before stay in force';
    proxy.logger.error({ fault: 'settings_unusable', ...fields }, message);
    isUnusable = true;
  }
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
