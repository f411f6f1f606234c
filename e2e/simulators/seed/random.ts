/** Numbers that look like chance and depend on nothing but the seed, so that a finding can be had again. */
export interface Random {
  /** From 0 to below 1. */
  next(): number;
  /** A whole number from 0 to below `below`. */
  int(below: number): number;
  pick<T>(from: readonly T[]): T;
  chance(share: number): boolean;
}

/** The generator mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (below: number) => Math.floor(next() * below);
  return {
    next,
    int,
    pick<T>(from: readonly T[]): T {
      const picked = from[int(from.length)];
      if (picked === undefined && from.length === 0) throw new Error('Nothing to pick from.');
      return picked as T;
    },
    chance: (share) => next() < share,
  };
}
