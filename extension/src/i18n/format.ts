import type { UiLanguage } from '#settings/schema.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago, in whole units: `3 minutes ago`, `2 giờ trước`. Null below 45 seconds and for a time in the future. */
export function ago(language: UiLanguage, elapsedMs: number): string | null {
  if (elapsedMs < 45_000) return null;
  const { count, unit } = wholeUnits(elapsedMs);
  return new Intl.RelativeTimeFormat(language, { numeric: 'always' }).format(-count, unit);
}

/** A length of time in whole units: `3 minutes`, `2 giờ`. Null below 45 seconds. */
export function span(language: UiLanguage, elapsedMs: number): string | null {
  if (elapsedMs < 45_000) return null;
  const { count, unit } = wholeUnits(elapsedMs);
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}

function wholeUnits(elapsedMs: number) {
  if (elapsedMs < 59.5 * minute) return { count: Math.round(elapsedMs / minute), unit: 'minute' } as const;
  if (elapsedMs < 23.5 * hour) return { count: Math.round(elapsedMs / hour), unit: 'hour' } as const;
  return { count: Math.round(elapsedMs / day), unit: 'day' } as const;
}

/** An instant as date and time in the format of both languages, `20/11/2026 15:04`. Default time zone: the browser's. */
export function dateTime(instant: string, timeZone?: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return instant;
  const form = { dateStyle: 'short', timeStyle: 'short', ...(timeZone && { timeZone }) } as const;
  return new Intl.DateTimeFormat('en-GB', form).format(at).replace(',', '');
}

/** A number of days as a phrase: `1 day`, `1,200 days`, `1.200 ngày`. */
export function days(language: UiLanguage, count: number): string {
  return new Intl.NumberFormat(language, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(count);
}

/** A number with the language's digit grouping. */
export function number(language: UiLanguage, value: number): string {
  return new Intl.NumberFormat(language).format(value);
}

/** `a, b and c` in the language. */
export function list(language: UiLanguage, items: readonly string[]): string {
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(items);
}

/** A number with an English noun: `1 value`, `2 values`. */
export function plural(count: number, one: string, other: string): string {
  return `${number('en', count)} ${count === 1 ? one : other}`;
}
