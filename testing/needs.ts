import { describe } from 'vitest';
import { optionalPrograms, type ProgramName } from './programs.ts';

/**
 * `describe` for tests that need a program which `npm test` does not install: they run where it is found, and are
 * otherwise skipped and named in the summary. The tests are given the program's path.
 */
export function needs(name: ProgramName): (title: string, tests: (program: string) => void) => void {
  const { find, title: program } = optionalPrograms[name];
  const found = find();
  return (title, tests) => {
    // The summary of a run finds what was missing by this form of words.
    describe.skipIf(found === null)(`${title} (needs ${program})`, () => tests(found ?? ''));
  };
}
