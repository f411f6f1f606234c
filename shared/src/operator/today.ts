import * as z from 'zod/mini';
import { TicketName } from '../input.ts';

/** Since when: the first moment of the reader's day, as an ISO instant. Nothing older than 36 hours is looked at. */
export const SinceInput = z.object({ since: z.iso.datetime('Expected an instant such as 2026-11-21T17:00:00Z.') });

export const TicketInput = z.object({ ticket: TicketName });

const instant = z.string();
const count = z.int();

/** How much is known of who wrote the tickets: the company is vouched for, only claimed, or not known. */
export const MatchCounts = z.object({ matched: count, claimed: count, unknown: count });
export type MatchCounts = z.infer<typeof MatchCounts>;

/** Requests to the CRM in one stretch of time; times in milliseconds, null if there were none. */
const CrmStretch = z.object({
  at: instant,
  requests: count,
  failed: count,
  p50_ms: z.nullable(count),
  p95_ms: z.nullable(count),
});
export type CrmStretch = z.infer<typeof CrmStretch>;

export const OperatorToday = z.object({
  since: instant,
  as_of: instant,
  tickets: MatchCounts,
  by_hour: z.array(z.extend(MatchCounts, { at: instant })),
  /** Requests of this process in the last hour, and the budget that all of them share. Null: no CRM is configured. */
  crm: z.nullable(
    z.object({
      /** Nothing is known from before: an hour ago, or when the process began. */
      since: instant,
      last_hour: CrmStretch,
      stretches: z.array(CrmStretch),
      errors: z.array(z.object({ code: z.string(), requests: count })),
      lanes: z.array(z.object({ lane: z.enum(['click', 'open', 'backfill']), left: count, waiting: count })),
    }),
  ),
  /** Tickets of teams in which nobody is available: all, and the oldest of them. */
  waiting: z.object({
    tickets: count,
    first: z.array(z.object({ ticket: z.string(), team: z.nullable(z.string()), since: instant })),
  }),
  /** Tickets that should have been worked on by now, and since when. */
  due: z.object({ tickets: count, since: z.nullable(instant) }),
  /** Org ids on today's tickets that the CRM has no company for, newest first; not all of them if there are many. */
  unknown_org_ids: z.array(z.object({ org_id: z.string(), tickets: z.array(z.string()), at: instant })),
});
export type OperatorToday = z.infer<typeof OperatorToday>;

/** What `doctor` finds: each problem in a sentence, and another on how to mend it. */
export const OperatorHealth = z.object({
  checked_at: instant,
  findings: z.array(
    z.object({
      area: z.string(),
      code: z.string(),
      severity: z.enum(['error', 'warning']),
      problem: z.string(),
      remedy: z.string(),
      /** What it concerns, as it is called in every language: names, hosts, numbers. */
      about: z.optional(z.string()),
    }),
  ),
  not_checked: z.array(z.object({ area: z.string(), why: z.string() })),
});
export type OperatorHealth = z.infer<typeof OperatorHealth>;
