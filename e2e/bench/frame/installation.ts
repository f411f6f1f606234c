import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { contract } from '@deskside/shared/contract';
import type { CrmSimulator } from '@deskside/simulators/crm/server';
import { startHelpdesk } from '@deskside/simulators/helpdesk/server';
import { demo, makeSeed, shops } from '@deskside/simulators/seed/index';
import { proxyEnvironment } from '../../demo/proxy-environment.ts';
import { tellOfNewTickets, webhookSecret } from '../../demo/world.ts';
import { keyOf } from '../../integration/key-of.ts';
import { staff } from '../../integration/pipeline-kit.ts';
import { balance } from './balancer.ts';
import { closedLoop } from './closed-loop.ts';
import { serveProxy } from './serve-proxy.ts';

/** To each proxy at once. */
const connectionsEach = 4;
const insertedEach = 8;

/** A helpdesk and its proxies behind one balancer, and what can be asked of them. */
export async function install(crm: CrmSimulator, databaseUrl: string, replicas: number) {
  const helpdesk = await startHelpdesk({ seed: makeSeed().helpdesk });
  const environment = {
    ...proxyEnvironment({ helpdesk, crm }, databaseUrl),
    HELPDESK_WEBHOOK_SECRET: webhookSecret,
    CRM_PLAN: 'enterprise',
    RULES_FILE: fileURLToPath(new URL('../../demo/rules.json', import.meta.url)),
    LOG_LEVEL: 'warn',
  };
  const proxies = await Promise.all(Array.from({ length: replicas }, () => serveProxy(environment)));
  const balancer = await balance(proxies.map(({ url }) => Number(new URL(url).port)));
  staff({ helpdesk });
  tellOfNewTickets(helpdesk, balancer.url);
  let inserted = 0;
  /**
   * By an agent, who vouches for its company: a mere claim is looked at again and again, the longer the more often. Each for a
   * sender of its own: one may be a copy of others of the same sender, and more come at the same time where there are more
   * replicas.
   */
  const insert = async (n: number) => {
    inserted += 1;
    const name = await helpdesk.insertTicket(demo.agent.name, {
      ...{ subject: `Turn ${inserted}`, raised_by: `a${inserted}@b.example` },
      custom_orgid: shops[n % shops.length]?.orgId,
    });
    // Written last.
    while (helpdesk.document('HD Ticket', name)?.custom_platform_profile_status !== 'Complete') await wait(20);
  };
  return {
    helpdesk,
    proxies,
    async profiles(requests: number) {
      const url = `${balancer.url}${contract.customerProfile.path}?ticket=${demo.tickets.matched}`;
      const headers = { authorization: keyOf(demo.agent) };
      const { statuses } = await closedLoop({ url, headers, connections: connectionsEach * replicas, requests });
      if (statuses[200] !== requests) throw new Error(`Not all got 200: ${JSON.stringify(statuses)}`);
    },
    async tickets(wanted: number) {
      let next = 0;
      const one = async () => {
        while (next < wanted) {
          next += 1;
          await insert(next);
        }
      };
      await Promise.all(Array.from({ length: Math.min(wanted, insertedEach * replicas) }, one));
    },
    async end() {
      await balancer.close();
      await Promise.all(proxies.map((proxy) => proxy.end()));
      await helpdesk.close();
    },
  };
}
