import { isRecord } from '@deskside/shared/json';
import type { OrgId } from '@deskside/shared/orgid';
import { type CommandAnswer, createBitrixClient } from './client.ts';
import { companiesOf } from './companies.ts';
import { commandsFor, maxOrgIds } from './company-commands.ts';
import type {
  CompanyAnswer,
  CompanyLookup,
  Crm,
  CrmCompany,
  LookupFields,
  OperatingTime,
  RequestKind,
  SearchAnswer,
  UserAnswer,
} from './crm.ts';
import type { CrmConnection } from './crm-adapter.ts';
import { codeOfException } from './crm-failure.ts';
import type { FieldMap } from './field-map.ts';
import { parseWebhook, sameWebhook, type Webhook } from './parse-webhook.ts';
import { peopleOf } from './people.ts';
import { maxSearches, type SearchCommands, searchCommands } from './search-commands.ts';
import { readSearch } from './search-companies.ts';
import { userOf } from './users.ts';
import { scalar } from './values.ts';

/** One page of `user.get`. */
const maxUsers = 50;

/**
 * The CRM port over Bitrix24's REST API (docs/crm.md). Its addresses are incoming webhooks of one portal with the scope `crm`,
 * and with `user_basic` for account owners. Throws for an invalid one, without quoting it.
 */
export function createBitrix24({ fieldMap, portalUrl, upstream, ...addresses }: CrmConnection<FieldMap>): Crm {
  const webhooks = addresses.webhookUrls.map((url) => usable(url, 'CRM webhook'));
  const responsible = addresses.responsibleWebhookUrls.map((url) => usable(url, 'responsible webhook'));
  const [{ origin } = usable('', 'CRM webhook')] = webhooks;
  const portal = portalUrl ?? origin;
  const ownerRidesAlong = webhooks.every((webhook) => responsible.some((other) => sameWebhook(webhook, other)));
  const way = upstream(origin);
  const client = createBitrixClient(way, webhooks);
  const usersAt = responsible[0]?.origin;
  const userClient =
    usersAt === undefined ? null : createBitrixClient(usersAt === origin ? way : upstream(usersAt), responsible);

  const spent: Record<RequestKind, OperatingTime | null> = { companies: null, users: null, searches: null };

  async function lookUp(orgIds: readonly OrgId[], by: LookupFields, signal: AbortSignal): Promise<CompanyLookup> {
    const companies = new Map<OrgId, CompanyAnswer>();
    const users = new Map<string, UserAnswer>();
    const answers = await client.batch(commandsFor(orgIds, by, fieldMap, ownerRidesAlong), signal);
    spent.companies = longestOf(answers) ?? spent.companies;
    for (const [index, orgId] of orgIds.entries()) {
      const found = answers.get(`company${index}`);
      const answer = readCompanies(orgId, by, (source) => answers.get(`${source}${index}`));
      companies.set(orgId, answer);
      // The batch requests the owner and contacts of the CRM's first row.
      const owner = found?.ok && answer.kind === 'found' ? firstOwner(found.result) : null;
      const user = answers.get(`owner${index}`);
      if (owner && user) users.set(owner, user.ok ? userOf(user.result, owner) : { kind: 'failed', code: user.code });
    }
    return { companies, users };
  }

  function readCompanies(
    orgId: OrgId,
    by: LookupFields,
    answerTo: (source: 'platform' | 'company' | 'people') => CommandAnswer | undefined,
  ): CompanyAnswer {
    const inCompanyId = readList(answerTo('company'), orgId, fieldMap.company_id);
    const lists =
      by === 'company_id'
        ? [inCompanyId]
        : [readList(answerTo('platform'), orgId, fieldMap.platform_org_id), inCompanyId];
    const answer = firstOf(lists);
    if (answer.kind !== 'found') return answer;
    const people = answerTo('people');
    const withContacts = (company: CrmCompany): CrmCompany => ({
      ...company,
      contacts: people?.ok ? peopleOf(people.result, { companyId: company.fields.bitrix_id, portal }) : [],
    });
    const [first, ...others] = answer.companies;
    return { kind: 'found', companies: [withContacts(first), ...others.map(withContacts)] };
  }

  function readList(answer: CommandAnswer | undefined, orgId: OrgId, field: string): CompanyAnswer {
    if (!answer?.ok) return { kind: 'failed', code: answer?.code ?? 'bad_answer' };
    const companies = companiesOf(answer.result, { orgId, field, fieldMap, portal });
    if (!companies) return { kind: 'failed', code: 'bad_answer' };
    const [first, ...others] = companies;
    return first ? { kind: 'found', companies: [first, ...others] } : { kind: 'empty' };
  }

  return {
    portal: origin,
    knowsUsers: userClient !== null,
    maxPerRequest: { companies: maxOrgIds, users: maxUsers, searches: maxSearches },
    operatingTime: (kind) => spent[kind],

    async findCompanies(orgIds, by, signal) {
      const wanted = [...new Set(orgIds)];
      if (wanted.length > maxOrgIds) throw new RangeError(`At most ${maxOrgIds} org ids fit into one request.`);
      if (wanted.length === 0) return { companies: new Map(), users: new Map() };
      try {
        return await lookUp(wanted, by, signal);
      } catch (error) {
        const code = codeOfException(error, signal.aborted);
        return { companies: new Map(wanted.map((orgId) => [orgId, { kind: 'failed', code }])), users: new Map() };
      }
    },

    async findUsers(ids, signal) {
      const wanted = [...new Set(ids)];
      if (wanted.length > maxUsers) throw new RangeError(`At most ${maxUsers} users fit into one request.`);
      const usable = wanted.filter((id) => /^\d{1,20}$/.test(id));
      const none: UserAnswer = { kind: 'empty' };
      if (!userClient || usable.length === 0) return new Map(wanted.map((id) => [id, none]));
      try {
        const filter = { ID: usable.length === 1 ? String(usable[0]) : usable };
        const { result, operating } = await userClient.call('user.get', { FILTER: filter }, signal);
        spent.users = operating ?? spent.users;
        return new Map(wanted.map((id) => [id, usable.includes(id) ? userOf(result, id, usable) : none]));
      } catch (error) {
        const failed: UserAnswer = { kind: 'failed', code: codeOfException(error, signal.aborted) };
        return new Map(wanted.map((id) => [id, failed]));
      }
    },

    async searchCompanies(searches, signal) {
      if (searches.length > maxSearches) throw new RangeError(`At most ${maxSearches} searches fit into one request.`);
      const asked = searches.map((readings, at) => searchCommands(`s${at}`, readings, fieldMap));
      const commands = Object.assign({}, ...asked.map((one) => one.commands));
      const none: SearchAnswer = { companies: [], isCut: false, failed: null };
      if (Object.keys(commands).length === 0) return searches.map(() => none);
      try {
        const answers = await client.batch(commands, signal);
        spent.searches = longestOf(answers) ?? spent.searches;
        const answerTo = (alias: string) => answers.get(alias);
        return searches.map((readings, at) =>
          readSearch(readings, asked[at] as SearchCommands, answerTo, { fieldMap, portal }),
        );
      } catch (error) {
        const failed = codeOfException(error, signal.aborted);
        return searches.map(() => ({ ...none, failed }));
      }
    },

    async readSegmentNames(signal) {
      const field = fieldMap.customer_segment;
      try {
        const { result } = await client.call('crm.company.userfield.list', { filter: { FIELD_NAME: field } }, signal);
        const names = segmentNamesOf(result, field);
        return names ? { kind: 'found', names } : { kind: 'failed', code: 'bad_answer' };
      } catch (error) {
        return { kind: 'failed', code: codeOfException(error, signal.aborted) };
      }
    },
  };
}

/**
 * The companies of the first non-empty list, then those that only a later list names. A later list counts only if all
 * lists before it were answered (docs/decisions.md 3).
 */
function firstOf(lists: readonly CompanyAnswer[]): CompanyAnswer {
  const found: CrmCompany[] = [];
  for (const list of lists) {
    if (list.kind === 'failed' && found.length === 0) return list;
    for (const company of list.kind === 'found' ? list.companies : [])
      if (!found.some(({ fields }) => fields.bitrix_id === company.fields.bitrix_id)) found.push(company);
  }
  const [first, ...others] = found;
  return first ? { kind: 'found', companies: [first, ...others] } : { kind: 'empty' };
}

function longestOf(answers: ReadonlyMap<string, CommandAnswer>): OperatingTime | null {
  const times = [...answers.values()].map((answer) => (answer.ok ? answer.operating : null));
  return times.reduce((most, time) => (time && (!most || time.seconds > most.seconds) ? time : most), null);
}

function firstOwner(rows: unknown): string | null {
  const owner = Array.isArray(rows) && isRecord(rows[0]) ? scalar(rows[0].ASSIGNED_BY_ID) : null;
  return owner !== null && /^[1-9]\d{0,19}$/.test(owner) ? owner : null;
}

/**
 * Reads the items of one list field from a `crm.company.userfield.list` response, name by id (docs/crm.md#fields). Null
 * if the response does not contain the field, or if it is not a list.
 */
function segmentNamesOf(result: unknown, field: string): Map<string, string> | null {
  if (!Array.isArray(result)) return null;
  const row = result.filter(isRecord).find((r) => r.FIELD_NAME === field);
  if (!row || !Array.isArray(row.LIST)) return null;
  return new Map(
    row.LIST.filter(isRecord).flatMap((item): [string, string][] => {
      const [id, name] = [scalar(item.ID), scalar(item.VALUE)];
      return id !== null && name !== null ? [[id, name]] : [];
    }),
  );
}

function usable(address: string, what: string): Webhook {
  const parsed = parseWebhook(address);
  if (!parsed.ok) throw new TypeError(`${what}: ${parsed.problem}.`);
  return parsed.webhook;
}
