import fc from 'fast-check';
import { accounts, addressOf, keyOf, orgIds, senders, teams } from './cast.ts';
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
  webhook,
  which,
} from './deed.ts';
import type { Life } from './life.ts';
import type { Doc } from './world.ts';

// What comes in: tickets and their webhooks, and what senders write.

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

export const tickets = [
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
    4,
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

/** What senders write into tickets, theirs or not, as far as the helpdesk lets them. */
export const forgeries = [
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
