import { expect, test } from 'vitest';
import { type AreaReport, finding, reportOf } from './finding.ts';
import { cleaned, jsonReport, printReport } from './print-report.ts';

const part = (more: Partial<AreaReport>): AreaReport => ({
  area: 'CRM',
  findings: [],
  passed: [],
  unchecked: [],
  ...more,
});
const warning = finding('crm_field_unknown', 'A field is not there.', 'Map it.');
const error = finding('crm_unreachable', 'It does not answer.', 'Look.');

test.each([
  [[part({ passed: ['Fine.'] })], true, 'Nothing is wrong.'],
  [[part({ unchecked: ['This.'] })], true, 'Nothing is wrong in what was checked.'],
  [[part({ findings: [warning] })], true, '0 faults, 1 warning.'],
  [[part({ findings: [warning, error] }), part({ findings: [error] })], false, '2 faults, 1 warning.'],
])('the last line %#', (verdicts, healthy, last) => {
  const report = reportOf(verdicts);
  expect(report.healthy).toBe(healthy);
  expect(printReport(report).split('\n').at(-1)).toBe(last);
});

test('each finding has a line and a remedy; what is fine and what was not looked at are told apart', () => {
  const report = reportOf([part({ findings: [error], passed: ['Fine.'], unchecked: ['That.'] })]);
  expect(printReport(report).split('\n').slice(0, 5)).toEqual([
    'CRM',
    '  ✗ It does not answer. [crm_unreachable]',
    '    → Look.',
    '  ✓ Fine.',
    '  – not checked: That.',
  ]);
  expect(JSON.parse(jsonReport(report))).toEqual({
    healthy: false,
    findings: [
      { area: 'CRM', code: 'crm_unreachable', severity: 'error', problem: 'It does not answer.', remedy: 'Look.' },
    ],
    passed: [{ area: 'CRM', text: 'Fine.' }],
    not_checked: [{ area: 'CRM', text: 'That.' }],
  });
});

test('texts can be cleaned; codes stay', () => {
  const report = reportOf([part({ findings: [error], passed: ['crm'], unchecked: ['crm'] })]);
  const hide = (text: string) => text.replaceAll(/crm|answer|Look/g, '…');
  expect(jsonReport(cleaned(report, hide))).toContain('"crm_unreachable"');
  expect(cleaned(report, hide).verdicts).toEqual([
    part({
      findings: [{ ...error, problem: 'It does not ….', remedy: '….' }],
      passed: ['…'],
      unchecked: ['…'],
    }),
  ]);
});
