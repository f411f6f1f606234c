import { setTimeout as wait } from 'node:timers/promises';
import { tellOfNewTickets, webhookSecret } from '../../demo/world.ts';
import { nativeRules } from '../../integration/pipeline-kit.ts';
import { routedCases } from '../../integration/routed-cases.ts';
import { processorTime } from '../frame/processor-time.ts';
import type { BenchCase } from '../frame/row.ts';
import { type Site, startSite } from '../frame/site.ts';

/**
 * What it takes to route a ticket of a known customer, one after the other, once company, sender and team are remembered.
 * What finds tickets that nobody told of is counted along, as it happens.
 */
export const routed: BenchCase = {
  name: 'routed',
  async measure(conditions) {
    const { rounds, isSmall } = conditions;
    const each = isSmall ? 3 : 50;
    const site = await startSite(conditions, { HELPDESK_WEBHOOK_SECRET: webhookSecret });
    try {
      tellOfNewTickets(site.helpdesk, site.proxy.url);
      site.helpdesk.settings.webhookDelayMs = 0;
      nativeRules(site, false);
      const { prepare, insert } = routedCases['a known customer, by an address of the CRM'] ?? {};
      prepare?.(site);
      const some = async () => {
        site.helpdesk.clearJournal();
        site.crm.clearJournal();
        const [from, computed] = [performance.now(), processorTime(site.proxy.pid)];
        for (let n = 0; n < each; n += 1) await written(site, (await insert?.(site)) ?? '');
        return {
          milliseconds: (performance.now() - from) / each,
          processor: (processorTime(site.proxy.pid) - computed) / 1_000 / each,
          helpdesk: site.helpdesk.journal.length / each,
          crm: site.crm.journal.length / each,
        };
      };
      // For the just-in-time compilers.
      for (let round = 0; round < (isSmall ? 1 : 4); round += 1) await some();
      const measured: Awaited<ReturnType<typeof some>>[] = [];
      while (measured.length < rounds) measured.push(await some());
      const row = (measure: string, unit: string, what: 'milliseconds' | 'processor' | 'helpdesk' | 'crm') => ({
        ...{ measure: `a routed ticket, ${measure}`, unit },
        ours: measured.map((one) => one[what]),
      });
      return [
        row('processor time', 'ms', 'processor'),
        row('helpdesk requests', '', 'helpdesk'),
        row('CRM requests', '', 'crm'),
        row('from the insert to the reason on it', 'ms', 'milliseconds'),
      ];
    } finally {
      await site.close();
    }
  },
};

/** The reason is written last. */
async function written({ helpdesk }: Site, name: string): Promise<void> {
  while (!helpdesk.document('HD Ticket', name)?.custom_platform_routing_reason) await wait(5);
}
