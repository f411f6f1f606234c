import { setTimeout as wait } from 'node:timers/promises';
import { desiredScript, scriptName, scriptText } from '@deskside/proxy/before-insert-script';
import { demo, shops } from '@deskside/simulators/seed/index';
import { staff } from '../../integration/pipeline-kit.ts';
import { alternate } from '../frame/alternate.ts';
import type { BenchCase, Conditions } from '../frame/case.ts';
import { processorTime } from '../frame/processor-time.ts';
import { type Site, scriptSecret, startSite } from '../frame/site.ts';

/** Seconds until all tickets were saved, and until each had its agent. */
interface Flood {
  saved: number;
  routed: number;
  perTicket: { helpdesk: number; crm: number; processor: number };
}

/**
 * Tickets that all come at once, each waited for by whoever saves it; then from the first to the last agent assigned, with
 * the simulated helpdesk's own work. The baseline is the same helpdesk with nothing of ours installed.
 */
export const pipeline: BenchCase = {
  name: 'pipeline',
  async measure(conditions) {
    const count = conditions.isSmall ? 10 : 1_000;
    const rounds = conditions.isSmall ? 1 : Math.ceil(conditions.rounds / 7);
    let nth = 0;
    const inserts = (routes: boolean) => () => {
      nth += 1;
      return flood({ ...conditions, folder: `${conditions.folder}/${nth}` }, count, routes);
    };
    const measured = await alternate(rounds, { ours: inserts(true), without: inserts(false) });
    const of = (name: 'ours' | 'without', figure: (one: Flood) => number) => measured[name].map(figure);
    const together = `${count.toLocaleString('en')} concurrent inserts`;
    return [
      {
        measure: `${together}, until all are saved`,
        unit: 's',
        ours: of('ours', ({ saved }) => saved),
        baseline: { name: 'without Deskside', figures: of('without', ({ saved }) => saved) },
      },
      {
        measure: `${together}, until all are routed and assigned`,
        unit: 's',
        ours: of('ours', ({ routed }) => routed),
      },
      { measure: 'pipeline, tickets to the end', unit: '/s', ours: of('ours', ({ routed }) => count / routed) },
      {
        measure: 'pipeline, processor time per ticket',
        unit: 'ms',
        ours: of('ours', (one) => one.perTicket.processor),
      },
      { measure: 'helpdesk requests per routed ticket', unit: '', ours: of('ours', (one) => one.perTicket.helpdesk) },
      { measure: 'CRM requests per routed ticket', unit: '', ours: of('ours', (one) => one.perTicket.crm) },
    ];
  },
};

async function flood(conditions: Conditions, count: number, routes: boolean): Promise<Flood> {
  const site = await startSite(conditions, { routes });
  const { helpdesk, crm, proxy } = site;
  try {
    // Its one job worker would wait so long for each ticket, one after the other.
    helpdesk.settings.webhookDelayMs = 0;
    staff(site);
    if (routes) {
      const script = scriptText(proxy.url, scriptSecret);
      helpdesk.put('Server Script', { name: scriptName, ...desiredScript, disabled: 0, script });
    }
    helpdesk.clearJournal();
    crm.clearJournal();
    const [from, computed] = [performance.now(), processorTime(proxy.pid)];
    const names = await Promise.all(
      Array.from({ length: count }, (_, n) => {
        const custom_orgid = shops[n % shops.length]?.orgId;
        return helpdesk.insertTicket(demo.service.name, {
          subject: `Turn ${n}`,
          raised_by: 'a@b.example',
          custom_orgid,
        });
      }),
    );
    const saved = (performance.now() - from) / 1_000;
    while (routes && !names.every((name) => isAssigned(site, name))) await wait(20);
    const routed = (performance.now() - from) / 1_000;
    return {
      ...{ saved, routed },
      perTicket: {
        helpdesk: helpdesk.journal.length / count,
        crm: crm.journal.length / count,
        processor: (processorTime(proxy.pid) - computed) / 1_000 / count,
      },
    };
  } finally {
    await site.close();
  }
}

function isAssigned({ helpdesk }: Site, name: string): boolean {
  return !['', '[]'].includes(String(helpdesk.document('HD Ticket', name)?._assign ?? ''));
}
