import type { Store } from '#adapters/store-sql/store.ts';
import type { AgentGate } from '#app/access/agent-gate.ts';
import { type Context, hasCrm } from '#app/context.ts';
import type { CrmLayers } from '#app/crm/crm-layers.ts';
import { findCachedCompany } from '#app/crm/find-cached-company.ts';
import { searchCompany } from '#app/crm/search-company.ts';
import { considerAdoption } from '#app/customer/adopt/consider-adoption.ts';
import { enrichRecords } from '#app/customer/enrich-records.ts';
import { createIntakeForDecision } from '#app/intake/intake-for-decision.ts';
import { createNameCandidates } from '#app/intake/name-candidates.ts';
import { createAdoptTicket } from '#app/routing/after-restore/adopt-ticket.ts';
import type { LearnTurns } from '#app/routing/after-restore/learn-turns.ts';
import { createApplyDecision } from '#app/routing/apply-decision.ts';
import { createDecideBeforeInsert, type DecideBeforeInsert } from '#app/routing/decide-before-insert.ts';
import { createDecisionWriter } from '#app/routing/decision-writer.ts';
import { createGatherRoutingInputs } from '#app/routing/gather-routing-inputs.ts';
import { createMoveBack, type MoveBack } from '#app/routing/move/move-back.ts';
import { createMoveBySync, type MoveBySync } from '#app/routing/move/move-by-sync.ts';
import { createNoticeOtherInstallation } from '#app/routing/notice-other-installation.ts';
import { createRunTicketPipeline, type RunTicketPipeline } from '#app/routing/run-ticket-pipeline.ts';
import type { Background } from '#app/runtime/background.ts';
import type { WithLock } from '#app/runtime/duties/with-lock.ts';
import { recordFirstState } from '#app/trust/first-state.ts';
import type { JudgeMatch } from '#app/trust/judge-match.ts';
import type { SenderMemory } from '#app/trust/sender-memory.ts';
import type { Config } from '#config/environment.ts';
import { claimsInForce } from '#config/rules.ts';
import type { HelpdeskTickets } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { RememberedMeta } from '#ports/intake/store-meta.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Logger } from '#ports/runtime/logger.ts';
import type { Pipeline } from './pipeline.ts';
import { retentionOf } from './retention.ts';

/** How tickets are routed under one configuration. */
export interface Routing {
  /** Takes one ticket to its end. */
  run: RunTicketPipeline;
  decideBeforeInsert: DecideBeforeInsert;
  /** Moves a ticket after a Sync, and back after its undo. */
  move: { bySync: MoveBySync; back: MoveBack };
}

/** Part of the composition root: how tickets are routed (ARCHITECTURE.md#a-new-ticket). */
export function wireRouting(parts: {
  ctx: Context;
  config: Config;
  store: Pick<Store, 'inbox' | 'sweepMark' | 'decisions' | 'syncLog' | 'companyRejections' | 'upkeep'>;
  helpdesk: HelpdeskTickets;
  crm: CrmLayers | null;
  storeMeta: RememberedMeta;
  gate: AgentGate;
  withLock: WithLock;
  senderMemory: SenderMemory;
  judgeMatch: JudgeMatch;
  pipeline: Pipeline;
  learnTurns: LearnTurns;
  background: Background;
  clock: Clock;
  logger: Logger;
}): Routing {
  const { ctx, config, store, helpdesk, crm, pipeline, background, clock, logger } = parts;
  const { inbox, decisions } = store;
  const claims = claimsInForce(config.rules);
  const routing = { ...config.rules, claims };
  const shared = { tickets: helpdesk, decisions, inbox, withLock: parts.withLock, clock, logger };
  const apply = createApplyDecision({ ...shared, gate: parts.gate });
  const intake = createIntakeForDecision({
    storeMeta: parts.storeMeta,
    tickets: helpdesk,
    rules: routing,
    stopped: pipeline.stopped,
    decideAgain: (ticket) => background.run(`meta ${ticket}`, () => pipeline.decideAgain(ticket)),
  });
  const writer = createDecisionWriter({ ...shared, apply, routing });
  const run = createRunTicketPipeline({
    ...shared,
    writer,
    routing,
    adopt: createAdoptTicket({ ...shared, upkeep: store.upkeep, learnTurns: parts.learnTurns, teams: routing.teams }),
    isRoutedElsewhere: createNoticeOtherInstallation({ ...shared, mark: store.sweepMark }),
    retentionMs: retentionOf(config),
    see: (ticket, signal) => recordFirstState(parts.ctx, ticket, signal),
    gather: createGatherRoutingInputs({
      ...shared,
      judgeMatch: parts.judgeMatch,
      nameCandidates: createNameCandidates({ intake, decisions, senderMemory: parts.senderMemory }),
      crmEnabled: config.CRM_ENABLED,
      searchCompany: hasCrm(ctx) ? (orgId, how) => searchCompany(ctx, orgId, how) : null,
      enrichRecords: hasCrm(ctx) ? (input) => enrichRecords(ctx, input) : null,
      considerAdoption: (about, signal) => considerAdoption(ctx, about, signal),
      claims,
    }),
    crmAnswers: async (orgId) =>
      !hasCrm(ctx) || (await searchCompany(ctx, orgId, { refresh: false, lane: 'backfill' })).status !== 'error',
  });

  return {
    run,
    move: {
      bySync: createMoveBySync({ ...shared, writer, claims, gate: parts.gate }),
      back: createMoveBack({ ...shared, syncLog: store.syncLog, writer }),
    },
    decideBeforeInsert: createDecideBeforeInsert({
      decisions,
      senderMemory: parts.senderMemory,
      routing,
      clock,
      findCachedCompany: config.CRM_ENABLED && crm ? (orgId) => findCachedCompany(crm, orgId) : null,
    }),
  };
}
