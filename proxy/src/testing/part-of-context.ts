import type { Work } from '#context.ts';

type PartOf<T> = T extends (...asked: never[]) => unknown ? T : { [Key in keyof T]?: PartOf<T[Key]> };

/** A context of which a test gives no more than the verb in question asks; anything else it asks is undefined. */
export function partOfContext(given: PartOf<Work>): Work {
  return { signal: new AbortController().signal, ...given } as Work;
}
