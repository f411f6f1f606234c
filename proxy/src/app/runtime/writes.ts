/** Counts what this process writes anywhere: what was read before a write may be out of date (docs/decisions.md 40). */
export interface Writes {
  /** How many there have been. */
  count(): number;
  /** There has been one. */
  note(): void;
}

export function createWrites(): Writes {
  let writes = 0;
  return {
    count: () => writes,
    note() {
      writes += 1;
    },
  };
}
