import { randomBytes } from 'node:crypto';
import type { Generation, HelpdeskSettings } from '#helpdesk/api.ts';
import type { ServerMessage } from '#helpdesk/errors.ts';
import type { Metadata } from '#helpdesk/store/metadata.ts';
import type { Store, StoredDocument } from '#helpdesk/store/store.ts';
import { hashName } from '#helpdesk/store/store.ts';
import type { HelpdeskUserSeed } from '#seed/types.ts';
import type { SiteClock } from './clock.ts';
import type { JobWorker } from './job-worker.ts';

/** Everything one running site knows. */
export interface Site {
  generation: Generation;
  clock: SiteClock;
  metadata: Metadata;
  store: Store;
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
export function newColumns(site: Site, user: unknown) {
  const now = site.clock.now();
  return { name: hashName(), owner: user, creation: now, modified: now, modified_by: user, docstatus: 0, idx: 0 };
}

/** A document that must be there, by DocType name; undefined also where the site lacks the DocType. */
export function lookup(site: Site, doctype: string, name: unknown): StoredDocument | undefined {
  const meta = site.metadata.find(doctype);
  return meta === undefined || name === undefined || name === null ? undefined : site.store.find(meta, name);
}

/** All documents of a DocType; none where the site lacks it. */
export function documentsOf(site: Site, doctype: string): readonly StoredDocument[] {
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

/** An authorization code that waits to be exchanged, or has been. */
export interface AuthorizationCode {
  code: string;
  clientId: string;
  user: string;
  redirectUri: string;
  scope: string;
  challenge: string | null;
  challengeMethod: string;
  expiresAt: number;
  used: boolean;
}

export interface BearerToken {
  accessToken: string;
  refreshToken: string;
  clientId: string;
  user: string;
  scope: string;
  /** Epoch milliseconds. */
  expiresAt: number;
  revoked: boolean;
}

/** Codes and tokens of the OAuth2 provider. Clients are documents of the DocType OAuth Client. */
export class OAuthState {
  readonly codes = new Map<string, AuthorizationCode>();
  readonly tokens: BearerToken[] = [];

  /** The user of a valid access token. */
  userOf(accessToken: string, nowMs: number): string | undefined {
    const token = this.tokens.find((candidate) => candidate.accessToken === accessToken);
    return token === undefined || token.revoked || token.expiresAt <= nowMs ? undefined : token.user;
  }
}

/** Lifetime of a session in milliseconds: 170 hours, as the recorded cookies say. */
export const sessionLifetimeMs = 612_000_000;

export interface Session {
  sid: string;
  user: string;
  /** Null until the session has been handed a page; from then on every write by cookie must carry it. */
  csrfToken: string | null;
  expiresAt: number;
}

/** Signed-in browsers, by the value of their `sid` cookie. */
export class Sessions {
  private readonly bySid = new Map<string, Session>();
  private readonly clock: SiteClock;

  constructor(clock: SiteClock) {
    this.clock = clock;
  }

  start(user: string): Session {
    const sid = randomBytes(28).toString('hex');
    const session: Session = { sid, user, csrfToken: null, expiresAt: this.clock.epochMs() + sessionLifetimeMs };
    this.bySid.set(sid, session);
    return session;
  }

  find(sid: string): Session | undefined {
    const session = this.bySid.get(sid);
    if (session === undefined || session.expiresAt <= this.clock.epochMs()) return undefined;
    return session;
  }

  end(sid: string): void {
    this.bySid.delete(sid);
  }

  /** The token that pages get and writes have to repeat. */
  csrfToken(session: Session): string {
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
  beforeInsert?(site: Site, actor: Actor, document: StoredDocument): void;
  /** The name of a new document, where the naming rule alone does not give it. */
  name?(site: Site, document: StoredDocument): string;
  /** On every save; `before` is undefined for a new document. */
  validate?(site: Site, actor: Actor, document: StoredDocument, before: StoredDocument | undefined): void;
  /** After a new document has been stored. */
  afterInsert?(site: Site, actor: Actor, document: StoredDocument): void;
  /** After every save, a new document's too; `before` is undefined for that. */
  afterSave?(site: Site, actor: Actor, document: StoredDocument, before: StoredDocument | undefined): void;
  /** After every save and after deletion. */
  onChange?(site: Site, document: StoredDocument): void;
  /** After deletion alone. */
  afterDelete?(site: Site, document: StoredDocument): void;
}
