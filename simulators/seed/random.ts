export type Random = ReturnType<typeof createRandom>;

/**
 * Numbers that look like chance and depend on nothing but the seed, so that a finding can be had again. The generator is
 * mulberry32.
 */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  /** From 0 to below 1. */
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /** A whole number from 0 to below `below`. */
  const int = (below: number) => Math.floor(next() * below);
  const pick = <T>(from: readonly T[]) => from[int(from.length)] as T;
  return { next, int, pick, chance: (share: number) => next() < share };
}
