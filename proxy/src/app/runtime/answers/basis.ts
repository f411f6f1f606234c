/** What an answer was made of, so that it can be told whether it would be the same now (docs/decisions.md 40). */
export interface Basis {
  /** The answer rests on this value; `now` has it as it is at any later time, without waiting. */
  on(used: unknown, now: () => unknown): void;
  /** The answer rests on something that holds for this once: it is not remembered. */
  once(): void;
  /** Whether everything is still as it was. */
  holds(): boolean;
}

export function createBasis(): Basis {
  const parts: { used: unknown; now: () => unknown }[] = [];
  let isForOnce = false;
  return {
    on: (used, now) => void parts.push({ used, now }),
    once() {
      isForOnce = true;
    },
    holds: () => !isForOnce && parts.every(({ used, now }) => Object.is(now(), used)),
  };
}
