import { isDeepStrictEqual } from 'node:util';
import type { FieldChange } from '@deskside/shared/enrichment';
import { invisible } from '@deskside/shared/text';
import { jsonOf } from '#runtime/json.ts';

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
type Misfit = 'no_such_field' | 'type' | 'no_such_option' | 'too_long' | 'out_of_range';

export type FieldValue = string | number | null;
export type EncodedValue = { value: FieldValue } | { misfit: Misfit };

/**
 * Text types by what limits them: characters in a `varchar`, or bytes in a `text` or `longtext`
 * (docs/helpdesk.md#writing).
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
 * Converts a value to the form that a field of this type takes; the helpdesk would refuse the whole write for one
 * misfit.
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

function encodeText(field: SiteField, given: string): EncodedValue {
  const text = verbatimTypes.has(field.fieldtype) ? given : plain(given);
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

/**
 * Text in the form in which the helpdesk stores it: well-formed, trimmed, and without angle brackets, because anything
 * like markup is changed on saving and would then be written again every time.
 */
export function plain(text: string): string {
  return text.toWellFormed().normalize('NFC').replaceAll(/[<>]/g, '').trim();
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

/** The desired value of each field, in the order in which changes are reported. */
export type DesiredFields = readonly (readonly [field: string, desired: DesiredValue])[];

/** What it takes to bring a record to the desired values. */
export interface WritePlan {
  changes: FieldChange[];
  /** Likewise for the helpdesk: only what differs. */
  values: Record<string, FieldValue>;
  skippedFields: { field: string; reason: Misfit }[];
}

/**
 * Compares a record (null for a new one) with the desired values, each in the form that its field's type shows. A value
 * that the site has no field for, or that does not fit into its field, is left out (docs/decisions.md 16).
 */
export function planWrite(
  fields: DoctypeFields,
  zone: SiteZone,
  stored: Readonly<Record<string, unknown>> | null,
  desired: DesiredFields,
): WritePlan {
  const plan: WritePlan = { changes: [], values: {}, skippedFields: [] };
  for (const [name, value] of desired) {
    const field = fields.get(name);
    const encoded = field === undefined ? { misfit: 'no_such_field' as const } : encode(field, value, zone);
    if (field === undefined || 'misfit' in encoded) {
      if ('misfit' in encoded) plan.skippedFields.push({ field: name, reason: encoded.misfit });
      continue;
    }
    if (!differs(field, stored?.[name], encoded.value)) continue;
    plan.changes.push({ field: name, from: shown(field, stored?.[name]), to: shown(field, encoded.value) });
    plan.values[name] = encoded.value;
  }
  return plan;
}

/**
 * What it takes to undo changes as far as their fields still show what they were changed to: in the record's own form,
 * because only values that it held before are written. A field in `ours` is written by nobody else, so it goes back
 * whatever it shows.
 */
export function planBack(
  fields: DoctypeFields,
  stored: Readonly<Record<string, unknown>>,
  changes: readonly FieldChange[],
  ours: ReadonlySet<string> = new Set(),
): { due: FieldChange[]; values: Record<string, FieldValue> } {
  const due = changes.flatMap(({ field: name, from, to }) => {
    const field = fields.get(name);
    if (field === undefined) return [];
    const present = shown(field, stored[name]);
    return present === to || ours.has(name) ? [{ field: name, from: present, to: from }] : [];
  });
  return { due, values: Object.fromEntries(due.map(({ field, to }) => [field, to])) };
}

/** Whether both are the same to a reader: what nobody sees does not count, and accents may be signs of their own. */
export function isSameText(one: string, other: string): boolean {
  const plain = (text: string) => text.replace(invisible, '').normalize('NFC');
  return one === other || plain(one) === plain(other);
}

/** A value as the panel shows it. In the helpdesk both null and '' mean 'not set', and Int fields hold numbers. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'number' ? String(value) : null;
}

/** How a site writes time: naive, in its own zone (docs/helpdesk.md#writing). */
export interface SiteZone {
  /** An instant as `YYYY-MM-DD HH:MM:SS`, without fraction of a second; null if a database could not hold it. */
  fromInstant(epochMs: number): string | null;
  /**
   * The instant of a stored datetime, without fraction of a second; null for anything else. In the hour that clocks
   * repeat, always the earlier one. A time that clocks skip is read as if they had not been changed yet.
   */
  toInstant(stored: unknown): number | null;
}

const dayMs = 86_400_000;
const earliest = Date.UTC(1000, 0, 2);
const latest = Date.UTC(9999, 11, 30);
const notation = /^(\d{4})-(\d\d)-(\d\d)(?: (\d\d):(\d\d):(\d\d)(?:\.\d{1,6})?)?$/;

/** `name` is from the IANA database. Throws RangeError if there is no such zone. */
export function siteZone(name: string): SiteZone {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });

  function fromInstant(epochMs: number): string | null {
    if (!(epochMs >= earliest && epochMs <= latest)) return null;
    const parts = Object.fromEntries(format.formatToParts(epochMs).map(({ type, value }) => [type, value]));
    const { year = '', month, day, hour, minute, second } = parts;
    return `${year.padStart(4, '0')}-${month}-${day} ${hour}:${minute}:${second}`;
  }

  /** What the clocks show at an instant, minus the instant. */
  function offsetAt(epochMs: number): number | null {
    const shown = asUtc(fromInstant(epochMs));
    return shown === null ? null : shown - epochMs;
  }

  return {
    fromInstant,
    toInstant(stored) {
      const shown = asUtc(stored);
      if (shown === null) return null;
      const [before, after] = [offsetAt(shown - dayMs), offsetAt(shown + dayMs)];
      if (before === null || after === null) return null;
      const fitting = [shown - before, shown - after].filter((instant) => asUtc(fromInstant(instant)) === shown);
      return fitting.length === 0 ? shown - before : Math.min(...fitting);
    },
  };
}

/** A naive datetime read as UTC, in whole seconds; null if it is not one. */
function asUtc(naive: unknown): number | null {
  const match = typeof naive === 'string' ? notation.exec(naive) : null;
  if (match === null) return null;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  const time = Date.UTC(year, month - 1, day, hour, minute, second);
  const date = new Date(time);
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists && hour < 24 && minute < 60 && second < 60 ? time : null;
}

/**
 * The helpdesk's timestamp the given milliseconds before another: `YYYY-MM-DD HH:MM:SS` with up to six decimals, naive,
 * so a clock change in between is not noticed. Anything that is not a timestamp is returned unchanged.
 */
export function stampBefore(stamp: string, ms: number): string {
  const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,6})?$/.exec(stamp);
  const instant = match === null ? Number.NaN : Date.parse(`${match[1]}T${match[2]}Z`) - ms;
  if (Number.isNaN(instant)) return stamp;
  return new Date(instant).toISOString().slice(0, 19).replace('T', ' ') + (match?.[3] ?? '');
}
