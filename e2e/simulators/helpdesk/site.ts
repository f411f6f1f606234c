import type { HelpdeskSeed, HelpdeskUserSeed } from '../seed/types.ts';
import type { Generation, HelpdeskSettings } from './api.ts';
import { Overlap } from './assign-race.ts';
import { type SiteClock, siteClock } from './clock.ts';
import { type DocType, Metadata } from './metadata.ts';
import { OAuthState } from './oauth-state.ts';
import { loadSeed } from './seeding.ts';
import { Sessions } from './sessions.ts';
import { Store, type StoredDocument } from './store.ts';
import { JobWorker } from './webhooks/worker.ts';

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

export function createSite(
  seed: HelpdeskSeed,
  generation: Generation,
  epochMs: () => number,
  closing: AbortSignal,
): Site {
  const metadata = new Metadata(generation);
  const store = new Store(metadata);
  const clock = siteClock(seed.timeZone, epochMs);
  const site: Site = {
    generation,
    clock,
    metadata,
    store,
    accounts: new Map(),
    sessions: new Sessions(clock),
    oauth: new OAuthState(),
    settings: siteSettings(metadata, store),
    webhooks: new JobWorker(closing),
    assignments: new Overlap(),
    closing,
    url: '',
  };
  loadSeed(site, seed);
  return site;
}

/** A document that must be there, by DocType name; undefined also where the site lacks the DocType. */
export function lookup(site: Site, doctype: string, name: unknown): StoredDocument | undefined {
  const meta = site.metadata.find(doctype);
  return meta === undefined || name === undefined || name === null ? undefined : site.store.find(meta, name);
}

/** All documents of a DocType; none where the site lacks it. */
export function documentsOf(site: Site, doctype: string): StoredDocument[] {
  const meta = site.metadata.find(doctype);
  return meta === undefined ? [] : site.store.all(meta);
}

/** Child rows of a document's table field. */
export function childRows(document: StoredDocument | undefined, fieldname: string): Record<string, unknown>[] {
  const rows = document?.[fieldname];
  return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : [];
}

function siteSettings(metadata: Metadata, store: Store): HelpdeskSettings {
  const doctype = metadata.get('HD Settings');
  return {
    allowErrorTraceback: true,
    serverScriptEnabled: true,
    assignRace: false,
    webhookDelayMs: 20,
    webhookTimeoutMs: null,
    webhookPauseScale: 1,
    get restrictTicketsByAgentGroup() {
      return readSwitch(store, doctype, 'restrict_tickets_by_agent_group');
    },
    set restrictTicketsByAgentGroup(on) {
      writeSwitch(store, doctype, 'restrict_tickets_by_agent_group', on);
    },
    get doNotRestrictTicketsWithoutAnAgentGroup() {
      return readSwitch(store, doctype, 'do_not_restrict_tickets_without_an_agent_group');
    },
    set doNotRestrictTicketsWithoutAnAgentGroup(on) {
      writeSwitch(store, doctype, 'do_not_restrict_tickets_without_an_agent_group', on);
    },
  };
}

function readSwitch(store: Store, doctype: DocType, field: string): boolean {
  return store.find(doctype, doctype.name)?.[field] === 1;
}

function writeSwitch(store: Store, doctype: DocType, field: string, on: boolean): void {
  const document = store.find(doctype, doctype.name);
  if (document !== undefined) store.put(doctype, { ...document, [field]: on ? 1 : 0 });
}
