import { addressesIn } from '@deskside/shared/mail-address';
import { decodeHTMLStrict } from 'entities';
import { isRecord } from '#runtime/json.ts';

// Reads single values of a CRM record, whose shapes vary with the field's type (docs/data.md#the-crm-company,
// docs/crm.md#values).

/** No real record is nested like that; a hostile one could be, deeper than the stack. */
export const deepest = 8;

/**
 * A value as text: trimmed; empty is null; of a list the first item that is not empty; of an object its VALUE, TEXT or
 * NAME. An empty list field is sent as `false`, so that is null as well.
 */
export function scalar(value: unknown, depth = 0): string | null {
  if (depth > deepest) return null;
  if (value === null || value === undefined || typeof value === 'boolean') return null;
  if (Array.isArray(value)) {
    for (const item of value) {
      const text = scalar(item, depth + 1);
      if (text !== null) return text;
    }
    return null;
  }
  if (typeof value === 'object') {
    const members = value as Record<string, unknown>;
    return scalar(
      ['VALUE', 'value', 'TEXT', 'text', 'NAME', 'name'].map((key) =>
        Object.hasOwn(members, key) ? members[key] : null,
      ),
      depth + 1,
    );
  }
  return String(value).trim() || null;
}

/**
 * A name as people read it: entities are decoded once, as the CRM's forms write them, and letters are composed (NFC).
 * What is no entity stays. Signs that turn the direction of what follows, or that nobody sees, go: a name could look like another.
 */
export function nameOf(value: unknown): string | null {
  const text = decodeHTMLStrict(scalar(value) ?? '')
    .replaceAll('\u00a0', ' ')
    .replace(turningOrUnseen, '');
  return text.normalize('NFC').trim() || null;
}

/** Controls of direction; zero-width signs but the joiner, which holds emoji and some scripts together. */
const turningOrUnseen = /[\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/** All values of a field that may hold several, as text. */
export function scalars(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).flatMap((item) => scalar(item) ?? []);
}

const isoDateTime = /^(\d{4})-(\d{2})-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/**
 * A date as `dd/MM/yyyy` in the CRM's own offset: the day that people see in the CRM. Anything unreadable is returned
 * unchanged.
 */
export function dateOf(value: unknown): string | null {
  const text = scalar(value);
  if (text === null || instantOf(text) === null) return text;
  return `${text.slice(8, 10)}/${text.slice(5, 7)}/${text.slice(0, 4)}`;
}

/**
 * The instant of a date or date-time in epoch milliseconds; null if there is none or it is invalid, such as 31
 * February. Without an offset it counts as UTC, whatever this machine's time zone.
 */
export function instantOf(value: unknown): number | null {
  const text = scalar(value);
  const [, year, month, day, offset] = isoDateTime.exec(text ?? '') ?? [];
  if (text === null || !year || !month || !day) return null;
  if (new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() !== Number(day)) return null;
  const instant = Date.parse(offset || !text.includes('T') ? text : `${text}Z`);
  return Number.isFinite(instant) ? instant : null;
}

/**
 * A decimal with at most four places and no trailing zeros: `0E-7` is `0`, `580.0000000` is `580`. Text is returned
 * unchanged.
 */
export function decimalOf(value: unknown): string | null {
  const text = scalar(value);
  if (text === null || !/^[+-]?(\d+\.?\d*|\.\d+)(E[+-]?\d+)?$/i.test(text)) return text;
  const number = Number(text);
  if (!Number.isFinite(number) || Math.abs(number) >= 1e15) return text;
  const short = number.toFixed(4).replace(/\.?0+$/, '');
  return short === '-0' ? '0' : short;
}

/** The values of a multi-value field (`EMAIL`, `PHONE`): a list of `{VALUE}`, or a single one; absent if there are none. */
export function addressesOf(field: unknown): string[] {
  return (Array.isArray(field) ? field : [field]).flatMap((item) => scalar(isRecord(item) ? item.VALUE : item) ?? []);
}

/** The mail addresses in such a field, each value of which may hold several; a value without any as it is. */
export function emailsOf(field: unknown): string[] {
  return addressesOf(field).flatMap((text) => {
    const emails = addressesIn(text);
    return emails.length > 0 ? emails : [text];
  });
}
