import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CrmSimulator, startCrm } from '@deskside/simulators/crm/server';
import { type HelpdeskSimulator, startHelpdesk } from '@deskside/simulators/helpdesk/server';
import { makeSeed } from '@deskside/simulators/seed/index';
import { proxyEnvironment } from '../../demo/proxy-environment.ts';
import type { Conditions } from './row.ts';
import { type ProxyProcess, serveProxy } from './serve-proxy.ts';

export interface Site {
  helpdesk: HelpdeskSimulator;
  crm: CrmSimulator;
  proxy: ProxyProcess;
  close(): Promise<void>;
}

/**
 * Simulators in this process, and the proxy as an operator runs it in one of its own. It routes no tickets: what is asked of
 * it is all that it does.
 *
 * @param changes to the proxy's environment
 */
export async function startSite({ folder }: Conditions, changes: Record<string, string> = {}): Promise<Site> {
  const seed = makeSeed();
  const helpdesk = await startHelpdesk({ seed: seed.helpdesk });
  const crm = await startCrm({ seed: seed.crm, plan: 'enterprise' });
  const close = () => Promise.all([helpdesk.close(), crm.close()]);
  try {
    const proxy = await serveProxy({
      ...proxyEnvironment({ helpdesk, crm }, `file:${path.join(folder, 'data')}`),
      RULES_FILE: fileURLToPath(new URL('../../demo/rules.json', import.meta.url)),
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
