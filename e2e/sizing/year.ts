import { createRandom } from '@deskside/simulators/seed/random';

/** What is assumed of a desk; docs/sizing.md says why, and how to measure one's own. */
export const assumed = {
  /** New tickets that an agent deals with on an ordinary working day. */
  ticketsPerAgentDay: 25,
  /** How often agents open a ticket, the first time soon after it came in. */
  opensPerTicket: 4,
  minutesUntilFirstOpen: 20,
  hoursUntilFurtherOpen: 8,
  customersPerAgent: 200,
  /** How unequal customers are: the standard deviation of the logarithm of their tickets. */
  customerSpread: 1.5,
  /** How often a company's record changes in the CRM, which an event tells. */
  changesPerWeek: 2,
} as const;

/** Share of a day's tickets that comes in each hour, from midnight. */
const hours = [5, 3, 2, 1, 1, 2, 8, 20, 65, 95, 100, 85, 60, 75, 95, 95, 85, 65, 45, 40, 40, 35, 20, 10];
/** The same for the days of the week, from Sunday. */
const weekdays = [0.4, 1.2, 1.1, 1.05, 1.05, 1, 0.6];
const hourMs = 3_600_000;
const yearHours = 365 * 24;

export interface Year {
  tickets: number;
  opens: number;
  /** Look-ups that the CRM was asked for: by the pipeline once for each ticket, and by opens. */
  lookups: number;
  /** Share of all that was asked, by pipeline and agents, that was answered from the cache. */
  hitRate: number;
  /** Of the busiest hour of the year. */
  peakHour: { tickets: number; opens: number; lookups: number };
}

/**
 * A year of a desk, customer by customer: each ticket is looked up when it comes in and when it is opened, and the CRM is
 * asked where the last answer is older than the time-to-live or the record has changed since. Customers do not influence
 * each other, so a sample of at most 6,000 stands for all of them. Pure: the same seed gives the same year.
 *
 * @param ttlMinutes CRM_REFRESH_TTL_MINUTES
 */
export function simulateYear({ agents, ttlMinutes, seed }: { agents: number; ttlMinutes: number; seed: number }): Year {
  const uniform = uniformFrom(seed);
  // Of its own, so that the same tickets come whatever the time-to-live.
  const changes = uniformFrom(seed + 1);
  const exponential = (mean: number, by = uniform) => -Math.log(by()) * mean;
  const customers = agents * assumed.customersPerAgent;
  const sample = Math.min(customers, 6_000);
  const perCustomer = (assumed.ticketsPerAgentDay * 365) / assumed.customersPerAgent;
  const arrival = arrivalTimes();
  const perHour = {
    tickets: new Float64Array(yearHours),
    opens: new Float64Array(yearHours),
    lookups: new Float64Array(yearHours),
  };
  const count = (what: keyof typeof perHour, at: number) => {
    const hour = Math.floor(at / hourMs);
    if (hour < yearHours) perHour[what][hour] = (perHour[what][hour] ?? 0) + 1;
  };

  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  const weights = Array.from({ length: sample }, () => Math.exp(assumed.customerSpread * normal()));
  const weight = weights.reduce((sum, one) => sum + one, 0) / sample;
  for (const own of weights) {
    const mean = (perCustomer * own) / weight;
    const asked: number[] = [];
    for (let before = exponential(1); before < mean; before += exponential(1)) {
      const at = arrival(uniform());
      count('tickets', at);
      asked.push(at);
      for (let open = 0; open < assumed.opensPerTicket; open += 1) {
        const { minutesUntilFirstOpen, hoursUntilFurtherOpen } = assumed;
        const after = open === 0 ? (minutesUntilFirstOpen / 60) * hourMs : hoursUntilFurtherOpen * hourMs;
        const opened = at + exponential(after);
        count('opens', opened);
        asked.push(opened);
      }
    }
    const changeEvery = (7 * 24 * hourMs) / assumed.changesPerWeek;
    let freshUntil = -1;
    for (const at of asked.sort((a, b) => a - b)) {
      if (at < freshUntil) continue;
      count('lookups', at);
      freshUntil = at + Math.min(ttlMinutes * 60_000, exponential(changeEvery, changes));
    }
  }

  const scale = customers / sample;
  const total = (what: keyof typeof perHour) => Math.round(scale * perHour[what].reduce((sum, one) => sum + one, 0));
  const peak = (what: keyof typeof perHour) =>
    Math.round(scale * perHour[what].reduce((most, one) => Math.max(most, one), 0));
  const [tickets, opens, lookups] = [total('tickets'), total('opens'), total('lookups')];
  return {
    ...{ tickets, opens, lookups },
    hitRate: 1 - lookups / (tickets + opens),
    peakHour: { tickets: peak('tickets'), opens: peak('opens'), lookups: peak('lookups') },
  };
}

/** Numbers between 0 and 1, neither of them included. */
function uniformFrom(seed: number): () => number {
  const random = createRandom(seed);
  return () => (random.int(2 ** 30) + 0.5) / 2 ** 30;
}

/** When in the year the tickets come, as milliseconds by a number from 0 to 1: working hours, weeks, and days of sale. */
function arrivalTimes(): (share: number) => number {
  const sums = new Float64Array(yearHours + 1);
  for (let hour = 0; hour < yearHours; hour += 1) {
    const day = Math.floor(hour / 24);
    const weight = (hours[hour % 24] ?? 0) * (weekdays[day % 7] ?? 0) * (isSale(day) ? 2.5 : 1);
    sums[hour + 1] = (sums[hour] ?? 0) + weight;
  }
  const all = sums[yearHours] ?? 0;
  return (share) => {
    let [low, high] = [0, yearHours];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) <= share * all) low = middle;
      else high = middle;
    }
    const [from = 0, to = 0] = [sums[low], sums[high]];
    return (low + (share * all - from) / (to - from)) * hourMs;
  };
}

/** Two days of sale in each of the last four months, as shops have them. */
function isSale(day: number): boolean {
  return day >= 240 && day % 30 < 2;
}
