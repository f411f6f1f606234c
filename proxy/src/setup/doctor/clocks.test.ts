import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judgeClocks } from './clocks.ts';

const minutes = 60_000;
const codes = (helpdesk: number | null, crm: number | null) =>
  judgeClocks({ helpdesk, crm }).findings.map((f) => f.code);

test.each<[number | null, number | null, string[]]>([
  [null, null, []],
  [0, null, []],
  [minutes, -minutes, []],
  [5 * minutes, null, ['helpdesk_clock_off']],
  [500, 2 * minutes, ['crm_clock_off']],
  [5 * minutes, -5 * minutes, ['helpdesk_clock_off', 'crm_clock_off']],
  [-5 * minutes, -5.5 * minutes, ['own_clock_off']],
  [300 * minutes, 420 * minutes, ['helpdesk_clock_off', 'crm_clock_off']],
])('helpdesk %s ms ahead, CRM %s: %j', (helpdesk, crm, expected) => {
  expect(codes(helpdesk, crm)).toEqual(expected);
});

test('says which way it is off', () => {
  expect(judgeClocks({ helpdesk: 5 * minutes, crm: 0 }).findings[0]?.problem).toContain('5 min fast');
  expect(judgeClocks({ helpdesk: 0, crm: -180 * minutes }).findings[0]?.problem).toContain('3 h slow');
  const both = judgeClocks({ helpdesk: 5 * minutes, crm: 5 * minutes });
  expect(both.findings[0]?.problem).toContain('5 min slow');
});

test('within a minute nothing is found, beyond it something is', () => {
  const ahead = fc.option(fc.integer({ min: -600_000, max: 600_000 }));
  fc.assert(
    fc.property(ahead, ahead, (helpdesk, crm) => {
      const off = [helpdesk, crm].some((value) => value !== null && Math.abs(value) > minutes);
      expect(codes(helpdesk, crm).length > 0).toBe(off);
    }),
  );
});
