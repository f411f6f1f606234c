import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

export interface Printed {
  /** What it has printed so far, or as much of its end as is kept. */
  output(): string;
  /** Printed on a line by itself once it listens. Rejects, with what it has printed, if it ends before. */
  address: Promise<string>;
  /** Its exit code, or the signal that ended it. */
  ended: Promise<[code: number | null, signal: NodeJS.Signals | null]>;
}

/**
 * What a program that serves prints, from the moment on at which it was started.
 * @param keep how much of the end of what it prints is kept at least, in characters: a server may log millions of lines.
 *   Infinity where something is looked for in all of it.
 */
export function printedBy(child: ChildProcess, keep = 100_000): Printed {
  const ended = once(child, 'close') as Printed['ended'];
  const address = Promise.withResolvers<string>();
  // Not everybody waits for it.
  address.promise.catch(() => {});
  let output = '';
  let isFound = false;
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.length > 2 * keep) output = output.slice(-keep);
      if (isFound) return;
      // A line that has not ended yet may be the beginning of the address only.
      const url = /^(http:\/\/\S+)\n/m.exec(output)?.[1];
      if (url === undefined) return;
      isFound = true;
      address.resolve(url);
    });
  void ended.then(() => address.reject(new Error(`A process ended: ${output}`)));
  return { output: () => output, address: address.promise, ended };
}
