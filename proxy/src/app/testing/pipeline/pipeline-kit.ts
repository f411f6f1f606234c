import type { OrgId } from '@deskside/shared/orgid';
import type { Finding } from '@deskside/shared/routing';
import { memoryStore } from '#adapters/store-sql/testing/memory-store.ts';
import type { Considered } from '#app/customer/adopt/consider-adoption.ts';
import type { Intake } from '#app/intake/intake-ticket.ts';
import { createNameCandidates } from '#app/intake/name-candidates.ts';
import { createAdoptTicket } from '#app/routing/after-restore/adopt-ticket.ts';
import { createLearnTurns, withKnownTurns } from '#app/routing/after-restore/learn-turns.ts';
import { createApplyDecision } from '#app/routing/apply-decision.ts';
import { createAssignWaiting } from '#app/routing/assign-waiting.ts';
import { createDecisionWriter } from '#app/routing/decision-writer.ts';
import { createGatherRoutingInputs } from '#app/routing/gather-routing-inputs.ts';
import { createProcessInbox } from '#app/routing/inbox/process-inbox.ts';
import { createSweepTickets } from '#app/routing/inbox/sweep-tickets.ts';
import { createMoveBack } from '#app/routing/move/move-back.ts';
import { createMoveBySync } from '#app/routing/move/move-by-sync.ts';
import { createNoticeOtherInstallation } from '#app/routing/notice-other-installation.ts';
import { createRunTicketPipeline } from '#app/routing/run-ticket-pipeline.ts';
import type { AppError } from '#app/runtime/app-error.ts';
import { createWithLock } from '#app/runtime/duties/with-lock.ts';
import { currentOrgId } from '#app/testing/fake-helpdesk.ts';
import { fakeLeases } from '#app/testing/fake-leases.ts';
import { fakeDecisions, fakeInbox, fakeUpkeep } from '#app/testing/fake-pipeline-store.ts';
import { fakeRejections, fakeSenderMemory, fakeSyncLog } from '#app/testing/fake-sender-memory.ts';
import type { NewTicket } from '#app/testing/fake-ticket.ts';
import { fakeTickets } from '#app/testing/fake-tickets.ts';
import { fakeClock, silent } from '#app/testing/fakes.ts';
import { recordFirstState } from '#app/trust/first-state.ts';
import { type JudgeMatch, judgeMatch } from '#app/trust/judge-match.ts';
import type { RoutingConfig } from '#domain/routing/decide-routing.ts';
import type { SenderTies } from '#ports/helpdesk/helpdesk.ts';
import type { PipelineTicket } from '#ports/helpdesk/helpdesk-tickets.ts';
import { medium, pipelineCrm } from './pipeline-crm.ts';
import { cs, grow, routingConfig, scale } from './pipeline-rules.ts';

/** How long records are kept, in milliseconds. */
export const retentionMs = 400 * 24 * 3_600_000;

/** What intake finds in a ticket's description. */
export const inText: Finding = {
  ...{ kind: 'org_id', value: medium, source: 'text', field: 'description', quote: '', address: null },
};

/** A ticket with an org id. */
export function withOrgId(orgId: string | null, ticket: NewTicket['ticket'] = {}): NewTicket {
  return { ticket: { orgIdFields: [currentOrgId(orgId)], ...ticket } };
}

/** A helpdesk with three teams. */
function newHelpdesk() {
  const clock = fakeClock();
  const tickets = fakeTickets(clock);
  tickets.addTeam(scale, ['an@desk.example', 'binh@desk.example']);
  tickets.addTeam(grow, ['dung@desk.example']);
  tickets.addTeam(cs, ['hoa@desk.example', 'khoa@desk.example', 'linh@desk.example']);
  return { clock, tickets };
}

/**
 * The pipeline with fake ports: three teams, and a CRM with three companies that can be made to fail. `helpdesk`: of
 * another world, for two installations on one helpdesk.
 */
export function pipelineWorld({
  claims = 'accept',
  configured = true,
  crmEnabled = true,
  helpdesk: { clock, tickets } = newHelpdesk(),
}: {
  claims?: RoutingConfig['claims'];
  configured?: boolean;
  crmEnabled?: boolean;
  helpdesk?: ReturnType<typeof newHelpdesk>;
} = {}) {
  const store = memoryStore(clock);
  const { sweepMark: mark } = store;
  const kept = fakeDecisions(store);
  const upkeep = fakeUpkeep(store);
  const inbox = fakeInbox(store);
  const syncLog = fakeSyncLog(store);
  const rejections = fakeRejections(store);
  const senderMemory = fakeSenderMemory(syncLog, rejections);
  const leases = fakeLeases(store);
  const world = {
    crmDown: false,
    asked: [] as OrgId[],
    intake: { orgId: null, platformDomain: null, findings: [], metaFailures: [], failed: false } as Intake,
    /** For each time that intake read: whether it was to read the store fields alone. */
    readStoresOnly: [] as boolean[],
    ties: { customers: [] } as SenderTies,
    /** The only org id that the ties are about; null: any. */
    tiesOf: null as OrgId | null,
    alerts: [] as string[],
    /** Everything that was logged as a warning or an error. */
    complaints: [] as string[],
    whileAsking: (_orgId: OrgId): Promise<void> | void => {},
    enrichmentFails: null as AppError | null,
    adopting: [] as boolean[],
    /** What becomes of a customer that was made by hand. */
    considered: null as Considered | null,
  };
  const logger = {
    ...silent,
    warn: (_: object, message: string) => void world.complaints.push(message),
    error(fields: object, message: string) {
      world.complaints.push(message);
      if ('alert' in fields) world.alerts.push(String(fields.alert));
    },
  };

  const { searchCompany, enrichRecords } = pipelineCrm(world, { clock, tickets });
  const routing: RoutingConfig = { ...routingConfig, claims };

  /** One process of several on one store. */
  const process = () => {
    const stop = new AbortController();
    const withLock = createWithLock(leases);
    const learnTurns = createLearnTurns({ tickets, decisions: kept, upkeep, withLock, logger });
    const decisions = withKnownTurns(kept, learnTurns);
    const shared = { tickets, decisions, inbox, withLock, clock, logger };
    const adopt = createAdoptTicket({ ...shared, upkeep, learnTurns, teams: routing.teams });
    const apply = createApplyDecision({ ...shared, gate: { forgetTicket: () => {} } });
    const helpdesk = {
      ...tickets,
      hasAccountLinks: false,
      hasAccountOf: async () => false,
      orgIdIsProtected: async () => true,
      accountLinksAreStaffOnly: async () => false,
      async readSenderTies(_sender: string, orgId: OrgId) {
        return world.tiesOf === null || world.tiesOf === orgId ? world.ties : { customers: [] };
      },
    };
    const judge: JudgeMatch = (match, signal) =>
      judgeMatch({ helpdesk, bindings: store.customerBindings, syncLog, decisions, rejections }, match, signal);
    const gather = createGatherRoutingInputs({
      ...shared,
      judgeMatch: judge,
      nameCandidates: createNameCandidates({
        async intake(_ticket, _signal, { storesOnly = false } = {}) {
          world.readStoresOnly.push(storesOnly);
          return world.intake;
        },
        decisions,
        senderMemory,
      }),
      crmEnabled,
      searchCompany: configured ? searchCompany : null,
      enrichRecords: configured ? enrichRecords : null,
      considerAdoption: async ({ file }) =>
        file.customer?.name === world.considered?.customer ? world.considered : null,
      claims,
    });
    const crmAnswers = async (orgId: OrgId) => (await searchCompany(orgId)).status !== 'error';
    const see = (ticket: PipelineTicket, signal: AbortSignal) =>
      recordFirstState({ helpdesk: tickets, decisions, rejections, clock }, ticket, signal);
    const isRoutedElsewhere = createNoticeOtherInstallation({ ...shared, mark });
    const writer = createDecisionWriter({ ...shared, apply, routing });
    const steps = { adopt, isRoutedElsewhere, see, gather, writer, crmAnswers };
    const run = createRunTicketPipeline({ ...shared, ...steps, routing, retentionMs });
    const move = {
      bySync: createMoveBySync({ ...shared, writer, claims, gate: { forgetTicket: () => {} } }),
      back: createMoveBack({ ...shared, syncLog, writer }),
    };
    const waiting = createAssignWaiting({ ...shared, apply });
    const sweep = createSweepTickets({ ...shared, mark });
    const signal = new AbortController().signal;
    return {
      run: (ticket: string, attempts = 0) =>
        run({ ticket, cause: 'webhook', since: clock(), attempts, revision: 1 }, signal),
      processInbox: createProcessInbox({ ...shared, run, stopped: stop.signal }),
      assignWaiting: () => waiting(signal),
      sweep: (isWide = false) => sweep(isWide, signal),
      stop: () => stop.abort(),
      move,
    };
  };
  return Object.assign(world, {
    clock,
    store,
    tickets,
    decisions: kept,
    upkeep,
    inbox,
    mark,
    syncLog,
    rejections,
    process,
    ...process(),
  });
}

export type PipelineWorld = ReturnType<typeof pipelineWorld>;

/** The routing fields of the ticket as the helpdesk has them now. */
export function standing({ tickets }: PipelineWorld, name: string) {
  const ticket = tickets.tickets.get(name);
  return {
    group: ticket?.file.ticket.agentGroup ?? null,
    reason: ticket?.reason ?? null,
    customer: ticket?.file.ticket.customer ?? null,
    assigned: tickets.assigned(name),
  };
}
