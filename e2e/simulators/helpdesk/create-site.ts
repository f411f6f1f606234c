import type { HelpdeskSeed } from '#seed/types.ts';
import type { Generation } from './api.ts';
import { loadSeed } from './seeding/load-seed.ts';
import { siteClock } from './site/clock.ts';
import { JobWorker } from './site/job-worker.ts';
import { OAuthState } from './site/oauth-state.ts';
import { Overlap } from './site/overlap.ts';
import { Sessions } from './site/sessions.ts';
import { siteSettings } from './site/settings.ts';
import type { Site } from './site/site.ts';
import { Metadata } from './store/metadata.ts';
import { Store } from './store/store.ts';

/** A new site with everything that its seed names. It does not listen yet, so its address is empty. */
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
