import fc from 'fast-check';
import { readEvent } from '#crm/crm.ts';
import { judgeClaimsAgain } from '#routing/retry.ts';
import { companyRecord, marksOf, type Segment, senders, twinOf } from './cast.ts';
import { company, crashNow, deed, isTrue, nameOf, onTicket, someProcess, which } from './deed.ts';
import { isStanding, type Life } from './life.ts';
import type { CrmTrouble, HelpdeskTrouble } from './network.ts';
import type { ServiceProcess } from './world.ts';

// What happens to CRM, helpdesk and service: changes, failures, time, and what an operator does to the service.

/**
 * The CRM tells of a change, as `server/webhooks.ts` takes it. `noted`: once the service has noted it, and once it has had claims judged
 * again, which a crash may prevent.
 */
export async function announce(
  { world, announced, reopened }: Life,
  event: string,
  id: string,
  noted: (by: Set<string>) => void = () => {},
): Promise<void> {
  const [one] = world.alive();
  const [read, { crm }] = [readEvent(new URLSearchParams({ event, 'data[FIELDS][ID]': id })), one.ctx];
  if (read === null || crm === null) return;
  await world.run(one, 'event', async () => {
    const orgIds = await crm.noteEvent(read);
    noted(announced);
    await judgeClaimsAgain(one.ctx, orgIds);
    noted(reopened);
  });
}

/** What a process does on its schedule, once. */
export async function loopOnce({ world }: Life, of: ServiceProcess): Promise<void> {
  const { loops } = of;
  await world.run(of, 'sweep', () => loops.sweep());
  await world.run(of, 'waiting', () => loops.assignWaiting());
  await world.run(of, 'inbox', () => loops.processInbox());
}

export const systems = [
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
      for (const by of [life.announced, life.reopened]) by.delete(orgId);
      for (const email of now.emails) life.emails.get(orgId)?.add(email);
      life.plans.get(orgId)?.push(now);
      crm.putCompany(isDated || !before ? record : { ...record, DATE_MODIFY: before.DATE_MODIFY });
      const noted = (by: Set<string>) => void (life.plans.get(orgId)?.at(-1) === now && by.add(orgId));
      return isTold ? announce(life, 'ONCRMCOMPANYUPDATE', record.ID, noted) : undefined;
    },
  ),
  deed(1, fc.record({ orgId: company, isTold: isTrue }), (life, { orgId, isTold }) => {
    const { id = '', name } = marksOf[orgId] ?? {};
    life.lines.push(`The CRM has ${name} no more`);
    life.world.crm.removeCompany(id);
    for (const by of [life.announced, life.reopened]) by.delete(orgId);
    return isTold ? announce(life, 'ONCRMCOMPANYDELETE', id) : undefined;
  }),
  deed(1, fc.record({ orgId: company, isTold: isTrue, keepsFirst: isTrue }), async (life, asked) => {
    const { orgId, isTold, keepsFirst } = asked;
    const { crm, machine } = life.world;
    const { id = '', name } = marksOf[orgId] ?? {};
    const [twin, record] = [twinOf(id), crm.company(id)];
    if (record === undefined) return;
    life.lines.push(`The CRM has a twin of ${name}, and merges the ${keepsFirst ? 'second' : 'first'} into the other`);
    for (const by of [life.announced, life.reopened]) by.delete(orgId);
    crm.putCompany({ ...record, ID: twin, DATE_MODIFY: new Date(machine.now()).toISOString() });
    if (isTold) await announce(life, 'ONCRMCOMPANYADD', twin);
    else life.mergedUntold.add(orgId);
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
    life.purged.set(name, Number.POSITIVE_INFINITY);
    const said = life.sayings.filter((one) => one.ticket === name);
    const ended = said.filter(isStanding);
    await life.world.purge(someProcess(life, which), name);
    life.purged.set(name, life.world.trace.length);
    for (const one of said) one.id = null;
    for (const one of ended) one.isForgotten = true;
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
  deed(2, which, (life, which) => crashNow(life, someProcess(life, which))),
  deed(4, fc.constantFrom(1, 12, 60, 600, 7_200), async ({ world, lines }, seconds) => {
    lines.push(`${seconds} seconds pass`);
    await world.pass(seconds * 1_000);
  }),
  deed(4, which, (life, which) => {
    const one = someProcess(life, which);
    life.lines.push(`Process ${one.number} sweeps, and works on what is due`);
    return loopOnce(life, one);
  }),
  // Of two teams all members.
  deed(2, fc.tuple(fc.constantFrom(['an'], ['an', 'binh'], ['dung'], ['hoa']), isTrue), (life, [people, isAway]) => {
    life.lines.push(`${people.join(' and ')}: ${isAway ? 'away' : 'back'}`);
    for (const user of people.map((who) => `${who}@desk.example`)) {
      life.awayOnce.add(user);
      life.world.asAdministrator('HD Agent', user, { availability: isAway ? 'Unavailable' : 'Active' });
    }
  }),
  deed(1, fc.constantFrom('accept' as const, 'hold' as const), (life, claims) => {
    life.lines.push(`The rules are read again: ${claims}`);
    life.world.reload(claims);
  }),
];
