import type { Command } from '#adapters/crm-bitrix24/client/client.ts';
import { selected } from '#adapters/crm-bitrix24/companies/company-commands.ts';
import type { FieldMap } from '#adapters/crm-bitrix24/companies/field-map.ts';
import type { Reading } from '#domain/find/read-query.ts';

/** A batch holds 50 commands (docs/crm.md#batch), and a search takes up to ten. */
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
  for (const { kind, value: typed } of readings) {
    const value = plain(typed);
    if (kind === 'org_id')
      for (const field of new Set([fieldMap.platform_org_id, fieldMap.company_id])) list({ [field]: value });
    if (kind === 'name') for (const field of new Set(['TITLE', fieldMap.company_name])) list({ [`%${field}`]: value });
    if (kind === 'shop_address') {
      list({ WEB: writtenAddresses(value) });
      list({ '%TITLE': value });
    }
    if (kind === 'email') byReach('EMAIL', [value], fieldMap.owner_email);
    if (kind === 'phone') byReach('PHONE', writtenPhones(value), fieldMap.owner_phone);
  }
  return made;
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
