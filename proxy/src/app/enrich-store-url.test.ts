import { expect, test } from 'vitest';
import { IntakeRules } from '../intake-rules.ts';
import { createEnrichStoreUrl } from './enrich-store-url.ts';
import { createIntakeTicket } from './intake-ticket.ts';
import { createGate } from './open-ticket.ts';
import { fakeHelpdesk, ticketFile } from './testing/fake-helpdesk.ts';
import { fakeRecords } from './testing/fake-records.ts';
import { fakeTickets, type NewTicket } from './testing/fake-tickets.ts';
import { fakeClock, fakeMemory } from './testing/fakes.ts';
import { withOrgId } from './testing/pipeline-kit.ts';

const agent = { authorization: 'token agent', digest: 'agent' };
const portal = { authorization: 'token portal', digest: 'portal' };

function setUp(ticket: NewTicket) {
  const clock = fakeClock();
  const tickets = fakeTickets(clock);
  tickets.insert('1', ticket);
  const helpdesk = fakeHelpdesk(
    { 1: ticketFile('1', null) },
    {
      [agent.authorization]: { id: 'an@desk.example', fullName: 'An', isAgent: true },
      [portal.authorization]: { id: 'vy@shop.example', fullName: 'Vy', isAgent: false },
    },
  );
  const records = fakeRecords();
  const enrich = createEnrichStoreUrl({
    gate: createGate({ helpdesk, memory: fakeMemory(clock) }),
    records,
    tickets,
    intake: createIntakeTicket({
      tickets,
      rules: IntakeRules.parse({}),
      storeMeta: {
        read: async (host) => ({ kind: 'failed', why: 'timeout', address: `https://${host}/meta.json` }),
      },
    }),
  });
  const run = (storeUrl: string | null = null, caller = agent) =>
    enrich({ caller, ticket: '1', storeUrl, signal: new AbortController().signal });
  return { tickets, records, run };
}

const typed = (value: string): NewTicket => ({
  ...withOrgId(null),
  description: 'x',
  intakeFields: [{ field: 'custom_store_url', value }],
});

test('what is found is written to a ticket without org id, once', async () => {
  const { run, tickets } = setUp(typed('1000069001'));
  expect(await run()).toMatchObject({ status: 'found', orgid: '1000069001', changes: [{ field: 'orgId' }] });
  expect(tickets.writes).toEqual(['route 1 orgId']);
  await run();
  expect(tickets.writes).toHaveLength(1);
});

test('an org id that the ticket has is never replaced', async () => {
  const { run, tickets } = setUp(withOrgId('200000376001'));
  expect(await run('1000069001')).toMatchObject({ status: 'found', orgid: '1000069001', changes: [] });
  expect(tickets.writes).toEqual([]);
});

test('nothing found, or nothing yet', async () => {
  expect(await setUp(typed('')).run()).toMatchObject({ status: 'not_found', orgid: null });
  expect(await setUp(typed('tiemhoamau.example')).run()).toMatchObject({ status: 'failed', orgid: null });
});

test('only who may change the ticket may ask', async () => {
  const { run, records, tickets } = setUp(typed('1000069001'));
  await expect(run(null, portal)).rejects.toMatchObject({ code: 'not_an_agent' });
  records.denied.add('1');
  await expect(run()).rejects.toMatchObject({ code: 'ticket_not_writable' });
  expect(tickets.writes).toEqual([]);
});

test('somebody who writes the ticket meanwhile is met again on what stands there then', async () => {
  const { run, tickets } = setUp(typed('1000069001'));
  tickets.meanwhile.push(() => tickets.personSetsStatus('1', 'Replied'));
  expect((await run()).changes).toHaveLength(1);
  const busy = setUp(typed('1000069001'));
  for (let n = 0; n < 3; n += 1) busy.tickets.meanwhile.push(() => busy.tickets.personSetsStatus('1', `s${n}`));
  await expect(busy.run()).rejects.toMatchObject({ code: 'changed_since' });
});
