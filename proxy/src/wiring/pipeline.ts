import type { Context } from '#app/context.ts';
import { assignWaiting } from '#app/routing/assign-waiting.ts';
import { createPipelineSchedule, type PipelineSchedule } from '#app/routing/inbox/pipeline-schedule.ts';
import { createProcessInbox } from '#app/routing/inbox/process-inbox.ts';
import { sweepTickets } from '#app/routing/inbox/sweep-tickets.ts';
import type { Duties } from '#app/runtime/duties/duties.ts';
import type { TicketWork } from '#ports/intake/inbox.ts';
import type { StoreMeta } from '#ports/intake/store-meta.ts';

/** What drives the routing of tickets: inbox, sweep, waiting tickets. It goes by no setting. */
export interface Pipeline extends PipelineSchedule {
  /** Fires when the service stops. */
  stopped: AbortSignal;
}

const silentShop: StoreMeta = {
  read: async (host) => ({ kind: 'none', why: 'not_found', address: `https://${host}/meta.json` }),
};

/** For a command, which routes no ticket and asks no shop. */
export const noPipeline: Pick<Context, 'learnTurns' | 'metaQueue' | 'storeMeta' | 'wakePipeline'> = {
  learnTurns: async () => {},
  metaQueue: { of: () => silentShop },
  storeMeta: { ...silentShop, known: () => undefined },
  wakePipeline: () => {},
};

type Parts = Pick<Context, 'inbox' | 'sweepMark' | 'decisions' | 'helpdesk' | 'gate' | 'withLock' | 'clock' | 'logger'>;

/**
 * Part of the composition root: what drives the routing of tickets (ARCHITECTURE.md#a-new-ticket).
 *
 * @param parts.run takes one ticket to its end, by the rules that are in force when it begins
 * @param parts.isOn whether there is anything to do on schedule
 */
export function wirePipeline(
  parts: Parts & {
    run: (work: TicketWork, signal: AbortSignal) => Promise<{ again: number | null }>;
    isOn: () => boolean;
    duties: Duties;
  },
): Pipeline {
  const stop = new AbortController();
  const ctx = { ...parts, stopped: stop.signal };
  const schedule = createPipelineSchedule({
    ...parts,
    stop,
    processInbox: createProcessInbox(ctx),
    sweepTickets: (how, signal) => sweepTickets(ctx, how, signal),
    assignWaiting: (signal) => assignWaiting(ctx, signal),
  });
  return { ...schedule, stopped: stop.signal };
}
