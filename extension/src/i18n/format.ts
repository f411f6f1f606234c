import type { UiLanguage } from '#messaging/settings.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365.25 * day;
const month = year / 12;

/** How long ago, in whole units: `3 minutes ago`, `2 giờ trước`; `just now` below 45 seconds and for a time in the future. */
export function ago(language: UiLanguage, elapsedMs: number): string {
  if (!(elapsedMs >= 45_000)) return { en: 'just now', vi: 'vừa xong' }[language];
  const { count, unit } = wholeUnits(elapsedMs);
  return new Intl.RelativeTimeFormat(language, { numeric: 'always' }).format(-count, unit);
}

/** A length of time in whole units, as short as can be: `3m`, `2 giờ`; `now` below 45 seconds. */
export function span(language: UiLanguage, elapsedMs: number): string {
  if (elapsedMs < 45_000) return { en: 'now', vi: 'vừa xong' }[language];
  return inWords(language, elapsedMs, 'narrow');
}

function inWords(language: UiLanguage, lengthMs: number, unitDisplay: 'long' | 'narrow' = 'long'): string {
  const { count, unit } = wholeUnits(lengthMs);
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay }).format(count);
}

/** The largest unit that says it well enough: `89 days`, `3 months`, `6 years`. The last two count once they are over. */
function wholeUnits(elapsedMs: number) {
  if (elapsedMs > 0 && elapsedMs < 59.5 * minute)
    return { count: Math.round(elapsedMs / minute), unit: 'minute' } as const;
  if (elapsedMs > 0 && elapsedMs < 23.5 * hour) return { count: Math.round(elapsedMs / hour), unit: 'hour' } as const;
  if (elapsedMs < 90 * day) return { count: Math.round(elapsedMs / day), unit: 'day' } as const;
  if (elapsedMs < 2 * year) return { count: Math.floor(elapsedMs / month), unit: 'month' } as const;
  return { count: Math.floor(elapsedMs / year), unit: 'year' } as const;
}

/** An instant as date and time in the format of both languages, `20/11/2026 15:04`. Default time zone: the browser's. */
export function dateTime(instant: string, timeZone?: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return instant;
  const form = { dateStyle: 'short', timeStyle: 'short', ...(timeZone && { timeZone }) } as const;
  return new Intl.DateTimeFormat('en-GB', form).format(at).replace(',', '');
}

/** The day of an instant, `28 November 2026`, `28 tháng 11, 2026`; any other text as it is. */
export function dayOf(language: UiLanguage, instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return instant;
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { dateStyle: 'long' }).format(at);
}

/** A number of days as a phrase: `1 day`, `61 days`, `11 months`, `6 năm`. */
export function days(language: UiLanguage, count: number): string {
  return inWords(language, count * day);
}

/** A number of days ago: `1 day ago`, `6 years ago`, `6 năm trước`. */
export function daysAgo(language: UiLanguage, count: number): string {
  return ago(language, count * day);
}

/** Letters that of our languages Vietnamese alone has, and words that it is known by where somebody types it without marks. */
const [marked, unmarked] = [
  /[ăâđêôơưạảãàáằắẳẵặầấẩẫậẹẻẽèéềếểễệịỉĩìíọỏõòóồốổỗộờớởỡợụủũùúừứửữựỳýỷỹỵ]/iu,
  /^(anh|chi|cho|cua|duoc|em|giup|hang|khong|minh|nhe|voi)$/iu,
];

/** The language that a text is in, as far as we have it; null if it has hardly a word. A name in it makes no language. */
export function languageOf(text: string): UiLanguage | null {
  const words = text.normalize().match(/\p{L}+/gu) ?? [];
  const share = (letters: RegExp) => words.filter((word) => letters.test(word)).length / words.length;
  if (words.length < 2) return null;
  return share(marked) > 0.4 || share(unmarked) > 0.15 ? 'vi' : 'en';
}

export function number(language: UiLanguage, value: number): string {
  return new Intl.NumberFormat(language).format(value);
}

/** `a, b and c` in the language, or `a, b or c`. */
export function list(
  language: UiLanguage,
  items: readonly string[],
  type: Intl.ListFormatType = 'conjunction',
): string {
  return new Intl.ListFormat(language, { type }).format(items);
}

/** A number with an English noun: `1 value`, `2 values`. */
export function plural(count: number, one: string, other: string): string {
  return `${number('en', count)} ${count === 1 ? one : other}`;
}

/** A text that begins with a capital letter. */
export function capitalized(language: UiLanguage, text: string): string {
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
}

/** The text for a key that is named by others, such as a newer proxy; the key itself where there is none. */
export function labelFor(labels: Readonly<Record<string, string>>, key: string): string {
  return (Object.hasOwn(labels, key) && labels[key]) || key;
}

/** A number, or money as the proxy has it, `83 000 000 VND`, with the language's digit grouping; any other text as it is. */
export function grouped(language: UiLanguage, text: string): string {
  const [, sign = '', digits, fraction = '', unit = ''] =
    /^(-?)(\d{1,15})(\.\d{1,6})?( [A-Z]{3})?$/.exec(text.trim().replaceAll(/(?<=\d) (?=\d{3}\b)/g, '')) ?? [];
  // A leading zero makes it a telephone number or a code.
  if (digits === undefined || (digits.length > 1 && digits.startsWith('0'))) return text;
  const value = Number(`${sign}${digits}${fraction}`);
  const money = { style: 'currency', currency: unit.trim(), trailingZeroDisplay: 'stripIfInteger' } as const;
  return new Intl.NumberFormat(language, unit ? money : { maximumFractionDigits: 6 }).format(value);
}
