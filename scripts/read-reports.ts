import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** What a run of tests came to. */
export interface Counts {
  passed: number;
  failed: number;
  /** Tests that did not run, by name, with what they would have needed. */
  skipped: string[];
  /** What failed, by name, each with the first lines of why: the end of a long log is all that some readers see. */
  failures: string[];
}

/** One test of a report, by its titles from the outermost on; or a file that could not be loaded. */
interface Result {
  file: string;
  titles: string[];
  status: 'passed' | 'failed' | 'skipped';
  /** Of what failed. */
  why: string;
}

interface VitestReport {
  testResults: {
    name: string;
    message?: string;
    assertionResults: { status: string; title: string; ancestorTitles: string[]; failureMessages?: string[] }[];
  }[];
}

interface PlaywrightSuite {
  title: string;
  suites?: PlaywrightSuite[];
  specs?: {
    title: string;
    tests: {
      status: string;
      annotations: { type: string; description?: string }[];
      results?: { error?: { message?: string } }[];
    }[];
  }[];
}

/** Vitest's JSON report, and a line for each package, such as `✓ proxy: 3,120 passed`. */
export function readVitest(report: unknown, root: string): { counts: Counts; lines: string[] } {
  const results = (report as VitestReport).testResults.flatMap(({ name, message = '', assertionResults }): Result[] => {
    const file = name.split(/[\\/]/).slice(-2).join('/');
    // A file that cannot even be loaded is one failure.
    if (message && assertionResults.length === 0)
      return [{ file: name, titles: [file], status: 'failed', why: message }];
    return assertionResults.map(({ status, title, ancestorTitles, failureMessages = [] }) => {
      const titles = [...ancestorTitles, title];
      if (status === 'failed')
        return { file: name, titles: [file, ...titles], status, why: failureMessages.join('\n') };
      return { file: name, titles, status: status === 'passed' ? status : 'skipped', why: '' };
    });
  });
  const packages = Object.groupBy(results, ({ file }) => {
    const [first = '', second = ''] = path.relative(root, file).split(path.sep);
    return first === 'e2e' ? second : first;
  });
  const lines = Object.entries(packages).map(([name, ofPackage = []]) => packageLine(name, countsOf(ofPackage)));
  return { counts: countsOf(results), lines };
}

/** Playwright's JSON report. */
export function readPlaywright(report: unknown): { counts: Counts; lines: string[] } {
  const counts = countsOf((report as { suites: PlaywrightSuite[] }).suites.flatMap((suite) => resultsIn(suite, [])));
  return { counts, lines: counts.passed + counts.failed === 0 ? [] : [packageLine('browser', counts)] };
}

function resultsIn({ title, suites = [], specs = [] }: PlaywrightSuite, above: string[]): Result[] {
  const titles = [...above, title].filter(Boolean);
  const own = specs.flatMap((spec) =>
    spec.tests.map(({ status, annotations, results = [] }): Result => {
      const needs = annotations.find(({ type }) => type === 'skip')?.description;
      const why = results.at(-1)?.error?.message ?? '';
      const named = { file: title, titles: [...titles, spec.title], why };
      if (status === 'skipped')
        return { ...named, status, titles: [...named.titles, ...(needs ? [`(${needs})`] : [])] };
      return { ...named, status: status === 'unexpected' ? 'failed' : 'passed' };
    }),
  );
  return [...own, ...suites.flatMap((suite) => resultsIn(suite, titles))];
}

function countsOf(results: readonly Result[]): Counts {
  const of = (wanted: Result['status']) => results.filter(({ status }) => status === wanted);
  return {
    passed: of('passed').length,
    failed: of('failed').length,
    skipped: of('skipped').map(({ titles }) => skippedName(titles)),
    failures: of('failed').map(({ titles, why }) => failureLine(titles, why)),
  };
}

function packageLine(name: string, { passed, failed }: Counts): string {
  const counts = `${passed.toLocaleString('en')} passed${failed > 0 ? `, ${failed} failed` : ''}`;
  return `${failed > 0 ? '✗' : '✓'} ${name}: ${counts}`;
}

/** `Counts` of several runs as one. */
export function sum(results: Counts[]): Counts {
  return {
    passed: results.reduce((total, { passed }) => total + passed, 0),
    failed: results.reduce((total, { failed }) => total + failed, 0),
    skipped: results.flatMap(({ skipped }) => skipped),
    failures: results.flatMap(({ failures }) => failures),
  };
}

/** The last lines of a run: what was skipped and what failed, by name, then the counts. */
export function summaryOf({ passed, failed, skipped, failures }: Counts): string[] {
  const counts = `${passed} passed, ${failed} failed`;
  return [
    ...skipped.map((name) => `skipped: ${name}`),
    ...failures.map((failure) => `failed: ${failure}`),
    skipped.length > 0 ? `${counts}, ${skipped.length} skipped` : counts,
  ];
}

/** The titles in a row, then the first lines of the message without the terminal's colours and the runner's own calls. */
function failureLine(titles: string[], message: string): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() && !/^\s*at .*(\/node_modules\/|<anonymous>)/.test(line));
  return [titles.join(' > '), ...lines.slice(0, 12).map((line) => `    ${line}`)].join('\n');
}

/** The titles in a row; what the test needs, in whichever of them it stands, comes last. */
function skippedName(titles: string[]): string {
  const need = /\s*(\(needs [^)]+\))/;
  const whole = titles.join(' > ');
  const needs = need.exec(whole)?.[1];
  return needs ? `${whole.replace(need, '').replace(/ >$/, '')} ${needs}` : whole;
}
