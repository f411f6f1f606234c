import type { OrgId } from '@deskside/shared/orgid';
import { formerPhone } from '@deskside/shared/phone';
import type { CrmErrorCode } from '@deskside/shared/status';
import { foldText } from '@deskside/shared/text';
import { type Marks, matchReasons, type Reading } from '#intake/read-query.ts';
import { isRecord } from '#runtime/json.ts';
import { companyFields, type FieldMap, fieldsShown, type Mapping, orgIdsOf, peopleOf } from './company.ts';
import type { Command, CommandAnswer } from './rest.ts';
import { addressesOf, emailsOf, instantOf } from './values.ts';

/** A company that a search came upon. `orgId`: the one by which enrichment would look it up. */
export interface CompanyHit {
  crmId: string;
  orgId: OrgId | null;
  /** Whether the org id stands in the field that is asked first (decision 4: one batch). */
  isFirst: boolean;
  name: string | null;
  url: string | null;
  plan: string | null;
  /** The shop owner's name, a telephone of theirs or of the company's, and where it is. */
  owner: string | null;
  phone: string | null;
  region: string | null;
  /** Epoch milliseconds; null if there is none. */
  planExpiresAt: number | null;
  modifiedAt: number | null;
  marks: Marks;
}

/**
 * The result of a search: candidates, of which some may not match. `isCut`: there are more than the CRM lists. `failed`:
 * why a part of it could not be searched, null if everything was.
 */
export interface SearchAnswer {
  companies: CompanyHit[];
  isCut: boolean;
  failed: CrmErrorCode | null;
}

/** A batch holds 50 commands (docs/crm.md#calling), and a search takes up to twelve: all e-mails together five, likewise phones. */
export const maxSearches = 4;

/** The most that `crm.duplicate.findbycomm` lists of a kind. */
const maxDuplicates = 20;

/** One search's commands. `lists`: aliases of the lists of companies; `people`: of those of contacts. */
export interface SearchCommands {
  readings: readonly Reading[];
  commands: Record<string, Command>;
  lists: string[];
  people: string[];
}

/**
 * The commands of one search; their aliases begin with `prefix`. Texts and addresses are filtered by; e-mails and phones
 * are searched with `crm.duplicate.findbycomm`, companies and contacts each for themselves
 * (docs/crm.md#filters), and the list of companies then names those found and those of the contacts
 * found. A placeholder without a result travels on as text, which is no id.
 */
export function searchCommands(prefix: string, readings: readonly Reading[], fieldMap: FieldMap): SearchCommands {
  const asked: SearchCommands = { readings, commands: {}, lists: [], people: [] };
  let count = 0;
  const add = (method: string, params: Command['params']) => {
    const alias = `${prefix}c${count}`;
    count += 1;
    asked.commands[alias] = { method, params };
    return alias;
  };
  const list = (filter: Command['params']) => {
    const order = { DATE_MODIFY: 'DESC', ID: 'DESC' };
    asked.lists.push(add('crm.company.list', { filter, order, select: fieldsShown(fieldMap), start: -1 }));
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
    asked.people.push(people);
    const ids = nth.flatMap((n) => [`$result[${companies}][COMPANY][${n}]`, `$result[${people}][${n}][COMPANY_ID]`]);
    list({ ID: ids });
    list({ [ownField]: values });
  };
  const all = (kind: Reading['kind']) => readings.filter((one) => one.kind === kind).map(({ value }) => plain(value));
  const [emails, phones] = [all('email'), inTurn(all('phone').map(writtenPhones))];
  if (emails.length > 0) byReach('EMAIL', emails.slice(0, maxDuplicates), fieldMap.owner_email);
  if (phones.length > 0) byReach('PHONE', phones.slice(0, maxDuplicates), fieldMap.owner_phone);
  for (const { kind, value: typed } of readings) {
    const value = plain(typed);
    if (kind === 'org_id')
      for (const field of new Set([fieldMap.platform_org_id, fieldMap.company_id])) list({ [field]: value });
    if (kind === 'name')
      for (const field of new Set(['TITLE', fieldMap.company_name]))
        for (const filter of containing(field, value)) list(filter);
    if (kind === 'shop_address') {
      list({ WEB: writtenAddresses(value) });
      list({ '%TITLE': value });
    }
  }
  return asked;
}

/** A pattern with fewer letters of its own would find too much. */
const fewestLetters = 3;
/** More of them would only make the database try longer. */
const mostWords = 6;

/**
 * Filters for names that contain this one. Accents may count in the CRM's database, and people leave them out, so every
 * letter that may have one stands for any sign, and in a second filter for any signs: importers write accents as signs of
 * their own. Of too few other letters, what was typed is looked for as it is, too.
 */
function containing(field: string, name: string): Command['params'][] {
  const words = wordsOf(name);
  const like = (parts: readonly string[]) => ({ [`=%${field}`]: `%${parts.join('%')}%` });
  const loose = like(loosely(words));
  const letters = words.join('').replaceAll('_', '').length;
  if (letters < fewestLetters) return letters === 0 ? [{ [`%${field}`]: name }] : [{ [`%${field}`]: name }, loose];
  return [like(words), loose];
}

/** The words of a name, with `_` for letters that may have an accent, and for what is not Latin. */
function wordsOf(name: string): string[] {
  const words = foldText(name).split(/[^\p{L}\p{N}]+/u);
  const written = words.filter((word) => word !== '').slice(0, mostWords);
  return written.map((word) => word.replace(/[aeiouyd]|(?!\p{N})\P{Script=Latin}/gu, '_'));
}

/** Words in parts, between which accents may be written as signs of their own. */
function loosely(words: readonly string[]): string[] {
  return words.flatMap((word) => word.split(/(?<=_)(?!_|$)/));
}

/** Whether the CRM may have listed a name by a filter of `containing`. */
function isContaining(name: string, listed: string): boolean {
  let rest = foldText(listed);
  for (const part of loosely(wordsOf(name))) {
    const found = new RegExp(part.replaceAll('_', '.'), 'su').exec(rest);
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

/** A number as it may stand in the CRM: nationally and internationally, with the prefix that it had, with both prefixes. */
function writtenPhones(national: string): string[] {
  if (!national.startsWith('0')) return [national, `+${national}`];
  const rest = national.slice(1);
  const former = formerPhone(national);
  return [
    national,
    `+84${rest}`,
    `84${rest}`,
    ...(former === null ? [] : [former, `+84${former.slice(1)}`]),
    `+84${national}`,
  ];
}

/** The first of each list, then the second of each, so that a limit leaves out the least likely. */
function inTurn(lists: readonly string[][]): string[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, n) => lists.flatMap((list) => list[n] ?? [])).flat();
}

/** Rows of one page (docs/crm.md#calling). */
const page = 50;

/**
 * Reads one search's part of a batch. A list of nothing but companies that do not match was not filtered
 * (docs/crm.md#lost-filters): it counts as a failure, not as a search without result.
 */
export function readSearch(
  { readings, commands, lists, people }: SearchCommands,
  answerTo: (alias: string) => CommandAnswer | undefined,
  mapping: Mapping,
): SearchAnswer {
  let failed: CrmErrorCode | null = null;
  const rowsOf = new Map<string, Record<string, unknown>[]>();
  for (const [alias, { method }] of Object.entries(commands)) {
    const answer = answerTo(alias);
    if (!answer?.ok) failed ??= answer?.code ?? 'bad_answer';
    else if (method === 'crm.duplicate.findbycomm') continue;
    else if (Array.isArray(answer.result)) rowsOf.set(alias, answer.result.filter(isRecord));
    else failed ??= 'bad_answer';
  }
  const contacts = people.flatMap((alias) => rowsOf.get(alias) ?? []);
  const companies = new Map<string, CompanyHit>();
  for (const alias of lists) {
    const hits = (rowsOf.get(alias) ?? []).flatMap((row) => hitOf(row, contacts, mapping));
    const fitting = hits.filter(({ marks }) => matchReasons(readings, marks).length > 0);
    const isFiltered =
      fitting.length > 0 || hasWildcards(readings) || hits.some((hit) => isListedByName(readings, hit));
    if (hits.length > 0 && !isFiltered) failed ??= 'bad_answer';
    for (const hit of fitting) companies.set(hit.crmId, hit);
  }
  const isCut = lists.some((alias) => rowsOf.get(alias)?.length === page) || contacts.length >= maxDuplicates;
  return { companies: [...companies.values()], isCut, failed };
}

/** The database may take these for any sign, and list companies that another text is part of. */
function hasWildcards(readings: readonly Reading[]): boolean {
  return readings.some(({ kind, value }) => kind === 'name' && /[%_\\]|\$/.test(value));
}

/** A name's filter finds more than the name. */
function isListedByName(readings: readonly Reading[], { marks }: CompanyHit): boolean {
  const names = readings.filter(({ kind }) => kind === 'name');
  return names.some(({ value }) => marks.names.some((name) => isContaining(value, name)));
}

function hitOf(
  row: Record<string, unknown>,
  contacts: readonly Record<string, unknown>[],
  mapping: Mapping,
): CompanyHit[] {
  const { fieldMap, portal } = mapping;
  const fields = companyFields(row, mapping);
  if (!/^\d{1,20}$/.test(fields.bitrix_id)) return [];
  const inPlatform = orgIdsOf(row[fieldMap.platform_org_id]);
  const ids = [...inPlatform, ...orgIdsOf(row[fieldMap.company_id])];
  const people = peopleOf(contacts, fields.bitrix_id, portal);
  return [
    {
      crmId: fields.bitrix_id,
      orgId: ids[0] ?? null,
      isFirst: inPlatform.length > 0,
      name: fields.company_name,
      url: fields.url,
      plan: fields.current_shopplan,
      owner: fields.owner_name,
      phone: fields.owner_phone ?? fields.company_phone,
      region: fields.address_region,
      planExpiresAt: instantOf(row[fieldMap.shopplan_expiry]),
      modifiedAt: instantOf(row.DATE_MODIFY),
      marks: {
        orgIds: ids,
        names: [fields.company_name, fields.title_full].flatMap((name) => name ?? []),
        addresses: addressesOf(row.WEB),
        emails: [...emailsOf(row.EMAIL), ...emailsOf(row[fieldMap.owner_email])],
        phones: [...addressesOf(row.PHONE), ...(fields.owner_phone === null ? [] : [fields.owner_phone])],
        people: people.map(({ name, emails, phones }) => ({ name, emails, phones })),
      },
    },
  ];
}
