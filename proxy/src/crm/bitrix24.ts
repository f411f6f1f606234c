import type { OrgId } from '@deskside/shared/orgid';
import type { CrmErrorCode } from '@deskside/shared/status';
import type { Reading } from '#intake/read-query.ts';
import type { Upstream } from '#net/egress.ts';
import { isRecord } from '#runtime/json.ts';
import type { CrmCompany, CrmUser } from '#store/profile-cache.ts';
import { type FieldOrder, mergeCompanies, type OrgIdField } from './answer.ts';
import { companiesOf, employeeFields, type FieldMap, type Mapping, peopleOf, userOf } from './company.ts';
import {
  type Command,
  type CommandAnswer,
  CrmFailure,
  isSameWebhook,
  longestOf,
  type OperatingTime,
  RestClient,
  webhookOf,
} from './rest.ts';
import { maxSearches, readSearch, type SearchAnswer, searchCommands } from './search.ts';
import { scalar } from './values.ts';

/**
 * The result of looking up one org id: every company of either field, newest first (decision 4: one batch). `failures`: why a
 * field was not answered, which says nothing about whether it has a company. `lostFilters`: those of them by which the CRM did
 * not filter (docs/crm.md#lost-filters).
 */
export interface CompanyResult {
  companies: CrmCompany[];
  /** The records as they came, by the company's id: JSON texts without files and secrets. */
  payloads: Record<string, string>;
  failures: Record<string, CrmErrorCode>;
  lostFilters: string[];
}

/** The result of looking up one user. */
export type UserAnswer = { kind: 'found'; user: CrmUser } | { kind: 'empty' } | { kind: 'failed'; code: CrmErrorCode };

/** Kinds of request whose execution time the CRM counts separately. */
export type RequestKind = 'companies' | 'users' | 'searches';

export interface CompanyLookup {
  /** A result for each org id asked for. */
  companies: Map<OrgId, CompanyResult>;
  /** By user id: account owners included in the same response. Empty if they need a request of their own. */
  users: Map<string, UserAnswer>;
}

/** How to reach and read one portal. The addresses are secrets; of two the second serves where the first is refused. */
export interface Connection {
  /** For companies, their contacts and segments; at least one. */
  webhookUrls: readonly string[];
  /** For account owners; none if they cannot be looked up. */
  responsibleWebhookUrls: readonly string[];
  /** Origin at which people open the CRM; null for that of the first address. */
  portalUrl: string | null;
  fieldMap: FieldMap;
  /** Returns the upstream for an origin; called once per origin. */
  upstream: (origin: string) => Upstream;
}

/** A batch holds 50 commands (docs/crm.md#calling): an org id takes four, and all senders together one. */
export const maxOrgIds = 12;
/** One page of `user.get`. */
const maxUsers = 50;
/** All of them are found on one page of contacts, unless an address stands for several. */
const maxSenders = 32;
/** The most contacts of a company that one look-up lists (docs/crm.md#calling). */
export const contactsPage = 50;

export type Bitrix24 = ReturnType<typeof openBitrix24>;

/**
 * What is asked of a Bitrix24 portal (docs/crm.md), through incoming webhooks with the scope `crm`, and with `user_basic`
 * for account owners. Each question is one request; it throws what RestClient throws. Throws for an invalid address,
 * without quoting it.
 */
export function openBitrix24({ fieldMap, portalUrl, upstream, ...addresses }: Connection) {
  const webhooks = addresses.webhookUrls.map((url) => webhookOf(url, 'CRM webhook'));
  const ownerWebhooks = addresses.responsibleWebhookUrls.map((url) => webhookOf(url, 'responsible webhook'));
  const [{ origin } = webhookOf('', 'CRM webhook')] = webhooks;
  const mapping: Mapping = { fieldMap, portal: portalUrl ?? origin };
  const withOwner = webhooks.every((webhook) => ownerWebhooks.some((other) => isSameWebhook(webhook, other)));
  const main = upstream(origin);
  const client = new RestClient(main, webhooks);
  const usersAt = ownerWebhooks[0]?.origin;
  const userClient =
    usersAt === undefined ? null : new RestClient(usersAt === origin ? main : upstream(usersAt), ownerWebhooks);
  const spent: Record<RequestKind, OperatingTime | null> = { companies: null, users: null, searches: null };

  return {
    /** Identifies the portal in cache keys; holds no secret. */
    portal: origin,
    /** Whether account owners can be looked up at all. */
    knowsUsers: userClient !== null,
    /** The names of the fields that hold the org id, the one given first. */
    fieldOrder: (first: OrgIdField): FieldOrder => fieldOrder(first, fieldMap),
    /** The most org ids, users and searches that one request can hold. */
    maxPerRequest: { companies: maxOrgIds, users: maxUsers, searches: maxSearches },

    /** What the last good response of this kind said about its execution time; null if there was none. */
    operatingTime: (kind: RequestKind): OperatingTime | null => spent[kind],

    /**
     * Looks up companies by org id, with their contacts: the oldest of them, a page, and whoever has one of the senders'
     * addresses.
     */
    async findCompanies(
      orgIds: readonly OrgId[],
      signal: AbortSignal,
      senders: readonly string[] = [],
    ): Promise<CompanyLookup> {
      if (orgIds.length > maxOrgIds) throw new RangeError(`At most ${maxOrgIds} org ids fit into one request.`);
      const found: CompanyLookup = { companies: new Map(), users: new Map() };
      if (orgIds.length === 0) return found;
      const answers = await client.batch(lookupCommands(orgIds, { fieldMap, withOwner, senders }), signal);
      spent.companies = longestOf(answers) ?? spent.companies;
      for (const [index, orgId] of orgIds.entries()) {
        const answerTo = (source: string) => answers.get(`${source}${index}`);
        const result = readCompanies(orgId, answerTo, { ...mapping, employees: namesIn(answerTo('owner')) });
        addPeople(result.companies, [answerTo('people'), answers.get('senders')], mapping);
        found.companies.set(orgId, result);
        if (result.companies.length === 0) continue;
        const [owner, user] = [firstOwner(answerTo('company')), answerTo('owner')];
        if (!owner || !user) continue;
        const asked = [owner, ...['company', 'platform'].flatMap((source) => employeesOf(answerTo(source), fieldMap))];
        found.users.set(owner, user.ok ? readUser(user.result, owner, asked) : failed(user.code));
      }
      return found;
    },

    /** Looks up account owners, with an answer for each. */
    async findUsers(ids: readonly string[], signal: AbortSignal): Promise<Map<string, UserAnswer>> {
      if (ids.length > maxUsers) throw new RangeError(`At most ${maxUsers} users fit into one request.`);
      const usable = ids.filter((id) => /^\d{1,20}$/.test(id));
      const answers = new Map<string, UserAnswer>(ids.map((id) => [id, { kind: 'empty' }]));
      // Without a usable filter everybody would be listed.
      if (!userClient || usable.length === 0) return answers;
      const { result, operating } = await userClient.call('user.get', userParams(usable), signal);
      spent.users = operating ?? spent.users;
      for (const id of usable) answers.set(id, readUser(result, id, usable));
      return answers;
    },

    /** Searches companies by anything that an agent may have typed, each search for itself. */
    async searchCompanies(searches: readonly (readonly Reading[])[], signal: AbortSignal): Promise<SearchAnswer[]> {
      if (searches.length > maxSearches) throw new RangeError(`At most ${maxSearches} searches fit into one request.`);
      const asked = searches.map((readings, at) => searchCommands(`s${at}`, readings, fieldMap));
      const commands: Record<string, Command> = Object.assign({}, ...asked.map((one) => one.commands));
      if (Object.keys(commands).length === 0)
        return searches.map(() => ({ companies: [], isCut: false, failed: null }));
      const answers = await client.batch(commands, signal);
      spent.searches = longestOf(answers) ?? spent.searches;
      return asked.map((one) => readSearch(one, (alias) => answers.get(alias), mapping));
    },

    /**
     * Reads the names of the customer segments, by their code in the CRM (docs/crm.md#values). Throws `bad_answer` if the
     * portal has no such field, or if it is not a list.
     */
    async readSegmentNames(signal: AbortSignal): Promise<Map<string, string>> {
      const FIELD_NAME = fieldMap.customer_segment;
      const { result } = await client.call('crm.company.userfield.list', { filter: { FIELD_NAME } }, signal);
      const rows = Array.isArray(result) ? result.filter(isRecord) : [];
      const row = rows.find((one) => one.FIELD_NAME === FIELD_NAME);
      if (!Array.isArray(row?.LIST)) throw new CrmFailure('bad_answer');
      const items = row.LIST.filter(isRecord).map((item) => [scalar(item.ID), scalar(item.VALUE)] as const);
      return new Map(items.filter((item): item is [string, string] => item[0] !== null && item[1] !== null));
    },
  };
}

const failed = (code: CrmErrorCode) => ({ kind: 'failed' as const, code });

/** Only what is shown of a user (docs/crm.md#people). */
function userParams(ids: string | readonly string[]): Command['params'] {
  const select = ['ID', 'ACTIVE', 'NAME', 'LAST_NAME', 'EMAIL', 'USER_TYPE'];
  return { FILTER: { ID: ids.length === 1 ? String(ids[0]) : ids }, select };
}

/**
 * The commands of the one batch that looks up all org ids. Aliases: `company<n>` and `platform<n>` for the companies by
 * either field; `people<n>` for the contacts of the first of each; `owner<n>` for the account owner by the Company ID, and other employees;
 * `senders` for contacts of any of them by address. If there is no company, the placeholder `$result[…]` is sent as plain
 * text, so the results must be checked against the company.
 */
function lookupCommands(
  orgIds: readonly OrgId[],
  { fieldMap, withOwner, senders }: { fieldMap: FieldMap; withOwner: boolean; senders: readonly string[] },
): Record<string, Command> {
  const commands: Record<string, Command> = {};
  const companies: string[] = [];
  const select = ['*', 'UF_*', 'EMAIL', 'PHONE', 'WEB'];
  const list = (field: string, orgId: OrgId): Command => ({
    method: 'crm.company.list',
    params: { filter: { [field]: orgId }, order: { DATE_MODIFY: 'DESC', ID: 'DESC' }, select, start: -1 },
  });
  for (const [index, orgId] of orgIds.entries()) {
    commands[`platform${index}`] = list(fieldMap.platform_org_id, orgId);
    commands[`company${index}`] = list(fieldMap.company_id, orgId);
    const first = `$result[company${index}][0]`;
    const firsts = [`$result[platform${index}][0][ID]`, `${first}[ID]`];
    commands[`people${index}`] = contacts({ COMPANY_ID: firsts });
    companies.push(...firsts);
    const employees = employeeFields(fieldMap).flatMap((field) =>
      [`company${index}`, `platform${index}`].map((list) => `$result[${list}][0][${field}]`),
    );
    const users = [`${first}[ASSIGNED_BY_ID]`, ...employees].slice(0, maxUsers);
    if (withOwner) commands[`owner${index}`] = { method: 'user.get', params: userParams(users) };
  }
  // What is no plain address could be taken for a placeholder.
  const addresses = senders.filter((sender) => /^[^\s$[\]]+@[^\s$[\]]+$/.test(sender)).slice(0, maxSenders);
  if (addresses.length > 0) commands.senders = contacts({ EMAIL: addresses, COMPANY_ID: companies });
  return commands;
}

function contacts(filter: Command['params']): Command {
  const select = ['ID', 'NAME', 'SECOND_NAME', 'LAST_NAME', 'POST', 'COMPANY_ID', 'EMAIL', 'PHONE'];
  return { method: 'crm.contact.list', params: { filter, order: { ID: 'ASC' }, select, start: -1 } };
}

type AnswerTo = (source: string) => CommandAnswer | undefined;

function fieldOrder(first: OrgIdField, { company_id, platform_org_id }: FieldMap): FieldOrder {
  return first === 'company_id' ? [company_id, platform_org_id] : [platform_org_id, company_id];
}

/** The companies of one org id, of both lists; without contacts. */
function readCompanies(orgId: OrgId, answerTo: AnswerTo, mapping: Mapping): CompanyResult {
  const { company_id, platform_org_id } = mapping.fieldMap;
  const result: CompanyResult = { companies: [], payloads: {}, failures: {}, lostFilters: [] };
  for (const [source, field] of [
    ['company', company_id],
    ['platform', platform_org_id],
  ] as const) {
    const answer = answerTo(source);
    const found = answer?.ok ? companiesOf(answer.result, orgId, field, mapping) : null;
    if (found === null) {
      result.failures[field] = answer?.ok === false ? answer.code : 'bad_answer';
    } else if (found.length === 0 && !(answer?.ok && Array.isArray(answer.result) && answer.result.length === 0)) {
      // Nothing but other companies does not mean that there is no such company.
      result.failures[field] = 'bad_answer';
      result.lostFilters.push(field);
    }
    for (const { company, payload } of found ?? []) {
      result.companies.push(company);
      result.payloads[company.fields.bitrix_id] = payload;
    }
  }
  result.companies = mergeCompanies([result.companies]);
  return result;
}

/** Adds the contacts in these lists, each once. */
function addPeople(companies: CrmCompany[], lists: (CommandAnswer | undefined)[], { portal }: Mapping): void {
  for (const company of companies)
    for (const list of lists) {
      const people = list?.ok ? peopleOf(list.result, company.fields.bitrix_id, portal) : [];
      const ids = new Set(company.contacts.map(({ id }) => id));
      company.contacts.push(...people.filter(({ id }) => !ids.has(id)));
    }
}

/** The rows of a list; none where it was not answered. */
function rowsOf(answer: CommandAnswer | undefined): Record<string, unknown>[] {
  return answer?.ok && Array.isArray(answer.result) ? answer.result.filter(isRecord) : [];
}

/** The owner whom the batch has asked for: that of the CRM's first row. */
function firstOwner(answer: CommandAnswer | undefined): string | null {
  const owner = scalar(rowsOf(answer)[0]?.ASSIGNED_BY_ID);
  return owner !== null && /^[1-9]\d{0,19}$/.test(owner) ? owner : null;
}

/** The employees whom the batch has asked for along with the owner: those of a list's first row. */
function employeesOf(answer: CommandAnswer | undefined, fieldMap: FieldMap): string[] {
  const [row] = rowsOf(answer);
  return employeeFields(fieldMap).flatMap((field) => scalar(row?.[field]) ?? []);
}

/** The names of the users in a `user.get` response, by their ids. */
function namesIn(answer: CommandAnswer | undefined): Map<string, string> {
  const users = rowsOf(answer).map((row) => userOf(row, scalar(row.ID) ?? ''));
  return new Map(users.flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const])));
}

/**
 * Reads one of the requested users in a `user.get` response. A user counts only under the requested id: without a
 * filter the method lists everyone, so a row for anyone else means that the filter was lost, and then the absence of a
 * requested user means nothing.
 */
function readUser(result: unknown, id: string, asked: readonly string[] = [id]): UserAnswer {
  const rows = isRecord(result) ? [result] : result;
  if (!Array.isArray(rows)) return failed('bad_answer');
  const row = rows.filter(isRecord).find((one) => scalar(one.ID) === id);
  if (row) return { kind: 'found', user: userOf(row, id) };
  const isFiltered = rows.every((one) => isRecord(one) && asked.includes(scalar(one.ID) ?? ''));
  return isFiltered ? { kind: 'empty' } : failed('bad_answer');
}
