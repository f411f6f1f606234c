import { createInterface } from 'node:readline/promises';
import type { ProvisionIo } from '#setup/provision/io.ts';

/** Where a command says what it does, and asks. */
export interface Terminal extends ProvisionIo {
  printError(text: string): void;
}

/** The terminal of this process; it asks only where a person can answer. */
export function terminal(): Terminal {
  const asks = process.stdin.isTTY && process.stdout.isTTY;
  return {
    print: (text) => process.stdout.write(`${text}\n`),
    printError: (text) => process.stderr.write(`${text}\n`),
    ask: asks
      ? async (question) => {
          const lines = createInterface({ input: process.stdin, output: process.stdout });
          const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
          const answer = await Promise.race([lines.question(question), ended]);
          lines.close();
          return answer;
        }
      : null,
  };
}
