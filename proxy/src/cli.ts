import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { StoreError } from './adapters/store-sql/store.ts';
import { doctorCommand } from './cli-doctor.ts';
import { provisionCommand } from './cli-provision.ts';
import { replayCommand } from './cli-replay.ts';
import { ConfigError, parseConfig } from './config.ts';
import { StartError, startProxy } from './main.ts';
import { version } from './version.ts';

const program = new Command('proxy').description('The Deskside proxy.').version(version);

program
  .command('serve')
  .description('Run the proxy; the configuration comes from the environment and from .env')
  .option('--json', 'print the address as JSON')
  .action(async ({ json }: { json?: boolean }) => {
    if (existsSync('.env')) process.loadEnvFile('.env');
    const proxy = await startProxy(parseConfig(process.env));
    console.log(json ? JSON.stringify({ url: proxy.url }) : proxy.url);
    let stopping = false;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        if (stopping) return;
        stopping = true;
        void proxy.close().then(() => process.exit(0));
      });
    }
  });

program.addCommand(provisionCommand());
program.addCommand(doctorCommand());
program.addCommand(replayCommand());

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof StartError || error instanceof StoreError)) throw error;
  console.error(error.message);
  process.exit(1);
}
