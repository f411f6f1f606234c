import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { keepSnapshots } from '../../integration/enrichment-kit.ts';
import { nativeRules } from '../../integration/pipeline-kit.ts';
import { asked, routedCases } from '../../integration/routed-cases.ts';
import type { BenchCase } from '../frame/case.ts';
import { type Site, startSite } from '../frame/site.ts';

/** For so long nothing is asked of the helpdesk any more once a ticket has been written. */
const quietMs = 300;

/**
 * How often the helpdesk is asked to route one ticket, by what there is to find out: known companies, senders and teams are
 * remembered, on a site that keeps snapshots and has no platform accounts. A number, which no other load changes.
 */
export const helpdeskRequests: BenchCase = {
  name: 'helpdesk-requests',
  async measure(conditions) {
    const rules = path.join(conditions.folder, 'no-platform-accounts.json');
    await writeFile(rules, JSON.stringify({ platform_hosts: ['myplatform.example'] }));
    const site = await startSite(conditions, { routes: true, environment: { RULES_FILE: rules } });
    try {
      site.helpdesk.settings.webhookDelayMs = 0;
      keepSnapshots(site);
      nativeRules(site, false);
      const counts: Record<string, number> = {};
      for (const [name, { prepare, insert, isWarm }] of Object.entries(routedCases)) {
        prepare?.(site);
        if (isWarm) await routed(site, await insert(site));
        site.helpdesk.clearJournal();
        await routed(site, await insert(site));
        counts[name] = asked(site).length;
      }
      return Object.entries(counts).map(([name, count]) => ({
        measure: `helpdesk requests of a routed ticket: ${name}`,
        unit: '',
        ours: [count],
        ...(name === 'a known customer, by a member' && {
          goal: { is: 'at most', value: 9, of: 'ours' } as const,
        }),
      }));
    } finally {
      await site.close();
    }
  },
};

async function routed({ helpdesk }: Site, name: string): Promise<void> {
  while (!helpdesk.document('HD Ticket', name)?.custom_platform_routing_reason) await wait(20);
  for (let seen = -1; seen !== helpdesk.journal.length; ) {
    seen = helpdesk.journal.length;
    await wait(quietMs);
  }
}
