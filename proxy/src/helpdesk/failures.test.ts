import { inspect } from 'node:util';
import { OrgId } from '@deskside/shared/orgid';
import type { SimulatedFault } from '@deskside/simulators/helpdesk/api';
import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, it } from 'vitest';
import type { CustomerRecord } from './customers.ts';
import {
  type Adapter,
  as,
  customerName,
  kind,
  noon,
  readCustomer,
  signal,
  useSimulatedSite,
} from './testing/simulated-site.ts';
import type { PipelineTicket } from './ticket-file.ts';

const { matched, missingOrgId } = demo.tickets;
const shop = { orgId: OrgId.parse('200000376001'), customer: customerName };
const snapshot = {
  customer: shop.customer,
  externalId: '63002',
  externalUrl: null,
  matchKey: 'platform_orgid:UF_CRM_COMPANY_ID',
  confidence: 95,
  payload: '{}',
  isNew: true,
  syncedAt: noon,
};

type Call = (helpdesk: Adapter, record: CustomerRecord, ticket: PipelineTicket) => Promise<unknown>;

const writes: Record<string, Call> = {
  save: ({ tickets }, _, ticket) => tickets.save(ticket, signal),
  write: ({ tickets }, _, ticket) => tickets.write(ticket, { error: 'CRM error: timeout' }, signal),
  create: ({ customers }) => customers.create('Tiệm Mới', {}, signal),
  update: ({ customers }, record) => customers.update(record, { segment: 'SME' }, signal),
  assign: ({ assignments }) => assignments.add(matched, 'an@support.example', 'd', signal),
};

const reads: Record<string, Call> = {
  isWebsiteUser: ({ people }) => people.isWebsiteUser(demo.portal.name, signal),
  isDesk: ({ people }) => people.isDesk('an@support.example', signal),
  readTeam: ({ people }) => people.readTeam('CS 60p', signal),
  accounts: ({ accounts }) => accounts.of(shop.customer, signal),
  hasContact: ({ people }) => people.hasContact(demo.portal.name, signal),
  ticket: ({ tickets }) => tickets.read(matched, signal),
  message: ({ tickets }) => tickets.readFirstMessage(matched, signal),
  sweep: ({ ticketLists }) => ticketLists.modifiedSince('2026-11-20 12:00:00', { limit: 1, offset: 0 }, signal),
  stamp: (helpdesk) => helpdesk.stampOf(noon, signal),
  customer: ({ customers }) => customers.read(shop.customer, signal),
  byOrgId: ({ customers }) => customers.findByOrgId(shop.orgId, signal),
  whole: ({ whole }) => whole.customers(signal).next(),
  snapshot: ({ snapshots }) => snapshots.save(snapshot, signal),
  assignments: ({ assignments }) => assignments.list(matched, signal),
  withdraw: ({ assignments }) => assignments.withdraw({ id: 'any', ticket: matched, user: demo.agent.name }, signal),
};

const ofCallers: Record<string, Call> = {
  identify: ({ people }) => people.identify(as(demo.agent), signal),
  readAs: ({ tickets }) => tickets.readAs(as(demo.agent), matched, signal),
  ticketWrite: ({ rights }) => rights.requireWrite('HD Ticket', matched, as(demo.agent), signal),
  customerRead: ({ rights }) => rights.requireCustomerRead(as(demo.agent), shop.customer, signal),
};

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => 'It worked.',
    (error: unknown) => error,
  );

describe('a helpdesk', () => {
  const site = useSimulatedSite();
  const readTicket = () => site.helpdesk.tickets.read(missingOrgId, signal);
  /** The adapter, and what is read before the helpdesk fails. */
  const before = async () => [await site.warmed(), await readCustomer(site.helpdesk), await readTicket()] as const;

  it.each<[SimulatedFault, string]>([
    ['cut', 'unavailable'],
    ['html', 'bad_answer'],
    ['deadlock', 'unavailable'],
    [429, 'rate_limited'],
  ])(
    'that fails by %s is %s in every call, and nothing of its answer or of a key gets into the error',
    async (fault, expected) => {
      const [helpdesk, record, ticket] = await before();
      // The zone is known by now.
      const { stamp: _, ...calls } = { ...reads, ...writes, ...ofCallers };
      site.simulator.fault = () => fault;
      const all = [...Object.entries(calls), ['warm', () => site.adapter().warm(signal)] as const];
      const failures = all.map(
        async ([name, call]) => [name, await failureOf(call(helpdesk, record, ticket))] as const,
      );
      for (const [name, failure] of await Promise.all(failures)) {
        expect(failure, name).toMatchObject(kind(expected));
        expect(inspect(failure, { depth: 9, showHidden: true })).not.toMatch(/Traceback|<html|Deadlock found|-secret/i);
      }
    },
  );

  it.each([
    ['whose secret is wrong', demo.service.apiKey, 'canary-7788'],
    ['that is a customer’s', demo.portal.apiKey, demo.portal.apiSecret],
  ])('that refuses a service account %s does not work; no caller is refused for it', async (_, apiKey, apiSecret) => {
    const [, record, ticket] = await before();
    const refused = site.adapter({ apiKey, apiSecret });
    const { isWebsiteUser, isDesk, readTeam } = reads;
    const some = { isWebsiteUser, isDesk, readTeam };
    for (const [name, call] of Object.entries(apiSecret === 'canary-7788' ? { ...reads, ...writes } : some)) {
      const failure = await failureOf((call as Call)(refused, record, ticket));
      // Who may not read platform accounts has none.
      if (name !== 'accounts') expect(failure, name).toMatchObject(kind('unavailable'));
      expect(inspect(failure, { depth: 9 })).not.toContain('canary');
    }
  });

  it('whose database gave up on a write is asked again', async () => {
    const [helpdesk, record, ticket] = await before();
    for (const [name, write] of Object.entries(writes)) {
      let failures = 1;
      site.simulator.fault = ({ method }) => (method !== 'GET' && failures-- > 0 ? 'deadlock' : null);
      site.simulator.clearJournal();
      // What was written meanwhile has another stamp.
      await write(helpdesk, record, name === 'write' ? await readTicket() : ticket);
      const statuses = site.writes().map((one) => one.split(' ').at(-1));
      expect(statuses, name).toEqual(['500', '200']);
    }
  });

  it('is left alone as soon as the caller is gone, with the caller’s reason', async () => {
    const helpdesk = await site.warmed();
    site.simulator.fault = () => 'hang';
    const controller = new AbortController();
    const reason = new Error('the agent went on');
    const read = helpdesk.tickets.readAs(as(demo.agent), matched, controller.signal);
    const cold = site.adapter().tickets.readAs(as(demo.agent), matched, controller.signal);
    const reasons = Promise.all([read, cold].map(failureOf));
    setImmediate(() => controller.abort(reason));
    expect(await reasons).toEqual([reason, reason]);
  });
});
