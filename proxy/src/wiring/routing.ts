import type { Context } from '#app/context.ts';
import { type MoveBack, moveBack } from '#app/routing/move/move-back.ts';
import { type MoveBySync, moveBySync, previewMove } from '#app/routing/move/move-by-sync.ts';
import { runTicketPipeline } from '#app/routing/run-ticket-pipeline.ts';
import type { TicketWork } from '#ports/intake/inbox.ts';

/** How tickets are routed under one configuration. */
export interface Routing {
  /** Takes one ticket to its end. */
  run: (work: TicketWork, signal: AbortSignal) => Promise<{ again: number | null }>;
  /** Moves a ticket after a Sync, and back after its undo. */
  move: { bySync: MoveBySync; back: MoveBack };
}

/** Part of the composition root: how tickets are routed (ARCHITECTURE.md#a-new-ticket). */
export function wireRouting(ctx: Parameters<typeof runTicketPipeline>[0] & Context): Routing {
  return {
    run: (work, signal) => runTicketPipeline(ctx, work, signal),
    move: {
      bySync: {
        preview: (ticket, synced, signal) => previewMove(ctx, ticket, synced, signal),
        apply: (ticket, sync, signal) => moveBySync(ctx, ticket, sync, signal),
      },
      back: (entry, signal) => moveBack(ctx, entry, signal),
    },
  };
}
