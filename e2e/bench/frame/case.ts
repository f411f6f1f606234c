import type { Row } from './row.ts';

/** What a case is given by whoever runs it. */
export interface Conditions {
  /** How many pairs are measured. */
  rounds: number;
  /** How many the large store has. */
  tickets: number;
  /** For so long memory is watched under load. */
  minutes: number;
  /** A smoke test: as little as shows that the case still works; its figures mean nothing. */
  isSmall: boolean;
  /** A folder of its own, which is removed afterwards. */
  folder: string;
}

export interface BenchCase {
  /** By which `--only` chooses it. */
  name: string;
  /** Left out of `npm test`, where it would take seconds: it runs in `npm run test:full`. */
  isSlow?: true;
  /** Has ended everything that it started when it is done, also if it fails. */
  measure(conditions: Conditions): Promise<Row[]>;
}
