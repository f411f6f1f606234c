import type { DoctorFinding, Report } from './finding.ts';

const signs = { error: '✗', warning: '!' } as const;

/** The report for people: by area, faults with their remedy first. */
export function printReport({ verdicts }: Report): string {
  const blocks = verdicts.map(({ area, findings, passed, unchecked }) =>
    [
      area,
      ...findings.flatMap(({ code, severity, problem, remedy }) => [
        `  ${signs[severity]} ${problem} [${code}]`,
        `    → ${remedy}`,
      ]),
      ...passed.map((text) => `  ✓ ${text}`),
      ...unchecked.map((text) => `  – not checked: ${text}`),
    ].join('\n'),
  );
  const count = (desired: 'error' | 'warning') =>
    verdicts.flatMap(({ findings }) => findings).filter(({ severity }) => severity === desired).length;
  const [errors, warnings] = [count('error'), count('warning')];
  const left = verdicts.some(({ unchecked }) => unchecked.length > 0) ? ' in what was checked' : '';
  const found =
    errors + warnings === 0
      ? `Nothing is wrong${left}.`
      : `${errors} ${errors === 1 ? 'fault' : 'faults'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}.`;
  return [...blocks, found].join('\n\n');
}

/** The report with every text passed through `clean`; the codes, which programs rely on, stay as they are. */
export function cleaned({ healthy, verdicts }: Report, clean: (text: string) => string): Report {
  const findingOf = (finding: DoctorFinding) => ({
    ...finding,
    problem: clean(finding.problem),
    remedy: clean(finding.remedy),
    ...(finding.about !== undefined && { about: clean(finding.about) }),
  });
  return {
    healthy,
    verdicts: verdicts.map(({ area, findings, passed, unchecked }) => ({
      area,
      findings: findings.map(findingOf),
      passed: passed.map(clean),
      unchecked: unchecked.map(clean),
    })),
  };
}

/** The report for programs; the codes are a closed set. `more`: what else is in it. */
export function jsonReport({ healthy, verdicts }: Report, more: object = {}): string {
  const texts = (kind: 'passed' | 'unchecked') =>
    verdicts.flatMap((verdict) => verdict[kind].map((text) => ({ area: verdict.area, text })));
  const findings = verdicts.flatMap(({ area, findings }) => findings.map((finding) => ({ area, ...finding })));
  const report = { healthy, findings, passed: texts('passed'), not_checked: texts('unchecked'), ...more };
  return JSON.stringify(report, null, 2);
}
