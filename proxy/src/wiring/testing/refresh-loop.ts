import { OrgId } from '@deskside/shared/orgid';
import { startCrm } from '@deskside/simulators/crm/server';
import { type LookupInput, lookupCompany } from '#app/crm/lookup-company.ts';
import { fastClock, inFolder, openLayers } from './crm-layers.ts';

export interface RefreshLoop {
  /** How many times as fast as in reality the time passes, for the CRM's limits too. */
  speed: number;
  /** So many callers refresh one company each, again as soon as they are answered; 0 for none. */
  loops: number;
  /** How many companies of tickets that came in are looked up, and how many for bulk work, and how far apart. */
  lookups: number;
  everyMs: number;
}

export interface RefreshLoopFigures {
  /** Look-ups that were answered in time, of all that were made. */
  open: { answered: number; of: number; p95: number };
  backfill: { answered: number; of: number; p95: number };
  refreshed: number;
  limitErrors: number;
}

/** The time that the loops have had the CRM to themselves before anybody else comes. */
const headStartMs = 60_000;

/**
 * Callers who refresh without pause, beside the look-ups of tickets that came in and of bulk work. All through one
 * process; the CRM enforces the limits of the ordinary plan.
 */
export function refreshLoop({ speed, loops, lookups, everyMs }: RefreshLoop): Promise<RefreshLoopFigures> {
  return inFolder(async (data) => {
    const time = fastClock(speed);
    const crm = await startCrm({
      seed: { companies: [], contacts: [], users: [], companyContacts: [] },
      now: time.clock,
    });
    const { layers, close } = await openLayers({ crm, data, time });
    try {
      const orgIds = Array.from({ length: loops + 2 * lookups }, (_, i) => OrgId.parse(String(1_000_000_001 + i)));
      for (const [i, UF_CRM_COMPANY_ID] of orgIds.entries())
        crm.putCompany({ ID: String(i + 1), TITLE: `Shop ${i}`, UF_CRM_COMPANY_ID, ASSIGNED_BY_ID: '338' });
      const ask = (orgId: OrgId, how: Pick<LookupInput, 'lane' | 'refresh' | 'deadlineMs'>) =>
        lookupCompany(layers, { orgId, ...how });

      let ended = false;
      let refreshed = 0;
      const looping = orgIds.slice(0, loops).map(async (orgId) => {
        while (!ended) {
          const { error } = await ask(orgId, { lane: 'click', refresh: true, deadlineMs: 4_500 });
          if (error === null) refreshed += 1;
          else await time.pause(100);
        }
      });
      await time.pause(headStartMs);

      async function inLane(lane: 'open' | 'backfill', companies: readonly OrgId[]) {
        const waits: number[] = [];
        let answered = 0;
        await Promise.all(
          companies.map(async (orgId, i) => {
            await time.pause(i * everyMs);
            const from = time.clock();
            const { outcome } = await ask(orgId, { lane, refresh: false, deadlineMs: 15_000 });
            waits.push(time.clock() - from);
            if (outcome === 'matched') answered += 1;
          }),
        );
        const p95 = waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.95)] ?? 0;
        return { answered, of: companies.length, p95: Math.round(p95) };
      }
      const [open, backfill] = await Promise.all([
        inLane('open', orgIds.slice(loops, loops + lookups)),
        inLane('backfill', orgIds.slice(loops + lookups)),
      ]);
      ended = true;
      await Promise.all(looping);
      const limitErrors = crm.journal.filter(({ error }) => error === 'QUERY_LIMIT_EXCEEDED').length;
      return { open, backfill, refreshed, limitErrors };
    } finally {
      await close();
      await crm.close();
    }
  });
}
