import type { RecordsAbout, RecordVersions } from '#ports/profile/record-versions.ts';
import { type Basis, createBasis } from './basis.ts';

/** Answers made of what somebody was given to read, and of our own records. */
export interface RememberedAnswers<Read extends object, Answer> {
  /**
   * The answer that was made of the same before, or a new one. Only the very object that was read finds it: so it is
   * nobody else's, and forgotten with it.
   */
  of(read: Read, make: (basis: Basis) => Promise<Answer>): Promise<Answer>;
  /** A new answer, whatever was given before. */
  anew(read: Read, make: (basis: Basis) => Promise<Answer>): Promise<Answer>;
}

/**
 * @param about whose records an answer is made of
 * @param versions where they are at; while it throws nothing is remembered
 * @param onAgain called with an answer that is given again
 */
export function rememberAnswers<Read extends object, Answer>(
  about: (read: Read) => RecordsAbout,
  versions: RecordVersions,
  onAgain: (answer: Answer) => void,
): RememberedAnswers<Read, Answer> {
  const given = new WeakMap<Read, { whose: RecordsAbout; version: string; basis: Basis; answer: Answer }>();

  async function versionOf(whose: RecordsAbout): Promise<string | null> {
    try {
      const version = versions.of(whose);
      return typeof version === 'string' ? version : await version;
    } catch {
      return null;
    }
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
      if (known && known.version === version && known.basis.holds()) {
        onAgain(known.answer);
        return known.answer;
      }
      return anew(read, whose, version, make);
    },
    async anew(read, make) {
      const whose = about(read);
      return anew(read, whose, await versionOf(whose), make);
    },
  };
}
