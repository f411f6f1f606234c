import { isDeepStrictEqual } from 'node:util';
import { jsonOf } from '#runtime/json.ts';
import type { SiteZone } from './site-time.ts';
import { isSameText, plain } from './text.ts';

/** A field of a DocType, custom ones included. */
export interface SiteField {
  fieldname: string;
  fieldtype: string;
  label: string;
  /** Options of a Select, one per line; '' if there are none. */
  options: string;
  /** The maximum length set for a text; 0 for the type's default. */
  length: number;
  permlevel: number;
  /** The helpdesk refuses documents that have no value for it. */
  required: boolean;
  /** What a new document has there if nothing is said; '' if nothing. */
  default: string;
}

export type DoctypeFields = ReadonlyMap<string, SiteField>;

/** A value before it is converted to the form of a field; null clears the field. */
export type DesiredValue = { text: string } | { instant: number } | { link: string; to: string } | null;

/** Why a field cannot hold a value. */
export type Misfit = 'no_such_field' | 'type' | 'no_such_option' | 'too_long' | 'out_of_range';

export type FieldValue = string | number | null;

export type EncodedValue = { value: FieldValue } | { misfit: Misfit };

/**
 * Text types by what limits them: characters in a `varchar`, or bytes in a `text` or `longtext` (docs/helpdesk.md#writing).
 */
const maxSigns = 140;

const maxBytes: Record<string, number> = {
  'Small Text': 65_535,
  Text: 65_535,
  'Long Text': 2 ** 24,
  Code: 2 ** 24,
  JSON: 2 ** 24,
};

const shortTypes = new Set(['Data', 'Read Only', 'Autocomplete']);
const numberTypes = new Set(['Int', 'Long Int', 'Float', 'Percent', 'Currency', 'Check']);

/** The helpdesk strips markup from every other text on saving. */
const verbatimTypes = new Set(['Code', 'JSON']);
const largestInt = 2_147_483_647;

/**
 * Converts a value to the form that a field of this type takes; the helpdesk would refuse the whole write for one misfit.
 */
export function encode(field: SiteField, desired: DesiredValue, zone: SiteZone): EncodedValue {
  if (desired === null) return numberTypes.has(field.fieldtype) ? { misfit: 'type' } : { value: null };
  if ('link' in desired) {
    if (field.fieldtype !== 'Link') return encodeText(field, desired.link);
    return field.options === desired.to ? { value: desired.link } : { misfit: 'type' };
  }
  if ('text' in desired) return encodeText(field, desired.text);
  const time = zone.fromInstant(desired.instant);
  if (time === null) return { misfit: 'out_of_range' };
  if (field.fieldtype === 'Datetime') return { value: time };
  if (field.fieldtype === 'Date') return { value: time.slice(0, 10) };
  return numberTypes.has(field.fieldtype) ? { misfit: 'type' } : encodeText(field, time);
}

function encodeText(field: SiteField, written: string): EncodedValue {
  const text = verbatimTypes.has(field.fieldtype) ? written : plain(written);
  if (numberTypes.has(field.fieldtype)) return encodeNumber(field, text);
  if (field.fieldtype === 'Select') {
    const options = field.options.split('\n').map((option) => option.trim());
    return options.includes(text) || options.every((option) => option === '')
      ? { value: text }
      : { misfit: 'no_such_option' };
  }
  if (shortTypes.has(field.fieldtype)) {
    return [...text].length > (field.length || maxSigns) ? { misfit: 'too_long' } : { value: text };
  }
  const limit = maxBytes[field.fieldtype];
  if (limit === undefined) return { misfit: 'type' };
  return Buffer.byteLength(text) > limit ? { misfit: 'too_long' } : { value: text };
}

/** Only a number that reads back as exactly the same text: `007` in an Int field would come back as a different id. */
function encodeNumber({ fieldtype }: SiteField, text: string): EncodedValue {
  const number = Number(text);
  if (!Number.isFinite(number) || text === '') return { misfit: 'type' };
  if (fieldtype === 'Int' && Math.abs(number) > largestInt) return { misfit: 'out_of_range' };
  if (Math.abs(number) > Number.MAX_SAFE_INTEGER) return { misfit: 'out_of_range' };
  const fits =
    fieldtype === 'Check' ? number === 0 || number === 1 : !fieldtype.endsWith('Int') || Number.isInteger(number);
  return fits && String(number) === text ? { value: number } : { misfit: 'type' };
}

/** Cuts a text to the length that a short field can hold; longer types and unknown fields take it as it is. */
export function cutToRoom(field: SiteField | undefined, text: string): string {
  if (field === undefined || !shortTypes.has(field.fieldtype)) return text;
  return [...plain(text)]
    .slice(0, field.length || maxSigns)
    .join('')
    .trim();
}

/** A stored or encoded value as the record shows it; null if it is not set. Datetimes without fraction. */
export function shown(field: SiteField, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (numberTypes.has(field.fieldtype)) return String(Number(value));
  if (typeof value === 'object') return JSON.stringify(value);
  const text = String(value);
  if (field.fieldtype === 'Datetime') return text.slice(0, 19);
  if (field.fieldtype === 'Date') return text.slice(0, 10);
  return text.trim() || null;
}

/** Whether writing `value` over the stored one would change what the record shows. */
export function differs(field: SiteField, stored: unknown, value: FieldValue): boolean {
  if (isSameText(shown(field, stored) ?? '', shown(field, value) ?? '')) return false;
  // The database may store JSON in a notation of its own.
  return field.fieldtype !== 'JSON' || !isDeepStrictEqual(parsed(stored), parsed(value));
}

function parsed(value: unknown): unknown {
  const json = typeof value === 'string' ? jsonOf(value) : undefined;
  return json === undefined ? value : json;
}
