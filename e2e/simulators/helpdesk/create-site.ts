import type { HelpdeskSeed } from '#seed/types.ts';
import type { Generation, HelpdeskSettings } from './api.ts';
import { loadSeed } from './seeding/load-seed.ts';
import { siteClock } from './site/clock.ts';
import { JobWorker } from './site/job-worker.ts';
import { OAuthState, Sessions, type Site } from './site/site.ts';
import type { DocType } from './store/doctype.ts';
import { Metadata } from './store/metadata.ts';
import { Store } from './store/store.ts';

/** Sites as their seeds left them, of seeds that cannot change any more: tests start hundreds of one seed. */
const loaded: Record<Generation, WeakMap<HelpdeskSeed, Site>> = { '1.24': new WeakMap(), '1.28': new WeakMap() };

/** A new site with everything that its seed names. It does not listen yet, so its address is empty. */
export function createSite(
  seed: HelpdeskSeed,
  generation: Generation,
  epochMs: () => number,
  closing: AbortSignal,
): Site {
  const known = loaded[generation].get(seed);
  if (known !== undefined) return emptySite(seed, generation, epochMs, closing, known);
  const site = emptySite(seed, generation, epochMs, closing);
  loadSeed(site, seed);
  if (!Object.isFrozen(seed)) return site;
  loaded[generation].set(seed, site);
  return emptySite(seed, generation, epochMs, closing, site);
}

/** `like`: a site to begin as. */
function emptySite(
  seed: HelpdeskSeed,
  generation: Generation,
  epochMs: () => number,
  closing: AbortSignal,
  like?: Site,
): Site {
  const metadata = new Metadata(generation, like?.metadata);
  const store = new Store(metadata, like?.store);
  const clock = siteClock(seed.timeZone, epochMs);
  return {
    generation,
    clock,
    metadata,
    store,
    accounts: new Map(like?.accounts),
    sessions: new Sessions(clock),
    oauth: new OAuthState(),
    settings: siteSettings(metadata, store),
    webhooks: new JobWorker(closing),
    closing,
    url: '',
  };
}

/** The switches of a new site. Those that Helpdesk keeps in HD Settings are read from and written to that document. */
function siteSettings(metadata: Metadata, store: Store): HelpdeskSettings {
  const doctype = metadata.get('HD Settings');
  return {
    language: '',
    page: 'own',
    allowErrorTraceback: true,
    serverScriptEnabled: true,
    refusesAssigneesOutsideTeam: false,
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
