import type { Command } from 'commander';
import { ConfigError } from '#config.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import { certificateProblem } from '#net/egress.ts';
import { StartError } from '#server/http-server.ts';
import { ProvisionError } from '#setup/items.ts';
import { StoreError } from '#store/store.ts';

/**
 * Does what the command line asks for. What the operator can mend ends the process with one sentence; a command line that
 * makes no sense ends it with 2. Whoever reads what it prints may stop reading, as `head` does.
 */
export async function runCommand(command: Command): Promise<void> {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  endWith2(command);
  try {
    await command.parseAsync();
  } catch (error) {
    console.error(sentenceOf(error));
    process.exit(1);
  }
}

/** Of a command and those below it. */
function endWith2(command: Command): void {
  command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
  for (const below of command.commands) endWith2(below);
}

const mendable = [ConfigError, StartError, StoreError, ProvisionError];

/** What the operator can mend, as sentences; throws everything else. */
export function sentenceOf(error: unknown): string {
  if (error instanceof HelpdeskError) return explain(error);
  if (error instanceof Error && mendable.some((kind) => error instanceof kind)) return error.message;
  throw error;
}

/** What an administrator can do about what the helpdesk said. */
function explain({ kind, message, certificate }: HelpdeskError): string {
  if (kind === 'unauthenticated')
    return 'The helpdesk does not recognise the key in --admin-key-file or DESKSIDE_ADMIN_KEY. Create a new one in the helpdesk: User, Settings, API Access.';
  if (certificate) {
    const { text, todo } = certificateProblem(certificate, 'the helpdesk', 'HELPDESK_URL');
    return `${text} ${todo}`;
  }
  if (kind === 'unavailable' || kind === 'timeout') return `The helpdesk at HELPDESK_URL does not respond. ${message}`;
  if (kind === 'bad_answer') return `The server at HELPDESK_URL is not a Frappe Helpdesk. ${message}`;
  return message;
}
