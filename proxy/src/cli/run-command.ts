import type { Command } from 'commander';
import { StoreError } from '#adapters/store-sql/store.ts';
import { ConfigError } from '#config/environment.ts';
import { StartError } from '#http/server/listen.ts';

/** Does what the command line asks for. What the operator can mend ends the process with one sentence. */
export async function runCommand(command: Command): Promise<void> {
  try {
    await command.parseAsync();
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof StartError || error instanceof StoreError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
