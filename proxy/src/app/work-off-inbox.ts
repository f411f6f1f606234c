import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../ports/clock.ts';
import { HelpdeskError } from '../ports/helpdesk.ts';
import type { Inbox, TicketWork } from '../ports/inbox.ts';
import type { Logger } from '../ports/logger.ts';
import { reasonOf } from './background.ts';
import type { Exclusively } from './exclusively.ts';
import type { RunTicketPipeline } from './run-ticket-pipeline.ts';

/** Tickets worked on at one moment; the helpdesk has few workers (facts/frappe.md section 8). */
const atOnce = 4;
/** A claim lasts so long. Work that takes longer is still done by one at a time: whoever claims it then waits his turn. */
const leaseMs = 20_000;
const lookAgainMs = 250;
const firstRetryMs = 1_000;
const longestRetryMs = 60_000;
/** A rule of the site is in the way, which somebody has to change. */
const rejectedRetryMs = 10 * 60_000;

/** Works on everything that is due now, and on what comes in meanwhile. One run at a time; a second call joins it. */
export type WorkOffInbox = () => Promise<void>;

/**
 * Works off the tickets that wait for the pipeline, a few at a time. A ticket whose step failed is tried again after a
 * pause that grows to a minute; none is ever given up (design.md section 4).
 *
 * @param stopped fires when the service stops: nothing new is begun then, and what runs is given up
 */
export function createWorkOffInbox(deps: {
  inbox: Inbox;
  run: RunTicketPipeline;
  exclusively: Exclusively;
  clock: Clock;
  logger: Logger;
  stopped: AbortSignal;
}): WorkOffInbox {
  const { inbox, clock, stopped } = deps;
  const owner = crypto.randomUUID();
  let running: Promise<void> | null = null;

  async function workOff(): Promise<void> {
    const busy = new Map<string, Promise<void>>();
    for (;;) {
      const free = atOnce - busy.size;
      const claimed =
        stopped.aborted || free === 0 ? [] : await inbox.claim(owner, { limit: free, now: clock(), leaseMs });
      for (const work of claimed) {
        // Work that takes longer than its claim is claimed again, by us most of all.
        if (busy.has(work.ticket)) continue;
        busy.set(
          work.ticket,
          workOn(work).finally(() => busy.delete(work.ticket)),
        );
      }
      if (busy.size === 0) return;
      // One that takes long keeps nobody waiting who comes in meanwhile.
      await Promise.race([...busy.values(), wait(lookAgainMs)]);
    }
  }

  async function workOn(work: TicketWork): Promise<void> {
    try {
      const { again } = await deps.exclusively(`ticket ${work.ticket}`, (signal) =>
        deps.run(work, AbortSignal.any([signal, stopped])),
      );
      if (again === null) await inbox.finish(work, owner);
      else await inbox.postpone(work, owner, again);
    } catch (error) {
      const due = clock() + (stopped.aborted ? 0 : pauseAfter(error, work));
      await inbox.postpone(work, owner, due).catch(() => {});
    }
  }

  /** Says for the operator why a ticket has to wait, and gives for how long. */
  function pauseAfter(error: unknown, { ticket, attempts }: TicketWork): number {
    const fields = { error: reasonOf(error), ticket, attempts };
    if (error instanceof HelpdeskError && error.kind === 'rejected') {
      deps.logger.error(
        { alert: 'ticket_write_rejected', ...fields },
        'The helpdesk refuses what is written to a ticket',
      );
      return rejectedRetryMs;
    }
    deps.logger.warn(fields, 'A ticket is tried again');
    return Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(attempts, 10));
  }

  return () => {
    running ??= workOff()
      .catch((error: unknown) => {
        deps.logger.error({ error: reasonOf(error) }, 'The inbox could not be read');
      })
      .finally(() => {
        running = null;
      });
    return running;
  };
}
