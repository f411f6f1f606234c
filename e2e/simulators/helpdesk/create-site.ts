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
    assignments: new Overlap(),
    closing,
    url: '',
  };
}
