import { setTimeout as wait } from 'node:timers/promises';
import { createHelpdeskSearch } from '#adapters/helpdesk-frappe/reports/search.ts';
import type { StoreParts } from '#adapters/store-sql/store.ts';
import type { Context, Lasting } from '#app/context.ts';
import type { CrmLayers } from '#app/crm/crm-layers.ts';
import { createEnrichmentRuns } from '#app/customer/enrichment-runs.ts';
import { rememberedIn } from '#app/remembered.ts';
import type { Config } from '#config/environment.ts';
import { claimsInForce } from '#config/rules.ts';
import { version } from '#config/version.ts';
import type { Upstream } from '#net/egress.ts';
import { retentionOf } from './retention.ts';
import { serviceKeyOf } from './service-account.ts';

/** What verbs find in the store, under the names that the context has for it. */
export function storedParts(store: StoreParts) {
  return {
    ...store,
    adoptions: store.customerAdoptions,
    bindings: store.customerBindings,
    matches: store.customerMatches,
    rejections: store.companyRejections,
  };
}

/** The context of one configuration: what lasts, and what depends on the settings. */
export function contextOf(
  lasting: Lasting,
  parts: { config: Config; helpdesk: Context['helpdesk']; crm: CrmLayers | null; upstream: Upstream },
): Context {
  const { config, helpdesk, crm, upstream } = parts;
  const { rules } = config;
  return {
    ...lasting,
    helpdesk,
    about: { version, helpdeskUrl: config.HELPDESK_URL },
    remembered: rememberedIn(lasting.memory),
    search: createHelpdeskSearch(upstream, serviceKeyOf(config)),
    crm,
    crmEnabled: config.CRM_ENABLED,
    crmTimeoutMs: config.CRM_TIMEOUT_SECONDS * 1_000,
    claims: rules.claims,
    routing: { ...rules, claims: claimsInForce(rules) },
    hosts: rules,
    platformHost: rules.platform_hosts[0] ?? null,
    retentionMs: retentionOf(config),
    enrichmentRuns: createEnrichmentRuns(),
    pause: (ms, signal) => wait(ms, undefined, { signal }),
  };
}
