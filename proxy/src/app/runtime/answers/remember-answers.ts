import type { RecordsAbout, RecordVersions } from '#ports/profile/record-versions.ts';
import { type Basis, createBasis } from './basis.ts';

/** Answers made of what somebody was given to read, and of our own records. */
export interface RememberedAnswers<Read extends object, Answer extends object> {
  /**
   * The answer that was made of the same before, or a new one. Only the very object that was read finds it: so it is
   * nobody else's, and forgotten with it.
   */
  of(read: Read, make: (basis: Basis) => Promise<Answer>): Promise<Answer>;
  /** What `of` would give again, where that can be told without waiting. */
  atOnce(read: Read): Answer | undefined;
  /** A new answer, whatever was given before. */
  anew(read: Read, make: (basis: Basis) => Promise<Answer>): Promise<Answer>;
}

interface Given<Answer> {
  whose: RecordsAbout;
  version: string;
  basis: Basis;
  answer: Answer;
}

/**
 * @param about whose records an answer is made of
 * @param versions where they are at; while it throws nothing is remembered
 * @param onAgain called with an answer that is given again
 */
export function rememberAnswers<Read extends object, Answer extends object>(
  about: (read: Read) => RecordsAbout,
  versions: RecordVersions,
  onAgain: (answer: Answer) => void,
): RememberedAnswers<Read, Answer> {
  const given = new WeakMap<Read, Given<Answer>>();

  async function versionOf(whose: RecordsAbout): Promise<string | null> {
    try {
      const version = versions.of(whose);
      return typeof version === 'string' ? version : await version;
    } catch {
      return null;
    }
  }

  /** The same answer once more, if what it was made of is still the same, our own records by their `version`. */
  function again(known: Given<Answer> | undefined, version: string | null): Answer | undefined {
    if (!known || known.version !== version || !known.basis.holds()) return undefined;
    onAgain(known.answer);
    return known.answer;
  }

  async function anew(
    read: Read,
    whose: RecordsAbout,
    version: string | null,
    make: (basis: Basis) => Promise<Answer>,
  ) {
    const basis = createBasis();
    const answer = await make(basis);
    if (version !== null && basis.holds()) given.set(read, { whose, version, basis, answer });
    return answer;
  }

  return {
    async of(read, make) {
      const known = given.get(read);
      const whose = known?.whose ?? about(read);
      // Before anything is read, so that what is written meanwhile counts as written since.
      const version = await versionOf(whose);
      return again(known, version) ?? anew(read, whose, version, make);
    },
    atOnce(read) {
      const known = given.get(read);
      if (known === undefined) return undefined;
      try {
        return again(known, versions.atOnce(known.whose));
      } catch {
        return undefined;
      }
    },
    async anew(read, make) {
      const whose = about(read);
      return anew(read, whose, await versionOf(whose), make);
    },
  };
}
