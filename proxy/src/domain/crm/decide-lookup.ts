/** What is known about one candidate; absent from the map if nothing is. */
export type Known<C> = { kind: 'found'; company: C } | { kind: 'empty' } | { kind: 'failed' };

/** The result over all candidates; `at` is the candidate that decided it. */
export type Decision<K, C> =
  | { outcome: 'matched'; at: K; company: C }
  | { outcome: 'not_found'; at: K }
  | { outcome: 'undecided'; at: K };

/**
 * Goes through the candidates in order: the first one with a company wins, but only if every one before it was
 * answered; `empty` requires that all were answered and none has a company (docs/decisions.md 2). Needs at least one
 * candidate.
 */
export function decideLookup<K, C>(order: readonly [K, ...K[]], known: ReadonlyMap<K, Known<C>>): Decision<K, C> {
  let last = order[0];
  for (const at of order) {
    last = at;
    const answer = known.get(at);
    if (answer?.kind === 'found') return { outcome: 'matched', at, company: answer.company };
    if (answer?.kind !== 'empty') return { outcome: 'undecided', at };
  }
  return { outcome: 'not_found', at: last };
}
