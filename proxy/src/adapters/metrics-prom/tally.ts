import type { Counter } from '@prometheus-io/client';

/** What has been counted since a scrape, for a counter of which each profile that is given again needs more than one. */
export interface Tally {
  /** By the values of the counter's two labels. */
  add(first: string, second: string, count: number): void;
  /** Call before somebody looks at the counter. */
  handIn(): void;
}

/** A counter of the registry validates and hashes its labels each time, which takes longer than reading memory. */
export function createTally<Label extends string>(counter: Counter<Label>, [one, other]: [Label, Label]): Tally {
  const counted = new Map<string, Map<string, number>>();
  return {
    add(first, second, count) {
      const counts = counted.get(first) ?? new Map<string, number>();
      counts.set(second, (counts.get(second) ?? 0) + count);
      counted.set(first, counts);
    },
    handIn() {
      for (const [first, counts] of counted) {
        for (const [second, count] of counts) counter.labels({ [one]: first, [other]: second } as never).inc(count);
      }
      counted.clear();
    },
  };
}
