import type { Generation, HelpdeskSimulator } from '@deskside/simulators/helpdesk/api';
import { startHelpdesk } from '@deskside/simulators/helpdesk/server';
import { demo, type HelpdeskSeed, type HelpdeskUserSeed, makeSeed } from '@deskside/simulators/seed/index';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { AccountLinkConfig, type AccountLinks } from '#helpdesk/accounts.ts';
import { Helpdesk } from '#helpdesk/helpdesk.ts';
import type { Credential, SiteOptions } from '#helpdesk/site.ts';
import { createEgress, type Egress, type Upstream } from '#net/egress.ts';

// Setup of the adapter's tests: a simulated helpdesk behind real sockets.

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

/** A running site, started before the tests of the surrounding `describe` and stopped after them. */
export interface SimulatedSite {
  readonly simulator: HelpdeskSimulator;
  readonly upstream: Upstream;
  /** The current time, as the adapter sees it. */
  now: number;
  readonly warnings: [fields: object, message: string][];
  /** A new adapter without any cached knowledge, as the seed's service account. */
  adapter(change?: Partial<AdapterOptions>): Adapter;
  /** One that knows the site's fields; the journal is then empty. */
  warmed(change?: Parameters<SimulatedSite['adapter']>[0]): Promise<Adapter>;
  /** Requests so far, as `METHOD path user status`. */
  calls(): string[];
  /** An upstream with a very short timeout. */
  impatient(): Upstream;
  /** A second site for one test, with a changed seed. */
  another(change: (seed: HelpdeskSeed) => void): Promise<{ simulator: HelpdeskSimulator; upstream: Upstream }>;
}

export function useSimulatedSite(generation: Generation): SimulatedSite {
  let egress: Egress;
  const others: HelpdeskSimulator[] = [];
  const start = (seed: HelpdeskSeed) => startHelpdesk({ seed, generation, now: () => noon });
  const seedOf = () => makeSeed({ now: new Date(noon) }).helpdesk;
  const state = { now: noon, warnings: [] } as unknown as {
    -readonly [key in 'simulator' | 'upstream' | 'now' | 'warnings']: SimulatedSite[key];
  };

  beforeAll(async () => {
    egress = createEgress({ allowInsecure: true });
    state.simulator = await start(seedOf());
    state.upstream = egress.upstream(state.simulator.url, { timeoutMs: 60_000 });
  });
  beforeEach(() => {
    state.now = noon;
    state.warnings = [];
    state.simulator.clearJournal();
  });
  afterEach(async () => {
    state.simulator.fault = null;
    state.simulator.settings.restrictTicketsByAgentGroup = false;
    for (const other of others.splice(0)) await other.close();
  });
  afterAll(async () => {
    await egress.close();
    await state.simulator.close();
  });

  return Object.assign(state, {
    adapter: ({
      accountLinks = usualAccountLinks,
      apiKey = demo.service.apiKey,
      apiSecret = demo.service.apiSecret,
      ...change
    }: Partial<AdapterOptions> = {}) => {
      const helpdesk = new Helpdesk({
        upstream: state.upstream,
        serviceKey: `${apiKey}:${apiSecret}`,
        logger: {
          debug() {},
          info() {},
          error() {},
          warn: (fields: object, message: string) => void state.warnings.push([fields, message]),
        },
        clock: () => state.now,
        signs: { emit() {} },
        ...change,
      });
      return Object.assign(helpdesk, { accounts: helpdesk.accountLinks(accountLinks) });
    },
    async warmed(this: SimulatedSite, change: Parameters<SimulatedSite['adapter']>[0]) {
      const helpdesk = this.adapter(change);
      await helpdesk.warm(signal);
      state.simulator.clearJournal();
      return helpdesk;
    },
    calls: () => state.simulator.journal.map(({ method, path, user, status }) => `${method} ${path} ${user} ${status}`),
    impatient: () => egress.upstream(state.simulator.url, { timeoutMs: 200 }),
    async another(change: (seed: HelpdeskSeed) => void) {
      const seed = seedOf();
      change(seed);
      const simulator = await start(seed);
      others.push(simulator);
      return { simulator, upstream: egress.upstream(simulator.url, { timeoutMs: 60_000 }) };
    },
  } satisfies Omit<SimulatedSite, keyof typeof state>);
}
