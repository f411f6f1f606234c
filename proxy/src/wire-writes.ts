import type { Store } from './adapters/store-sql/store.ts';
import { createEnrichCompany } from './app/enrich-company.ts';
import { createEnrichRecords, type EnrichRecords, type SearchCompany } from './app/enrich-records.ts';
import { createExclusively, type Exclusively } from './app/exclusively.ts';
import { findOwner } from './app/find-owner.ts';
import { createGetLegacyProfile } from './app/get-legacy-profile.ts';
import { lookupCompany } from './app/lookup-company.ts';
import type { Gate } from './app/open-ticket.ts';
import type { RecordResponsible } from './app/record-responsible.ts';
import { createRefreshCustomer } from './app/refresh-customer.ts';
import { createSyncTicketCustomer } from './app/sync-ticket-customer.ts';
import { createUndoSync } from './app/undo-sync.ts';
import type { Config } from './config.ts';
import type { HttpDeps } from './http/app.ts';
import type { Clock } from './ports/clock.ts';
import type { Helpdesk } from './ports/helpdesk.ts';
import type { HelpdeskRecords } from './ports/helpdesk-records.ts';
import type { HelpdeskTickets } from './ports/helpdesk-tickets.ts';
import type { Logger } from './ports/logger.ts';
import type { CrmLayers } from './wire-crm.ts';

/** An agent who presses a button waits longer for the owner than one who opens a ticket, but not for ever. */
const ownerWithinMs = 5_000;

interface Parts {
  config: Config;
  store: Store;
  helpdesk: Helpdesk & HelpdeskRecords & HelpdeskTickets;
  /** Null where there is no webhook. */
  crm: CrmLayers | null;
  gate: Gate;
  clock: Clock;
  logger: Logger;
}

/** What looks companies up and makes them customers, for whoever asks. */
export interface Enrichment {
  exclusively: Exclusively;
  searchCompany: SearchCompany | null;
  enrichRecords: EnrichRecords | null;
}

/** The one way in which companies become customers. */
export function wireEnrichment({ config, store, helpdesk, crm, gate, logger }: Parts): Enrichment {
  const deadlineMs = config.CRM_TIMEOUT_SECONDS * 1_000;
  const searchCompany: SearchCompany | null =
    crm && ((orgId, how) => lookupCompany(crm, { ...how, candidates: [orgId], deadlineMs }));
  const exclusively = createExclusively(store.leases);
  const platformHost = platformHostOf(config);
  const shared = { gate, helpdesk, records: helpdesk, syncLog: store.syncLog, exclusively, platformHost, logger };
  const enrichRecords = searchCompany && createEnrichRecords({ ...shared, searchCompany });
  return { exclusively, searchCompany, enrichRecords };
}

/** The verbs that write to the helpdesk, and those that show what was written. */
export function wireWrites(
  parts: Parts & { enrichment: Enrichment; recordResponsible: RecordResponsible },
): Pick<HttpDeps, 'enrichCompany' | 'refreshCustomer' | 'getLegacyProfile' | 'syncTicketCustomer' | 'undoSync'> {
  const { config, store, helpdesk, crm, gate, clock } = parts;
  const { exclusively, searchCompany, enrichRecords } = parts.enrichment;
  const crmEnabled = config.CRM_ENABLED;
  const shared = {
    ...{ gate, helpdesk, records: helpdesk, syncLog: store.syncLog, exclusively, clock, crmEnabled },
    platformHost: platformHostOf(config),
    logger: parts.logger,
  };
  const refreshCustomer = createRefreshCustomer({
    ...shared,
    crm: crm &&
      enrichRecords && {
        enrichRecords,
        ownerOf: (id, startedAt) => findOwner(crm, { id, refresh: true, startedAt, deadlineMs: ownerWithinMs }),
      },
  });
  return {
    enrichCompany: createEnrichCompany({ ...shared, enrichRecords }),
    refreshCustomer,
    getLegacyProfile: createGetLegacyProfile({
      ...shared,
      refreshCustomer,
      recordResponsible: parts.recordResponsible,
    }),
    syncTicketCustomer: createSyncTicketCustomer({ ...shared, searchCompany }),
    undoSync: createUndoSync(shared),
  };
}

/** The first of the platform's hosts is the one that it gives domains under today. */
function platformHostOf({ RULES_FILE }: Config): string | null {
  return RULES_FILE.platform_hosts[0] ?? null;
}
