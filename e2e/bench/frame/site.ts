import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CrmSimulator, startCrm } from '@deskside/simulators/crm/server';
import { type HelpdeskSimulator, startHelpdesk } from '@deskside/simulators/helpdesk/server';
import { makeSeed } from '@deskside/simulators/seed/index';
import { proxyEnvironment } from '../../demo/proxy-environment.ts';
import { startWorld, tellOfNewTickets, webhookSecret } from '../../demo/world.ts';
import type { Conditions } from './case.ts';
import { type ProxyProcess, serveProxy } from './serve-proxy.ts';

export const scriptSecret = 'bench-script-secret';

export interface Site {
  helpdesk: HelpdeskSimulator;
  crm: CrmSimulator;
  proxy: Pick<ProxyProcess, 'url' | 'pid' | 'isLimited'>;
  close(): Promise<void>;
}

export interface SiteOptions {
  /** The helpdesk tells the proxy of new tickets. */
  routes?: boolean;
  /** Changes to the proxy's environment. */
  environment?: Record<string, string>;
}

/**
 * Simulators in this process, and the proxy as an operator runs it in one of its own. In a smoke test the proxy is in this
 * process too, which starts ten times as fast.
 */
export async function startSite(
  { folder, isSmall }: Conditions,
  { routes = false, environment: changes = {} }: SiteOptions = {},
): Promise<Site> {
  const environment = { HELPDESK_SCRIPT_SECRET: scriptSecret, CRM_PLAN: 'enterprise', ...changes };
  const data = path.join(folder, 'data');
  if (isSmall) {
    const world = await startWorld({ data, pipeline: routes, environment });
    return { ...world, proxy: { url: world.proxyUrl, pid: process.pid, isLimited: false } };
  }
  const seed = makeSeed();
  const helpdesk = await startHelpdesk({ seed: seed.helpdesk });
  const crm = await startCrm({ seed: seed.crm, plan: 'enterprise' });
  const close = () => Promise.all([helpdesk.close(), crm.close()]);
  try {
    const proxy = await serveProxy({
      ...proxyEnvironment({ helpdesk, crm }, `file:${data}`),
      RULES_FILE: fileURLToPath(new URL('../../demo/rules.json', import.meta.url)),
      ...(routes && { HELPDESK_WEBHOOK_SECRET: webhookSecret }),
      ...environment,
    });
    if (routes) tellOfNewTickets(helpdesk, proxy.url);
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
