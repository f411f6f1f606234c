import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Time, chance and ids as the machine gives them. What runs in the service takes them here and nowhere else, so that a
 * simulation can give them from a seed.
 */
export interface Machine {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds by the clock that nobody sets. */
  elapsed(): number;
  /** Resolves after so many milliseconds; rejects once the signal fires. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
  /** Resolves on the next turn of the event loop. */
  nextTurn(): Promise<void>;
  timeout(ms: number): AbortSignal;
  /** Calls once after so many milliseconds, unless the function it returns is called before. */
  after(ms: number, call: () => void): () => void;
  /** Calls over and over until the function it returns is called. Does not keep the process alive. */
  every(ms: number, call: () => void): () => void;
  /** At least 0, less than 1. */
  random(): number;
  uuid(): string;
}

/** The functions are looked up with each call: a test may have put in its own timers. */
const real: Machine = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  wait: (ms, signal) => sleep(ms, undefined, signal && { signal }),
  nextTurn: () => new Promise((resolve) => setImmediate(resolve)),
  timeout: (ms) => AbortSignal.timeout(ms),
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
  every(ms, call) {
    const timer = setInterval(call, ms).unref();
    return () => clearInterval(timer);
  },
  random: () => Math.random(),
  uuid: () => crypto.randomUUID(),
};

/** The machine on which this process runs. */
export let machine: Machine = real;

/** Has everything run on another machine from now on, until the function it returns is called. */
export function runOn(other: Machine): () => void {
  machine = other;
  return () => {
    machine = real;
  };
}
