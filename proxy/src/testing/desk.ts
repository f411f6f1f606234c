import { EventEmitter } from 'node:events';
import type { Generation } from '@deskside/simulators/helpdesk/api';
import { makeHelpdesk } from '@deskside/simulators/helpdesk/simulator';
import { AccountLinkConfig } from '#helpdesk/customer-data.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import { Helpdesk } from '#helpdesk/helpdesk.ts';
import { inProcess } from '#helpdesk/testing/in-process.ts';
import type { Upstream } from '#net/egress.ts';
import { fakeClock, silent } from '#runtime/testing/quiet.ts';
import { deskCustomers } from './desk-customers.ts';
import { deskPeople } from './desk-people.ts';
import { deskRights } from './desk-rights.ts';
import { callerOf, deskSeed } from './desk-seed.ts';
import { writeInWords } from './desk-writes.ts';

/** Platform accounts, where the site keeps them. */
const accountLinks = AccountLinkConfig.parse({
  doctype: 'Platform Account Link',
  fields: { haravan_userid: 'platform_userid', haravan_orgid: 'platform_orgid', haravan_orgname: 'platform_orgname' },
});

type Subjects = Omit<Helpdesk, 'site'>;

/** A method of the helpdesk by its subject, such as `tickets.read`. */
export type HelpdeskCall = { [S in keyof Subjects]: `${S}.${keyof Subjects[S] & string}` }[keyof Subjects];

export type Desk = ReturnType<typeof newDesk>;

/**
 * The helpdesk of a test: a simulated one in this process behind the real adapter, the people who work in it, and what the
 * test does to the adapter's requests. `keepsAccounts`: the service is told of the site's records of platform accounts.
 */
export function newDesk({ clock = fakeClock(), keepsAccounts = false, generation = '1.28' as Generation } = {}) {
  const { simulator, site, answer, save: saveAs } = makeHelpdesk({ seed: deskSeed, now: clock, generation });
  const pending: { verb: string; then: () => unknown }[] = [];
  const failing: { method: HelpdeskCall; error: HelpdeskError; when: 'before' | 'after' }[] = [];
  const { request, origin } = inProcess(answer);

  /** Our own requests are counted, and something may happen before one that writes. */
  const upstream: Upstream = {
    origin,
    async request(asked) {
      const { authorization } = asked.headers ?? {};
      if (authorization !== callerOf('service').authorization) return request(asked);
      const write = writeInWords(simulator, asked);
      if (write === null) {
        desk.reads += 1;
        return request(asked);
      }
      const next = pending.findIndex(({ verb }) => write.startsWith(`${verb} `));
      if (next >= 0) pending.splice(next, 1)[0]?.then();
      const response = await request(asked);
      if (response.status < 400) desk.writes.push(write);
      return response;
    },
  };

  /** What is behind a subject of the helpdesk, counted, and failing where it should. A test may put in another function. */
  function underControl<T extends object>(subject: T, prefix: string): T {
    const replaced = new Map<string | symbol, unknown>();
    return new Proxy(subject, {
      set: (_, name, value) => Boolean(replaced.set(name, value)),
      get(_, name) {
        if (replaced.has(name)) return replaced.get(name);
        const ask: unknown = Reflect.get(subject, name, subject);
        if (typeof ask !== 'function') return ask;
        const call = `${prefix}${String(name)}`;
        return (...asked: unknown[]) => {
          const index = failing.findIndex(({ method }) => method === call);
          const [failure] = index < 0 ? [] : failing.splice(index, 1);
          const answer: unknown =
            failure?.when === 'before' ? Promise.reject(failure.error) : ask.apply(subject, asked);
          if (answer instanceof Promise) desk.calls.push(call);
          return failure === undefined ? answer : Promise.resolve(answer).then(() => Promise.reject(failure.error));
        };
      },
    });
  }

  const documents = {
    clock,
    document: (doctype: string, name: string) => simulator.document(doctype, name),
    all: (doctype: string) => site.store.all(site.metadata.get(doctype)),
    /** Changes a document, or makes it, as somebody does who may, with all that follows from it. */
    save: (doctype: string, name: string, change: Record<string, unknown>, by = 'Administrator') =>
      saveAs(by, doctype, name, change),
    /** Puts it there as it is: nothing follows from that. */
    put: (doctype: string, name: string, change: Record<string, unknown>) =>
      simulator.put(doctype, { ...simulator.document(doctype, name), ...change, name }),
    remove: (doctype: string, name: string) => site.store.remove(site.metadata.get(doctype), name),
  };

  const { authorization } = callerOf('service');
  const { signal } = new AbortController();
  const serviceKey = authorization.replace('token ', '');
  const signs = new EventEmitter<{ written: [ticket: string] }>();
  const real = new Helpdesk({ upstream, serviceKey, logger: silent, clock, signs });
  const subjects = Object.entries(real).map(([name, subject]) => [name, underControl(subject, `${name}.`)]);
  const helpdesk: Helpdesk = Object.assign(underControl(real, ''), Object.fromEntries(subjects));
  const desk = {
    simulator,
    upstream,
    serviceKey,
    /** What the service works with. A test may put another function in the place of one. */
    helpdesk,
    accountLinks: keepsAccounts ? real.accountLinks(accountLinks) : null,
    /** The functions of the adapter that were called, by name, but those that ask nobody. */
    calls: [] as string[],
    /** What the service has written, in order, such as `assign 1 an@desk.example` or `route 1 agentGroup reason`. */
    writes: [] as string[],
    signs,
    /** For another world: without what everybody has written, and without who waited for the service's writes. */
    clear() {
      for (const doctype of ['HD Ticket', 'HD Customer', 'HD Customer Data', 'ToDo', 'Communication', 'Version'])
        for (const { name } of documents.all(doctype)) documents.remove(doctype, name);
      signs.removeAllListeners();
    },
    /** The service's other requests. */
    reads: 0,
    /** What happens just before the service's next write of this kind, the first word of those in `writes`; once. */
    before: (verb: string, then: () => unknown) => void pending.push({ verb, then }),
    /** The next call of this function fails; with `after` it takes effect, and only the answer is lost. */
    failNext(
      method: HelpdeskCall,
      error = new HelpdeskError('unavailable', 'down'),
      when: 'before' | 'after' = 'before',
    ) {
      failing.push({ method, error, when });
    },
    /** A ticket with its customer and contact, as the service reads it. */
    fileOf: async (ticket: string) => (await desk.helpdesk.tickets.read(ticket, signal)).file,
    ...documents,
    ...deskRights({ simulator, site }),
    ...deskPeople(documents),
    customers: deskCustomers(documents),
  };
  return desk;
}
