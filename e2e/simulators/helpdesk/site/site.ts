import type { Generation, HelpdeskSettings } from '#helpdesk/api.ts';
import type { Metadata } from '#helpdesk/store/metadata.ts';
import { hashName } from '#helpdesk/store/naming.ts';
import type { Store, StoredDocument } from '#helpdesk/store/store.ts';
import type { HelpdeskUserSeed } from '#seed/types.ts';
import type { SiteClock } from './clock.ts';
import type { JobWorker } from './job-worker.ts';
import type { OAuthState } from './oauth-state.ts';
import type { Overlap } from './overlap.ts';
import type { Sessions } from './sessions.ts';

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
  assignments: Overlap;
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
