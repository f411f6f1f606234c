import { foldText } from '#intake/fold-text.ts';
import type { Reading } from '#intake/read-query.ts';
import type { Command } from './client.ts';
import { selected } from './company-commands.ts';
import type { FieldMap } from './field-map.ts';

/** A batch holds 50 commands (docs/crm.md#batch), and a search takes up to ten: all e-mails together five, likewise phones. */
export const maxSearches = 5;

/** The most that `crm.duplicate.findbycomm` lists of a kind. */
export const maxDuplicates = 20;

/** One search's commands. `lists`: aliases of the lists of companies; `people`: of those of contacts. */
export interface SearchCommands {
  commands: Record<string, Command>;
  lists: string[];
  people: string[];
}

/**
 * The commands of one search; their aliases begin with `prefix`. Texts and addresses are filtered by; e-mails and phones
 * are searched with `crm.duplicate.findbycomm`, companies and contacts each for themselves
 * (docs/crm.md#search-by-e-mail-or-phone), and the list of companies then names those found and those of the contacts
 * found. A placeholder without a result travels on as text, which is no id.
 */
export function searchCommands(prefix: string, readings: readonly Reading[], fieldMap: FieldMap): SearchCommands {
  const made: SearchCommands = { commands: {}, lists: [], people: [] };
  let count = 0;
  const add = (method: string, params: Command['params']) => {
    const alias = `${prefix}c${count}`;
    count += 1;
    made.commands[alias] = { method, params };
    return alias;
  };
  const list = (filter: Command['params']) => {
    const order = { DATE_MODIFY: 'DESC', ID: 'DESC' };
    made.lists.push(add('crm.company.list', { filter, order, select: selected(fieldMap), start: -1 }));
  };
  const byReach = (type: 'EMAIL' | 'PHONE', values: string[], ownField: string) => {
    const find = (entity_type: string) => add('crm.duplicate.findbycomm', { entity_type, type, values });
    const nth = Array.from({ length: maxDuplicates }, (_, n) => n);
    const [companies, contacts] = [find('COMPANY'), find('CONTACT')];
    const people = add('crm.contact.list', {
      filter: { ID: nth.map((n) => `$result[${contacts}][CONTACT][${n}]`) },
      order: { ID: 'ASC' },
      select: ['ID', 'NAME', 'SECOND_NAME', 'LAST_NAME', 'COMPANY_ID', 'EMAIL', 'PHONE'],
      start: -1,
    });
    made.people.push(people);
    const ids = nth.flatMap((n) => [`$result[${companies}][COMPANY][${n}]`, `$result[${people}][${n}][COMPANY_ID]`]);
    list({ ID: ids });
    list({ [ownField]: values });
  };
  const all = (kind: Reading['kind']) => readings.filter((one) => one.kind === kind).map(({ value }) => plain(value));
  const [emails, phones] = [all('email'), all('phone').flatMap(writtenPhones)];
  if (emails.length > 0) byReach('EMAIL', emails.slice(0, maxDuplicates), fieldMap.owner_email);
  if (phones.length > 0) byReach('PHONE', phones.slice(0, maxDuplicates), fieldMap.owner_phone);
  for (const { kind, value: typed } of readings) {
    const value = plain(typed);
    if (kind === 'org_id')
      for (const field of new Set([fieldMap.platform_org_id, fieldMap.company_id])) list({ [field]: value });
    if (kind === 'name') for (const field of new Set(['TITLE', fieldMap.company_name])) list(containing(field, value));
    if (kind === 'shop_address') {
      list({ WEB: writtenAddresses(value) });
      list({ '%TITLE': value });
    }
  }
  return made;
}

/** A pattern with fewer letters of its own would find too much. */
const fewestLetters = 3;
/** More of them would only make the database try longer. */
const mostWords = 6;

/**
 * A filter for names that contain this one. Accents may count in the CRM's database, and people leave them out, so every
 * letter that may have one stands for any sign where enough others are left.
 */
function containing(field: string, name: string): Command['params'] {
  const words = wordsOf(name);
  const own = words.join('').replaceAll('_', '').length;
  return own < fewestLetters ? { [`%${field}`]: name } : { [`=%${field}`]: `%${words.join('%')}%` };
}

/** The words of a name, with `_` for letters that may have an accent, and for what is not Latin. */
function wordsOf(name: string): string[] {
  const words = foldText(name).split(/[^\p{L}\p{N}]+/u);
  const written = words.filter((word) => word !== '').slice(0, mostWords);
  return written.map((word) => word.replace(/[aeiouyd]|(?!\p{N})\P{Script=Latin}/gu, '_'));
}

/** Whether the CRM may have listed a name by the filter of `containing`. */
export function isContaining(name: string, listed: string): boolean {
  let rest = foldText(listed);
  for (const word of wordsOf(name)) {
    const found = new RegExp(word.replaceAll('_', '.'), 'su').exec(rest);
    if (found === null) return false;
    rest = rest.slice(found.index + found[0].length);
  }
  return true;
}

/** What somebody typed must not be taken for a placeholder. */
function plain(text: string): string {
  return /result\s*\[/i.test(text) ? text.replaceAll('$', '') : text;
}

/** How a shop's address may stand in the CRM: addresses are found whole only. */
function writtenAddresses(host: string): string[] {
  return ['', 'www.'].flatMap((www) =>
    ['https://', 'http://', ''].flatMap((scheme) => ['', '/'].map((end) => `${scheme}${www}${host}${end}`)),
  );
}

/** A number as it may stand in the CRM: nationally and internationally. */
function writtenPhones(national: string): string[] {
  if (!national.startsWith('0')) return [national, `+${national}`];
  const rest = national.slice(1);
  return [national, `+84${rest}`, `84${rest}`];
}
