import { setTimeout as wait } from 'node:timers/promises';
import type { Store } from './adapters/store-sql/store.ts';
import { createApplyDecision } from './app/apply-decision.ts';
import { createAssignWaiting } from './app/assign-waiting.ts';
import { createDecideBeforeInsert, type DecideBeforeInsert } from './app/decide-before-insert.ts';
import type { EnrichRecords, SearchCompany } from './app/enrich-records.ts';
import type { Exclusively } from './app/exclusively.ts';
import { createGatherRoutingInputs } from './app/gather-routing-inputs.ts';
import type { IntakeTicket } from './app/intake-ticket.ts';
import type { Gate } from './app/open-ticket.ts';
import { createReceiveTicketEvent, type ReceiveTicketEvent } from './app/receive-ticket-event.ts';
import { runRegularly } from './app/run-regularly.ts';
import { createRunTicketPipeline } from './app/run-ticket-pipeline.ts';
import { createSearchLocally } from './app/search-locally.ts';
import { createSeeTicket } from './app/see-ticket.ts';
import { createSweepTickets } from './app/sweep-tickets.ts';
import { createWorkOffInbox } from './app/work-off-inbox.ts';
import type { Config } from './config.ts';
import type { Clock } from './ports/clock.ts';
import type { Helpdesk } from './ports/helpdesk.ts';
import type { HelpdeskTickets } from './ports/helpdesk-tickets.ts';
import type { Logger } from './ports/logger.ts';
import type { CrmLayers } from './wire-crm.ts';

/** The ticket pipeline with everything that drives it. */
export interface Pipeline {
  receive: ReceiveTicketEvent;
  decideBeforeInsert: DecideBeforeInsert;
  /** Works off what is due now. */
  workOff(): Promise<void>;
  /** Finds tickets whose webhook never came; `isWide` looks hours back, for stamps that a change of clocks has put back. */
  sweep(isWide?: boolean): Promise<number>;
  /** Gives tickets that wait to agents who have come back. */
  assignWaiting(): Promise<number>;
  /** Does all of this regularly from now on. */
  start(): void;
  /** Begins nothing new, gives up what runs, and waits for it, though not for long. */
  stop(): Promise<void>;
}

const workEveryMs = 1_000;
const sweepEveryMs = 30_000;
const waitingEveryMs = 15_000;
const cleanEveryMs = 6 * 3_600_000;
const overlapMs = { usual: 5 * 60_000, wide: 3 * 3_600_000 };
const wideEveryMs = 15 * 60_000;
const keepEventsMs = 30 * 24 * 3_600_000;
const sweepWithinMs = 60_000;
const stopWithinMs = 3_000;

/** Part of the composition root: how tickets are routed (design.md section 4). */
export function wirePipeline(parts: {
  config: Config;
  store: Pick<Store, 'inbox' | 'sweepMark' | 'decisions' | 'syncLog'>;
  helpdesk: Pick<Helpdesk, 'readSenderTies'> & HelpdeskTickets;
  crm: CrmLayers | null;
  searchCompany: SearchCompany | null;
  enrichRecords: EnrichRecords | null;
  intake: IntakeTicket;
  gate: Gate;
  exclusively: Exclusively;
  clock: Clock;
  logger: Logger;
}): Pipeline {
  const { config, store, helpdesk, crm, searchCompany, clock, logger } = parts;
  const { inbox, decisions } = store;
  const stop = new AbortController();
  const stopped = stop.signal;
  const routing = config.RULES_FILE;
  const shared = { tickets: helpdesk, decisions, inbox, exclusively: parts.exclusively, clock, logger };
  const { claims } = routing;
  const apply = createApplyDecision({ ...shared, gate: parts.gate, claims });
  const run = createRunTicketPipeline({
    ...shared,
    apply,
    routing,
    see: createSeeTicket(shared),
    gather: createGatherRoutingInputs({
      ...shared,
      helpdesk,
      syncLog: store.syncLog,
      intake: parts.intake,
      crmEnabled: config.CRM_ENABLED,
      searchCompany,
      enrichRecords: parts.enrichRecords,
      claims,
    }),
    crmAnswers: async (orgId) => {
      const how = { by: 'platform_orgid_then_company_id', refresh: false, lane: 'backfill' } as const;
      return (await searchCompany?.(orgId, how))?.status !== 'error';
    },
  });
  const workOff = createWorkOffInbox({ ...shared, run, stopped });
  const sweepTickets = createSweepTickets({ ...shared, mark: store.sweepMark });
  const waiting = createAssignWaiting({ ...shared, apply });
  const within = () => AbortSignal.any([stopped, AbortSignal.timeout(sweepWithinMs)]);
  let wake = () => {};
  let ended: Promise<unknown> = Promise.resolve();
  let lastWide = Number.NEGATIVE_INFINITY;

  async function sweep(isWide = false): Promise<number> {
    const found = await sweepTickets(isWide ? overlapMs.wide : overlapMs.usual, within());
    if (found > 0) {
      logger.info({ found }, 'Tickets found whose webhook has not come');
      wake();
    }
    return found;
  }

  return {
    receive: createReceiveTicketEvent({ inbox, clock, wake: () => wake() }),
    decideBeforeInsert: createDecideBeforeInsert({
      decisions,
      routing,
      clock,
      searchLocally: crm && createSearchLocally(crm),
    }),
    workOff,
    sweep,
    assignWaiting: () => waiting(within()),
    start() {
      const regularly = (name: string, everyMs: number, task: () => Promise<unknown>) =>
        runRegularly({ name, everyMs, logger, stopped }, task);
      const worker = regularly('inbox', workEveryMs, workOff);
      wake = worker.wake;
      const others = [
        regularly('sweep', sweepEveryMs, async () => {
          const isWide = clock() - lastWide >= wideEveryMs;
          if (isWide) lastWide = clock();
          await sweep(isWide);
        }),
        regularly('waiting', waitingEveryMs, () => waiting(within())),
        regularly('clean', cleanEveryMs, async () => {
          await inbox.deleteEventsBefore(clock() - keepEventsMs);
          await decisions.deletePreliminaryBefore(clock() - keepEventsMs);
        }),
      ];
      ended = Promise.all([worker, ...others].map((task) => task.ended));
    },
    async stop() {
      stop.abort();
      // A CRM or a shop that hangs keeps nobody from stopping: what is not finished is found in the inbox again.
      await Promise.race([ended, wait(stopWithinMs)]);
    },
  };
}
