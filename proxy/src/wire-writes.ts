import type { Store } from './adapters/store-sql/store.ts';
import { createEnrichCompany } from './app/enrich-company.ts';
import { createEnrichRecords, type SearchCompany } from './app/enrich-records.ts';
import { createExclusively } from './app/exclusively.ts';
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
import type { Logger } from './ports/logger.ts';
import type { CrmLayers } from './wire-crm.ts';

/** An agent who presses a button waits longer for the owner than one who opens a ticket, but not for ever. */
const ownerWithinMs = 5_000;

/** The verbs that write to the helpdesk, and those that show what was written. `crm`: null where there is no webhook. */
export function wireWrites(parts: {
  config: Config;
  store: Store;
  helpdesk: Helpdesk & HelpdeskRecords;
  crm: CrmLayers | null;
  gate: Gate;
  recordResponsible: RecordResponsible;
  clock: Clock;
  logger: Logger;
}): Pick<HttpDeps, 'enrichCompany' | 'refreshCustomer' | 'getLegacyProfile' | 'syncTicketCustomer' | 'undoSync'> {
  const { config, store, helpdesk, crm, gate, clock } = parts;
  const crmEnabled = config.CRM_ENABLED;
  const deadlineMs = config.CRM_TIMEOUT_SECONDS * 1_000;
  const searchCompany: SearchCompany | null =
    crm && ((orgId, how) => lookupCompany(crm, { ...how, candidates: [orgId], deadlineMs }));
  const shared = {
    gate,
    helpdesk,
    records: helpdesk,
    syncLog: store.syncLog,
    exclusively: createExclusively(store.leases),
    clock,
    crmEnabled,
    logger: parts.logger,
  };
  const enrichRecords = searchCompany && createEnrichRecords({ ...shared, searchCompany });
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
