import type { Generation, HelpdeskSimulator } from '@deskside/simulators/helpdesk/api';
import { startHelpdesk } from '@deskside/simulators/helpdesk/server';
import { type HelpdeskInProcess, makeHelpdesk } from '@deskside/simulators/helpdesk/simulator';
import { demo, type HelpdeskSeed, type HelpdeskUserSeed, makeSeed } from '@deskside/simulators/seed/index';
import { afterEach, beforeEach } from 'vitest';
import { AccountLinkConfig, type AccountLinks } from '#helpdesk/customer-data.ts';
import { Helpdesk } from '#helpdesk/helpdesk.ts';
import type { Credential, SiteOptions } from '#helpdesk/site.ts';
import { createEgress, type Upstream } from '#net/egress.ts';
import { silent } from '#testing/quiet.ts';
import { inProcess } from './in-process.ts';

// Setup of the adapter's tests: a simulated helpdesk in this process.

export const generations = ['1.24', '1.28'] as const;
export const noon = Date.UTC(2026, 10, 20, 5);
export const { signal } = new AbortController();
export const as = (user: HelpdeskUserSeed): Credential => ({ authorization: `token ${user.apiKey}:${user.apiSecret}` });
export const kind = (kind: string) => ({ name: 'HelpdeskError', kind });

const usualAccountLinks = AccountLinkConfig.parse({
  doctype: 'Platform Account Link',
  fields: { haravan_userid: 'platform_userid', haravan_orgid: 'platform_orgid', haravan_orgname: 'platform_orgname' },
});

type AdapterOptions = Omit<SiteOptions, 'serviceKey'> & {
  apiKey: string;
  apiSecret: string;
  accountLinks: AccountLinkConfig;
};

/** The helpdesk with its platform accounts. */
type Adapter = Helpdesk & { accounts: AccountLinks };

/** A simulated site in this process, a new one for each test. */
export interface SimulatedSite {
  readonly simulator: HelpdeskSimulator;
  /** Leads to whichever site there is. */
  readonly upstream: Upstream;
  /** The current time, as the adapter sees it. */
  now: number;
  readonly warnings: [fields: object, message: string][];
  /** Puts a site with a changed seed in its place; gives that. */
  seeded(change: (seed: HelpdeskSeed) => void): HelpdeskSimulator;
  /** A new adapter without any cached knowledge, as the seed's service account. */
  adapter(change?: Partial<AdapterOptions>): Adapter;
  /** One that knows the site's fields; the journal is then empty. */
  warmed(change?: Partial<AdapterOptions>): Promise<Adapter>;
  /** Requests so far, as `METHOD path user status`. */
  calls(): string[];
  /** One more site that listens, with a changed seed, for what runs as a command. */
  another(change: (seed: HelpdeskSeed) => void): Promise<{ simulator: HelpdeskSimulator; upstream: Upstream }>;
}

/** Frozen, so that it is loaded once for all tests. */
const usualSeed = Object.freeze(makeSeed({ now: new Date(noon) }).helpdesk);

export function useSimulatedSite(generation: Generation): SimulatedSite {
  const closers: (() => Promise<unknown>)[] = [];
  let current: HelpdeskInProcess;
  const now = () => noon;
  const changed = (change: (seed: HelpdeskSeed) => void) => {
    const { helpdesk } = makeSeed({ now: new Date(noon) });
    change(helpdesk);
    return helpdesk;
  };
  const use = (seed: HelpdeskSeed) => {
    current = makeHelpdesk({ seed, generation, now });
    return Object.assign(site, { simulator: current.simulator }).simulator;
  };
  const site = {
    upstream: inProcess((request) => current.answer(request)),
    seeded: (change) => use(changed(change)),
    adapter: ({
      accountLinks = usualAccountLinks,
      apiKey = demo.service.apiKey,
      apiSecret = demo.service.apiSecret,
      ...change
    } = {}) => {
      const helpdesk = new Helpdesk({
        upstream: site.upstream,
        serviceKey: `${apiKey}:${apiSecret}`,
        logger: { ...silent, warn: (fields: object, message: string) => void site.warnings.push([fields, message]) },
        clock: () => site.now,
        signs: { emit() {} },
        ...change,
      });
      return Object.assign(helpdesk, { accounts: helpdesk.accountLinks(accountLinks) });
    },
    async warmed(change) {
      const helpdesk = site.adapter(change);
      await helpdesk.warm(signal);
      site.simulator.clearJournal();
      return helpdesk;
    },
    calls: () => site.simulator.journal.map(({ method, path, user, status }) => `${method} ${path} ${user} ${status}`),
    async another(change) {
      const simulator = await startHelpdesk({ seed: changed(change), generation, now });
      const egress = createEgress({ allowInsecure: true });
      closers.push(egress.close, simulator.close);
      return { simulator, upstream: egress.upstream(simulator.url, { timeoutMs: 60_000 }) };
    },
  } as SimulatedSite;

  beforeEach(() => {
    Object.assign(site, { now: noon, warnings: [] });
    use(usualSeed);
  });
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });
  return site;
}
