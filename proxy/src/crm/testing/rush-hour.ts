import { OrgId } from '@deskside/shared/orgid';
import { startCrm } from '@deskside/simulators/crm/server';
import { lookupCompany } from '#crm/lookup.ts';
import { fastClock, inFolder, openLayers } from './crm-layers.ts';

export interface RushHour {
  /** How many times as fast as in reality the time passes, for the CRM's limits too. */
  speed: number;
  agents: number;
  /** All agents have opened their ticket by then, in milliseconds. */
  withinMs: number;
  /** So many customers stand in the backfill's queue, which is full before the first agent comes. */
  backfill: number;
  /** How long an agent waits for his company before it counts as missing, in milliseconds. */
  deadlineMs: number;
  /** Ends it with the last agent instead of waiting until all are done. */
  untilAgentsAreServed: boolean;
}

export interface RushHourFigures {
  requests: number;
  limitErrors: number;
  /** Companies that the agents were not shown. */
  missing: number;
  /** Waiting times of the agents in milliseconds. */
  click: { p50: number; p95: number; worst: number };
  /** Looked up for the backfill while the agents were at it, and in all. */
  backfilled: { meanwhile: number; inAll: number; seconds: number };
}

/** So many look-ups the backfill has under way at once. */
const workers = 32;
const firstClickMs = 5_000;

/**
 * Agents open distinct tickets, of companies that nobody has looked up before, while another process on the same store
 * backfills customers; the CRM enforces the limits of the ordinary plan.
 */
export function rushHour({
  speed,
  agents,
  withinMs,
  backfill,
  deadlineMs,
  untilAgentsAreServed,
}: RushHour): Promise<RushHourFigures> {
  return inFolder(async (data) => {
    const time = fastClock(speed);
    const crm = await startCrm({
      seed: { companies: [], contacts: [], users: [] },
      now: time.clock,
    });
    const serving = await openLayers({ crm, data, time });
    const filling = await openLayers({ crm, data, time });
    try {
      const orgIds = Array.from({ length: agents + backfill }, (_, i) => OrgId.parse(String(1_000_000_001 + i)));
      for (const [i, UF_CRM_COMPANY_ID] of orgIds.entries())
        crm.putCompany({ ID: String(i + 1), TITLE: `Shop ${i}`, UF_CRM_COMPANY_ID, ASSIGNED_BY_ID: '338' });

      const started = time.clock();
      const waits: number[] = [];
      let missing = 0;
      let done = 0;
      const backlog = orgIds.slice(agents);
      async function work(): Promise<void> {
        for (let orgId = backlog.shift(); orgId; orgId = backlog.shift()) {
          const how = { refresh: false, deadlineMs: 120_000, lane: 'backfill' } as const;
          const { outcome } = await lookupCompany(filling.layers, { orgId, ...how });
          if (outcome === 'matched') done += 1;
        }
      }
      async function open(orgId: OrgId, afterMs: number): Promise<void> {
        await time.pause(afterMs);
        const from = time.clock();
        const how = { refresh: false, deadlineMs };
        const { outcome } = await lookupCompany(serving.layers, { orgId, ...how });
        waits.push(time.clock() - from);
        if (outcome !== 'matched') missing += 1;
      }
      const working = Array.from({ length: workers }, work);
      const opening = orgIds.slice(0, agents).map((orgId, i) => open(orgId, firstClickMs + (i * withinMs) / agents));
      await Promise.all(opening);
      const meanwhile = done;
      if (untilAgentsAreServed) backlog.length = 0;
      await Promise.all(working);

      const sorted = waits.toSorted((a, b) => a - b);
      const at = (share: number) =>
        Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
      return {
        requests: crm.journal.length,
        limitErrors: crm.journal.filter(({ error }) => error === 'QUERY_LIMIT_EXCEEDED').length,
        missing,
        click: { p50: at(0.5), p95: at(0.95), worst: at(1) },
        backfilled: { meanwhile, inAll: done, seconds: Math.round((time.clock() - started) / 1_000) },
      };
    } finally {
      await Promise.all([serving.close(), filling.close()]);
      await crm.close();
    }
  });
}
