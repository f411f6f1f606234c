import { expect, test } from 'vitest';
import { decisionsOf, keepSnapshots } from '../kit.ts';
import { nativeRules, routedWorld, settle } from '../pipeline-kit.ts';
import { asked, routedCases, shop } from '../routed-cases.ts';

/** For a ticket without contact the one is looked for that the helpdesk would fill in on our write. */
const withoutContact = ['GET HD Ticket', 'GET Contact'];
const snapshot = 'GET HD Customer Data';
const assigning = ['POST frappe.desk.form.assign_to.add', ...['GET HD Ticket _assign', 'GET ToDo', 'PUT HD Ticket']];

/** What each kind of ticket asks of the helpdesk, in this order. */
const expected: Record<string, string[]> = {
  'a known customer, by an address of the CRM': ['GET HD Ticket', snapshot, ...assigning],
  'a customer that the CRM has changed': ['GET HD Ticket', 'PUT HD Customer', snapshot, 'GET HD Ticket', ...assigning],
  'a new customer': [
    // The team is remembered for five seconds.
    ...['GET HD Ticket'],
    ...['GET HD Customer', 'GET HD Customer', 'POST HD Customer', snapshot, 'POST HD Customer Data', 'PUT HD Ticket'],
    ...['GET HD Ticket', 'GET frappe.client.get', 'GET HD Agent', 'GET User', ...assigning],
  ],
  'no org id': [...withoutContact, ...assigning],
  'a claim': [...withoutContact, 'GET HD Customer', ...assigning],
  // The customer is of a later version than the CRM's company, so its snapshot stays.
  'nobody available': ['GET HD Ticket', 'PUT HD Ticket', 'GET HD Ticket _assign'],
};

test.each(['1.24', '1.28'] as const)('Helpdesk %s: a routed ticket asks of it once what it has to know', async (on) => {
  // What is remembered for seconds is not forgotten on a busy machine.
  const began = Date.now();
  // A site without platform accounts, which are one request more where they may vouch.
  const w = await routedWorld({ generation: on, clock: () => began, environment: { RULES_FILE: undefined } });
  keepSnapshots(w);
  nativeRules(w, false);
  const counted: Record<string, string[]> = {};
  for (const [name, { prepare, insert, isWarm }] of Object.entries(routedCases)) {
    prepare?.(w);
    if (isWarm) await insert(w);
    await settle(w);
    w.helpdesk.clearJournal();
    const ticket = await insert(w);
    await settle(w);
    counted[name] = asked(w);
    expect((await decisionsOf(w, ticket))[0], name).toMatchObject({ state: 'applied' });
  }
  expect(counted).toEqual(expected);
  expect(Math.max(...Object.values(counted).map((requests) => requests.length))).toBeLessThan(18);
  expect(counted['a known customer, by an address of the CRM']).toHaveLength(6);
});

test('a customer that somebody edits after it was read with the ticket is read again, and keeps the edit', async () => {
  const w = await routedWorld();
  const { prepare, insert } = routedCases['a customer that the CRM has changed'] ?? {};
  prepare?.(w);
  w.helpdesk.clearJournal();
  w.helpdesk.latency = ({ method, path }) => {
    if (method !== 'PUT' || !path.includes('HD Customer')) return 0;
    w.helpdesk.latency = () => 0;
    const customer = w.helpdesk.document('HD Customer', shop.customer);
    const edited = { custom_shopplan_name: 'By hand', modified: '2030-01-01 00:00:00.000000' };
    w.helpdesk.put('HD Customer', { ...customer, name: shop.customer, ...edited });
    return 0;
  };
  await insert?.(w);
  await settle(w);
  const ofCustomer = asked(w).filter((request) => request.endsWith(' HD Customer'));
  expect(ofCustomer).toEqual(['PUT HD Customer', 'GET HD Customer', 'PUT HD Customer']);
  expect(w.helpdesk.document('HD Customer', shop.customer)?.custom_shopplan_name).toBe('By hand');
});
