import { startCrm } from '@deskside/simulators/crm/server';
import type { Generation } from '@deskside/simulators/helpdesk/api';
import { startHelpdesk } from '@deskside/simulators/helpdesk/server';
import { freeMail, makeSeedInUse } from '@deskside/simulators/seed/in-use';
import { demo } from '@deskside/simulators/seed/index';
import { fastClock, inFolder, openLayers } from '#crm/testing/crm-layers.ts';
import { matchCustomers } from '#customers/match.ts';
import { Frappe } from '#helpdesk/frappe.ts';
import { WholeHelpdesk } from '#helpdesk/whole.ts';
import { createEgress } from '#net/egress.ts';
import { openStore } from '#store/database.ts';
import { partOfContext } from '#testing/part-of-context.ts';

export interface InUse {
  seed: number;
  customers: number;
  generation?: Generation;
  /** How many times as fast as in reality the time passes, for the CRM's limits too. */
  speed: number;
}

export interface MatchFigures extends Record<'certain' | 'likely' | 'several' | 'none', number> {
  /** Customers that have a company in the CRM, and of these whose company is the one that certain or likely names. */
  have: number;
  found: number;
  /** Customers of which certain or likely names a company, whichever. */
  named: number;
  /** Customers of which certain names another company than the true one. */
  wrong: string[];
  requests: number;
  limitErrors: number;
  seconds: number;
}

/** Matches the customers of a helpdesk that has been in use, within the ordinary plan's limits, and holds it against the truth. */
export function matchInUse({ seed, customers, generation = '1.28', speed }: InUse): Promise<MatchFigures> {
  return inFolder(async (data) => {
    const world = makeSeedInUse({ seed, customers });
    const time = fastClock(speed);
    const helpdesk = await startHelpdesk({ seed: world.helpdesk, generation });
    const crm = await startCrm({ seed: world.crm, now: time.clock });
    const egress = createEgress({ allowInsecure: true });
    const { layers, close } = await openLayers({ crm, data, time });
    const store = await openStore(`file:${data}`, time.clock);
    try {
      const upstream = egress.upstream(helpdesk.url, { timeoutMs: 60_000 });
      const ctx = {
        ...store,
        clock: time.clock,
        pause: time.pause,
        crm: layers,
        hosts: { platform_hosts: [], guarded_domains: ['facebook.com', freeMail] },
        helpdesk: {
          whole: new WholeHelpdesk(
            new Frappe(upstream, `token ${demo.service.apiKey}:${demo.service.apiSecret}`, {
              describe: async () => new Map(),
            }),
          ),
        },
      };
      const began = time.clock();
      const found = await matchCustomers(partOfContext(ctx), () => {});
      const seconds = Math.round((time.clock() - began) / 1_000);
      const judged = (found?.matches ?? []).flatMap((match) => {
        const truth = world.truth[match.customer];
        return truth ? [{ ...match, truth: truth.orgId }] : [];
      });
      const count = (verdict: string) => judged.filter((match) => match.verdict === verdict).length;
      const named = judged.filter(({ orgId }) => orgId !== null);
      return {
        seconds,
        certain: count('certain'),
        likely: count('likely'),
        several: count('several'),
        none: count('none'),
        named: named.length,
        have: judged.filter(({ truth }) => truth !== null).length,
        found: judged.filter(({ truth, orgId }) => truth !== null && orgId === truth).length,
        wrong: judged
          .filter(({ verdict, truth, orgId }) => verdict === 'certain' && orgId !== truth)
          .map(({ customer }) => customer),
        requests: crm.journal.length,
        limitErrors: crm.journal.filter(({ error }) => error === 'QUERY_LIMIT_EXCEEDED').length,
      };
    } finally {
      await Promise.all([store.close(), egress.close(), close()]);
      await Promise.all([crm.close(), helpdesk.close()]);
    }
  });
}
