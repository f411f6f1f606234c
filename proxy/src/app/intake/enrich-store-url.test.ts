import { IntakeData } from '@deskside/shared/routing';
import { describe, expect, test } from 'vitest';
import { createAgentGate } from '#app/access/agent-gate.ts';
import { agent, orgId, portalCustomer, ticket } from '#app/testing/enrichment-kit.ts';
import { currentOrgId, fakeHelpdesk, ticketFile } from '#app/testing/fake-helpdesk.ts';
import { fakeRecords } from '#app/testing/fake-records.ts';
import { fakeTickets } from '#app/testing/fake-tickets.ts';
import { fakeClock, fakeMemory } from '#app/testing/fakes.ts';
import { newDesk } from '#app/testing/former-desk.ts';
import { Rules } from '#config/rules.ts';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import { enrichStoreUrl } from './enrich-store-url.ts';

const domain = `${orgId}.myplatform.example`;
const other = '200000376001';

/** A ticket with this store URL and org id, and a helpdesk where one agent works. No shop answers. */
function setUp({ storeUrl = domain, ownOrgId = null }: { storeUrl?: string; ownOrgId?: string | null } = {}) {
  const clock = fakeClock();
  const file = ticketFile(ticket, ownOrgId);
  const users = {
    [agent.authorization]: { id: 'an@desk.example', fullName: 'An', language: null, isAgent: true },
    [portalCustomer.authorization]: { id: 'vy@shop.example', fullName: 'Vy', language: null, isAgent: false },
  };
  const desk = newDesk(users, clock);
  const helpdesk = fakeHelpdesk({ [ticket]: file }, users, desk);
  const records = fakeRecords(desk);
  const tickets = fakeTickets(clock);
  tickets.insert(ticket, { ticket: file.ticket, intakeFields: [{ field: 'custom_store_url', value: storeUrl }] });
  const gate = createAgentGate({ helpdesk, memory: fakeMemory(clock) });
  const ctx = {
    gate,
    helpdesk: Object.assign(Object.create(tickets) as typeof tickets, {
      requireTicketWrite: (...asked: Parameters<typeof records.requireTicketWrite>) =>
        records.requireTicketWrite(...asked),
    }),
    hosts: Rules.parse({ platform_hosts: ['myplatform.example'] }),
    storeMeta: {
      known: () => undefined,
      read: async (host: string) => ({
        kind: 'failed' as const,
        why: 'timeout' as const,
        address: `https://${host}/meta.json`,
      }),
    },
  };
  const { signal } = new AbortController();
  const run = (input: Partial<Parameters<typeof enrichStoreUrl>[1]> = {}) =>
    enrichStoreUrl(ctx, { caller: agent, ticket, storeUrl: null, ...input }, signal);
  return { run, tickets, records, helpdesk, gate, signal };
}

describe('what is found', () => {
  test('is written to a ticket without an org id, and answered with its evidence', async () => {
    const { run, tickets } = setUp();
    const data = await run();
    expect(IntakeData.parse(data)).toEqual({
      status: 'found',
      orgid: orgId,
      platform_domain: domain,
      findings: [
        expect.objectContaining({ kind: 'org_id', value: orgId, source: 'platform_domain', field: 'custom_store_url' }),
        expect.objectContaining({ kind: 'platform_domain', value: domain }),
      ],
      meta_failures: [],
      ticket: { name: ticket },
      changes: [
        { field: 'orgId', from: null, to: orgId },
        { field: 'platformDomain', from: null, to: domain },
      ],
    });
    expect(tickets.writes).toEqual([`route ${ticket} orgId platformDomain`]);
    expect(await run()).toMatchObject({ status: 'found', changes: [] });
    expect(tickets.writes).toHaveLength(1);
  });

  test('an address that the agent gives is read in place of the ticket’s', async () => {
    const { run, tickets } = setUp();
    expect(await run({ storeUrl: other })).toMatchObject({ status: 'found', orgid: other });
    expect(tickets.writes).toEqual([`route ${ticket} orgId`]);
  });

  test('never replaces an org id', async () => {
    const { run, tickets } = setUp({ ownOrgId: other });
    expect(await run()).toMatchObject({ status: 'found', orgid: orgId, changes: [] });
    expect(tickets.writes).toEqual([]);
  });

  test('the shop’s domain is written beside an org id that is there, unless it is another shop’s', async () => {
    const { run, tickets } = setUp({ ownOrgId: orgId });
    expect(await run()).toMatchObject({ changes: [{ field: 'platformDomain', from: null, to: domain }] });
    expect(tickets.writes).toEqual([`route ${ticket} platformDomain`]);
  });

  test('replaces what is no org id', async () => {
    const { run, tickets } = setUp({ ownOrgId: 'không rõ' });
    await run();
    expect(tickets.writes).toEqual([`route ${ticket} orgId platformDomain`]);
  });

  test('the gate does not answer with the ticket as it was before', async () => {
    const { run, gate, helpdesk, signal } = setUp();
    const reads = () => helpdesk.calls.filter((call) => call === 'readTicket').length;
    await run();
    await gate.openTicket(agent, ticket, signal);
    expect(reads()).toBe(2);
  });
});

test.each([
  ['google.com', 'not_found', null],
  ['', 'not_found', null],
  ['tiemhoamau.example', 'failed', null],
  ['tiem-hoa-mau.myplatform.example', 'failed', 'tiem-hoa-mau.myplatform.example'],
])('%j is %s', async (storeUrl, status, platform_domain) => {
  const { run, tickets } = setUp({ storeUrl });
  expect(await run()).toMatchObject({ status, orgid: null, platform_domain });
  expect(tickets.writes).toEqual(platform_domain ? [`route ${ticket} platformDomain`] : []);
});

describe('somebody who writes meanwhile', () => {
  const edit =
    ({ tickets }: ReturnType<typeof setUp>) =>
    () =>
      tickets.personReplies(ticket);

  test('is not overwritten: the ticket is read again', async () => {
    const w = setUp();
    w.tickets.meanwhile.push(edit(w), edit(w));
    expect(await w.run()).toMatchObject({
      status: 'found',
      changes: [{ field: 'orgId' }, { field: 'platformDomain' }],
    });
    expect(w.tickets.tickets.get(ticket)?.replied).toBe(true);
  });

  test('has the last word on the org id', async () => {
    const w = setUp();
    w.tickets.meanwhile.push(() => {
      edit(w)();
      const { file } = w.tickets.tickets.get(ticket) ?? {};
      if (file) file.ticket.orgIdFields = [currentOrgId(other)];
    });
    expect(await w.run()).toMatchObject({ changes: [] });
    expect(w.tickets.writes).toEqual([]);
  });

  test('again and again is a conflict', async () => {
    const w = setUp();
    w.tickets.meanwhile.push(edit(w), edit(w), edit(w));
    await expect(w.run()).rejects.toMatchObject({ code: 'changed_since' });
    expect(w.tickets.writes).toEqual([]);
  });
});

describe('who may not, and what fails', () => {
  test('only an agent who may change the ticket gets anything', async () => {
    const { run, records, helpdesk, tickets } = setUp();
    await expect(run({ caller: portalCustomer })).rejects.toMatchObject({ code: 'not_an_agent' });
    await expect(run({ ticket: '404' })).rejects.toMatchObject({ code: 'ticket_not_found' });
    records.denied.add(ticket);
    await expect(run()).rejects.toMatchObject({ code: 'ticket_not_writable' });
    helpdesk.denied.add(ticket);
    await expect(run()).rejects.toMatchObject({ code: 'ticket_not_readable' });
    expect([tickets.reads, tickets.writes]).toEqual([0, []]);
  });

  test.each([
    ['unavailable', 'helpdesk_unavailable'],
    ['timeout', 'helpdesk_timeout'],
    ['forbidden', 'helpdesk_bad_answer'],
  ] as const)('a helpdesk that is %s for the service is %s for the caller', async (kind, code) => {
    const { run, tickets } = setUp({ storeUrl: '' });
    for (const method of ['readPipelineTicket', 'readFirstMessage'] as const) {
      tickets.failNext(method, new HelpdeskError(kind, 'no'));
      await expect(run()).rejects.toMatchObject({ code });
    }
    tickets.failNext('writeRouting', new HelpdeskError(kind, 'no'));
    await expect(run({ storeUrl: orgId })).rejects.toMatchObject({ code });
  });
});
