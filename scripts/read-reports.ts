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

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numFailedTestSuites: number;
  testResults: {
    name?: string;
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

interface PlaywrightReport {
  stats: { expected: number; flaky: number; unexpected: number };
  suites: PlaywrightSuite[];
}

/** Counts of Vitest's JSON report. A file that cannot even be loaded counts as one failure. */
export function readVitest(report: unknown): Counts {
  const { numPassedTests, numFailedTests, numFailedTestSuites, testResults } = report as VitestReport;
  return {
    passed: numPassedTests,
    failed: Math.max(numFailedTests, numFailedTestSuites ? 1 : 0),
    skipped: testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status !== 'passed' && status !== 'failed')
      .map(({ ancestorTitles, title }) => skippedName([...ancestorTitles, title])),
    failures: testResults.flatMap(({ name = '', message = '', assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      const ofTests = failed.map(({ ancestorTitles, title, failureMessages = [] }) =>
        failureLine([fileName(name), ...ancestorTitles, title], failureMessages.join('\n')),
      );
      return ofTests.length === 0 && message ? [failureLine([fileName(name)], message)] : ofTests;
    }),
  };
}

/** Vitest's JSON report in a line for each package, such as `✓ proxy: 3,120 passed`. */
export function packageLines(report: unknown, root: string): string[] {
  const { testResults } = report as VitestReport;
  const files = Object.groupBy(testResults, ({ name = '' }) => {
    const [first = '', second = ''] = path.relative(root, name).split(path.sep);
    return first === 'e2e' ? second : first;
  });
  return Object.entries(files).map(([name, ofPackage = []]) => {
    const all = ofPackage.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status));
    const unloaded = ofPackage.filter(({ message, assertionResults }) => message && assertionResults.length === 0);
    const count = (wanted: string) => all.filter((status) => status === wanted).length;
    return packageLine(name, { passed: count('passed'), failed: count('failed') + unloaded.length });
  });
}

export function packageLine(name: string, { passed, failed }: Pick<Counts, 'passed' | 'failed'>): string {
  const counts = `${passed.toLocaleString('en')} passed${failed > 0 ? `, ${failed} failed` : ''}`;
  return `${failed > 0 ? '✗' : '✓'} ${name}: ${counts}`;
}

/** Counts of Playwright's JSON report. */
export function readPlaywright(report: unknown): Counts {
  const { stats, suites } = report as PlaywrightReport;
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: suites.flatMap((suite) => skippedIn(suite, [])),
    failures: suites.flatMap((suite) => failuresIn(suite, [])),
  };
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

function skippedIn({ title, suites = [], specs = [] }: PlaywrightSuite, above: string[]): string[] {
  const titles = [...above, title].filter(Boolean);
  return [
    ...specs.flatMap((spec) =>
      spec.tests
        .filter(({ status }) => status === 'skipped')
        .map(({ annotations }) => {
          const why = annotations.find(({ type }) => type === 'skip')?.description;
          return skippedName([...titles, spec.title, ...(why ? [`(${why})`] : [])]);
        }),
    ),
    ...suites.flatMap((suite) => skippedIn(suite, titles)),
  ];
}

function failuresIn({ title, suites = [], specs = [] }: PlaywrightSuite, above: string[]): string[] {
  const titles = [...above, title].filter(Boolean);
  return [
    ...specs.flatMap((spec) =>
      spec.tests
        .filter(({ status }) => status === 'unexpected')
        .map(({ results = [] }) => failureLine([...titles, spec.title], results.at(-1)?.error?.message ?? '')),
    ),
    ...suites.flatMap((suite) => failuresIn(suite, titles)),
  ];
}

const fileName = (file: string) => file.split(/[\\/]/).slice(-2).join('/');

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
