/**
 * Measures every way once a round, each round in another order, so that what changes on the machine meanwhile meets all of
 * them. Gives each way's figures in the order of the rounds.
 */
export async function alternate<Name extends string, T>(
  rounds: number,
  ways: Record<Name, () => Promise<T>>,
): Promise<Record<Name, T[]>> {
  const names = Object.keys(ways) as Name[];
  const measured = Object.fromEntries(names.map((name) => [name, [] as T[]])) as Record<Name, T[]>;
  for (let round = 0; round < rounds; round += 1) {
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) measured[name].push(await ways[name]());
  }
  return measured;
}
