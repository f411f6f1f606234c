import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Generation, HelpdeskSettings } from '#helpdesk/api.ts';
import type { ServerMessage } from '#helpdesk/errors.ts';
import type { DoctypeRegistry } from '#helpdesk/store/metadata.ts';
import type { DocumentStore, StoredDocument } from '#helpdesk/store/store.ts';
import { hashName } from '#helpdesk/store/store.ts';
import type { HelpdeskUserSeed } from '#seed/types.ts';

/** Everything one running site knows. */
export interface FakeSite {
  generation: Generation;
  clock: SiteClock;
  metadata: DoctypeRegistry;
  store: DocumentStore;
  accounts: Map<string, HelpdeskUserSeed>;
  sessions: Sessions;
  oauth: OAuthState;
  settings: HelpdeskSettings;
  webhooks: JobWorker;
  /** Aborted when the site goes down: ends what it asks others. */
  closing: AbortSignal;
  /** Own address, known once the server listens. */
  url: string;
}

/** The columns that every document has, for one that the site itself makes now, in a user's name. */
export function newColumns(site: FakeSite, user: unknown) {
  const now = site.clock.now();
  return { name: hashName(), owner: user, creation: now, modified: now, modified_by: user, docstatus: 0, idx: 0 };
}

/** A document that must be there, by DocType name; undefined also where the site lacks the DocType. */
export function lookup(site: FakeSite, doctype: string, name: unknown): StoredDocument | undefined {
  const meta = site.metadata.find(doctype);
  return meta === undefined || name === undefined || name === null ? undefined : site.store.find(meta, name);
}

/** All documents of a DocType; none where the site lacks it. */
export function documentsOf(site: FakeSite, doctype: string): readonly StoredDocument[] {
  const meta = site.metadata.find(doctype);
  return meta === undefined ? [] : site.store.all(meta);
}

/** Child rows of a document's table field. */
export function childRows(document: StoredDocument | undefined, fieldname: string): Record<string, unknown>[] {
  const rows = document?.[fieldname];
  return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : [];
}

/** Who does something, and where what Frappe says along the way is collected. */
export interface Actor {
  user: string;
  messages: ServerMessage[];
}

/** An authorization code, until it is exchanged. */
export interface AuthorizationCode {
  clientId: string;
  user: string;
  redirectUri: string;
  scope: string;
  challenge: string;
}

interface BearerToken {
  user: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** Codes and tokens of the OAuth2 provider. Clients are documents of the DocType OAuth Client. */
export class OAuthState {
  readonly codes = new Map<string, AuthorizationCode>();
  readonly tokens = new Map<string, BearerToken>();

  /** The user of a valid access token. */
  userOf(accessToken: string, nowMs: number): string | undefined {
    const token = this.tokens.get(accessToken);
    return token === undefined || token.expiresAt <= nowMs ? undefined : token.user;
  }
}

/** Lifetime of a session in milliseconds: 170 hours, as the recorded cookies say. */
export const sessionLifetimeMs = 612_000_000;

export interface SiteSession {
  sid: string;
  user: string;
  /** Null until the session has been handed a page; from then on every write by cookie must carry it. */
  csrfToken: string | null;
  expiresAt: number;
}

/** Signed-in browsers, by the value of their `sid` cookie. */
export class Sessions {
  private readonly bySid = new Map<string, SiteSession>();
  private readonly clock: SiteClock;

  constructor(clock: SiteClock) {
    this.clock = clock;
  }

  start(user: string): SiteSession {
    const sid = randomBytes(28).toString('hex');
    const session: SiteSession = { sid, user, csrfToken: null, expiresAt: this.clock.epochMs() + sessionLifetimeMs };
    this.bySid.set(sid, session);
    return session;
  }

  find(sid: string): SiteSession | undefined {
    const session = this.bySid.get(sid);
    if (session === undefined || session.expiresAt <= this.clock.epochMs()) return undefined;
    return session;
  }

  end(sid: string): void {
    this.bySid.delete(sid);
  }

  /** The token that pages get and writes have to repeat. */
  csrfToken(session: SiteSession): string {
    session.csrfToken ??= randomBytes(28).toString('hex');
    return session.csrfToken;
  }
}

/**
 * What a DocType's controller adds to saving, in the order of docs/helpdesk.md#inserting-a-ticket. Each part may change
 * the document it is given; up to `validate` it may throw, and nothing is stored before all have passed. Server Scripts
 * run after `beforeInsert`, webhooks are queued after `afterInsert`.
 */
export interface Hooks {
  /** Before scripts and naming: defaults that the controller sets on a new document. */
  beforeInsert?(site: FakeSite, actor: Actor, document: StoredDocument): void;
  /** The name of a new document, where the naming rule alone does not give it. */
  name?(site: FakeSite, document: StoredDocument): string;
  /** On every save; `before` is undefined for a new document. */
  validate?(site: FakeSite, actor: Actor, document: StoredDocument, before: StoredDocument | undefined): void;
  /** After a new document has been stored. */
  afterInsert?(site: FakeSite, actor: Actor, document: StoredDocument): void;
  /** After every save, a new document's too; `before` is undefined for that. */
  afterSave?(site: FakeSite, actor: Actor, document: StoredDocument, before: StoredDocument | undefined): void;
  /** After every save and after deletion. */
  onChange?(site: FakeSite, document: StoredDocument): void;
  /** After deletion alone. */
  afterDelete?(site: FakeSite, document: StoredDocument): void;
}

interface Job {
  /** Milliseconds by the machine's clock. */
  due: number;
  run(): Promise<void>;
}

/** The helpdesk's one job worker: runs jobs strictly one after the other, each not before it is due. */
export class JobWorker {
  private readonly closing: AbortSignal;
  private queued: Job[] = [];
  private working: Promise<void> | null = null;

  /** @param closing ends all waiting; jobs end themselves by it */
  constructor(closing: AbortSignal) {
    this.closing = closing;
  }

  /** Resolves when nothing is left to do, or the site was closed. */
  async idle(): Promise<void> {
    while (this.working !== null) await this.working;
  }

  add(delayMs: number, run: () => Promise<void>): void {
    if (this.closing.aborted) return;
    this.queued.push({ due: performance.now() + delayMs, run });
    this.working ??= this.work().finally(() => {
      this.working = null;
    });
  }

  /** Waits; throws when the site is closed meanwhile. */
  async pause(milliseconds: number): Promise<void> {
    await delay(Math.max(0, milliseconds), undefined, { signal: this.closing });
  }

  private async work(): Promise<void> {
    try {
      for (let next = this.queued[0]; next !== undefined; next = this.queued[0]) {
        await this.pause(next.due - performance.now());
        await next.run();
        this.queued.shift();
      }
    } catch (error) {
      this.queued = [];
      if (!this.closing.aborted) throw error;
    }
  }
}

/** The site's time: naive datetimes in its zone, with microseconds (docs/helpdesk.md#writing). */
export interface SiteClock {
  epochMs(): number;
  /** `YYYY-MM-DD HH:MM:SS.ffffff`; every call gives a later one, so that `modified` always moves. */
  now(): string;
  /** The naive datetime of an instant, without a fraction. */
  format(epochMs: number): string;
  timeZone: string;
}

export function siteClock(timeZone: string, epochMs: () => number): SiteClock {
  const formatter = formatterOf(timeZone);
  let lastMicros = 0;
  // A seed places hundreds of documents in the same second.
  let last = { second: Number.NaN, text: '' };
  const format = (ms: number): string => {
    const second = Math.floor(ms / 1000);
    if (second !== last.second) last = { second, text: formatter.format(ms) };
    return last.text;
  };
  return {
    timeZone,
    epochMs,
    format,
    now() {
      lastMicros = Math.max(Math.floor(epochMs()) * 1000, lastMicros + 1);
      const fraction = String(lastMicros % 1_000_000).padStart(6, '0');
      return `${format(Math.floor(lastMicros / 1000))}.${fraction}`;
    },
  };
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Sweden writes a moment as the database does. Making one takes milliseconds, and tests start many sites. */
function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  const formatter = known ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  formatters.set(timeZone, formatter);
  return formatter;
}
