import { isDeepStrictEqual } from 'node:util';
import type { SiteField } from './doctype-fields.ts';
import type { SiteZone } from './site-time.ts';

/** A value as we have it, before it is put into the form of a field; null clears the field. */
export type Wanted = { text: string } | { instant: number } | { link: string; to: string } | null;

/** Why a value cannot stand in a field. */
export type Misfit = 'no_such_field' | 'type' | 'no_such_option' | 'too_long' | 'out_of_range';

export type FieldValue = string | number | null;
export type Encoded = { value: FieldValue } | { misfit: Misfit };

/** Text types by what they hold: signs of a `varchar`, or bytes of a `text` or `longtext` (facts/live.md section 2). */
const mostSigns = 140;
const mostBytes: Record<string, number> = {
  'Small Text': 65_535,
  Text: 65_535,
  'Long Text': 2 ** 24,
  Code: 2 ** 24,
  JSON: 2 ** 24,
};
const shortTypes = new Set(['Data', 'Read Only', 'Autocomplete']);
const numberTypes = new Set(['Int', 'Long Int', 'Float', 'Percent', 'Currency', 'Check']);
/** The helpdesk strips markup from every other text when it is saved. */
const verbatimTypes = new Set(['Code', 'JSON']);
const largestInt = 2_147_483_647;

/** Puts a value into the form that a field of this type takes; a misfit would be refused and the whole write with it. */
export function encode(field: SiteField, wanted: Wanted, zone: SiteZone): Encoded {
  if (wanted === null) return numberTypes.has(field.type) ? { misfit: 'type' } : { value: null };
  if ('link' in wanted) {
    if (field.type !== 'Link') return encodeText(field, wanted.link);
    return field.options === wanted.to ? { value: wanted.link } : { misfit: 'type' };
  }
  if ('text' in wanted) return encodeText(field, wanted.text);
  const time = zone.fromInstant(wanted.instant);
  if (time === null) return { misfit: 'out_of_range' };
  if (field.type === 'Datetime') return { value: time };
  if (field.type === 'Date') return { value: time.slice(0, 10) };
  return numberTypes.has(field.type) ? { misfit: 'type' } : encodeText(field, time);
}

function encodeText(field: SiteField, given: string): Encoded {
  const text = verbatimTypes.has(field.type) ? given : plain(given);
  if (numberTypes.has(field.type)) return encodeNumber(field, text);
  if (field.type === 'Select') {
    const options = field.options.split('\n').map((option) => option.trim());
    return options.includes(text) || options.every((option) => option === '')
      ? { value: text }
      : { misfit: 'no_such_option' };
  }
  if (shortTypes.has(field.type)) {
    return [...text].length > (field.length || mostSigns) ? { misfit: 'too_long' } : { value: text };
  }
  const limit = mostBytes[field.type];
  if (limit === undefined) return { misfit: 'type' };
  return Buffer.byteLength(text) > limit ? { misfit: 'too_long' } : { value: text };
}

/** Only a number that reads back as the very same text: `007` in a field of type Int would come back as another id. */
function encodeNumber({ type }: SiteField, text: string): Encoded {
  const number = Number(text);
  if (!Number.isFinite(number) || text === '') return { misfit: 'type' };
  if (type === 'Int' && Math.abs(number) > largestInt) return { misfit: 'out_of_range' };
  if (Math.abs(number) > Number.MAX_SAFE_INTEGER) return { misfit: 'out_of_range' };
  const fits = type === 'Check' ? number === 0 || number === 1 : !type.endsWith('Int') || Number.isInteger(number);
  return fits && String(number) === text ? { value: number } : { misfit: 'type' };
}

/** A text without the end that a short field has no room for; longer types and unknown fields take it as it is. */
export function cutToRoom(field: SiteField | undefined, text: string): string {
  if (field === undefined || !shortTypes.has(field.type)) return text;
  return [...plain(text)]
    .slice(0, field.length || mostSigns)
    .join('')
    .trim();
}

/**
 * Text as the helpdesk keeps it: well-formed, trimmed, and without angle brackets, since what looks like markup is
 * changed when it is saved and would then be written again every time.
 */
export function plain(text: string): string {
  return text.toWellFormed().replaceAll(/[<>]/g, '').trim();
}

/** A stored or encoded value as the record shows it; null for what is not set. Datetimes without their fraction. */
export function shown(field: SiteField, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (numberTypes.has(field.type)) return String(Number(value));
  if (typeof value === 'object') return JSON.stringify(value);
  const text = String(value);
  if (field.type === 'Datetime') return text.slice(0, 19);
  if (field.type === 'Date') return text.slice(0, 10);
  return text.trim() || null;
}

/** Whether writing `value` over what is stored would show something else afterwards. */
export function differs(field: SiteField, stored: unknown, value: FieldValue): boolean {
  if (shown(field, stored) === shown(field, value)) return false;
  // The database may keep JSON in a notation of its own.
  return field.type !== 'JSON' || !isDeepStrictEqual(parsed(stored), parsed(value));
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
