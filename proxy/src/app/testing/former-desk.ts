import { makeHelpdesk } from '@deskside/simulators/helpdesk/simulator';
import { demo, type HelpdeskSeed, makeSeed } from '@deskside/simulators/seed/index';
import { createFrappeSite } from '#adapters/helpdesk-frappe/helpdesk.ts';
import { inProcess } from '#adapters/helpdesk-frappe/testing/in-process.ts';
import type { HelpdeskUser } from '#ports/helpdesk/helpdesk.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import { fakeClock, silent } from './fakes.ts';

/** The user of the service account. */
const service = 'service@desk.example';

const key = 'service:service';

const field = (fieldname: string, fieldtype = 'Data', options?: string) => ({
  fieldname,
  fieldtype,
  label: fieldname,
  ...(options !== undefined && { options }),
});

const snapshotFields = [
  field('hd_customer', 'Link', 'HD Customer'),
  ...['source', 'entity_type', 'external_id', 'external_url', 'match_key'].map((name) => field(name)),
  ...[field('confidence', 'Percent'), field('last_synced_at', 'Datetime'), field('summary_json', 'JSON')],
];

/** What every ticket has. */
const newTicket = {
  subject: 'Không in được đơn',
  description: '',
  raised_by: 'vy@shop.example',
  status: 'Open',
  status_category: 'Open',
  priority: 'Medium',
  agent_group: null,
  customer: null,
  contact: null,
};

/** The demo's site without its people and what they wrote. Its clock is UTC. */
const emptySite: HelpdeskSeed = (() => {
  const { helpdesk } = makeSeed({ now: new Date(0) });
  const of = ['HD Agent Status', 'HD Ticket Status', 'HD Ticket Priority', 'HD Ticket Type', 'HD Settings'];
  return {
    timeZone: 'UTC',
    users: [{ ...demo.service, name: service, apiKey: 'service', apiSecret: 'service' }],
    documents: Object.fromEntries(Object.entries(helpdesk.documents).filter(([doctype]) => of.includes(doctype))),
    customFields: { ...helpdesk.customFields, 'HD Customer Data': snapshotFields },
    ...(helpdesk.protectedFields && { protectedFields: helpdesk.protectedFields }),
  };
})();

/** By their users: a frozen seed is loaded once, however many sites start with it. */
const seeds = new Map<string, HelpdeskSeed>();

function seedWith(users: Record<string, HelpdeskUser>): HelpdeskSeed {
  const key = JSON.stringify(users);
  const known = seeds.get(key);
  if (known) return known;
  const accounts = Object.entries(users).map(([authorization, { id, fullName, isAgent }]) => {
    const [apiKey = '', apiSecret = ''] = authorization.replace('token ', '').split(':');
    const roles = isAgent ? ['Agent', 'Agent Manager'] : [];
    return { name: id, fullName: fullName ?? id, password: '', apiKey, apiSecret, roles, enabled: true };
  });
  const seed = Object.freeze({ ...emptySite, users: [...emptySite.users, ...accounts] });
  seeds.set(key, seed);
  return seed;
}

export type Desk = ReturnType<typeof newDesk>;

/**
 * A simulated helpdesk in this process behind the real adapter, with nobody but the service account and these users, by
 * `token <key>:<secret>`.
 */
export function newDesk(users: Record<string, HelpdeskUser> = {}, clock: Clock = fakeClock()) {
  const seed = seedWith(users);
  const { simulator, site, answer } = makeHelpdesk({ seed, now: clock });
  const frappe = createFrappeSite({ upstream: inProcess(answer), serviceKey: key, logger: silent, clock });

  return {
    simulator,
    helpdesk: frappe.withAccountLinks(null),
    /** Changes a document, or makes it, as a person does who may do anything: its timestamp moves on. */
    save(doctype: string, name: string, change: Record<string, unknown>, by = 'Administrator') {
      const now = site.clock.now();
      const present = simulator.document(doctype, name) ?? {
        owner: by,
        creation: now,
        ...(doctype === 'HD Ticket' && newTicket),
      };
      simulator.put(doctype, { ...present, ...change, name, modified: now, modified_by: by });
    },
    remove: (doctype: string, name: string) => site.store.remove(site.metadata.get(doctype), name),
    all: (doctype: string) => site.store.all(site.metadata.get(doctype)),
  };
}
