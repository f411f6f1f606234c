import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '@deskside/proxy/testing/postgres-server';
import { startCrm } from '@deskside/simulators/crm/server';
import { startHelpdesk } from '@deskside/simulators/helpdesk/server';
import { makeSeed, shops } from '@deskside/simulators/seed/index';
import { createRandom } from '@deskside/simulators/seed/random';
import { spreadOf } from '../bench/frame/row.ts';
import { proxyEnvironment } from '../demo/proxy-environment.ts';
import { tellOfNewTickets, webhookSecret } from '../demo/world.ts';
import { staff } from '../integration/pipeline-kit.ts';
import { type Breakable, breakThings } from './faults.ts';
import { assignmentsIn, doubledCustomers, unfairTeams, unfinished, withDecisions } from './judge.ts';
import { startRelay } from './relay.ts';
import { footprint, startReplicas } from './replicas.ts';
import { work } from './work.ts';

export interface SoakOptions {
  seconds: number;
  seed: number;
  isPostgres: boolean;
  /** Processes on one store, at least two. */
  replicas: number;
  ticketsPerSecond: number;
  profilesPerSecond: number;
  killEverySeconds: number;
  /** What is not done yet while it settles, now and then. */
  onProgress?(text: string): void;
}

export interface SoakReport {
  tickets: number;
  kills: number;
  faults: Record<string, number>;
  answers: Record<string, number>;
  /** Seconds from the last fault until every ticket was as it should be. */
  settledAfter: number;
  /** Of the process that was spared: median megabytes in the second quarter of the run and in its last, files before and after. */
  memory: { early: number; late: number };
  files: { before: number; after: number };
  /** What must not be; empty where all is well. */
  findings: string[];
}

/** What failed is made again after up to a few minutes (docs/routing.md#repair). */
const settleWithinMs = 8 * 60_000;

/**
 * A working desk while CRM, helpdesk, store and network fail at random and processes are killed; then all is left alone
 * until it has settled, and judged: no ticket lost, none assigned twice, turns exact, memory and open files flat.
 */
export async function runSoak(options: SoakOptions): Promise<SoakReport> {
  const random = createRandom(options.seed);
  const folder = await mkdtemp(path.join(tmpdir(), 'deskside-soak-'));
  const seed = makeSeed();
  const helpdesk = await startHelpdesk({ seed: seed.helpdesk });
  const crm = await startCrm({ seed: seed.crm, plan: 'enterprise' });
  const portOf = (url: string) => Number(new URL(url).port);
  const network = {
    helpdesk: await startRelay([portOf(helpdesk.url)]),
    crm: await startRelay([portOf(crm.url)]),
    proxies: await startRelay(),
  };
  const server = options.isPostgres ? await startPostgres('soak') : null;
  await server?.createDatabase('soak');
  const postgres = server && (await startRelay([server.port]));
  const data = path.join(folder, 'data');
  const reached = {
    helpdesk: { url: `http://127.0.0.1:${network.helpdesk.port}` },
    crm: { webhookUrl: crm.webhookUrl.replace(crm.url, `http://127.0.0.1:${network.crm.port}`) },
  };
  const store = postgres ? `postgres://postgres:soak@127.0.0.1:${postgres.port}/soak` : `file:${data}`;
  const environment = {
    ...proxyEnvironment(reached, store),
    HELPDESK_WEBHOOK_SECRET: webhookSecret,
    CRM_PLAN: 'enterprise',
    CRM_REFRESH_TTL_MINUTES: '1',
    RULES_FILE: fileURLToPath(new URL('../integration/rules/accept.json', import.meta.url)),
    LOG_LEVEL: 'silent',
  };
  const replicas = await startReplicas(options.replicas, environment, network.proxies);
  const baseUrl = `http://127.0.0.1:${network.proxies.port}`;
  const over = new AbortController();
  try {
    staff({ helpdesk });
    forgetSegments(helpdesk);
    tellOfNewTickets(helpdesk, baseUrl);
    await wait(2_000);
    const files = { before: footprint(replicas.spared).files, after: 0 };
    const megabytes: number[] = [];
    let kills = 0;
    const kill = async () => {
      for (let next = performance.now(); !over.signal.aborted; await wait(100)) {
        if (performance.now() - next < options.killEverySeconds * 1_000) continue;
        next = performance.now();
        kills += 1;
        await replicas.killOne(random);
      }
    };
    const watch = async () => {
      while (!over.signal.aborted) {
        megabytes.push(footprint(replicas.spared).memory);
        await wait(500);
      }
    };
    const things: Breakable = {
      helpdesk,
      crm,
      network,
      store: postgres ? { postgres } : { sqlite: path.join(data, 'state.db') },
    };
    const running = Promise.all([
      work({ helpdesk, baseUrl }, options, createRandom(options.seed + 1), over.signal),
      breakThings(things, createRandom(options.seed + 2), over.signal),
      kill(),
      watch(),
    ]);
    await Promise.race([wait(options.seconds * 1_000), running]);
    over.abort();
    const [worked, faults] = await running;

    const settlingFrom = performance.now();
    let open: string[];
    let toldAt = 0;
    do {
      await wait(500);
      const assignments = await assignmentsIn(helpdesk);
      open = worked.tickets.flatMap((ticket) => unfinished(helpdesk, ticket, assignments));
      const seconds = Math.round((performance.now() - settlingFrom) / 1_000);
      if (seconds >= toldAt + 15) {
        toldAt = seconds;
        options.onProgress?.(`${open.length} left after ${seconds} s: ${open.slice(0, 3).join('; ')}`);
      }
    } while (open.length > 0 && performance.now() - settlingFrom < settleWithinMs);
    const settledAfter = Math.round((performance.now() - settlingFrom) / 1_000);
    // Agents' connections are kept for later requests; they belong to nobody now.
    network.proxies.cut();
    await wait(3_000);
    files.after = footprint(replicas.spared).files;
    const assignments = await assignmentsIn(helpdesk);
    const left = worked.tickets.map((ticket) =>
      withDecisions(baseUrl, ticket, unfinished(helpdesk, ticket, assignments)),
    );
    const findings = [
      ...worked.findings,
      ...(await Promise.all(left)).flat(),
      ...(await doubledCustomers(helpdesk)),
      ...(await unfairTeams(baseUrl, worked.tickets)),
    ];
    const quarter = Math.floor(megabytes.length / 4);
    const memory = {
      early: spreadOf(megabytes.slice(quarter, 2 * quarter)).median,
      late: spreadOf(megabytes.slice(-quarter)).median,
    };
    // Compiled code and caches fill in the first minutes.
    if (options.seconds >= 240 && memory.late > 1.2 * memory.early)
      findings.push(`memory grew: ${JSON.stringify(memory)}`);
    if (files.after > files.before + 10) findings.push(`open files grew: ${JSON.stringify(files)}`);
    return {
      tickets: worked.tickets.length,
      kills,
      faults: Object.fromEntries(faults),
      answers: Object.fromEntries(worked.answers),
      ...{ settledAfter, memory, files, findings },
    };
  } finally {
    over.abort();
    await replicas.end();
    await Promise.all([...Object.values(network), ...(postgres ? [postgres] : [])].map((relay) => relay.close()));
    await Promise.all([helpdesk.close(), crm.close(), server?.stop()]);
    await rm(folder, { recursive: true, force: true });
  }
}

/** What the CRM says of a shop is not known to the helpdesk beforehand: every ticket with an org id needs the CRM. */
function forgetSegments(helpdesk: Awaited<ReturnType<typeof startHelpdesk>>): void {
  for (const { name, orgId } of shops) {
    const customer = helpdesk.document('HD Customer', `${name} - ${orgId}`);
    if (customer)
      helpdesk.put('HD Customer', { ...customer, custom_customer_segment: null, custom_shopplan_name: null });
  }
}
