import { ourLimits } from '@deskside/proxy/crm-limits';
import type { Year } from './year.ts';

/** What one of each costs, as measured with the simulators (docs/sizing.md#measured). */
const measured = {
  /** Milliseconds of the proxy's processor time: a ticket that nobody has opened lately, and a new one up to its agent. */
  openMs: 6.5,
  ticketMs: 15,
  helpdeskRequestsPerOpen: 5,
  helpdeskRequestsPerTicket: 9,
  /** Of store, with indexes. */
  bytesPerTicket: 3_500,
} as const;

/** A batch looks up so many companies (docs/crm.md#batch). */
const companiesPerRequest = 16;
/** Seconds that the portal takes for a company's list. Ours to guess: portals differ, and `time.operating` tells. */
const listSeconds = 0.1;
/** A portal gives a method 480 seconds in ten minutes (docs/crm.md#limits). */
const operatingShare = 480 / 600;
/** Milliseconds that a helpdesk's worker is busy with one of our requests. */
const helpdeskRequestMs = 50;
/** RETENTION_DAYS, unless set. */
const retentionDays = 400;

type Limits = (typeof ourLimits)[keyof typeof ourLimits];

export interface Needs {
  /** Look-ups a second in the busiest hour, and what the plan allows, one by one and packed. */
  lookupsPerSecond: number;
  allowed: { single: number; packed: number; byOperatingTime: number };
  /** The plan that is enough; null if none is. */
  plan: 'standard' | 'enterprise' | null;
  /** Cores that the proxy computes with in the busiest hour, and the processes that takes: each half busy, and one to spare. */
  cores: number;
  replicas: number;
  helpdeskWorkers: number;
  storeGigabytes: number;
}

/** The arithmetic of docs/sizing.md on a year. */
export function needsOf({ peakHour, tickets }: Year): Needs {
  const perSecond = (each: number) => each / 3_600;
  const lookupsPerSecond = perSecond(peakHour.lookups);
  const plan = (['standard', 'enterprise'] as const).find((one) => lookupsPerSecond <= most(ourLimits[one])) ?? null;
  const limits = ourLimits[plan ?? 'enterprise'];
  const computed = (peakHour.opens * measured.openMs + peakHour.tickets * measured.ticketMs) / 1_000;
  const cores = perSecond(computed);
  const asked =
    peakHour.tickets * measured.helpdeskRequestsPerTicket + peakHour.opens * measured.helpdeskRequestsPerOpen;
  return {
    lookupsPerSecond,
    allowed: {
      single: pace(limits),
      packed: pace(limits) * companiesPerRequest,
      byOperatingTime: operatingShare / listSeconds,
    },
    plan,
    cores,
    replicas: Math.max(1, Math.ceil(cores / 0.5) + (cores > 0.1 ? 1 : 0)),
    helpdeskWorkers: perSecond(asked) * (helpdeskRequestMs / 1_000),
    storeGigabytes: (tickets * (retentionDays / 365) * measured.bytesPerTicket) / 1e9,
  };
}

/** The largest desk whose busiest hour a plan takes. */
export function mostAgents(plan: keyof typeof ourLimits, { peakHour }: Year, agents: number): number {
  return Math.floor((agents * most(ourLimits[plan])) / (peakHour.lookups / 3_600));
}

/** Requests a second. */
function pace({ intervalMs }: Limits): number {
  return 1_000 / intervalMs;
}

/** Look-ups a second that a plan takes for an hour: packed, and by the portal's running time. */
function most(limits: Limits): number {
  return Math.min(pace(limits) * companiesPerRequest, operatingShare / listSeconds);
}
