import { contract } from '@deskside/shared/contract';
import { startCrm } from '@deskside/simulators/crm/server';
import type { HelpdeskSimulator } from '@deskside/simulators/helpdesk/server';
import { demo, keyOf, sharedSeed } from '@deskside/simulators/seed/index';
import { createRandom } from '@deskside/simulators/seed/random';
import { addShops, type BenchShop, startSite } from '../integration/servers.ts';
import { alternate, type BenchCase, type BenchRow, percentile } from './measure.ts';

const eventToken = 'bench-event-token-0001';
/** Milliseconds: the least that a running helpdesk was measured with, and a portal not far away. */
const latencies = { helpdesk: 20, crm: 80 };
const authorization = keyOf(demo.agent);

/**
 * An ordinary hour beside the predecessor's flow, every simulated answer taking its time for both: of a hundred profiles 90 are fresh,
 * 8 too old and 2 new, for eight agents at a time. Too old is for ours that it was told of a change, for the predecessor that its
 * time-to-live has passed.
 */
export const mixed: BenchCase = {
  name: 'mixed',
  async measure({ rounds, isSmall, folder }) {
    const site = await startSite(folder, { CRM_EVENT_TOKEN: eventToken });
    // A portal of its own for the predecessor, with the same companies and without limits: its time runs faster.
    const other = await startCrm({ seed: sharedSeed().crm, now: () => Date.now() * 1_000 });
    const flow: Predecessor = { helpdesk: site.helpdesk, webhookUrl: other.webhookUrl, kept: new Map() };
    let made = 0;
    const shops = (count: number): BenchShop[] => {
      made += count;
      addShops({ helpdesk: site.helpdesk, crm: other }, { from: made - count, count });
      return addShops(site, { from: made - count, count });
    };
    const ours = async ({ ticket, companyId }: BenchShop, isOld = false) => {
      if (isOld) await tellOfChange(site.proxy.url, companyId);
      return timed(() => profileOf(site.proxy.url, ticket));
    };
    const predecessor = ({ ticket }: BenchShop, isOld = false) => timed(() => predecessorProfile(flow, ticket, isOld));
    try {
      site.helpdesk.latency = () => latencies.helpdesk;
      site.crm.latencyMs = latencies.crm;
      other.latencyMs = latencies.crm;
      const size = isSmall ? 12 : 200;
      const known = shops(isSmall ? 2 : 40);
      for (const shop of known) await Promise.all([ours(shop), predecessor(shop)]);
      let seed = 1;
      const hour = (ask: typeof ours) => async () => {
        const random = createRandom(seed++);
        const fresh = shops(Math.ceil(size * 0.02));
        const asked = Array.from({ length: size }, () => {
          const share = random.int(100);
          const shop = share < 2 ? fresh.pop() : undefined;
          return { shop: shop ?? random.pick(known), isOld: share >= 2 && share < 10 };
        });
        const milliseconds: number[] = [];
        const agent = async () => {
          for (let next = asked.shift(); next; next = asked.shift())
            milliseconds.push(await ask(next.shop, next.isOld));
        };
        await Promise.all(Array.from({ length: 8 }, agent));
        return milliseconds;
      };
      const measured = await alternate(rounds, { ours: hour(ours), predecessor: hour(predecessor) });
      return Object.entries({ p50: 0.5, p99: 0.99 }).map(([name, share]): BenchRow => {
        const at = (hours: number[][]) => hours.map((milliseconds) => percentile(milliseconds, share));
        return {
          ...{ measure: `mixed profiles (90 fresh, 8 stale, 2 cold), 8 agents, ${name}`, unit: 'ms' },
          ...{ ours: at(measured.ours), baseline: { name: "predecessor's flow", figures: at(measured.predecessor) } },
        };
      });
    } finally {
      await Promise.all([site.close(), other.close()]);
    }
  },
};

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

/**
 * The flow of the specification, which scripts inside the helpdesk carry out: the ticket's org ids in order, each asked for
 * by itself, then the contact, then the owner. What the scripts read of the helpdesk costs nothing here, and of the
 * helpdesk's own time only the one request that runs them is counted.
 */
interface Predecessor {
  helpdesk: HelpdeskSimulator;
  /** The CRM's incoming webhook. It should have no limit that a process of ours is also counted by. */
  webhookUrl: string;
  /** What the time-to-live still covers, by org id. */
  kept: Map<string, unknown>;
}

/** One profile. `isOld`: past the time-to-live, so the CRM is asked again. */
async function predecessorProfile(flow: Predecessor, ticket: string, isOld = false): Promise<void> {
  const { helpdesk, kept } = flow;
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
