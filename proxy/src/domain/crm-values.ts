/** Reading single values of a CRM record, whose shapes vary with the field's type (facts/domain.md 1.5, facts/bitrix24.md 1.7). */

const deepest = 8;

/**
 * A value as text: trimmed; empty is null; of a list the first that is not empty; of an object its VALUE, TEXT or NAME.
 * `false` is what an empty list field sends, so it is null as well.
 */
export function scalar(value: unknown, depth = 0): string | null {
  // No field is nested like that; a hostile answer could be, deeper than the stack is.
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

/** All values of a field as text, for a field that may hold several. */
export function scalars(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).flatMap((item) => scalar(item) ?? []);
}

const isoDateTime = /^(\d{4})-(\d{2})-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/**
 * A date as `dd/MM/yyyy` in the CRM's own offset: the day that people see in the CRM. What cannot be read is given as
 * it is.
 */
export function dateOf(value: unknown): string | null {
  const text = scalar(value);
  if (text === null || instantOf(text) === null) return text;
  return `${text.slice(8, 10)}/${text.slice(5, 7)}/${text.slice(0, 4)}`;
}

/**
 * The moment of a date or date-time in epoch milliseconds; null where there is none or it cannot be read, such as 31
 * February. Without an offset it counts as UTC, whatever zone this machine is in.
 */
export function instantOf(value: unknown): number | null {
  const text = scalar(value);
  const [, year, month, day, offset] = isoDateTime.exec(text ?? '') ?? [];
  if (text === null || !year || !month || !day) return null;
  if (new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() !== Number(day)) return null;
  const instant = Date.parse(offset || !text.includes('T') ? text : `${text}Z`);
  return Number.isFinite(instant) ? instant : null;
}

/** A decimal with at most four places and no trailing zeros: `0E-7` is `0`, `580.0000000` is `580`. Text stays as it is. */
export function decimalOf(value: unknown): string | null {
  const text = scalar(value);
  if (text === null || !/^[+-]?(\d+\.?\d*|\.\d+)(E[+-]?\d+)?$/i.test(text)) return text;
  const number = Number(text);
  if (!Number.isFinite(number) || Math.abs(number) >= 1e15) return text;
  const short = number.toFixed(4).replace(/\.?0+$/, '');
  return short === '-0' ? '0' : short;
}
