/** What is known of one candidate. Absent from the map: nothing is. */
export type Known<C> = { kind: 'found'; company: C } | { kind: 'empty' } | { kind: 'failed' };

/** What the candidates come to together; `at` is the candidate that decided. */
export type Decision<K, C> =
  | { outcome: 'matched'; at: K; company: C }
  | { outcome: 'not_found'; at: K }
  | { outcome: 'undecided'; at: K };

/**
 * Goes through the candidates in their order: the first that has a company wins, but only if every higher one answered;
 * nothing found is only said when every one answered, empty (design.md, decision 2). Needs at least one candidate.
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
