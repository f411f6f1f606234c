import type { OrgId } from '@deskside/shared/orgid';
import type { Finding } from '@deskside/shared/routing';
import type { Lookup } from '#app/crm/lookup-company.ts';
import type { EnrichRecords } from '#app/customer/enrich-records.ts';
import type { Intake } from '#app/intake/intake-ticket.ts';
import { createNameCandidates } from '#app/intake/name-candidates.ts';
import { createAdoptTicket } from '#app/routing/after-restore/adopt-ticket.ts';
import { createLearnTurns, withKnownTurns } from '#app/routing/after-restore/learn-turns.ts';
import { createApplyDecision } from '#app/routing/apply-decision.ts';
import { createAssignWaiting } from '#app/routing/assign-waiting.ts';
import { createDecisionWriter } from '#app/routing/decision-writer.ts';
import { createGatherRoutingInputs } from '#app/routing/gather-routing-inputs.ts';
import { createMoveBack } from '#app/routing/move/move-back.ts';
import { createMoveBySync } from '#app/routing/move/move-by-sync.ts';
import { createNoticeOtherInstallation } from '#app/routing/notice-other-installation.ts';
import { createProcessInbox } from '#app/routing/process-inbox.ts';
import { createRunTicketPipeline } from '#app/routing/run-ticket-pipeline.ts';
import { createSweepTickets } from '#app/routing/sweep-tickets.ts';
import { createWithLock } from '#app/runtime/with-lock.ts';
import { createRecordFirstState } from '#app/trust/first-state.ts';
import { createJudgeMatch } from '#app/trust/judge-match.ts';
import { readSenderKnowledge } from '#app/trust/sender-knowledge.ts';
import { decideRouting, type RoutingConfig } from '#domain/routing/decide-routing.ts';
import type { CrmCompany } from '#ports/crm/crm.ts';
import type { SenderTies } from '#ports/helpdesk/helpdesk.ts';
import type { DecisionDraft } from '#ports/routing/decisions.ts';
import { currentOrgId, hdCustomer } from './fake-helpdesk.ts';
import { fakeLeases } from './fake-leases.ts';
import { fakeDecisions, fakeInbox, fakeSweepMark, fakeUpkeep } from './fake-pipeline-store.ts';
import { fakeRejections, fakeSenderMemory, fakeSyncLog } from './fake-sender-memory.ts';
import type { NewTicket } from './fake-ticket.ts';
import { fakeTickets } from './fake-tickets.ts';
import { company, fakeClock, silent } from './fakes.ts';

export const scale = 'Medium - Scale';
export const grow = 'Medium - Grow';
export const cs = 'CS 60p';
export const medium = '1000069001' as OrgId;
export const growing = '200000376001' as OrgId;
export const small = '1900000001' as OrgId;

/** The specification's rules. */
export const routingConfig: RoutingConfig = {
  claims: 'accept',
  teams: { medium_scale: scale, medium_grow: grow, sme: cs },
  plan_words: { scale: ['scale'], grow: ['grow'] },
  medium_segments: ['Medium'],
};

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

const companies: Record<string, CrmCompany> = {
  [medium]: company(medium, {}, { customer_segment: 'Medium', current_shopplan: 'OMNI SCALE 2025 (1 năm)' }),
  [growing]: company(growing, {}, { customer_segment: 'Medium', current_shopplan: 'Grow 2024' }),
  [small]: company(small, {}, { customer_segment: 'SME', current_shopplan: 'STANDARD' }),
};

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
  const kept = fakeDecisions();
  const upkeep = fakeUpkeep();
  const inbox = fakeInbox();
  const mark = fakeSweepMark();
  const syncLog = fakeSyncLog();
  const rejections = fakeRejections();
  const senderMemory = fakeSenderMemory(syncLog, rejections);
  const leases = fakeLeases();
  const world = {
    crmDown: false,
    /** The org ids that the CRM was asked for. */
    asked: [] as OrgId[],
    intake: { orgId: null, platformDomain: null, findings: [], metaFailures: [], failed: false } as Intake,
    ties: { customers: [] } as SenderTies,
    /** The only org id that the ties are about; null: any. */
    tiesOf: null as OrgId | null,
    alerts: [] as string[],
    /** Everything that was logged as a warning or an error. */
    complaints: [] as string[],
    /** Runs, and is awaited, while the CRM is being asked for an org id. */
    whileAsking: (_orgId: OrgId): Promise<void> | void => {},
    /** Whether the ticket's customer was allowed to be turned into another company. */
    adopting: [] as boolean[],
  };
  const logger = {
    ...silent,
    warn: (_: object, message: string) => void world.complaints.push(message),
    error(fields: object, message: string) {
      world.complaints.push(message);
      if ('alert' in fields) world.alerts.push(String(fields.alert));
    },
  };

  const searchCompany = async (value: OrgId): Promise<Lookup> => {
    world.asked.push(value);
    await world.whileAsking(value);
    const found = companies[value];
    const base = { value, companies: [], checkedAt: clock(), stale: false, error: null };
    if (world.crmDown) return { ...base, status: 'error', outcome: null, checkedAt: null, error: 'timeout' };
    if (!found) return { ...base, status: 'not_found', outcome: 'not_found' };
    return { ...base, status: 'matched', outcome: 'matched', companies: [found] };
  };
  const enrichRecords: EnrichRecords = async ({ orgId, file, requireBind }) => {
    world.adopting.push(requireBind !== null);
    const looked = await searchCompany(orgId);
    const [found] = looked.companies;
    if (!found || !file) return { looked, data: { status: looked.status } };
    const name = `${found.fields.company_name} - ${orgId}`;
    const { name: ticket, customer: previous } = file.ticket;
    const linked = previous === null || previous === name;
    const { customer_segment, current_shopplan } = found.fields;
    const filled = { custom_customer_segment: customer_segment, custom_shopplan_name: current_shopplan };
    const customer = hdCustomer(name, { custom_platform_orgid: orgId, ...filled });
    if (linked && previous !== name) tickets.setsCustomer(ticket, customer, 'service@desk.example');
    return {
      looked,
      data: {
        status: looked.status,
        hd_customer: name,
        ticket: { name: ticket, linked, previous_customer: previous },
      },
    };
  };
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
    const gather = createGatherRoutingInputs({
      ...shared,
      judgeMatch: createJudgeMatch({
        helpdesk: tickets,
        knowledge: readSenderKnowledge({
          helpdesk: tickets,
          readSenderRecords: async (_, orgId) => {
            const customers = world.tiesOf === null || world.tiesOf === orgId ? world.ties.customers : [];
            return { hasAccount: false, customers: customers.map((customer) => ({ ...customer, idIsSure: true })) };
          },
        }),
        syncLog,
        decisions,
        senderMemory,
      }),
      nameCandidates: createNameCandidates({ intake: async () => world.intake, senderMemory }),
      crmEnabled,
      searchCompany: configured ? searchCompany : null,
      enrichRecords: configured ? enrichRecords : null,
      claims,
    });
    const crmAnswers = async (orgId: OrgId) => (await searchCompany(orgId)).status !== 'error';
    const see = createRecordFirstState({ ...shared, rejections });
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
      run: (ticket: string) => run({ ticket, cause: 'webhook', since: clock(), attempts: 0, revision: 1 }, signal),
      processInbox: createProcessInbox({ ...shared, run, stopped: stop.signal }),
      assignWaiting: () => waiting(signal),
      sweep: (isWide = false) => sweep(isWide, signal),
      stop: () => stop.abort(),
      move,
    };
  };
  return Object.assign(world, {
    clock,
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

/** A decision as it may be in our records, apart from the given inputs. */
export function decisionDraft(ticket: string, inputs: Partial<DecisionDraft['inputs']> = {}): DecisionDraft {
  const given: DecisionDraft['inputs'] = {
    org_id: null,
    customer: null,
    ticket_segment: null,
    ticket_status: 'Open',
    agent_group: null,
    crm: null,
    findings: [],
    meta_failures: [],
    ...inputs,
  };
  return {
    ticket,
    cause: 'webhook',
    decided_at: '2026-05-08T00:00:00.000Z',
    state: 'applied',
    inputs: given,
    outcome: decideRouting(given, routingConfig),
    assignment: { state: 'none', candidates: [] },
    link: null,
  };
}
