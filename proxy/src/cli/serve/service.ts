import { runCommand } from '#cli/run-command.ts';
import { serveCommand } from './serve.ts';

/** The command `serve` without its name, and nothing that only other commands need. */
await runCommand(serveCommand());
