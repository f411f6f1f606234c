/** Numbers that look like chance and are the same for the same seed (mulberry32). */
export interface Chance {
  /** A whole number from 0 to below `below`. */
  below(below: number): number;
  /** Whether something happens that happens in so many of a hundred cases. */
  in100(cases: number): boolean;
  pick<T>(list: readonly T[]): T;
}

export function chance(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (most: number) => Math.floor(next() * most);
  return {
    below,
    in100: (cases) => below(100) < cases,
    pick(list) {
      const picked = list[below(list.length)];
      if (picked === undefined) throw new RangeError('There is nothing to pick from.');
      return picked;
    },
  };
}
