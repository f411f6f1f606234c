import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { OrgId } from '@deskside/shared/orgid';
import { type Command, InvalidArgumentError } from 'commander';
import { ConfigError } from '#config.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import { certificateProblem } from '#net/egress.ts';
import { StartError } from '#runtime/app-error.ts';
import { StoreError } from '#store/database.ts';

/** Where a command says what it does, and asks. */
export interface Terminal {
  print(text: string): void;
  printError(text: string): void;
  /** Asks the operator at the terminal, '' at the end of input; null where nobody can answer. */
  ask: ((question: string) => Promise<string>) | null;
  /** The same for what nobody should see on the screen. */
  askSecret: Terminal['ask'];
}

/** The terminal of this process; it asks only where a person can answer. */
export function terminal(): Terminal {
  const asks = process.stdin.isTTY && process.stdout.isTTY;
  return {
    print: (text) => process.stdout.write(`${text}\n`),
    printError: (text) => process.stderr.write(`${text}\n`),
    ask: asks ? (question) => answerTo(question, process.stdout) : null,
    askSecret: asks
      ? async (question) => {
          process.stdout.write(question);
          const answer = await answerTo('', new Writable({ write: (_chunk, _encoding, done) => done() }));
          process.stdout.write('\n');
          return answer;
        }
      : null,
  };
}

/** `output`: where what is typed is shown. */
async function answerTo(question: string, output: Writable): Promise<string> {
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  const answer = await Promise.race([lines.question(question), ended]);
  lines.close();
  return answer;
}

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

const mendable = [ConfigError, StartError, StoreError];

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

/** An org id as somebody typed it. */
export function orgIdArgument(text: string): OrgId {
  const parsed = OrgId.safeParse(text.trim());
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError('Expected an org id of 1 to 20 digits.');
}

/** An option that may be given several times. */
export const collect = (value: string, before: string[]) => [...before, value];

/** Who works at the command line, as records name them. */
export function operator(): { name: string } {
  return { name: `command line, ${userInfo().username}` };
}

/** Fires once the operator interrupts the command, which then ends by itself. */
export function untilInterrupted(): AbortSignal {
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort());
  return stopped.signal;
}

/** For work that nothing interrupts but the end of the process. */
export const never = () => new AbortController().signal;

/** A table for people: every column as wide as its widest cell. What a terminal would act upon is taken out. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const clean = rows.map((row) => row.map((cell) => cell.replace(/\p{C}/gu, ' ')));
  const widths = head.map((title, column) =>
    clean.reduce((widest, row) => Math.max(widest, widthOf(row[column] ?? '')), widthOf(title)),
  );
  const rule = widths.map((width) => '-'.repeat(width));
  return [head, rule, ...clean].map((line) =>
    line
      .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(cell))))
      .join('  ')
      .trimEnd(),
  );
}

function widthOf(cell: string): number {
  return [...cell].length;
}

/** Shows how far something has come, on one line of a terminal; on anything else it says nothing. */
export interface Progress {
  show(done: number, total: number): void;
  /** Ends the line. */
  end(): void;
}

const everyMs = 200;

/** A line such as `Customers  42 % · 1300 of 3100`. */
export function progressOf(what: string, terminal: NodeJS.WriteStream = process.stderr): Progress {
  let shown = 0;
  return {
    show(done, total) {
      const now = Date.now();
      if (!terminal.isTTY || (now - shown < everyMs && done < total)) return;
      shown = now;
      terminal.write(`\r\u001b[K${what} ${progressText(done, total)}`);
    },
    end() {
      if (shown > 0) terminal.write('\n');
    },
  };
}

/** The figures alone. */
export function progressText(done: number, total: number): string {
  const share = total === 0 ? 100 : Math.floor((done / total) * 100);
  return `${String(share).padStart(3)} % · ${done} of ${total}`;
}
