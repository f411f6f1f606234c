import { contract } from '@deskside/shared/contract';
import { startCrm } from '@deskside/simulators/crm/server';
import type { HelpdeskSimulator } from '@deskside/simulators/helpdesk/server';
import { demo, sharedSeed } from '@deskside/simulators/seed/index';
import { createRandom } from '@deskside/simulators/seed/random';
import { keyOf } from '../integration/key-of.ts';
import { alternate, type BenchCase, type Conditions, percentile, type Row } from './measure.ts';
import { addShops, type Shop, startSite } from './servers.ts';

const eventToken = 'bench-event-token-0001';
/** Milliseconds: the least that a running helpdesk was measured with, and a portal not far away. */
const latencies = { helpdesk: 20, crm: 80 };
const authorization = keyOf(demo.agent);

interface Profiles {
  /** Milliseconds of one profile of ours. */
  ours(ticket: string): Promise<number>;
  /** The same in the predecessor's flow, over the same simulated latencies. */
  predecessor(ticket: string, isOld?: boolean): Promise<number>;
  /** New companies, known to both CRMs, each with a ticket. */
  shops(count: number): Shop[];
  /** Has ours take these companies for changed: older than they may be. */
  age(shops: readonly Shop[]): Promise<void>;
}

/** A case about single profiles: every simulated answer takes its time, for both. In `npm test`, `mixed` has cold and stale ones. */
function profileCase(
  about: Pick<BenchCase, 'name' | 'isSlow'>,
  measure: (profiles: Profiles, conditions: Conditions) => Promise<Row[]>,
): BenchCase {
  return {
    ...about,
    async measure(conditions) {
      const site = await startSite(conditions.folder, { CRM_EVENT_TOKEN: eventToken });
      // A portal of its own for the predecessor, with the same companies and without limits: its time runs faster.
      const other = await startCrm({ seed: sharedSeed().crm, now: () => Date.now() * 1_000 });
      const flow: Predecessor = {
        helpdesk: site.helpdesk,
        webhookUrl: other.webhookUrl,
        authorization,
        kept: new Map(),
      };
      let made = 0;
      try {
        site.helpdesk.latency = () => latencies.helpdesk;
        site.crm.latencyMs = latencies.crm;
        other.latencyMs = latencies.crm;
        const profiles: Profiles = {
          ours: (ticket) => timed(() => profileOf(site.proxy.url, ticket)),
          predecessor: (ticket, isOld) => timed(() => predecessorProfile(flow, ticket, isOld)),
          shops(count) {
            made += count;
            addShops({ helpdesk: site.helpdesk, crm: other }, made - count, count);
            return addShops(site, made - count, count);
          },
          async age(shops) {
            for (const { companyId } of shops) await tellOfChange(site.proxy.url, companyId);
          },
        };
        return await measure(profiles, conditions);
      } finally {
        await Promise.all([site.close(), other.close()]);
      }
    },
  };
}

/** A company that nobody has asked about yet. */
export const cold = profileCase(
  { name: 'cold', isSlow: true },
  async ({ ours, predecessor, shops }, { rounds, isSmall }) => {
    const size = isSmall ? 2 : 12;
    const each = (ask: (ticket: string) => Promise<number>) => () => oneByOne(shops(size), ({ ticket }) => ask(ticket));
    const measured = await alternate(rounds, { ours: each(ours), predecessor: each(predecessor) });
    return [row('cold profile', measured, 0.5)];
  },
);

/** A company whose answer has grown too old: ours was told that it changed, the predecessor's time-to-live has passed. */
export const stale = profileCase(
  { name: 'stale', isSlow: true },
  async ({ ours, predecessor, shops, age }, { rounds, isSmall }) => {
    const some = shops(isSmall ? 2 : 12);
    await oneByOne(some, ({ ticket }) => ours(ticket));
    const measured = await alternate(rounds, {
      ours: async () => {
        await age(some);
        return oneByOne(some, ({ ticket }) => ours(ticket));
      },
      predecessor: () => oneByOne(some, ({ ticket }) => predecessor(ticket, true)),
    });
    return [row('stale profile', measured, 0.5)];
  },
);

/** An ordinary hour: of a hundred profiles 90 are fresh, 8 too old and 2 new, for eight agents at a time. */
export const mixed = profileCase({ name: 'mixed' }, async ({ ours, predecessor, shops, age }, { rounds, isSmall }) => {
  const size = isSmall ? 12 : 200;
  const known = shops(isSmall ? 2 : 40);
  await oneByOne(known, ({ ticket }) => ours(ticket));
  await oneByOne(known, ({ ticket }) => predecessor(ticket));
  let seed = 1;
  const hour = (ask: (ticket: string, isOld: boolean) => Promise<number>, makeOld: typeof age) => async () => {
    const random = createRandom(seed++);
    const fresh = shops(Math.ceil(size * 0.02));
    const asked = Array.from({ length: size }, (_, nth) => {
      const share = random.int(100);
      if (share < 2) return { shop: fresh.pop() ?? random.pick(known), isOld: false };
      return { shop: random.pick(known), isOld: share < 10, nth };
    });
    const milliseconds: number[] = [];
    const agent = async () => {
      for (let next = asked.shift(); next; next = asked.shift()) {
        if (next.isOld) await makeOld([next.shop]);
        milliseconds.push(await ask(next.shop.ticket, next.isOld));
      }
    };
    await Promise.all(Array.from({ length: 8 }, agent));
    return milliseconds;
  };
  const measured = await alternate(rounds, {
    ours: hour(ours, age),
    predecessor: hour(predecessor, async () => {}),
  });
  const name = 'mixed profiles (90 fresh, 8 stale, 2 cold), 8 agents';
  return [row(`${name}, p50`, measured, 0.5), row(`${name}, p99`, measured, 0.99)];
});

function row(measure: string, measured: Record<'ours' | 'predecessor', number[][]>, share: number): Row {
  const of = (name: 'ours' | 'predecessor') => measured[name].map((milliseconds) => percentile(milliseconds, share));
  return {
    measure,
    unit: 'ms',
    ours: of('ours'),
    baseline: { name: "predecessor's flow", figures: of('predecessor') },
  };
}

async function profileOf(url: string, ticket: string): Promise<void> {
  const answer = await fetch(`${url}${contract.customerProfile.path}?ticket=${ticket}`, { headers: { authorization } });
  const { data } = (await answer.json()) as { data: { bitrix: { status: string; company: unknown } } };
  if (data?.bitrix.company == null)
    throw new Error(`Ticket ${ticket} has no company: ${answer.status} ${data?.bitrix.status}`);
}

async function tellOfChange(url: string, companyId: string): Promise<void> {
  const fields = { event: 'ONCRMCOMPANYUPDATE', 'data[FIELDS][ID]': companyId, 'auth[application_token]': eventToken };
  const answer = await fetch(`${url}/webhooks/crm/company`, { method: 'POST', body: new URLSearchParams(fields) });
  if (!answer.ok) throw new Error(`The event was answered ${answer.status}.`);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

async function oneByOne(shops: readonly Shop[], ask: (shop: Shop) => Promise<number>): Promise<number[]> {
  const milliseconds: number[] = [];
  for (const shop of shops) milliseconds.push(await ask(shop));
  return milliseconds;
}

/**
 * The flow of the specification, which scripts inside the helpdesk carry out: the ticket's org ids in order, each asked for
 * by itself, then the contact, then the owner. What the scripts read of the helpdesk costs nothing here, and of the
 * helpdesk's own time only the one request that runs them is counted.
 */
interface Predecessor {
  helpdesk: HelpdeskSimulator;
  /** The CRM's incoming webhook. It should have no limit that a process of ours is also counted by. */
  webhookUrl: string;
  /** Of the agent who asks. */
  authorization: string;
  /** What the time-to-live still covers, by org id. */
  kept: Map<string, unknown>;
}

/** One profile. `isOld`: past the time-to-live, so the CRM is asked again. */
async function predecessorProfile(flow: Predecessor, ticket: string, isOld = false): Promise<void> {
  const { helpdesk, authorization, kept } = flow;
  const answer = await fetch(`${helpdesk.url}/api/resource/HD Ticket/${ticket}`, { headers: { authorization } });
  if (!answer.ok) throw new Error(`The helpdesk answered ${answer.status}.`);
  const { data } = (await answer.json()) as { data: { custom_orgid?: string; customer?: string } };
  const customer = data.customer ? helpdesk.document('HD Customer', data.customer) : undefined;
  const candidates = [data.custom_orgid, customer?.custom_platform_orgid as string | undefined].filter(Boolean);
  for (const orgId of new Set(candidates as string[])) {
    if (kept.has(orgId) && !isOld) return;
    const [company] = await call<Record<string, string>[]>(flow, 'crm.company.list', {
      filter: { UF_CRM_COMPANY_ID: orgId },
      select: ['*', 'UF_*', 'EMAIL', 'PHONE', 'WEB'],
      order: { DATE_MODIFY: 'DESC' },
    });
    if (company === undefined) continue;
    await call(flow, 'crm.contact.list', { filter: { COMPANY_ID: company.ID } });
    await call(flow, 'user.get', { ID: company.ASSIGNED_BY_ID });
    kept.set(orgId, company);
    return;
  }
}

async function call<T>({ webhookUrl }: Predecessor, method: string, params: object): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${webhookUrl}${method}.json`, { method: 'POST', headers, body: JSON.stringify(params) });
  const { result, error } = (await answer.json()) as { result?: T; error?: string };
  if (result === undefined) throw new Error(`The CRM answered ${error}.`);
  return result;
}
