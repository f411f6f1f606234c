import { lockTicket, type Work } from '#context.ts';
import { type RoutingFields, ticketFieldOf } from '#helpdesk/fields.ts';
import * as decisions from '#store/decisions.ts';
import * as notes from '#store/notes.ts';
import { writeLacking } from './assign.ts';

/** A missing field is noticed within a minute, and the sweep comes by in another half. */
const noticedAfterMs = 2 * 60_000;
/** Older tickets have been handled without. */
const mendedForMs = 24 * 3_600_000;

/**
 * Writes what was left out of tickets while the helpdesk lacked a field of theirs, once it is there again. Returns how many
 * tickets were looked at. Throws HelpdeskError; the next sweep then begins anew.
 */
export async function mendFieldGap(ctx: Work): Promise<number> {
  const { db, helpdesk } = ctx;
  const lacking = helpdesk.missingFields();
  if (lacking === null) return 0;
  const now = ctx.clock();
  const gap = await notes.fieldGap(db);
  const missing = members.filter((member) => lacking.includes(`HD Ticket.${ticketFieldOf[member]}`));
  const back = members.filter((member) => gap[member] !== undefined && !missing.includes(member));
  const since = Math.max(now - mendedForMs, Math.min(...back.map((member) => gap[member] ?? now)));
  const mended = back.length === 0 ? 0 : await mend(ctx, back, since);
  const noted = Object.fromEntries(missing.map((member) => [member, gap[member] ?? now - noticedAfterMs]));
  if (Object.keys(noted).join() !== Object.keys(gap).join()) await notes.noteFieldGap(db, noted, now);
  return mended;
}

const members = Object.keys(ticketFieldOf) as (keyof RoutingFields)[];

async function mend(ctx: Work, back: readonly (keyof RoutingFields)[], since: number): Promise<number> {
  let looked = 0;
  for await (const decision of decisions.latestOfAll(ctx.db, await decisions.lastBefore(ctx.db, since))) {
    if (decision.state !== 'applied') continue;
    ctx.signal.throwIfAborted();
    await lockTicket(ctx, decision.ticket, (locked) => writeLacking(locked, decision, back));
    looked += 1;
  }
  return looked;
}
