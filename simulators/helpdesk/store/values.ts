import { databaseError, validationError } from '#helpdesk/errors.ts';
import { type DocType, type Field, isNumber, isTable } from './doctype.ts';

const maxInt = 2_147_483_647;
const maxLength = 140;
/** Types that the database keeps in 140 characters. */
const shortTypes = new Set(['Data', 'Link', 'Dynamic Link', 'Select', 'Read Only', 'Color', 'Phone', 'Autocomplete']);
const datetime = /^\d{4}-\d\d-\d\d( \d\d:\d\d(:\d\d(\.\d{1,6})?)?)?$/;

/**
 * Turns a value from a request into what the column holds. Throws the error that the real site answers: 417 for a
 * list in a text field, 500 for a datetime with `T`, offset or `Z` (docs/helpdesk.md#writing).
 */
export function castValue(doctype: DocType, field: Field, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (isTable(field)) return value;
  if (isNumber(field)) return castNumber(field, value);
  if (field.fieldtype === 'JSON') return typeof value === 'string' ? value : JSON.stringify(value);
  if (typeof value === 'object') throw validationError(`Value for ${field.label} cannot be a list`);
  const text = typeof value === 'boolean' ? (value ? '1' : '0') : String(value);
  if (field.fieldtype === 'Datetime') return castDatetime(doctype, field, text);
  if (field.fieldtype === 'Date') return castDatetime(doctype, field, text)?.slice(0, 10) ?? null;
  return text;
}

function castNumber(field: Field, value: unknown): number {
  const number = typeof value === 'boolean' ? Number(value) : Number(value === '' ? 0 : value);
  if (Number.isNaN(number)) return 0;
  if (field.fieldtype === 'Check') return number === 0 ? 0 : 1;
  return field.fieldtype === 'Int' ? Math.trunc(number) : number;
}

function castDatetime(doctype: DocType, field: Field, text: string): string | null {
  if (text === '') return null;
  const valid = datetime.test(text) && !Number.isNaN(Date.parse(`${text.slice(0, 19).replace(' ', 'T')}Z`));
  if (!valid && !(text.length === 16 && datetime.test(text))) {
    const column = `column \`_f00dfeed1234\`.\`tab${doctype.name}\`.\`${field.fieldname}\``;
    throw databaseError('OperationalError', 1292, `Incorrect datetime value: '${text}' for ${column} at row 1`);
  }
  return text.length === 10 ? `${text} 00:00:00` : text.length === 16 ? `${text}:00` : text;
}

/** What a new document starts with. `Today` is left out where the date is null. */
export function fieldDefaults(doctype: DocType, today: string | null): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const field of doctype.fields) {
    const value = field.default === 'Today' ? today : (field.default ?? null);
    if (value !== null) result[field.fieldname] = castValue(doctype, field, value);
  }
  return result;
}

/** Length, range and options of one value. Throws 417 as the real site words it. */
export function checkValue(doctype: DocType, name: string, field: Field, value: unknown): void {
  if (value === null || value === undefined || isTable(field)) return;
  const limit = field.fieldtype === 'Int' ? maxInt : maxLength;
  const tooBig =
    field.fieldtype === 'Int'
      ? Math.abs(Number(value)) > maxInt
      : shortTypes.has(field.fieldtype) && [...String(value)].length > maxLength;
  if (tooBig) {
    const place = `${doctype.name} ${name}: '<strong>${field.label}</strong>' (${String(value)})`;
    const message = `${place} will get truncated, as max characters allowed is ${limit}`;
    throw validationError(message, 'CharacterLengthExceededError', 'Value too big');
  }
  checkOptions(field, String(value));
}

function checkOptions(field: Field, value: string): void {
  if (field.fieldtype === 'Select' && field.options !== undefined && value !== '') {
    const options = field.options.split('\n').filter((option) => option !== '');
    if (options.includes(value)) return;
    const list = options.map((option) => `"${option}"`).join(', ');
    throw validationError(` ${field.label} cannot be "${value}". It should be one of ${list}`);
  }
  if (field.fieldtype === 'Data' && field.options === 'Email' && value !== '') {
    const address = /<([^<>]+)>\s*$/.exec(value)?.[1] ?? value;
    if (!/^[^\s@<>]+@[^\s@<>]+$/.test(address)) {
      throw validationError(`${value} is not a valid Email Address`, 'InvalidEmailAddressError', 'Invalid Email');
    }
  }
}
