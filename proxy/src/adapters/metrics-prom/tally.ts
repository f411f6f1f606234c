import type { Counter, LabelValues } from '@prometheus-io/client';

/** What has been counted since a scrape, for a counter of which each profile that is given again needs more than one. */
export interface Tally<Label extends string> {
  add(labels: LabelValues<Label>, count: number): void;
  /** Call before somebody looks at the counter. */
  handIn(): void;
}

/** A counter of the registry validates and hashes its labels each time, which takes longer than reading memory. */
export function createTally<Label extends string>(counter: Counter<Label>): Tally<Label> {
  const counted = new Map<string, { labels: LabelValues<Label>; count: number }>();
  return {
    add(labels, count) {
      const key = Object.values(labels).join(' ');
      const known = counted.get(key);
      if (known) known.count += count;
      else counted.set(key, { labels, count });
    },
    handIn() {
      for (const { labels, count } of counted.values()) counter.inc(labels, count);
      counted.clear();
    },
  };
}
