import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { siteZone, stampBefore } from './values.ts';

const hourMs = 3_600_000;
const at = (iso: string) => Date.parse(iso);

describe('in Asia/Ho_Chi_Minh', () => {
  const zone = siteZone('Asia/Ho_Chi_Minh');

  it('an instant is written naive, seven hours ahead of UTC, and read back', () => {
    expect(zone.fromInstant(at('2026-11-20T05:00:00Z'))).toBe('2026-11-20 12:00:00');
    expect(zone.fromInstant(at('2026-12-31T17:00:00.999Z'))).toBe('2027-01-01 00:00:00');
    expect(zone.toInstant('2026-11-20 12:00:00')).toBe(at('2026-11-20T05:00:00Z'));
    expect(zone.toInstant('2026-11-20 12:00:00.987654')).toBe(at('2026-11-20T05:00:00Z'));
    expect(zone.toInstant('2026-11-20')).toBe(at('2026-11-19T17:00:00Z'));
  });

  it.each([
    ...[null, undefined, '', 0, 'yesterday', '2026', '2026-11-20T12:00:00Z'],
    ...['0000-00-00 00:00:00', '2026-02-30 00:00:00', '2026-13-01 00:00:00', '2026-11-20 24:00:00'],
  ])('%j is no time of a site', (stored) => expect(zone.toInstant(stored)).toBeNull());

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Date.UTC(-5, 0), 9e15])('%d cannot be written', (instant) =>
    expect(zone.fromInstant(instant)).toBeNull(),
  );
});

describe('in America/New_York', () => {
  const zone = siteZone('America/New_York');

  it('clocks that go forward skip an hour of naive time', () => {
    expect(zone.fromInstant(at('2026-03-08T06:59:59Z'))).toBe('2026-03-08 01:59:59');
    expect(zone.fromInstant(at('2026-03-08T07:00:00Z'))).toBe('2026-03-08 03:00:00');
    expect(zone.toInstant('2026-03-08 01:59:59')).toBe(at('2026-03-08T06:59:59Z'));
    expect(zone.toInstant('2026-03-08 03:00:00')).toBe(at('2026-03-08T07:00:00Z'));
  });

  it('a time within the skipped hour is read as if clocks had not been moved', () => {
    expect(zone.toInstant('2026-03-08 02:30:00')).toBe(at('2026-03-08T07:30:00Z'));
  });

  it('clocks that go back show an hour twice, which is read as its first time', () => {
    const [first, second] = [at('2026-11-01T05:30:00Z'), at('2026-11-01T06:30:00Z')];
    expect([first, second].map(zone.fromInstant)).toEqual(['2026-11-01 01:30:00', '2026-11-01 01:30:00']);
    expect(zone.toInstant('2026-11-01 01:30:00')).toBe(first);
    expect(zone.toInstant('2026-11-01 00:59:59')).toBe(at('2026-11-01T04:59:59Z'));
    expect(zone.toInstant('2026-11-01 02:00:00')).toBe(at('2026-11-01T07:00:00Z'));
  });
});

test.each([
  ...['UTC', 'Asia/Ho_Chi_Minh', 'Asia/Kolkata', 'Asia/Kathmandu', 'America/New_York', 'America/St_Johns'],
  ...['Europe/Dublin', 'Australia/Lord_Howe', 'Pacific/Apia', 'Africa/Casablanca', 'Asia/Tehran'],
])(
  'in %s what was written, read and written again is the same, and read as the same instant or its earlier twin',
  (name) => {
    const zone = siteZone(name);
    const years = { min: Date.UTC(1990, 0), max: Date.UTC(2040, 0) };
    fc.assert(
      fc.property(fc.integer(years), (instant) => {
        const written = zone.fromInstant(instant);
        const read = zone.toInstant(written);
        expect(read).not.toBeNull();
        expect(zone.fromInstant(read ?? 0)).toBe(written);
        const early = Math.floor(instant / 1_000) * 1_000 - (read ?? 0);
        expect(early).toBeGreaterThanOrEqual(0);
        expect(early).toBeLessThanOrEqual(hourMs);
      }),
      { numRuns: 300 },
    );
  },
);

test('a zone that does not exist is an error', () => expect(() => siteZone('Mars/Olympus')).toThrow(RangeError));

test.each([
  ['2026-11-21 05:03:45.920547', 300_000, '2026-11-21 04:58:45.920547'],
  ['2026-11-21 05:03:45', 0, '2026-11-21 05:03:45'],
  ['2026-01-01 00:00:00.5', 1_000, '2025-12-31 23:59:59.5'],
  ['2026-03-01 01:00:00.000001', 3 * 3_600_000, '2026-02-28 22:00:00.000001'],
  ['', 1_000, ''],
  ['yesterday', 1_000, 'yesterday'],
])('%s less %d ms is %s', (stamp, ms, expected) => {
  expect(stampBefore(stamp, ms)).toBe(expected);
});
