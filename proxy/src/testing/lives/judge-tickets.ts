import type { RoutingDecision } from '@deskside/shared/routing';
import { marksOf, service, twinOf } from './cast.ts';
import { type AgentStatement, isStanding, type Life, text } from './life.ts';
import { isVouched, otherReaders, telling, toldIn } from './watch.ts';
import type { Doc, World } from './world.ts';

// What has to be true of the tickets as they stand in the helpdesk: nobody is asked, and nothing runs.

export function judgeTicket(life: Life, ticket: Doc, latest: RoutingDecision | undefined): void {
  const { world, takenUp, purged, authors } = life;
  const name = text(ticket.name);
  if (purged.has(name)) return;
  if (text(ticket.agent_group) === '') world.find('every ticket has its team', '', `ticket ${name} has none`);
  const open = world
    .documents('ToDo')
    .filter((todo) => text(todo.reference_name) === name && todo.status === 'Open')
    .toSorted((a, b) => (text(a.creation) < text(b.creation) ? -1 : 1));
  const ours = open.filter(({ assigned_by }) => assigned_by === service).map(({ allocated_to }) => text(allocated_to));
  if (ours.length > 1) world.find('at most one open assignment', '', `ticket ${name}: ${ours}`);
  if (ours.length > 0 && open[0]?.assigned_by !== service)
    world.find('no assignment where a person took the ticket', '', `ticket ${name}: ${open[0]?.allocated_to}, ${ours}`);
  const { agent = null, state = null } = latest?.assignment ?? {};
  if (state === 'assigned' && !ours.some((user) => user === agent))
    world.find('who was given a ticket has it', '', `ticket ${name}: ${agent}`);
  if (latest?.state === 'applied' && latest.outcome.team === null && !takenUp.has(name))
    if (authors.get(`${name} agent_group`) === service && latest.outcome.reason.startsWith('Manual routing kept'))
      world.find('no team of ours is kept as if a person had set it', '', `ticket ${name}: ${latest.outcome.reason}`);
  if (latest?.state === 'applied' && state === 'nobody_available' && !takenUp.has(name))
    world.find('who waits gets an agent once one is there', '', `ticket ${name}: ${latest.outcome.team}`);
  if (latest === undefined || latest.state === 'planned')
    world.find('what comes in is decided, and carried out', '', `ticket ${name}: ${latest?.state}`);
  else if (latest.outcome.fallback === 'crm' && latest.state === 'applied' && !takenUp.has(name))
    world.find('what was decided without the CRM is decided again', '', `ticket ${name}: ${latest.outcome.reason}`);
  else if (world.isHolding() && latest.outcome.fallback === null && latest.inputs.org_id?.trust?.level === 'claimed')
    judgeClaim(life, ticket, latest);
}

/** A claim is judged again once somebody vouches for it, though nobody looks at the ticket. A crash may lose that. */
function judgeClaim(life: Life, ticket: Doc, latest: RoutingDecision): void {
  const { world, sayings, reopened } = life;
  if (isReadByOthers(world, ticket) || world.hasLostProcess()) return;
  const { name, raised_by, customer } = ticket;
  const orgId = text(latest.inputs.org_id?.value);
  const said = sayings.filter((one) => one.ticket === name || one.sender === raised_by);
  const isSynced = said.every((one) => one.kind === 'sync' && one.ticket === name && isStanding(one));
  const isLinked = world.document('HD Customer', customer)?.custom_platform_orgid === orgId;
  if (said.length > 0 && isSynced && isLinked && said.every((one) => one.orgId === orgId && one.sender === raised_by))
    world.find('a claim is judged again once somebody vouches', 'an agent', `ticket ${name}`);
  const { id = '' } = marksOf[orgId] ?? {};
  const addresses = JSON.stringify(world.crm.company(id)?.EMAIL ?? []);
  // Of two companies with one org id the other one may lead.
  if (life.mergedUntold.has(orgId) || world.crm.company(twinOf(id))) return;
  if (reopened.has(orgId) && addresses.includes(text(raised_by)) && isOpenClaim(life, ticket, latest))
    world.find('a claim is judged again once somebody vouches', 'the CRM', `ticket ${name}`);
}

const isReadByOthers = (world: World, ticket: Doc) =>
  otherReaders(world, ticket).length > 0 || world.documents('DocShare').length > 0;

/** Whether a ticket still names a company for which nobody vouches, and nothing but the CRM's word is wanted. */
export function isOpenClaim(
  { world, sayings, purged }: Life,
  ticket: Doc,
  latest: RoutingDecision | undefined,
): boolean {
  const { name, owner, raised_by, contact, customer, ticket_split_from } = ticket;
  const told = world.heard.get(text(name));
  const isOwn = [owner, told?.raised_by].every((one) => one === raised_by) && told?.contact === contact;
  const { org_id: claimed = null } = latest?.outcome.fallback === null ? latest.inputs : {};
  // Its sender may name another company by now.
  const isClaim = claimed?.trust?.level === 'claimed' && claimed.value === ticket.custom_orgid;
  const isSpokenOf = sayings.some((one) => one.ticket === name || one.sender === raised_by);
  const isElse = customer || ticket_split_from || isSpokenOf || purged.has(text(name));
  return isClaim && isOwn && !isElse && !isReadByOthers(world, ticket);
}

export function judgeTurns({ world, awayOnce }: Life): void {
  const turns = new Map<string, string[]>();
  const counted = new Set<string>();
  for (const { ticket, outcome, assignment } of world.decisions({ isWhole: true })) {
    // Whoever is not given the ticket, since a person was faster, has had their turn.
    const agent = assignment.agent ?? assignment.candidates.find(({ reason }) => reason === 'next_in_turn')?.user;
    const key = `${ticket} ${outcome.team} ${agent}`;
    if (outcome.team === null || !agent || counted.has(key)) continue;
    counted.add(key);
    turns.set(outcome.team, [...(turns.get(outcome.team) ?? []), agent]);
  }
  for (const [team, had] of turns) {
    if (had.length > world.turnsTaken(team))
      world.find('whoever gets a ticket has had their turn', '', `${team}: ${had}`);
    const rows = world.document('HD Team', team)?.users;
    const members = Array.isArray(rows) ? rows.map(({ user }) => text(user)) : [];
    const counts = members.map((user) => had.filter((one) => one === user).length);
    if (!members.some((user) => awayOnce.has(user)) && Math.max(...counts) - Math.min(...counts) > 1)
      world.find('turns differ by one at most', '', `${team}: ${members.map((user, n) => `${user} ${counts[n]}`)}`);
  }
}

/** What an agent has rejected stands on the ticket no more, where nothing else was said of it. */
export function judgeRejection(life: Life, saying: AgentStatement): void {
  const { kind, ticket, orgId, sender } = saying;
  const { world, sayings, enriched, authors, purged } = life;
  const now = world.document('HD Ticket', ticket);
  if (kind !== 'rejection' || !isStanding(saying) || now === undefined) return;
  if (enriched.has(ticket) || purged.has(ticket)) return;
  // Somebody has put its customer there all the same, whose segment then counts.
  if (authors.get(`${ticket} customer`) !== service && toldIn(world, 'customer', text(now.customer)).includes(orgId))
    return;
  const mayEnd = (one: AgentStatement) => one.ticket === ticket || (one.sender === sender && one.orgId === orgId);
  if (sayings.some((one) => one !== saying && mayEnd(one))) return;
  for (const field of telling.filter((field) => authors.get(`${ticket} ${field}`) === service))
    if (toldIn(world, field, text(now[field])).includes(orgId))
      world.find('what was rejected is on the ticket no more', field, `ticket ${ticket}: ${now[field]}`);
}

/** What a Sync that was undone had shown is there no more, unless something else vouches for it. */
export function judgeUndo(life: Life, { kind, ticket, orgId, before }: AgentStatement): void {
  const { world, sayings, enriched, authors } = life;
  const now = world.document('HD Ticket', ticket);
  const isAlone = sayings.filter((one) => one.ticket === ticket).length === 1 && !enriched.has(ticket);
  if (kind !== 'sync' || now === undefined || !isAlone) return;
  const isOurs = authors.get(`${ticket} customer`) === service && world.document('HD Customer', before.customer);
  if (isOurs && now.customer !== before.customer && otherReaders(world, now).length === 0)
    world.find(
      'an undo gives back the customer of before',
      '',
      `ticket ${ticket}: ${before.customer}, ${now.customer}`,
    );
  if (!world.isHolding()) return;
  if (isVouched(life, before, orgId) || isVouched(life, { ...now, customer: null }, orgId)) return;
  for (const field of telling.filter((field) => authors.get(`${ticket} ${field}`) === service))
    if (toldIn(world, field, text(now[field])).includes(orgId))
      world.find('an undo takes back what the Sync has shown', field, `ticket ${ticket}: ${now[field]}`);
}
