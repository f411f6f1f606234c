import fc from 'fast-check';
import { acceptRows, undoRow } from '#customers/accept.ts';
import { addressOf, type agents } from './cast.ts';
import {
  account,
  agent,
  company,
  deed,
  isTrue,
  nameOf,
  onTicket,
  put,
  rarely,
  sender,
  someProcess,
  team,
  which,
} from './deed.ts';
import { type AgentStatement, ask, type Life, text } from './life.ts';

// What people of the desk do: agents by our verbs and in the helpdesk, flows, and operators with customers.

/** An agent says something of a ticket, as it is by now. Nobody says two things within a millisecond. */
function say(
  { world, sayings }: Life,
  kind: AgentStatement['kind'],
  ticket: string,
  by: string,
  orgId: string,
): AgentStatement {
  world.tick();
  const before = { ...world.document('HD Ticket', ticket) };
  const [at, until] = [world.trace.length, Number.POSITIVE_INFINITY];
  const saying = {
    kind,
    ticket,
    sender: text(before.raised_by),
    by,
    orgId,
    id: null,
    before,
    seen: [text(before.customer)],
    isUndone: false,
    isForgotten: false,
    at,
    until,
  };
  sayings.push(saying);
  return saying;
}

/** The accounts with which a ticket is shared, but its sender's. */
const sharedWithOthers = ({ world }: Life, ticket: string): string[] =>
  world
    .documents('DocShare')
    .filter(({ share_name }) => share_name === ticket)
    .map(({ user }) => text(user))
    .filter((user) => user !== text(world.document('HD Ticket', ticket)?.raised_by));

/** An agent sets one of the customers that there are, after so many things have gone on. */
async function setCustomer(life: Life, by: (typeof agents)[number], ticket: string, number: number): Promise<void> {
  const { world, lines } = life;
  for (let n = 0; n < number; n += 1) await world.gate(null, `${by} looks`);
  const customers = [null, ...world.documents('HD Customer').map((one) => String(one.name))];
  const customer = customers[number % customers.length] ?? null;
  lines.push(`${by} sets the customer of ticket ${ticket} to ${customer}`);
  await put(life, addressOf(by), ticket, { customer });
}

/** One of what can still be undone. */
function undoable({ sayings }: Life, kind: AgentStatement['kind'], number: number): AgentStatement | undefined {
  const standing = sayings.filter((one) => one.kind === kind && one.id !== null && !one.isUndone);
  return standing[number % Math.max(1, standing.length)];
}

/** An agent takes back what was said, as they see the ticket. Pressed twice it is one word, and undone at once. */
async function takeBack(life: Life, saying: AgentStatement, undo: () => Promise<unknown>): Promise<void> {
  const { kind, ticket, orgId, at, before, seen } = saying;
  const shown = text(life.world.document('HD Ticket', ticket)?.customer);
  saying.until = Number.POSITIVE_INFINITY;
  seen.push(shown);
  if ((await undo()) === null) return;
  // Who synced the ticket once more found it linked.
  const isRepeat = (one: AgentStatement) =>
    kind === 'sync' &&
    one.kind === kind &&
    one.ticket === ticket &&
    one.orgId === orgId &&
    one.at > at &&
    text(before.customer) !== shown &&
    text(one.before.customer) === shown;
  for (const one of life.sayings) if (one.id === saying.id || isRepeat(one)) one.isUndone = true;
}

/** An operator accepts a customer made by hand as a company's, with its people; and may take that back. */
async function acceptCustomer(
  life: Life,
  { orgId, who, which, undoes }: { orgId: string; who: string | null; which: number; undoes: boolean | null },
): Promise<void> {
  const { world, lines, listed } = life;
  const hand = world.documents('HD Customer').filter(({ name }) => String(name).startsWith('Hand'));
  const customer = String(hand[which % hand.length]?.name);
  lines.push(`An operator accepts ${customer} as ${nameOf(orgId)}, of ${who ?? 'nobody'}`);
  if (who !== null) listed.push({ sender: who, orgId });
  const of = someProcess(life, which);
  const work = { ...of.ctx, signal: new AbortController().signal };
  const rows = [{ customer, people: who ?? '', 'org id': orgId }];
  const ids = await world.run(of, 'accept', async () => {
    const done: string[] = [];
    for await (const [, { id }] of acceptRows(work, rows, 'operator')) done.push(id);
    return done;
  });
  if (!undoes || !ids?.[0]) return;
  lines.push(`The operator takes back that ${customer} is ${nameOf(orgId)}`);
  await world.run(of, 'undo', () => undoRow(work, ids[0] ?? ''));
}

export const verbs = [
  onTicket(6, fc.record({ by: agent, refresh: isTrue, which }), (life, ticket, { by, refresh, which }) => {
    life.lines.push(`${by} ${refresh ? 'refreshes' : 'opens'} ticket ${ticket}`);
    return ask(life, by, 'customerProfile', { ticket, refresh: refresh ? '1' : '0' }, someProcess(life, which));
  }),
  onTicket(
    14,
    fc.record({
      by: agent,
      orgId: fc.option(company),
      reroutes: isTrue,
      adopts: isTrue,
      which,
      other: fc.option(fc.nat(40), { freq: 1 }),
    }),
    async (life, ticket, { by, orgId, reroutes, adopts, which, other }) => {
      life.lines.push(`${by} syncs ticket ${ticket} with ${orgId === null ? 'what leads' : nameOf(orgId)}`);
      const { world } = life;
      const of = someProcess(life, which);
      const preview = await ask(life, by, 'syncTicketCustomer', { ticket, company_id: orgId, action: 'preview' }, of);
      const found = preview?.company?.company_id;
      if (!preview || !found) return;
      await world.gate(null, `${by} thinks`);
      const saying = say(life, 'sync', ticket, by, found);
      const adopt = adopts ? preview.adoptable?.find(({ may_adopt }) => may_adopt)?.name : null;
      const apply = { ticket, action: 'apply', company_id: found, bitrix_id: preview.company?.id, adopt };
      const how = { expected_customer: preview.ticket.customer ?? '', reroute: reroutes ? '1' : '0' };
      const readers = sharedWithOthers(life, ticket);
      if (other !== null) void setCustomer(life, 'dung', ticket, other);
      saying.id = (await ask(life, by, 'syncTicketCustomer', { ...apply, ...how }, of))?.sync_id ?? null;
      saying.until = world.trace.length;
      if (saying.id !== null && readers.length > 0)
        world.find('no Sync of a ticket that is shared with others', '', `ticket ${ticket}: ${readers}`);
    },
  ),
  deed(8, fc.record({ by: agent, which }), async (life, { by, which }) => {
    const saying = undoable(life, 'sync', which);
    if (!saying) return;
    const { ticket, id, orgId } = saying;
    life.lines.push(`${by} undoes the Sync of ticket ${ticket} with ${nameOf(orgId)}`);
    const undo = () => ask(life, by, 'syncTicketCustomer', { ticket, action: 'undo', sync_id: id });
    await takeBack(life, saying, undo);
  }),
  onTicket(8, fc.record({ by: agent, orgId: company }), async (life, ticket, { by, orgId }) => {
    life.lines.push(`${by} says that ${nameOf(orgId)} is not the customer of ticket ${ticket}`);
    const saying = say(life, 'rejection', ticket, by, orgId);
    const asked = { ticket, company_id: orgId, expected_customer: saying.before.customer ?? '', reason: 'wrong_id' };
    saying.id = (await ask(life, by, 'rejectCompany', asked))?.rejection_id ?? null;
    saying.until = life.world.trace.length;
  }),
  deed(3, fc.record({ by: agent, which }), async (life, { by, which }) => {
    const saying = undoable(life, 'rejection', which);
    if (!saying) return;
    const { ticket, id, orgId } = saying;
    life.lines.push(`${by} takes back that ${nameOf(orgId)} is not the customer of ticket ${ticket}`);
    const undo = () => ask(life, by, 'rejectCompany', { ticket, action: 'undo', rejection_id: id });
    await takeBack(life, saying, undo);
  }),
  onTicket(2, fc.record({ by: agent, orgId: company, force: isTrue }), (life, ticket, { by, orgId, force }) => {
    life.enriched.add(ticket);
    life.lines.push(`${by} enriches ticket ${ticket} with ${nameOf(orgId)}`);
    return ask(life, by, 'enrichCompany', { ticket, orgid: orgId, force: force ? '1' : '0' });
  }),
];

export const writes = [
  onTicket(2, agent, (life, name, by) => {
    life.lines.push(`${by} takes ticket ${name}`);
    const asked = { doctype: 'HD Ticket', name, assign_to: JSON.stringify([addressOf(by)]) };
    return life.world.inHelpdesk(addressOf(by), 'POST', '/api/method/frappe.desk.form.assign_to.add', asked);
  }),
  onTicket(2, fc.tuple(agent, team), (life, name, [by, agent_group]) => {
    life.lines.push(`${by} gives ticket ${name} to ${agent_group}`);
    return put(life, addressOf(by), name, { agent_group });
  }),
  onTicket(1, team, (life, name, agent_group) => {
    life.lines.push(`A flow gives ticket ${name} to ${agent_group}`);
    life.world.asAdministrator('HD Ticket', name, { agent_group });
  }),
  onTicket(4, fc.tuple(agent, which), (life, name, [by, which]) => setCustomer(life, by, name, which)),
  deed(1, fc.tuple(agent, which), (life, [by, which]) => {
    const customers = life.world.documents('HD Customer').map((one) => String(one.name));
    const name = customers[which % Math.max(1, customers.length)];
    if (name === undefined) return;
    const new_name = `${name} *`;
    life.lines.push(`${by} renames the customer ${name} to ${new_name}`);
    for (const had of life.linked.values()) if (had.has(name)) had.add(new_name);
    const asked = { doctype: 'HD Customer', old_name: name, new_name };
    return life.world.inHelpdesk(addressOf(by), 'POST', '/api/method/frappe.client.rename_doc', asked);
  }),
  deed(4, fc.record({ orgId: company, who: fc.option(sender), which, undoes: rarely(isTrue) }), acceptCustomer),
  onTicket(1, agent, async (life, name, by) => {
    const customer_name = `Hand ${life.world.documents('HD Customer').length}`;
    life.lines.push(`${by} makes a customer "${customer_name}", and sets it on ticket ${name}`);
    await life.world.inHelpdesk(addressOf(by), 'POST', '/api/resource/HD Customer', { customer_name });
    return put(life, addressOf(by), name, { customer: customer_name });
  }),
  onTicket(3, fc.tuple(agent, account), (life, name, [by, user]) => {
    life.lines.push(`${by} shares ticket ${name} with ${user}`);
    const asked = { doctype: 'HD Ticket', name, user, read: 1 };
    return life.world.inHelpdesk(addressOf(by), 'POST', '/api/method/frappe.share.add', asked);
  }),
  onTicket(4, agent, (life, name, by) => {
    life.lines.push(`${by} replies to ticket ${name}`);
    const stamp = new Date(life.world.machine.now()).toISOString().replace('T', ' ').replace('Z', '');
    return put(life, addressOf(by), name, { last_agent_response: stamp });
  }),
];
