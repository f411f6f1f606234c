import { isRecord } from '@deskside/shared/json';
import { parseOrgId } from '@deskside/shared/orgid';
import type { CrmErrorCode } from '@deskside/shared/status';
import type { CompanyHit } from '#customers/found-company.ts';
import { matchReasons } from '#intake/match-reasons.ts';
import type { Reading } from '#intake/read-query.ts';
import type { CommandAnswer } from './client.ts';
import type { CrmPerson, SearchAnswer } from './crm.ts';
import type { FieldMap } from './field-map.ts';
import { normalizeCompany } from './normalize-company.ts';
import { peopleOf } from './people.ts';
import { isContaining, maxDuplicates, type SearchCommands } from './search-commands.ts';
import { addressesOf, instantOf, scalar } from './values.ts';

/** Rows of one page (docs/crm.md#paging). */
const page = 50;

/**
 * Reads one search's part of a batch. A list of nothing but companies that do not match was not filtered
 * (docs/crm.md#lost-filters): it counts as a failure, not as a search without result.
 */
export function readSearch(
  readings: readonly Reading[],
  { commands, lists, people }: SearchCommands,
  answerTo: (alias: string) => CommandAnswer | undefined,
  how: { fieldMap: FieldMap; portal: string },
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
  const companies: CompanyHit[] = [];
  for (const alias of lists) {
    const hits = (rowsOf.get(alias) ?? []).flatMap((row) => hitOf(row, contacts, how));
    const fitting = hits.filter(({ marks }) => matchReasons(readings, marks).length > 0);
    const isFiltered =
      fitting.length > 0 || hasWildcards(readings) || hits.some((hit) => isListedByName(readings, hit));
    if (hits.length > 0 && !isFiltered) failed ??= 'bad_answer';
    companies.push(...fitting);
  }
  const isCut = lists.some((alias) => rowsOf.get(alias)?.length === page) || contacts.length >= maxDuplicates;
  return { companies, isCut, failed };
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
  { fieldMap, portal }: { fieldMap: FieldMap; portal: string },
): CompanyHit[] {
  const fields = normalizeCompany(row, fieldMap, portal);
  if (!/^\d{1,20}$/.test(fields.bitrix_id)) return [];
  const ids = [fieldMap.platform_org_id, fieldMap.company_id].flatMap((field) => scalar(row[field]) ?? []);
  const people = peopleOf(contacts, { companyId: fields.bitrix_id, portal });
  return [
    {
      crmId: fields.bitrix_id,
      orgId: ids.map(parseOrgId).find((id) => id !== null) ?? null,
      isFirst: parseOrgId(scalar(row[fieldMap.platform_org_id])) !== null,
      name: fields.company_name,
      url: fields.url,
      plan: fields.current_shopplan,
      planExpiresAt: instantOf(row[fieldMap.shopplan_expiry]),
      modifiedAt: instantOf(row.DATE_MODIFY),
      marks: {
        orgIds: ids,
        names: [fields.company_name, fields.title_full].flatMap((name) => name ?? []),
        addresses: addressesOf(row.WEB),
        emails: [...addressesOf(row.EMAIL), ...(fields.owner_email === null ? [] : [fields.owner_email])],
        phones: [...addressesOf(row.PHONE), ...(fields.owner_phone === null ? [] : [fields.owner_phone])],
        people: people.map(({ name, emails, phones }: CrmPerson) => ({ name, emails, phones })),
      },
    },
  ];
}
