import type { Generation, HelpdeskSimulator } from '@deskside/simulators/helpdesk/api';
import { startHelpdesk } from '@deskside/simulators/helpdesk/server';
import { makeHelpdesk } from '@deskside/simulators/helpdesk/simulator';
import { demo, type HelpdeskSeed, type HelpdeskUserSeed, makeSeed } from '@deskside/simulators/seed/index';
import { afterEach, beforeEach } from 'vitest';
import { AccountLinkConfig, type AccountLinks } from '#helpdesk/customer-data.ts';
import type { CustomerRecord } from '#helpdesk/customers.ts';
import { Helpdesk } from '#helpdesk/helpdesk.ts';
import type { Credential, SiteOptions } from '#helpdesk/site.ts';
import { createEgress, type Upstream } from '#net/egress.ts';
import { silent } from '#runtime/testing/quiet.ts';
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
export type Adapter = Helpdesk & { accounts: AccountLinks };

/** A customer of the seed that has been enriched. */
export const customerName = 'Gốm Sứ Làng Mơ - 200000376001';

/** Reads it. */
export async function readCustomer(helpdesk: Helpdesk): Promise<CustomerRecord> {
  const record = await helpdesk.customers.read(customerName, signal);
  if (record === null) throw new Error('The seed has no such customer.');
  return record;
}

/** Frozen, so that it is loaded once for all tests. */
const usualSeed = Object.freeze(makeSeed({ now: new Date(noon) }).helpdesk);

/** Seeds by what was changed in them, frozen as well. */
const seeds = new WeakMap<(seed: HelpdeskSeed) => void, HelpdeskSeed>();

/** The usual seed with a change, which has to be the same each time. */
function changed(change: (seed: HelpdeskSeed) => void): HelpdeskSeed {
  const known = seeds.get(change);
  if (known !== undefined) return known;
  const { helpdesk } = makeSeed({ now: new Date(noon) });
  change(helpdesk);
  seeds.set(change, Object.freeze(helpdesk));
  return helpdesk;
}

/** A simulated site in this process, a new one for each test; by default of the newer release. */
export function useSimulatedSite(generation: Generation = '1.28') {
  const closers: (() => Promise<unknown>)[] = [];
  const now = () => noon;
  const inProcessBy = (seed: HelpdeskSeed) => makeHelpdesk({ seed, generation, now });
  let current = inProcessBy(usualSeed);
  let own: Adapter | undefined;
  const site = {
    simulator: current.simulator,
    /** Leads to whichever site there is. */
    upstream: inProcess((request) => current.answer(request)),
    /** The current time, as the adapter sees it. */
    now: noon,
    warnings: [] as [fields: object, message: string][],
    /** Puts a site with a changed seed in its place; gives that. */
    seeded: (change: (seed: HelpdeskSeed) => void) => place(changed(change)),
    /** A new adapter without any cached knowledge, as the seed's service account. */
    adapter({
      accountLinks = usualAccountLinks,
      apiKey = demo.service.apiKey,
      apiSecret = demo.service.apiSecret,
      ...change
    }: Partial<AdapterOptions> = {}): Adapter {
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
    /** The adapter of the test. */
    get helpdesk(): Adapter {
      own ??= site.adapter();
      return own;
    },
    /** From now on the adapter of the test is another one. */
    use(change?: Partial<AdapterOptions>): Adapter {
      own = site.adapter(change);
      return own;
    },
    /** The same, once it knows the site's fields; the journal is then empty. */
    async warmed(change?: Partial<AdapterOptions>): Promise<Adapter> {
      const helpdesk = site.use(change);
      await helpdesk.warm(signal);
      site.simulator.clearJournal();
      return helpdesk;
    },
    /** Changes a document, or makes it. */
    change: (doctype: string, name: string, values: object) =>
      site.simulator.put(doctype, { ...site.simulator.document(doctype, name), name, ...values }),
    remove: (doctype: string, name: string) => current.site.store.remove(current.site.metadata.get(doctype), name),
    /** The documents of a DocType. */
    all: (doctype: string) => current.site.store.all(current.site.metadata.get(doctype)),
    /** Requests so far, as `METHOD path user status`. */
    calls: () => site.simulator.journal.map(({ method, path, user, status }) => `${method} ${path} ${user} ${status}`),
    /** Those that write, as `METHOD HD Ticket/1 status`. */
    writes: () =>
      site.simulator.journal.flatMap(({ method, path, status }) =>
        method === 'GET' ? [] : [`${method} ${path.split('/').slice(3).join('/')} ${status}`],
      ),
    /** One more site that listens, with a changed seed, for what runs as a command. */
    async another(change: (seed: HelpdeskSeed) => void): Promise<{ simulator: HelpdeskSimulator; upstream: Upstream }> {
      const simulator = await startHelpdesk({ seed: changed(change), generation, now });
      const egress = createEgress({ allowInsecure: true });
      closers.push(egress.close, simulator.close);
      return { simulator, upstream: egress.upstream(simulator.url, { timeoutMs: 60_000 }) };
    },
  };
  function place(seed: HelpdeskSeed): HelpdeskSimulator {
    current = inProcessBy(seed);
    own = undefined;
    site.simulator = current.simulator;
    return site.simulator;
  }

  beforeEach(() => {
    Object.assign(site, { now: noon, warnings: [] });
    place(usualSeed);
  });
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });
  return site;
}
