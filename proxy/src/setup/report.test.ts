import { expect, test } from 'vitest';
import { type Checked, fault, isHealthy, jsonReport, ok, printReport, unchecked, warning } from './report.ts';

const crm = (...said: Checked['said']): Checked => ({ check: 'CRM', said });
const lacking = warning('A field is not there.', 'Map it.');
const silent = fault('It does not answer.', 'Look.');

test.each([
  [[crm(ok('Fine.'))], true, 'Nothing is wrong.'],
  [[crm(unchecked('This.'))], true, 'Nothing is wrong in what was checked.'],
  [[crm(lacking)], true, '0 faults, 1 warning.'],
  [[crm(lacking, silent), crm(silent)], false, '2 faults, 1 warning.'],
])('the last line %#', (report, healthy, last) => {
  expect(isHealthy(report)).toBe(healthy);
  expect(printReport(report).split('\n').at(-1)).toBe(last);
});

test('each finding has a line and what to do; what is fine and what was not looked at are told apart', () => {
  const report = [crm(silent, ok('Fine.'), unchecked('That.'))];
  expect(printReport(report).split('\n').slice(0, 5)).toEqual([
    'CRM',
    '  ✗ It does not answer.',
    '    → Look.',
    '  ✓ Fine.',
    '  – not checked: That.',
  ]);
  expect(JSON.parse(jsonReport(report, { ticket: null }))).toEqual({
    healthy: false,
    said: [
      { check: 'CRM', level: 'fault', text: 'It does not answer.', todo: 'Look.' },
      { check: 'CRM', level: 'ok', text: 'Fine.', todo: '' },
      { check: 'CRM', level: 'unchecked', text: 'That.', todo: '' },
    ],
    ticket: null,
  });
});
