import { Command } from 'commander';
import { customersCommand } from './commands/customers.ts';
import { replayCommand } from './commands/replay.ts';
import { environmentFile, installed, readVariables, type Variables } from './commands/settings.ts';
import { backupCommand, migrateCommand, purgeCommand, restoreCommand } from './commands/store.ts';
import { runCommand } from './commands/terminal.ts';
import { ConfigError, parseConfig } from './config.ts';
import { wireLogger } from './make-context.ts';
import { type Logger, unexpected } from './runtime/log.ts';
import { build } from './runtime/version.ts';
import { type RunningProxy, startProxy } from './serve.ts';
import { crmFieldsCommand } from './setup/crm-fields.ts';
import { checkCommand } from './setup/doctor/check.ts';
import { doctorCommand } from './setup/doctor/doctor.ts';
import { extensionCommand } from './setup/extension.ts';
import { initCommand } from './setup/init/init.ts';
import { uninstallCommand } from './setup/init/systemd.ts';
import { provisionCommand } from './setup/provision/provision.ts';

const program = new Command('deskside')
  .description('Deskside, between the helpdesk and the CRM: the service and its commands.')
  .version(build)
  .option('--env-file <path>', `the settings (default: ${installed.settings}, or .env in this folder)`)
  .hook('preAction', (_, command) => {
    Object.assign(process.env, read(command.name() === 'init'));
  });

/** What a person types before a command that only root may run. */
const sudo = process.getuid?.() === 0 ? '' : 'sudo ';
/** The environment, without what the file says. */
const over = { ...process.env };

/** @param makesFile whether the command makes the file where there is none */
function read(makesFile = false): Variables {
  const file = environmentFile(program.opts<{ envFile?: string }>().envFile) ?? (makesFile ? installed.settings : null);
  if (file === null && !over.HELPDESK_URL?.trim() && !over.DATABASE_URL?.trim())
    throw new ConfigError(`There are no settings yet: run "${sudo}deskside init".`);
  return file === null ? over : readVariables(file, { over, mayMiss: makesFile });
}

program.addCommand(serveCommand(read));
program.addCommand(initCommand());
program.addCommand(provisionCommand());
program.addCommand(doctorCommand());
program.addCommand(checkCommand());
program.addCommand(crmFieldsCommand());
program.addCommand(replayCommand());
program.addCommand(purgeCommand());
program.addCommand(customersCommand());
program.addCommand(backupCommand());
program.addCommand(restoreCommand());
program.addCommand(migrateCommand());
program.addCommand(extensionCommand());
program.addCommand(uninstallCommand());

await runCommand(program);

/**
 * `deskside serve`: runs until a signal ends it. SIGHUP has it read its settings again.
 *
 * @param read the settings as file and environment have them now; throws ConfigError
 */
function serveCommand(read: () => Variables): Command {
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
