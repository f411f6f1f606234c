import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { ItemIo } from '#setup/items.ts';

/** Where a command says what it does, and asks. */
export interface Terminal extends ItemIo {
  printError(text: string): void;
  /** Asks for what nobody should see on the screen; '' at the end of input; null where nobody can answer. */
  askSecret: ItemIo['ask'];
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
