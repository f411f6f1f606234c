import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CrmSimulator, startCrm } from '@deskside/simulators/crm/server';
import { type HelpdeskSimulator, startHelpdesk } from '@deskside/simulators/helpdesk/server';
import { demo, sharedSeed } from '@deskside/simulators/seed/index';
import { childEnvironment } from '@deskside/testing/child-environment';
import { printedBy } from '@deskside/testing/printed-by';
import { proxyCli } from '@deskside/testing/proxy-cli';
import { proxyEnvironment } from '../demo/proxy-environment.ts';

export interface ServerProcess {
  pid: number;
  url: string;
  /** Ends it, by default at once. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a program of Node's that prints its address on a line by itself once it listens. */
export async function startProcess(args: string[], environment: Record<string, string> = {}): Promise<ServerProcess> {
  const child = spawn(process.execPath, args, {
    env: childEnvironment(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { address, ended } = printedBy(child);
  return {
    url: await address,
    pid: child.pid ?? 0,
    async end(signal = 'SIGKILL') {
      child.kill(signal);
      await ended;
    },
  };
}

/** Starts the proxy in a process of its own, as `bin/deskside` does. */
export const serveProxy = (environment: Record<string, string>) =>
  startProcess(['--max-semi-space-size=8', proxyCli, 'serve'], { MALLOC_ARENA_MAX: '1', ...environment });

export interface BenchSite {
  helpdesk: HelpdeskSimulator;
  crm: CrmSimulator;
  proxy: ServerProcess;
  close(): Promise<void>;
}

/**
 * Simulators in this process, and the proxy in one of its own. It routes no tickets: what is asked of it is all that it
 * does.
 *
 * @param folder for the proxy's store
 * @param changes to the proxy's environment
 */
export async function startSite(folder: string, changes: Record<string, string> = {}): Promise<BenchSite> {
  const seed = sharedSeed();
  const helpdesk = await startHelpdesk({ seed: seed.helpdesk });
  const crm = await startCrm({ seed: seed.crm, plan: 'enterprise' });
  const close = () => Promise.all([helpdesk.close(), crm.close()]);
  try {
    const proxy = await serveProxy({
      ...proxyEnvironment({ helpdesk, crm }, `file:${path.join(folder, 'data')}`),
      RULES_FILE: fileURLToPath(new URL('../demo/rules.json', import.meta.url)),
      CRM_PLAN: 'enterprise',
      ...changes,
    });
    return {
      ...{ helpdesk, crm, proxy },
      async close() {
        await proxy.end('SIGTERM');
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A ticket of a company. */
export interface BenchShop {
  ticket: string;
  orgId: string;
  companyId: string;
}

/**
 * Puts companies into the CRM and a ticket for each into the helpdesk; `from` numbers the tickets, so that each call's are new.
 * `of`: so many companies have them in turn; by default each ticket has a company of its own.
 */
export function addShops(
  { helpdesk, crm }: Omit<BenchSite, 'proxy' | 'close'>,
  { from, count, of = Number.POSITIVE_INFINITY }: { from: number; count: number; of?: number },
): BenchShop[] {
  const model = helpdesk.document('HD Ticket', demo.tickets.onlyTicketOrgId);
  const company = crm.company('63002');
  if (!model || !company) throw new Error('The seed has no such ticket or company.');
  return Array.from({ length: count }, (_, i) => {
    const number = (from + i) % of;
    const shop = {
      ticket: String(800_000 + from + i),
      orgId: String(3_000_000_000 + number),
      companyId: String(900_000 + number),
    };
    crm.putCompany({ ...company, ID: shop.companyId, TITLE: `Shop ${number}`, UF_CRM_COMPANY_ID: shop.orgId });
    helpdesk.put('HD Ticket', { ...model, name: shop.ticket, custom_orgid: shop.orgId, customer: null });
    return shop;
  });
}

/** Microseconds that a process of this machine has computed so far, on all its threads. Linux counts them in nanoseconds. */
export function processorTime(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  const nanoseconds = readdirSync(tasks).map((task) => {
    const [running = ''] = readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ');
    return Number(running);
  });
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1_000;
}

/** Megabytes of memory (10^6 bytes) that a process holds at this moment. */
export function memoryOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return (Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1_024) / 1e6;
}
