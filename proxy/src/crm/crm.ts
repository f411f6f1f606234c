import type { OrgId } from '@deskside/shared/orgid';
import type { CrmErrorCode } from '@deskside/shared/status';
import type { Reading } from '#intake/read-query.ts';
import type { Egress, Upstream } from '#net/egress.ts';
import { withDeadline } from '#runtime/concurrency.ts';
import { type Background, reasonOf } from '#runtime/jobs.ts';
import type { CrmRequestKind, Logger, Metrics } from '#runtime/log.ts';
import type { Clock, Memory, MemoryArea } from '#runtime/memory.ts';
import { revealed, type Secret } from '#runtime/secret.ts';
import type { CachedUser, CheckedAnswer, CrmCompany } from '#store/profile-cache.ts';
import type { StateDb } from '#store/schema.ts';
import { type FieldOrder, type FreshAnswer, type OrgIdField, withUnanswered } from './answer.ts';
import { type Bitrix24, type CompanyResult, openBitrix24, type RequestKind, type UserAnswer } from './bitrix24.ts';
import { AnswerCache, type Lifetimes, lifetimesOf } from './cache.ts';
import type { FieldMap } from './company.ts';
import { Breaker, type Budget, type Lane, openBudget, ourLimits } from './limits.ts';
import { type Failure, type Kind, Queue, type QueueOptions, type Reply, type Urgency } from './queue.ts';
import { maxBytes } from './rest.ts';
import type { SearchAnswer } from './search.ts';

interface CrmOptions {
  bitrix24: Bitrix24;
  budget: Budget;
  db: StateDb;
  memory: Memory;
  background: Background;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  /** How long an answer counts, in minutes (`CRM_REFRESH_TTL_MINUTES`). */
  ttlMinutes: number;
  requestTimeoutMs: number;
  closed: AbortSignal;
  sleep?: QueueOptions['sleep'];
}

/** What the CRM said about one org id by a field at least. `code`: why it may have a company all the same, if it named none. */
interface CompanyReply {
  kind: 'answered';
  answer: FreshAnswer;
  code: CrmErrorCode | null;
}

/** How much of the CRM's budget is left, and who waits for it. For an operator. */
export interface CrmState {
  /** Requests that each lane may send at once, of all replicas. */
  left: Record<Lane, number>;
  /** Questions that wait in each lane of this replica. */
  waiting: Record<Lane, number>;
  /** Execution time that the CRM has counted, as far as it has said so and it still counts. */
  operatingSeconds: Partial<Record<RequestKind, number>>;
  /** Why companies are not asked for at the moment; null if they are. */
  refusal: CrmErrorCode | null;
}

/** So many senders of one company at the same moment; more are asked for the next time. */
const mostSenders = 8;

/** As long as somebody waits at a panel for a search, and as a bulk search may take if everybody else is busy. */
const searchWithinMs = { click: 4_500, open: 4_500, bulk: 120_000 };
/** Long enough for going back and forth between results, too short for anybody to notice what the CRM has changed. */
const keepSearchMs = 60_000;
const maxSearchesKept = 500;

/** Names of segments hardly ever change, and the CRM announces it when they do. */
const keepNamesMs = 6 * 3_600_000;
/** After a failure, or for a code without a name, the names are not read again for this long. */
const retryNamesMs = 10 * 60_000;
const readNamesWithinMs = 60_000;

/**
 * The CRM under one configuration: what is asked of it, within its budget, and the answers that are kept. No question
 * throws for anything the CRM does.
 */
export class Crm {
  readonly portal: string;
  readonly knowsUsers: boolean;
  readonly lifetimes: Lifetimes;
  readonly cache: AnswerCache;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly #options: CrmOptions;
  readonly #queue: Queue;
  readonly #companies: Kind<CompanyReply | Failure>;
  readonly #users: Kind<UserAnswer>;
  readonly #searches: Kind<{ kind: 'searched'; answer: SearchAnswer; code: CrmErrorCode | null }>;
  readonly #segments: Kind<{ kind: 'names'; byCode: ReadonlyMap<string, string> }>;
  readonly #found: MemoryArea<SearchAnswer>;
  /** Addresses to be asked for with a company that waits. */
  readonly #senders = new Map<OrgId, Set<string>>();
  #names: { byCode: ReadonlyMap<string, string>; at: number } = { byCode: new Map(), at: Number.NEGATIVE_INFINITY };
  #namesTriedAt = Number.NEGATIVE_INFINITY;

  constructor(options: CrmOptions) {
    const { bitrix24, clock, logger, memory, metrics, db } = options;
    const { maxPerRequest } = bitrix24;
    this.#options = options;
    this.clock = clock;
    this.metrics = metrics;
    this.portal = bitrix24.portal;
    this.knowsUsers = bitrix24.knowsUsers;
    this.lifetimes = lifetimesOf(options.ttlMinutes);
    this.cache = new AnswerCache(db, this.portal, memory, metrics);
    this.#queue = new Queue(options);
    this.#found = memory.area<SearchAnswer>({ ttlMs: keepSearchMs, max: maxSearchesKept });

    const kindOf = <R extends Reply>(kind: CrmRequestKind, maxPerRequest: number, send: Kind<R>['send']): Kind<R> => {
      const operating = () => (kind === 'segments' ? null : bitrix24.operatingTime(kind));
      return { breaker: new Breaker({ kind, clock, logger, operating }), maxPerRequest, send };
    };
    this.#companies = kindOf('companies', maxPerRequest.companies, (orgIds, signal) =>
      this.#findCompanies(orgIds as OrgId[], signal),
    );
    this.#users = kindOf('users', maxPerRequest.users, (ids, signal) => this.#findUsers(ids, signal));
    // A search is its readings as JSON: the same question from several people is one.
    this.#searches = kindOf('searches', maxPerRequest.searches, async (keys, signal) => {
      const readings = keys.map((key): Reading[] => JSON.parse(key));
      const answers = await bitrix24.searchCompanies(readings, signal);
      return new Map(answers.map((answer, n) => [keys[n] ?? '', { kind: 'searched', answer, code: answer.failed }]));
    });
    this.#segments = kindOf('segments', 1, async ([key = ''], signal) => {
      const byCode = await bitrix24.readSegmentNames(signal);
      return new Map([[key, { kind: 'names', byCode }]]);
    });
  }

  /**
   * Looks an org id up, and keeps what comes; also if the caller has stopped waiting by then. Who has one of the senders'
   * addresses is among the contacts, however many there are.
   */
  findCompany(orgId: OrgId, urgency: Urgency, senders: readonly string[] = []): Promise<CompanyReply | Failure> {
    if (senders.length > 0)
      this.#senders.set(orgId, new Set([...(this.#senders.get(orgId) ?? []), ...senders].slice(-mostSenders)));
    return this.#queue.ask(this.#companies, orgId, urgency);
  }

  async #findCompanies(orgIds: OrgId[], signal: AbortSignal): Promise<Map<string, CompanyReply | Failure>> {
    const { bitrix24, logger, metrics } = this.#options;
    const askedAt = this.clock();
    const senders = orgIds.flatMap((orgId) => [...(this.#senders.get(orgId) ?? [])]);
    for (const orgId of orgIds) this.#senders.delete(orgId);
    const found = await bitrix24.findCompanies(orgIds, signal, senders).catch((error: unknown) => {
      metrics.companiesRead('crm', 'failed', orgIds.length);
      throw error;
    });
    const checkedAt = this.clock();
    const replies = new Map<string, CompanyReply | Failure>();
    const entries = new Map<OrgId, CheckedAnswer>();
    for (const [orgId, result] of found.companies) {
      const { payloads } = result;
      const isFound = result.companies.length > 0;
      const code = isFound ? null : (Object.values(result.failures)[0] ?? null);
      metrics.companiesRead('crm', isFound ? 'hit' : code === null ? 'miss' : 'failed', 1);
      for (const field of result.lostFilters)
        logger.warn({ lost_filter: field }, 'The CRM does not filter by a field; "deskside doctor" says why');
      const answer = await this.#answerOf(orgId, result, checkedAt);
      if (answer === null) {
        replies.set(orgId, { kind: 'failed', code: code ?? 'bad_answer' });
        continue;
      }
      replies.set(orgId, { kind: 'answered', answer, code });
      const { companies, answeredAt } = answer;
      entries.set(orgId, { companies, answeredAt, checkedAt, payloads });
    }
    await this.#keep(this.cache.putCompanies(entries, askedAt));
    for (const [orgId, { companies }] of entries) this.cache.noteStrangers(orgId, companies, senders);
    await this.#keepUsers(found.users);
    return replies;
  }

  /** A result as an answer, with what was known by a field that was not answered this time; null if neither was. */
  async #answerOf(
    orgId: OrgId,
    { companies, failures }: CompanyResult,
    checkedAt: number,
  ): Promise<FreshAnswer | null> {
    const answered = this.fieldOrder('company_id').filter((field) => !(field in failures));
    if (answered.length === 0) return null;
    const answer = { companies, failures, answeredAt: Object.fromEntries(answered.map((one) => [one, checkedAt])) };
    if (Object.keys(failures).length === 0) return answer;
    return withUnanswered(answer, await this.cache.company(orgId).catch(() => undefined));
  }

  /** The names of the fields that hold the org id, the one given first. */
  fieldOrder(first: OrgIdField): FieldOrder {
    return this.#options.bitrix24.fieldOrder(first);
  }

  /** Looks an account owner up, and keeps what comes. */
  findUser(id: string, urgency: Urgency): Promise<UserAnswer> {
    return this.#queue.ask(this.#users, id, urgency);
  }

  async #findUsers(ids: string[], signal: AbortSignal): Promise<Map<string, UserAnswer>> {
    const found = await this.#options.bitrix24.findUsers(ids, signal);
    await this.#keepUsers(found);
    return found;
  }

  async #keepUsers(found: ReadonlyMap<string, UserAnswer>): Promise<void> {
    const checkedAt = this.clock();
    const entries = [...found].flatMap(([id, answer]): [string, CachedUser][] =>
      answer.kind === 'failed' ? [] : [[id, { user: answer.kind === 'found' ? answer.user : null, checkedAt }]],
    );
    await this.#keep(this.cache.putUsers(new Map(entries)));
  }

  /** If the store cannot be written, the next caller pays with a request; this one still gets its answer. */
  async #keep(written: Promise<void>): Promise<void> {
    await written.catch((error: unknown) =>
      this.#options.logger.error({ error: reasonOf(error) }, 'The cache could not be written'),
    );
  }

  /** Searches companies, if not told otherwise for somebody who waits. */
  async search(readings: readonly Reading[], lane: Lane = 'click'): Promise<SearchAnswer> {
    const key = JSON.stringify(readings);
    const known = this.#found.get(key);
    if (known) return known;
    const ms = searchWithinMs[lane];
    const asked = this.#queue.ask(this.#searches, key, { lane, deadline: this.clock() + ms });
    const reply = lane === 'bulk' ? await asked : await withDeadline(asked, ms);
    if (reply === 'timeout') return { companies: [], isCut: false, failed: reply };
    if (reply.kind === 'failed') return { companies: [], isCut: false, failed: reply.code };
    if (reply.code === null) this.#found.set(key, reply.answer);
    return reply.answer;
  }

  /**
   * The companies with the CRM's own names of their segments, for codes that the configuration does not name. Never
   * waits: a name that is not known yet is read in the background.
   */
  nameSegments(companies: CrmCompany[]): CrmCompany[] {
    return companies.map((company) => {
      const { customer_segment, customer_segment_code: code } = company.fields;
      // A code that the configuration does not name is still there as the segment.
      if (code === null || customer_segment !== code) return company;
      const name = this.#names.byCode.get(code);
      if (name === undefined || this.clock() - this.#names.at >= keepNamesMs) this.#readNamesSoon();
      return name === undefined ? company : { ...company, fields: { ...company.fields, customer_segment: name } };
    });
  }

  #readNamesSoon(): void {
    if (this.clock() - this.#namesTriedAt < retryNamesMs) return;
    this.#namesTriedAt = this.clock();
    this.#options.background.run('segment-names', async () => {
      const urgency = { lane: 'open' as const, deadline: this.clock() + readNamesWithinMs };
      const names = await this.#queue.ask(this.#segments, 'all', urgency);
      if (names.kind === 'names') this.#names = { byCode: names.byCode, at: this.clock() };
    });
  }

  /**
   * Notes a change in the CRM (docs/crm.md#events). Cached answers that have the company are marked as outdated; gives their
   * org ids. Whatever org id it had, it may now be the one that another was missing, so every "no such company" is dropped.
   * Makes no requests, and is safe to repeat: events only shorten how long an answer counts.
   */
  async noteEvent({ kind, companyId }: CompanyEvent): Promise<OrgId[]> {
    if (kind === 'fields_changed') {
      this.#namesTriedAt = Number.NEGATIVE_INFINITY;
      this.#names = { byCode: this.#names.byCode, at: Number.NEGATIVE_INFINITY };
      return [];
    }
    if (kind === 'changed' && companyId === null) return [];
    const marked = companyId === null ? [] : await this.cache.markOutdated(companyId, this.clock());
    await this.cache.forgetMissing();
    return marked;
  }

  /** Throws if the store fails. */
  async state(): Promise<CrmState> {
    const { bitrix24, budget } = this.#options;
    const operatingSeconds: CrmState['operatingSeconds'] = {};
    for (const kind of ['companies', 'users', 'searches'] as const) {
      const time = bitrix24.operatingTime(kind);
      if (time && this.clock() < time.resetAt) operatingSeconds[kind] = time.seconds;
    }
    const refusal = this.#companies.breaker.refusal('click');
    return { left: await budget.left(), waiting: this.#queue.waiting(), operatingSeconds, refusal };
  }
}

/** The connections to the CRM, by origin. */
export type CrmUpstreams = (origin: string) => Upstream;

/** Each origin's connections are made once, whatever the settings change to and back. */
export function crmUpstreams(egress: Egress): CrmUpstreams {
  const opened = new Map<string, Upstream>();
  return (origin) => {
    // The queue's deadline ends a request; this one only closes a connection that nobody waits for any more.
    const upstream = opened.get(origin) ?? egress.upstream(origin, { timeoutMs: 60_000, maxBytes });
    opened.set(origin, upstream);
    return upstream;
  };
}

/** What a CRM is opened on: the parts of a process. */
type CrmBase = Omit<CrmOptions, 'bitrix24' | 'budget' | 'ttlMinutes' | 'requestTimeoutMs'> & {
  crmUpstream: CrmUpstreams;
};

/** As the settings name it. Of two webhooks the second is used where the first is refused. */
interface CrmSettings {
  CRM_WEBHOOK_URL?: readonly Secret[] | undefined;
  CRM_RESPONSIBLE_WEBHOOK_URL?: readonly Secret[] | undefined;
  CRM_PORTAL_URL?: string | undefined;
  CRM_PLAN: keyof typeof ourLimits;
  CRM_REFRESH_TTL_MINUTES: number;
  CRM_TIMEOUT_SECONDS: number;
  rules: { crm_fields: FieldMap };
}

/** The CRM of one configuration; null if no webhook is configured. Throws for an invalid one, without quoting it. */
export function openCrm(config: CrmSettings, { crmUpstream, ...base }: CrmBase): Crm | null {
  if (!config.CRM_WEBHOOK_URL) return null;
  const bitrix24 = openBitrix24({
    webhookUrls: revealed(config.CRM_WEBHOOK_URL),
    // One webhook may have both scopes.
    responsibleWebhookUrls: revealed(config.CRM_RESPONSIBLE_WEBHOOK_URL ?? config.CRM_WEBHOOK_URL),
    portalUrl: config.CRM_PORTAL_URL ?? null,
    fieldMap: config.rules.crm_fields,
    upstream: crmUpstream,
  });
  const { portal } = bitrix24;
  return new Crm({
    ...base,
    bitrix24,
    budget: openBudget({ ...base, limits: ourLimits[config.CRM_PLAN], portal }),
    ttlMinutes: config.CRM_REFRESH_TTL_MINUTES,
    requestTimeoutMs: config.CRM_TIMEOUT_SECONDS * 1_000,
  });
}

/** A change announced by the CRM. `changed`: a company was changed or deleted. `companyId`: null if none is named. */
export interface CompanyEvent {
  kind: 'added' | 'changed' | 'fields_changed';
  companyId: string | null;
}

/** What an outgoing webhook's form announces (docs/crm.md#events); null if that does not concern us. */
export function readEvent(form: URLSearchParams): CompanyEvent | null {
  const id = form.get('data[FIELDS][ID]')?.trim() ?? '';
  const kind = eventOf((form.get('event') ?? '').trim().toUpperCase());
  return kind && { kind, companyId: /^[1-9]\d{0,19}$/.test(id) ? id : null };
}

function eventOf(name: string): CompanyEvent['kind'] | null {
  if (name.startsWith('ONCRMCOMPANYUSERFIELD')) return 'fields_changed';
  if (name === 'ONCRMCOMPANYADD') return 'added';
  return name === 'ONCRMCOMPANYUPDATE' || name === 'ONCRMCOMPANYDELETE' ? 'changed' : null;
}
