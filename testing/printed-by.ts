import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

export interface Printed {
  /** What it has printed so far. */
  output(): string;
  /** Printed on a line by itself once it listens. Rejects, with all that it has printed, if it ends before. */
  address: Promise<string>;
  /** Its exit code, or the signal that ended it. */
  ended: Promise<[code: number | null, signal: NodeJS.Signals | null]>;
}

/** What a program that serves prints, from the moment on at which it was started. */
export function printedBy(child: ChildProcess): Printed {
  const ended = once(child, 'close') as Printed['ended'];
  const address = Promise.withResolvers<string>();
  // Not everybody waits for it.
  address.promise.catch(() => {});
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const url = /^http:\/\/\S+$/m.exec(output)?.[0];
      if (url !== undefined) address.resolve(url);
    });
  void ended.then(() => address.reject(new Error(`A process ended: ${output}`)));
  return { output: () => output, address: address.promise, ended };
}
