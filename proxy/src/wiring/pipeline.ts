import type { Store } from '#adapters/store-sql/store.ts';
import type { AgentGate } from '#app/access/agent-gate.ts';
import { createApplyDecision } from '#app/routing/apply-decision.ts';
import { createAssignWaiting } from '#app/routing/assign-waiting.ts';
import { createPipelineSchedule, type PipelineSchedule } from '#app/routing/inbox/pipeline-schedule.ts';
import { createProcessInbox } from '#app/routing/inbox/process-inbox.ts';
import { createReceiveTicketEvent, type ReceiveTicketEvent } from '#app/routing/inbox/receive-ticket-event.ts';
import { createSweepTickets } from '#app/routing/inbox/sweep-tickets.ts';
import type { RunTicketPipeline } from '#app/routing/run-ticket-pipeline.ts';
import type { Duties } from '#app/runtime/duties/duties.ts';
import type { WithLock } from '#app/runtime/duties/with-lock.ts';
import type { HelpdeskTickets } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Logger } from '#ports/runtime/logger.ts';

/** What drives the routing of tickets: inbox, sweep, waiting tickets. It goes by no setting. */
export interface Pipeline extends PipelineSchedule {
  receive: ReceiveTicketEvent;
  /** Queues the ticket, because something is known now that its decision went without. */
  decideAgain(ticket: string): Promise<void>;
  /** Fires when the service stops. */
  stopped: AbortSignal;
}

/**
 * Part of the composition root: what drives the routing of tickets (ARCHITECTURE.md#a-new-ticket).
 *
 * @param parts.run takes one ticket to its end, by the rules that are in force when it begins
 * @param parts.isOn whether there is anything to do on schedule
 */
export function wirePipeline(parts: {
  run: RunTicketPipeline;
  isOn: () => boolean;
  store: Pick<Store, 'inbox' | 'sweepMark' | 'decisions'>;
  helpdesk: HelpdeskTickets;
  gate: AgentGate;
  withLock: WithLock;
  duties: Duties;
  clock: Clock;
  logger: Logger;
}): Pipeline {
  const { store, helpdesk, clock, logger } = parts;
  const { inbox, decisions } = store;
  const stop = new AbortController();
  const shared = { tickets: helpdesk, decisions, inbox, withLock: parts.withLock, clock, logger };
  const schedule = createPipelineSchedule({
    processInbox: createProcessInbox({ ...shared, run: parts.run, stopped: stop.signal }),
    sweepTickets: createSweepTickets({ ...shared, mark: store.sweepMark }),
    assignWaiting: createAssignWaiting({ ...shared, apply: createApplyDecision({ ...shared, gate: parts.gate }) }),
    ...{ isOn: parts.isOn, duties: parts.duties, stop, clock, logger },
  });
  return {
    ...schedule,
    receive: createReceiveTicketEvent({ inbox, clock, wake: schedule.wake }),
    async decideAgain(ticket) {
      await inbox.enqueue([ticket], clock(), clock());
      schedule.wake();
    },
    stopped: stop.signal,
  };
}
