import { AsyncLocalStorage } from 'node:async_hooks';
import type { Machine } from '#runtime/machine.ts';

interface Timer {
  at: number;
  call: () => void;
  /** Only ends what has not ended by itself: time does not pass for its sake alone. */
  isDeadline: boolean;
  /** By what work it was set. */
  of: Errand | null;
}

/** Something that somebody has begun. */
export interface Errand {
  /** The number of the process that does it; null: nobody who may be killed. Whatever waits for ever keeps this, and no world. */
  process: number | null;
  /** Since when it was last to wait; null: never. */
  hold: Hold | null;
}

/** A time for which work waits. */
export class Hold {
  end: () => void = () => {};
  readonly ended = new Promise<void>((resolve) => {
    this.end = resolve;
  });
}

/** The work to which what happens belongs. */
export const working = new AsyncLocalStorage<Errand>();
const present = () => working.getStore() ?? null;

const timeIsUp = new DOMException('The time is up.', 'TimeoutError');

/** A machine whose time the simulation turns, and whose chance and ids come from a seed. */
export function clockworkAt(start: number, random: () => number) {
  let now = start;
  let ids = 0;
  /** By time, and those of one time in the order in which they were set. */
  let timers: Timer[] = [];
  /** Deadlines of whoever was killed. */
  const forgotten: Timer[] = [];
  /** What repeats. It moves no time, and happens once however far time leaps. */
  const repeating = new Set<{ at: number; ms: number; call: () => void; of: Errand | null }>();

  function set(ms: number, call: () => void, isDeadline = false): () => void {
    const timer = { at: now + ms, call, isDeadline, of: present() };
    let [low, high] = [0, timers.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((timers[middle]?.at ?? 0) <= timer.at) low = middle + 1;
      else high = middle;
    }
    timers.splice(low, 0, timer);
    return () => {
      const index = timers.indexOf(timer);
      if (index >= 0) timers.splice(index, 1);
    };
  }

  function moveTo(instant: number): void {
    now = Math.max(now, instant);
    for (const one of repeating) {
      if (one.at > now) continue;
      one.at = now + one.ms;
      one.call();
    }
  }

  function deadline(ms: number): { signal: AbortSignal; callOff: () => void } {
    const ended = new AbortController();
    return { signal: ended.signal, callOff: set(ms, () => ended.abort(timeIsUp), true) };
  }

  const machine: Machine = {
    now: () => Math.floor(now),
    // Never 0, which lru-cache takes for none.
    elapsed: () => now - start + 60_000,
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const stop = () => {
          callOff();
          reject(signal?.reason);
        };
        const callOff = set(ms, () => {
          signal?.removeEventListener('abort', stop);
          resolve();
        });
        signal?.addEventListener('abort', stop, { once: true });
      }),
    nextTurn: () => Promise.resolve(),
    timeout: (ms) => deadline(ms).signal,
    after: (ms, call) => set(ms, call),
    every(ms, call) {
      const one = { at: now + ms, ms, call, of: present() };
      repeating.add(one);
      return () => void repeating.delete(one);
    },
    random,
    uuid() {
      ids += 1;
      return `00000000-0000-4000-8000-${String(ids).padStart(12, '0')}`;
    },
  };

  return {
    machine,
    deadline,
    /** Nothing of whoever was killed is to happen any more. */
    forget(dead: Errand['process']): void {
      forgotten.push(...timers.filter(({ of, isDeadline }) => isDeadline && of?.process === dead));
      timers = timers.filter(({ of }) => of?.process !== dead);
      for (const one of repeating) if (one.of?.process === dead) repeating.delete(one);
    },
    /** Ends every deadline: a signal that never fires is kept for ever, with all that waits for it. */
    end(): void {
      for (const { isDeadline, call } of [...forgotten, ...timers]) if (isDeadline) call();
    },
    /** Lets the shortest time pass that a record can tell. */
    tick(): void {
      moveTo(now + 1);
    },
    /** Lets time pass until the next timer has fired; false if nothing waits but deadlines, and nobody waits for these. */
    fireNext(isAwaited: boolean): boolean {
      const [first] = timers;
      if (first === undefined || !(isAwaited || timers.some(({ isDeadline }) => !isDeadline))) return false;
      timers.shift();
      moveTo(first.at);
      first.call();
      return true;
    },
    /** Lets time pass until the next timer before that instant has fired; false if none is left, and it has come. */
    passUntil(instant: number): boolean {
      const [first] = timers;
      if (first === undefined || first.at > instant) {
        moveTo(instant);
        return false;
      }
      timers.shift();
      moveTo(first.at);
      first.call();
      return true;
    },
  };
}
