import type { Clock } from '../../ports/clock.ts';
import { orAborted, readTimeoutMs } from './remembered.ts';

/** Most keys that are kept; those that came first go first. */
const mostKeys = 1_000;

/**
 * Reads by key and remembers what came for `forMs`, `null` and `false` included. All who ask for a key at the same time
 * share one reading, which no single one of them can abort. Failures are not remembered.
 */
export function rememberEach<T>(deps: {
  read: (key: string, signal: AbortSignal) => Promise<T>;
  forMs: number;
  clock: Clock;
}): (key: string, signal: AbortSignal) => Promise<T> {
  const { read, forMs, clock } = deps;
  const known = new Map<string, { value: Promise<T>; until: number }>();

  function readNow(key: string): Promise<T> {
    const value = read(key, AbortSignal.timeout(readTimeoutMs));
    const entry = { value, until: Number.POSITIVE_INFINITY };
    known.delete(key);
    known.set(key, entry);
    const [oldest] = known.keys();
    if (known.size > mostKeys && oldest !== undefined) known.delete(oldest);
    value.then(
      () => {
        entry.until = clock() + forMs;
      },
      () => {
        if (known.get(key) === entry) known.delete(key);
      },
    );
    return value;
  }

  return (key, signal) => {
    const entry = known.get(key);
    return orAborted(entry !== undefined && clock() < entry.until ? entry.value : readNow(key), signal);
  };
}
