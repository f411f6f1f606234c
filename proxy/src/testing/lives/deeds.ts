import fc, { type Arbitrary, type AsyncCommand } from 'fast-check';
import { readEvent } from '#crm/crm.ts';
import { acceptRows, undoRow } from '#customers/customers-command.ts';
import { judgeClaimsAgain } from '#routing/retry.ts';
import {
  accounts,
  addressOf,
  agents,
  companyRecord,
  keyOf,
  marksOf,
  orgIds,
  type Segment,
  senders,
  teams,
  twinOf,
} from './cast.ts';
import { type AgentStatement, ask, type Life, text } from './life.ts';
import type { CrmTrouble, Doc, HelpdeskTrouble, ServiceProcess } from './world.ts';

// What happens in a life: what people, systems and misfortunes do.

/** How far what was begun goes before the next deed begins. */
const haste = fc.oneof(
  { weight: 3, arbitrary: fc.constant(Number.POSITIVE_INFINITY) },
  { weight: 2, arbitrary: fc.nat(8) },
  { weight: 3, arbitrary: fc.nat(120) },
);

/** Begins something, which goes on while others begin. */
class Deed implements AsyncCommand<Life, Life> {
  readonly steps: number;
  readonly act: (life: Life) => unknown;
  readonly needsTicket: boolean;

  constructor(act: Deed['act'], steps: number, needsTicket: boolean) {
    this.steps = steps;
    this.act = act;
    this.needsTicket = needsTicket;
  }

  check({ tickets }: Readonly<Life>): boolean {
    return !this.needsTicket || tickets.size > 0;
  }

  async run(life: Life): Promise<void> {
    void life.world.run(null, 'deed', async () => this.act(life));
    await life.world.steps(this.steps);
    if (this.steps < Number.POSITIVE_INFINITY) life.lines.push(`  … (${this.steps})`);
  }
}

function deed<P>(weight: number, of: Arbitrary<P>, act: (life: Life, asked: P) => unknown, needsTicket = false) {
  const arbitrary = fc
    .tuple(of, haste)
    .map(([asked, steps]) => new Deed((life) => act(life, asked), steps, needsTicket));
  return { weight, arbitrary };
}

/** A deed on one of the tickets that there are. */
function onTicket<P>(weight: number, of: Arbitrary<P>, act: (life: Life, ticket: string, asked: P) => unknown) {
  const onOne = (life: Life, [asked, number]: [P, number]) =>
    act(life, [...life.tickets.keys()][number % life.tickets.size] ?? '', asked);
  return deed(weight, fc.tuple(of, fc.nat(5)), onOne, true);
}

const [agent, account, sender] = [
  fc.constantFrom(...agents),
  fc.constantFrom(...accounts),
  fc.constantFrom(...senders),
];
const company = fc.constantFrom(...orgIds);
const [team, isTrue, which] = [fc.constantFrom(...teams), fc.boolean(), fc.nat(3)];
const rarely = <T>(one: Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: one });
/** How the webhook of an insert fares. */
const webhook = fc.constantFrom('comes', 'comes', 'comes', 'comes late', 'comes twice', 'is lost');

const nameOf = (orgId: string | null) => (orgId === null ? 'no company' : (marksOf[orgId]?.name ?? orgId));
const put = ({ world }: Life, by: string, name: string, values: object) =>
  world.inHelpdesk(by, 'PUT', `/api/resource/HD Ticket/${name}`, values);

/** Somebody makes a ticket, and its webhook fares. */
export async function insert(life: Life, by: string, values: Doc, hook: string): Promise<void> {
  const asked = { subject: 'Không in được đơn', ...values };
  const { status } = await life.world.inHelpdesk(by, 'POST', '/api/resource/HD Ticket', asked);
  if (status === 200) tell(life, hook);
}

/** The webhook of the newest ticket fares. Told again, it may say how the ticket stands by then. */
function tell({ world, tickets, lines }: Life, hook: string): void {
  const [name, ticket] = [...tickets].at(-1) ?? [];
  if (ticket === undefined) return;
  lines.push(`  it is ticket ${name}; its webhook ${hook}`);
  if (hook !== 'is lost') void world.tell(ticket, hook === 'comes late' ? 90_000 : 0);
  if (hook === 'comes twice') void world.tell(ticket, 0);
}

/** An agent says something of a ticket, as it is by now. */
function say(
  { world, sayings }: Life,
  kind: AgentStatement['kind'],
  ticket: string,
  by: string,
  orgId: string,
): AgentStatement {
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
    isUndone: false,
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

/** A process is killed, after so many things have gone on, and another one starts. */
async function killAfter({ world, lines }: Life, one: ServiceProcess, number: number): Promise<void> {
  for (let n = 0; n < number; n += 1) await world.gate(null, 'a crash is near');
  if (one.isDead) return;
  lines.push(`Process ${one.number} is killed, and another one starts`);
  world.kill(one);
  world.start();
}

/** One of what can still be undone. */
function undoable({ sayings }: Life, kind: AgentStatement['kind'], number: number): AgentStatement | undefined {
  const standing = sayings.filter((one) => one.kind === kind && one.id !== null && !one.isUndone);
  return standing[number % Math.max(1, standing.length)];
}

/** Pressed twice it is one word, and undone at once. */
function endSaying({ sayings }: Life, id: string | null): void {
  for (const one of sayings) if (one.id === id) one.isUndone = true;
}

/** The CRM tells of a change, as `server/webhooks.ts` takes it. */
async function announce({ world }: Life, event: string, id: string): Promise<void> {
  const [one] = world.alive();
  const [read, { crm }] = [readEvent(new URLSearchParams({ event, 'data[FIELDS][ID]': id })), one.ctx];
  if (read === null || crm === null) return;
  await world.run(one, 'event', async () => judgeClaimsAgain(one.ctx, await crm.noteEvent(read)));
}

/** Whether the CRM tells of its latest change of a company. */
function announcing({ announced }: Life, orgId: string, isTold: boolean): void {
  if (isTold) announced.add(orgId);
  else announced.delete(orgId);
}

/** What a process does on its schedule, once. */
export async function loopOnce({ world }: Life, of: ServiceProcess): Promise<void> {
  const { loops } = of;
  await world.run(of, 'sweep', () => loops.sweep());
  await world.run(of, 'waiting', () => loops.assignWaiting());
  await world.run(of, 'inbox', () => loops.processInbox());
}

/** An operator accepts a customer made by hand as a company's, with its people; and may take that back. */
async function acceptCustomer(
  life: Life,
  { orgId, who, which, undoes }: { orgId: string; who: string | null; which: number; undoes: boolean },
): Promise<void> {
  const { world, lines, listed } = life;
  const [by] = agents;
  if (world.documents('HD Customer').every(({ name }) => !String(name).startsWith('Hand')))
    await world.inHelpdesk(addressOf(by), 'POST', '/api/resource/HD Customer', { customer_name: 'Hand 0' });
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

const someProcess = ({ world }: Life, number: number): ServiceProcess => {
  const alive = world.alive();
  return alive[number % alive.length] ?? alive[0];
};

const tickets = [
  deed(
    8,
    fc.record({
      who: account,
      orgId: fc.option(company),
      as: rarely(sender),
      group: rarely(team),
      hook: webhook,
      asks: rarely(which),
    }),
    async (life, { who, orgId, as, group, hook, asks }) => {
      life.lines.push(
        `${who} opens a ticket for ${nameOf(orgId)}${as ? ` as ${as}` : ''}${group ? ` in ${group}` : ''}`,
      );
      const values = { raised_by: as ?? who, via_customer_portal: 1, custom_orgid: orgId, agent_group: group };
      if (asks === null) return insert(life, who, values, hook);
      life.lines.push('  whose team is asked for before its insert');
      await life.world.insertDecided(someProcess(life, asks), who, { subject: 'Không in được đơn', ...values });
      return tell(life, hook);
    },
  ),
  deed(5, fc.record({ who: sender, orgId: fc.option(company), hook: webhook }), async (life, { who, orgId, hook }) => {
    life.lines.push(`${who} sends a mail that names ${nameOf(orgId)}`);
    await life.world.receiveMail({ from: who, subject: 'Không in được đơn', text: `Xin chào. Org ID: ${orgId ?? ''}` });
    tell(life, hook);
  }),
  deed(
    2,
    fc.record({ who: account, as: sender, orgId: company, hook: webhook, again: isTrue, pause: fc.nat(60) }),
    async (life, { who, as, orgId, hook, again, pause }) => {
      life.lines.push(`${who} sends a mail that names ${nameOf(orgId)}, and then puts ${as} in their own place`);
      const { world } = life;
      await world.receiveMail({ from: who, subject: 'Không in được đơn', text: `Xin chào. Org ID: ${orgId}` });
      tell(life, hook);
      const name = [...life.tickets.keys()].at(-1) ?? '';
      for (let n = 0; n < pause; n += 1) await world.gate(null, `${who} types`);
      await put(life, who, name, { raised_by: as });
      if (again) await world.tell({ ...world.document('HD Ticket', name) }, 0);
    },
  ),
  deed(3, fc.record({ by: agent, who: sender, orgId: fc.option(company), hook: webhook }), (life, asked) => {
    const { by, who, orgId, hook } = asked;
    life.lines.push(`${by} enters a ticket of ${who} for ${nameOf(orgId)}`);
    return insert(life, addressOf(by), { raised_by: who, custom_orgid: orgId }, hook);
  }),
  deed(1, fc.record({ who: sender, orgId: company, hook: webhook }), (life, { who, orgId, hook }) => {
    life.lines.push(`A visitor opens a ticket for ${nameOf(orgId)} as ${who}`);
    life.world.asAdministrator('HD Settings', 'HD Settings', { allow_anyone_to_create_tickets: 1 });
    return insert(life, 'Guest', { raised_by: who, custom_orgid: orgId }, hook);
  }),
  onTicket(1, fc.record({ by: agent, hook: webhook }), (life, name, { by, hook }) => {
    const { raised_by, custom_orgid, contact } = life.world.document('HD Ticket', name) ?? {};
    life.lines.push(`${by} splits ticket ${name}`);
    return insert(life, addressOf(by), { raised_by, custom_orgid, contact, ticket_split_from: name }, hook);
  }),
  onTicket(2, fc.constant(null), (life, name) => {
    life.lines.push(`The webhook of ticket ${name} comes again, as the ticket stands by now`);
    void life.world.tell({ ...life.world.document('HD Ticket', name) }, 0);
  }),
];

const verbs = [
  onTicket(6, fc.record({ by: agent, refresh: isTrue, which }), (life, ticket, { by, refresh, which }) => {
    life.lines.push(`${by} ${refresh ? 'refreshes' : 'opens'} ticket ${ticket}`);
    return ask(life, by, 'customerProfile', { ticket, refresh: refresh ? '1' : '0' }, someProcess(life, which));
  }),
  onTicket(
    6,
    fc.record({
      by: agent,
      orgId: fc.option(company),
      reroutes: isTrue,
      adopts: isTrue,
      which,
      other: rarely(fc.nat(60)),
      crash: rarely(fc.nat(60)),
    }),
    async (life, ticket, { by, orgId, reroutes, adopts, which, other, crash }) => {
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
      if (crash !== null) void killAfter(life, of, crash);
      saying.id = (await ask(life, by, 'syncTicketCustomer', { ...apply, ...how }, of))?.sync_id ?? null;
      saying.until = world.trace.length;
      if (saying.id !== null && readers.length > 0)
        world.find('no Sync of a ticket that is shared with others', '', `ticket ${ticket}: ${readers}`);
    },
  ),
  deed(4, fc.record({ by: agent, which }), async (life, { by, which }) => {
    const saying = undoable(life, 'sync', which);
    if (!saying) return;
    const { ticket, id, orgId } = saying;
    life.lines.push(`${by} undoes the Sync of ticket ${ticket} with ${nameOf(orgId)}`);
    saying.until = Number.POSITIVE_INFINITY;
    const done = await ask(life, by, 'syncTicketCustomer', { ticket, action: 'undo', sync_id: id });
    if (done) endSaying(life, id);
  }),
  onTicket(3, fc.record({ by: agent, orgId: company }), async (life, ticket, { by, orgId }) => {
    life.lines.push(`${by} says that ${nameOf(orgId)} is not the customer of ticket ${ticket}`);
    const saying = say(life, 'rejection', ticket, by, orgId);
    const asked = { ticket, company_id: orgId, expected_customer: saying.before.customer ?? '', reason: 'wrong_id' };
    saying.id = (await ask(life, by, 'rejectCompany', asked))?.rejection_id ?? null;
    saying.until = life.world.trace.length;
  }),
  deed(2, fc.record({ by: agent, which }), async (life, { by, which }) => {
    const saying = undoable(life, 'rejection', which);
    if (!saying) return;
    const { ticket, id, orgId } = saying;
    life.lines.push(`${by} takes back that ${nameOf(orgId)} is not the customer of ticket ${ticket}`);
    saying.until = Number.POSITIVE_INFINITY;
    const done = await ask(life, by, 'rejectCompany', { ticket, action: 'undo', rejection_id: id });
    if (done) endSaying(life, id);
  }),
  onTicket(2, fc.record({ by: agent, orgId: company, force: isTrue }), (life, ticket, { by, orgId, force }) => {
    life.enriched.add(ticket);
    life.lines.push(`${by} enriches ticket ${ticket} with ${nameOf(orgId)}`);
    return ask(life, by, 'enrichCompany', { ticket, orgid: orgId, force: force ? '1' : '0' });
  }),
];

const writes = [
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
  onTicket(2, fc.tuple(agent, which), (life, name, [by, which]) => setCustomer(life, by, name, which)),
  deed(1, fc.tuple(agent, which), (life, [by, which]) => {
    const customers = life.world.documents('HD Customer').map((one) => String(one.name));
    const name = customers[which % Math.max(1, customers.length)];
    if (name === undefined) return;
    const new_name = `${name} *`;
    life.lines.push(`${by} renames the customer ${name} to ${new_name}`);
    const asked = { doctype: 'HD Customer', old_name: name, new_name };
    return life.world.inHelpdesk(addressOf(by), 'POST', '/api/method/frappe.client.rename_doc', asked);
  }),
  deed(2, fc.record({ orgId: company, who: fc.option(sender), which, undoes: isTrue }), acceptCustomer),
  onTicket(1, agent, async (life, name, by) => {
    const customer_name = `Hand ${life.world.documents('HD Customer').length}`;
    life.lines.push(`${by} makes a customer "${customer_name}", and sets it on ticket ${name}`);
    await life.world.inHelpdesk(addressOf(by), 'POST', '/api/resource/HD Customer', { customer_name });
    return put(life, addressOf(by), name, { customer: customer_name });
  }),
  onTicket(1, fc.tuple(agent, account), (life, name, [by, user]) => {
    life.lines.push(`${by} shares ticket ${name} with ${user}`);
    const asked = { doctype: 'HD Ticket', name, user, read: 1 };
    return life.world.inHelpdesk(addressOf(by), 'POST', '/api/method/frappe.share.add', asked);
  }),
  onTicket(3, agent, (life, name, by) => {
    life.lines.push(`${by} replies to ticket ${name}`);
    const stamp = new Date(life.world.machine.now()).toISOString().replace('T', ' ').replace('Z', '');
    return put(life, addressOf(by), name, { last_agent_response: stamp });
  }),
  onTicket(
    3,
    fc.tuple(
      account,
      fc.oneof(
        ...[
          ['raised_by', senders] as const,
          ['contact', accounts.map(keyOf)] as const,
          ['agent_group', teams] as const,
          ['custom_orgid', orgIds] as const,
          ['customer', ['Hand 0', 'Hand 1']] as const,
        ].map(([field, values]) => fc.tuple(fc.constant(field), fc.constantFrom<string>(...values))),
      ),
    ),
    (life, name, [who, [field, value]]) => {
      life.lines.push(`${who} writes ${field} = ${value} on ticket ${name}`);
      return put(life, who, name, { [field]: value });
    },
  ),
];

const systems = [
  deed(
    4,
    fc.record({
      orgId: company,
      segment: fc.constantFrom<Segment>('Medium', 'SME'),
      plan: fc.constantFrom('OMNI SCALE', 'Grow', 'STANDARD'),
      emails: fc.subarray([...senders]),
      isTold: isTrue,
      isDated: fc.constantFrom(true, true, true, false),
    }),
    (life, { orgId, isTold, isDated, ...now }) => {
      const { crm, machine } = life.world;
      life.lines.push(
        `The CRM has ${nameOf(orgId)} as ${now.segment}, ${now.plan}, of ${now.emails.join(' ') || 'nobody'}`,
      );
      const record = companyRecord(orgId, { ...now, at: machine.now() });
      const before = crm.company(record.ID);
      announcing(life, orgId, isTold);
      for (const email of now.emails) life.emails.get(orgId)?.add(email);
      life.plans.get(orgId)?.push(now);
      crm.putCompany(isDated || !before ? record : { ...record, DATE_MODIFY: before.DATE_MODIFY });
      return isTold ? announce(life, 'ONCRMCOMPANYUPDATE', record.ID) : undefined;
    },
  ),
  deed(1, fc.record({ orgId: company, isTold: isTrue }), (life, { orgId, isTold }) => {
    const { id = '', name } = marksOf[orgId] ?? {};
    life.lines.push(`The CRM has ${name} no more`);
    life.world.crm.removeCompany(id);
    life.announced.delete(orgId);
    return isTold ? announce(life, 'ONCRMCOMPANYDELETE', id) : undefined;
  }),
  deed(1, fc.record({ orgId: company, isTold: isTrue, keepsFirst: isTrue }), async (life, asked) => {
    const { orgId, isTold, keepsFirst } = asked;
    const { crm, machine } = life.world;
    const { id = '', name } = marksOf[orgId] ?? {};
    const [twin, record] = [twinOf(id), crm.company(id)];
    if (record === undefined) return;
    life.lines.push(`The CRM has a twin of ${name}, and merges the ${keepsFirst ? 'second' : 'first'} into the other`);
    life.announced.delete(orgId);
    crm.putCompany({ ...record, ID: twin, DATE_MODIFY: new Date(machine.now()).toISOString() });
    if (isTold) await announce(life, 'ONCRMCOMPANYADD', twin);
    const gone = keepsFirst ? twin : id;
    crm.removeCompany(gone);
    if (isTold) await announce(life, 'ONCRMCOMPANYDELETE', gone);
  }),
  deed(2, which, async (life, which) => {
    const { world, lines } = life;
    lines.push('Nothing passes between service and helpdesk for twelve minutes');
    world.cut(12 * 60_000);
    await world.pass(6 * 60_000);
    await loopOnce(life, someProcess(life, which));
    await world.pass(6 * 60_000);
  }),
  onTicket(1, which, async (life, name, which) => {
    life.lines.push(`Nothing is to be kept of ticket ${name}`);
    life.purged.add(name);
    await life.world.purge(someProcess(life, which), name);
    for (const one of life.sayings) if (one.ticket === name) one.id = null;
  }),
  deed(
    5,
    fc.record({
      what: fc.constantFrom<CrmTrouble>(
        ...(['hang', 'slow', 'cut', 'html_502', 'limit', 'server_error', 'wrong_company', 'null_result'] as const),
      ),
      times: fc.integer({ min: 1, max: 4 }),
    }),
    ({ world, lines }, { what, times }) => {
      lines.push(`The CRM: ${what}, ${times} times`);
      world.troubles.crm.push(...Array.from({ length: times }, () => what));
    },
  ),
  deed(
    3,
    fc.record({
      what: fc.constantFrom<HelpdeskTrouble>('hang', 'cut', 'deadlock', 500, 502, 429, 'lost', 'lost'),
      after: fc.nat(12),
      times: fc.integer({ min: 1, max: 3 }),
    }),
    ({ world, lines }, { what, after, times }) => {
      lines.push(`The helpdesk after ${after} requests: ${what}, ${times} times`);
      const [before, then] = [Array.from({ length: after }, () => null), Array.from({ length: times }, () => what)];
      world.troubles.helpdesk.push(...before, ...then);
    },
  ),
  deed(2, which, (life, which) => killAfter(life, someProcess(life, which), 0)),
  deed(4, fc.constantFrom(1, 12, 60, 600, 7_200), async ({ world, lines }, seconds) => {
    lines.push(`${seconds} seconds pass`);
    await world.pass(seconds * 1_000);
  }),
  deed(4, which, (life, which) => {
    const one = someProcess(life, which);
    life.lines.push(`Process ${one.number} sweeps, and works on what is due`);
    return loopOnce(life, one);
  }),
  deed(2, fc.tuple(fc.constantFrom('an', 'binh', 'dung', 'hoa'), isTrue), (life, [who, isAway]) => {
    life.lines.push(`${who} ${isAway ? 'goes away' : 'is back'}`);
    life.awayOnce.add(`${who}@desk.example`);
    const availability = isAway ? 'Unavailable' : 'Active';
    life.world.asAdministrator('HD Agent', `${who}@desk.example`, { availability });
  }),
  deed(1, fc.constantFrom('accept' as const, 'hold' as const), (life, claims) => {
    life.lines.push(`The rules are read again: ${claims}`);
    life.world.reload(claims);
  }),
];

export const deeds = fc.commands([fc.oneof(...tickets, ...verbs, ...writes, ...systems)], {
  maxCommands: 16,
  size: 'max',
});
