import type { Store } from '#adapters/store-sql/store.ts';
import type { AgentGate } from '#app/access/agent-gate.ts';
import type { Context } from '#app/context.ts';
import type { CrmLayers } from '#app/crm/crm-layers.ts';
import { createDescribeCompany } from '#app/crm/describe-company.ts';
import { findOwner } from '#app/crm/find-owner.ts';
import type { LimitRefreshes } from '#app/crm/limit-refreshes.ts';
import { lookupCompany } from '#app/crm/lookup-company.ts';
import type { ConsiderNeeds } from '#app/customer/adopt/consider-adoption.ts';
import { createChooseCompany } from '#app/customer/choose-company.ts';
import { createEnrichCompany } from '#app/customer/enrich-company.ts';
import { createEnrichRecords, type EnrichRecords, type SearchCompany } from '#app/customer/enrich-records.ts';
import { createNoteCheck } from '#app/customer/note-check.ts';
import { createRefreshCustomer } from '#app/customer/refresh-customer.ts';
import { createRejectCompany } from '#app/customer/reject/reject-company.ts';
import { createUndoRejection } from '#app/customer/reject/undo-rejection.ts';
import { createSyncTicketCustomer } from '#app/customer/sync/sync-ticket-customer.ts';
import { createUndoSync } from '#app/customer/sync/undo-sync.ts';
import { createGetLegacyProfile } from '#app/profile/get-legacy-profile.ts';
import type { RecordResponsible } from '#app/profile/record-responsible.ts';
import type { WithLock } from '#app/runtime/duties/with-lock.ts';
import { type JudgeMatch, judgeMatch } from '#app/trust/judge-match.ts';
import {
  earlierChoices,
  identifySender,
  type Raised,
  type SenderMemory,
  standingRejections,
} from '#app/trust/sender-memory.ts';
import type { Config } from '#config/environment.ts';
import { claimsInForce } from '#config/rules.ts';
import { matchReasons } from '#domain/find/match-reasons.ts';
import { isPublicMailDomain } from '#domain/trust/mail-domains.ts';
import type { HttpDeps } from '#http/app.ts';
import type { Helpdesk } from '#ports/helpdesk/helpdesk.ts';
import type { HelpdeskRecords } from '#ports/helpdesk/helpdesk-records.ts';
import type { HelpdeskTickets } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Logger } from '#ports/runtime/logger.ts';
import type { Routing } from './routing.ts';

interface Parts {
  ctx: Context;
  config: Config;
  store: Store;
  helpdesk: Helpdesk & HelpdeskRecords & HelpdeskTickets;
  /** Null if no webhook is configured. */
  crm: CrmLayers | null;
  gate: AgentGate;
  withLock: WithLock;
  clock: Clock;
  logger: Logger;
}

/** What looks companies up and turns them into customers, for all callers. */
export interface Enrichment {
  senderMemory: SenderMemory;
  judgeMatch: JudgeMatch;
  searchCompany: SearchCompany | null;
  enrichRecords: EnrichRecords | null;
  adopt: ConsiderNeeds;
}

/** The one place where companies become customers. */
export function wireEnrichment({
  ctx,
  config,
  store,
  helpdesk,
  crm,
  gate,
  withLock,
  clock,
  logger,
}: Parts): Enrichment {
  const deadlineMs = config.CRM_TIMEOUT_SECONDS * 1_000;
  const searchCompany: SearchCompany | null =
    crm && ((orgId, how) => lookupCompany(crm, { ...how, orgId, deadlineMs }));
  const platformHost = platformHostOf(config);
  const { syncLog, decisions, customerBindings: bindings, customerAdoptions: adoptions, writtenFacts } = store;
  const judge: JudgeMatch = (match, signal) => judgeMatch(ctx, match, signal);
  const senderMemory: SenderMemory = {
    rejections: (raised) => standingRejections(ctx, raised),
    choices: (raised) => earlierChoices(ctx, raised),
  };
  const shared = {
    gate,
    judgeMatch: judge,
    senderMemory,
    records: helpdesk,
    bindings,
    adoptions,
    writtenFacts,
    syncLog,
    withLock,
    platformHost,
    logger,
  };
  const enrichRecords = searchCompany && createEnrichRecords({ ...shared, searchCompany });
  const adopt = { ...shared, helpdesk, decisions, clock, isPublicMailDomain, companiesOf: companiesOf(crm) };
  return { senderMemory, judgeMatch: judge, searchCompany, enrichRecords, adopt };
}

/** The verbs that write to the helpdesk, and those that show what was written. */
export function wireWrites(
  parts: Parts & {
    enrichment: Enrichment;
    limitRefreshes: LimitRefreshes;
    recordResponsible: RecordResponsible;
    claimConfirmed: (ticket: string) => void;
    move: Routing['move'];
  },
): Pick<
  HttpDeps,
  | 'enrichCompany'
  | 'refreshCustomer'
  | 'getLegacyProfile'
  | 'syncTicketCustomer'
  | 'undoSync'
  | 'rejectCompany'
  | 'undoRejection'
> {
  const { ctx, config, store, helpdesk, crm, gate, withLock, limitRefreshes, clock } = parts;
  const { searchCompany, enrichRecords } = parts.enrichment;
  const crmEnabled = config.CRM_ENABLED;
  const claims = claimsInForce(config.rules);
  const shared = {
    ...{
      gate,
      helpdesk,
      records: helpdesk,
      bindings: store.customerBindings,
      adoptions: store.customerAdoptions,
      writtenFacts: store.writtenFacts,
      syncLog: store.syncLog,
      rejections: store.companyRejections,
      senderMemory: parts.enrichment.senderMemory,
      identifySender: (ticket: Pick<Raised, 'origin'>, signal: AbortSignal) => identifySender(ctx, ticket, signal),
      withLock,
      clock,
      crmEnabled,
      limitRefreshes,
    },
    platformHost: platformHostOf(config),
    logger: parts.logger,
  };
  const refreshCustomer = createRefreshCustomer({
    ...shared,
    crm: crm &&
      enrichRecords && {
        enrichRecords,
        ownerOf: (id, how) => findOwner(crm, { id, refresh: true, ...how }),
      },
  });
  return {
    enrichCompany: createEnrichCompany({
      ...shared,
      enrichRecords,
      noteCheck: createNoteCheck({ ...shared, tickets: helpdesk }),
      claims,
    }),
    refreshCustomer,
    getLegacyProfile: createGetLegacyProfile({
      ...shared,
      refreshCustomer,
      recordResponsible: parts.recordResponsible,
      judgeMatch: parts.enrichment.judgeMatch,
      claims,
    }),
    syncTicketCustomer: createSyncTicketCustomer({
      ...shared,
      tickets: helpdesk,
      move: parts.move.bySync,
      chooseCompany:
        searchCompany && createChooseCompany({ ...parts.enrichment, decisions: store.decisions, searchCompany }),
      claimConfirmed: parts.claimConfirmed,
    }),
    undoSync: createUndoSync({ ...shared, moveBack: parts.move.back }),
    rejectCompany: createRejectCompany({
      ...shared,
      tickets: helpdesk,
      decisions: store.decisions,
      describeCompany: createDescribeCompany(crmEnabled ? crm : null),
    }),
    undoRejection: createUndoRejection({ ...shared, tickets: helpdesk }),
  };
}

/** Whom the CRM knows by an address; nobody where there is no CRM. */
function companiesOf(crm: CrmLayers | null): ConsiderNeeds['companiesOf'] {
  return async (value) => {
    const readings = [{ kind: 'email', value }] as const;
    const answer = await crm?.searchCompanies(readings, 'open');
    if (answer?.failed !== null) return null;
    return answer.companies.filter(({ marks }) => matchReasons(readings, marks).length > 0);
  };
}

/** The first of the platform's hosts is the one under which it currently gives out domains. */
export function platformHostOf({ rules }: Config): string | null {
  return rules.platform_hosts[0] ?? null;
}
