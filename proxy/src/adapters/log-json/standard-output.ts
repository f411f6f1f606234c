import { writeSync } from 'node:fs';

/** What lines are written to. */
export interface Output {
  /** Takes a line, with its end; it may wait for others. */
  write(line: string): void;
  /** Writes what waits. */
  flush(): void;
}

/** How many characters wait at most to be written, and how long, in milliseconds. */
const writeAt = 4_096;
const writeWithinMs = 250;
/** How long to wait for room where a write does not. */
const roomMs = 10;

let opened: Output | undefined;

/**
 * Standard output, one for the whole process. Lines are written several at a time: a write for each was a fifth of what a
 * cached profile costs.
 */
export function standardOutput(): Output {
  if (opened) return opened;
  waitForReader();
  let waiting = '';
  let isTimed = false;
  const flush = () => {
    const text = waiting;
    waiting = '';
    writeAll(text);
  };
  const flushLater = () => {
    setTimeout(() => {
      isTimed = false;
      flush();
    }, writeWithinMs).unref();
    isTimed = true;
  };
  process.once('exit', flush);
  opened = {
    write(line) {
      if (!isTimed) flushLater();
      waiting += line;
      if (waiting.length >= writeAt) flush();
    },
    flush,
  };
  return opened;
}

/**
 * Node makes a pipe non-blocking as soon as anything looks at `process.stdout`. Where its reader is slow each write then
 * fails at once; one that blocks goes on as soon as there is room.
 */
function waitForReader(): void {
  const { _handle: handle } = process.stdout as { _handle?: { setBlocking?(isBlocking: boolean): void } };
  handle?.setBlocking?.(true);
}

function writeAll(text: string): void {
  let left: Uint8Array = Buffer.from(text);
  while (left.length > 0) {
    try {
      left = left.subarray(writeSync(1, left));
    } catch (error) {
      // Nobody reads it any more, or the disk is full: that ends nothing but the log.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, roomMs);
    }
  }
}
