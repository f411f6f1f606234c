import type { UiLanguage } from '../platform/language.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago, in whole units: `3 minutes ago`, `2 giờ trước`. Null below 45 seconds, and for a time to come. */
export function ago(language: UiLanguage, elapsedMs: number): string | null {
  if (elapsedMs < 45_000) return null;
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'always' });
  if (elapsedMs < 59.5 * minute) return words.format(-Math.round(elapsedMs / minute), 'minute');
  if (elapsedMs < 23.5 * hour) return words.format(-Math.round(elapsedMs / hour), 'hour');
  return words.format(-Math.round(elapsedMs / day), 'day');
}

/** A number of days as a phrase: `1 day`, `1,200 days`, `1.200 ngày`. */
export function days(language: UiLanguage, count: number): string {
  return new Intl.NumberFormat(language, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(count);
}

/** A plain number, grouped as the language does. */
export function number(language: UiLanguage, value: number): string {
  return new Intl.NumberFormat(language).format(value);
}

/** `a, b and c` in the language. */
export function list(language: UiLanguage, items: readonly string[]): string {
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(items);
}

/** English needs its singular: `1 value changed`, `2 values changed`. */
export function plural(count: number, one: string, other: string): string {
  return `${number('en', count)} ${count === 1 ? one : other}`;
}
