import type { OrgId } from '@deskside/shared/orgid';
import type { Metrics } from '#runtime/log.ts';
import type { Memory, MemoryArea } from '#runtime/memory.ts';
import type { CachedCompany, CachedUser, CheckedAnswer, CrmCompany } from '#store/profile-cache.ts';
import * as cache from '#store/profile-cache.ts';
import { chunksOf, type StateDb } from '#store/schema.ts';
import { contactsPage } from './bitrix24.ts';

/** How long CRM answers may be used without asking again, in milliseconds. 0 means not at all. */
export interface Lifetimes {
  company: number;
  /** "No such company" is kept briefly, because a new shop can appear in the CRM at any moment. */
  negative: number;
  /** The account owner may change or leave without any change to the company's record (docs/crm.md#people). */
  owner: number;
}

const minute = 60_000;

/** The lifetimes derived from the configured TTL, `CRM_REFRESH_TTL_MINUTES` (decision 3: deadlines). */
export function lifetimesOf(ttlMinutes: number): Lifetimes {
  const company = ttlMinutes * minute;
  return { company, negative: Math.min(company, 5 * minute), owner: Math.min(company, 60 * minute) };
}

/** An answer no older than this may be shown at once, marked as old, while a newer one is fetched. */
export const servableForMs = 24 * 60 * minute;

/**
 * How long to wait for the newer answer, in milliseconds. The CRM has usually answered by then; if not, an agent who
 * opens a ticket is better served with what is at hand.
 */
export const patienceMs = 1_000;

/**
 * Whether a check still counts: its age is strictly below the lifetime (decision 3: deadlines). A check in the future,
 * which happens when the clock is set back, does not count.
 */
export function isFresh(checkedAt: number, lifetime: number, now: number): boolean {
  const age = now - checkedAt;
  return age >= 0 && age < lifetime;
}

/** For this long, a contact who is added in the CRM is not asked for by address again. */
const strangerMs = 3_600_000;
/** For this long, a newer owner stored by another process is not seen. */
const rememberMs = 30_000;

/**
 * The answers that are kept of one portal: in the store, and those that were read lately in memory. Of a company the store
 * says each time which answer counts, so that what one process has learnt all others have at once.
 */
export class AnswerCache {
  readonly #db: StateDb;
  readonly #portal: string;
  readonly #metrics: Pick<Metrics, 'companiesRead'>;
  readonly #companies: MemoryArea<CachedCompany>;
  readonly #users: MemoryArea<CachedUser>;
  /** Senders who are none of a company's contacts, by org id and address. */
  readonly #strangers: MemoryArea<object>;
  /** Counts changes, so that what was read before one does not bring back the older value. */
  #changes = 0;

  constructor(db: StateDb, portal: string, memory: Memory, metrics: Pick<Metrics, 'companiesRead'>) {
    this.#db = db;
    this.#portal = portal;
    this.#metrics = metrics;
    this.#companies = memory.area<CachedCompany>({ ttlMs: rememberMs, max: 1_000 });
    this.#users = memory.area<CachedUser>({ ttlMs: rememberMs, max: 1_000 });
    this.#strangers = memory.area<object>({ ttlMs: strangerMs, max: 1_000 });
  }

  async company(orgId: OrgId): Promise<CachedCompany | undefined> {
    const before = this.#changes;
    const version = await cache.getVersion(this.#db, this.#portal, orgId);
    // An answer may have come while it was read: to ask for it once more would cost a request.
    if (version === undefined && before !== this.#changes) return this.company(orgId);
    const remembered = this.#companies.get(orgId);
    const isRemembered = version !== undefined && remembered?.checkedAt === version.checkedAt;
    this.#metrics.companiesRead('memory', isRemembered ? 'hit' : 'miss', 1);
    if (isRemembered) return { ...remembered, outdated: version.outdated };
    const stored = version && (await cache.getCompanies(this.#db, this.#portal, [orgId])).get(orgId);
    if (stored) this.#companies.set(orgId, stored);
    this.#metrics.companiesRead('store', stored ? 'hit' : 'miss', 1);
    return stored;
  }

  /** Notes which of the senders who were asked for are none of the company's contacts. */
  noteStrangers(orgId: OrgId, companies: readonly CrmCompany[], senders: readonly string[]): void {
    const known = emailsOf(companies);
    for (const sender of senders) if (!known.has(sender)) this.#strangers.set(`${orgId} ${sender}`, {});
  }

  /** Whether one of the senders may be a contact whom the look-up did not list, since there are more than it lists. */
  mayLack(orgId: OrgId, companies: readonly CrmCompany[], senders: readonly string[]): boolean {
    if ((companies[0]?.contacts.length ?? 0) < contactsPage) return false;
    const known = emailsOf(companies);
    return senders.some((sender) => !known.has(sender) && !this.#strangers.get(`${orgId} ${sender}`));
  }

  async companies(orgIds: readonly OrgId[]): Promise<Map<OrgId, CachedCompany>> {
    const stored: [OrgId, CachedCompany][] = [];
    for (const some of chunksOf([...new Set(orgIds)]))
      stored.push(...(await cache.getCompanies(this.#db, this.#portal, some)));
    return new Map(stored);
  }

  /** The record of one of an org id's companies, as the CRM sent it; null if it is not kept. */
  payload(orgId: OrgId, crmId: string): Promise<string | null> {
    return cache.getPayload(this.#db, this.#portal, orgId, crmId);
  }

  /** `askedAt` (epoch milliseconds): these answers may not reflect what the CRM has announced after that. */
  async putCompanies(entries: ReadonlyMap<OrgId, CheckedAnswer>, askedAt: number): Promise<void> {
    const forget = () => {
      for (const orgId of entries.keys()) this.#companies.delete(orgId);
    };
    await this.#write(forget, () => cache.putCompanies(this.#db, this.#portal, entries, askedAt));
  }

  /** The company changed in the CRM at this time (epoch milliseconds). Returns the org ids whose entries contain it. */
  async markOutdated(crmCompanyId: string, moment: number): Promise<OrgId[]> {
    return cache.markOutdated(this.#db, this.#portal, crmCompanyId, moment);
  }

  /** Forgets every "no such company". */
  async forgetMissing(): Promise<void> {
    await cache.deleteNegative(this.#db, this.#portal);
  }

  async user(id: string): Promise<CachedUser | null> {
    const remembered = this.#users.get(id);
    if (remembered) return remembered;
    const before = this.#changes;
    const stored = await cache.getUser(this.#db, this.#portal, id);
    if (stored && before === this.#changes) this.#users.set(id, stored);
    return stored;
  }

  async putUsers(entries: ReadonlyMap<string, CachedUser>): Promise<void> {
    const forget = () => {
      for (const id of entries.keys()) this.#users.delete(id);
    };
    await this.#write(forget, () => cache.putUsers(this.#db, this.#portal, entries));
  }

  /** Forgets before the write, so that no failure leaves an outdated value behind, and again after it. */
  async #write(forget: () => void, write: () => Promise<void>): Promise<void> {
    this.#changes += 1;
    forget();
    try {
      await write();
    } finally {
      this.#changes += 1;
      forget();
    }
  }
}

function emailsOf(companies: readonly CrmCompany[]): Set<string> {
  return new Set(companies.flatMap(({ contacts }) => contacts.flatMap(({ emails }) => emails)));
}
