import { accounts, addressOf, agents, marksOf, orgIds, service } from './cast.ts';
import { loopOnce } from './deeds.ts';
import { ask, type Life, type Saying } from './life.ts';
import type { Change, Doc, World } from './world.ts';

// What has to be true of every life. What is written is judged as it is written, by what the helpdesk shows to whom; the
// rest when nothing is due any more.

const website = new Set<string>(accounts);
const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

/** Fields of a ticket in which a person's word stands. */
const personal = ['agent_group', 'customer', 'raised_by', 'status', 'priority'];
/** Fields that tell something of a company. */
const telling = [
  ...['customer', 'custom_customer_segment', 'custom_shopplan', 'custom_platform_service_plan'],
  ...['custom_platform_routing_reason', 'custom_responsible'],
];

/** Of which companies a field tells something: by their marks, or by the org id of the customer in it. */
function toldIn({ document }: World, field: string, value: string): string[] {
  const ofCustomer = field === 'customer' ? text(document('HD Customer', value)?.custom_platform_orgid) : '';
  return orgIds.filter((orgId) => {
    const { name = '', owner = '' } = marksOf[orgId] ?? {};
    return ofCustomer === orgId || new RegExp(`\\b${name}\\b`).test(value) || value.includes(owner);
  });
}

const toldOn = (world: World, ticket: Doc) =>
  new Set(telling.flatMap((field) => toldIn(world, field, text(ticket[field]))));

/** The website accounts that read a ticket and are not its sender's (docs/security.md#trust). */
function otherReaders({ document }: World, ticket: Doc): string[] {
  const contact = document('Contact', ticket.contact);
  const reading = [ticket.owner, contact?.user, contact?.owner, ticket.contact].map(text);
  return [...new Set(reading)].filter((account) => website.has(account) && account !== text(ticket.raised_by));
}

/** Whether anything that still stands may vouch for a company on a ticket; never too strict, for rules have tests of their own. */
function isVouched({ world, syncs, emails }: Life, ticket: Doc, orgId: string): boolean {
  const sender = text(ticket.raised_by);
  const isSaid = ({ isUndone, ...one }: Saying) =>
    !isUndone && one.orgId === orgId && (one.ticket === ticket.name || one.sender === sender);
  return (
    text(world.document('HD Customer', ticket.customer)?.custom_platform_orgid) === orgId ||
    syncs.some(isSaid) ||
    emails.get(orgId)?.has(sender) === true ||
    agents.some((one) => ticket.owner === addressOf(one))
  );
}

/** Watches what is written, from the first moment on. */
export function watch(life: Life): void {
  const { world } = life;
  /** Who wrote which field of a ticket last. */
  const authors = new Map<string, string>();
  /** Whether an agent has said something of a ticket, which may change what stands there. */
  const isSpokenOf = (ticket: string) =>
    [...life.syncs, ...life.rejections].some((one) => one.ticket === ticket) || life.enriched.has(ticket);

  world.watchers.push(({ doctype, name, before, after, by }) => {
    if (doctype !== 'HD Ticket') return;
    for (const field of Object.keys(after)) {
      const [was, is] = [text(before?.[field]), text(after[field])];
      if (was === is) continue;
      if (!/^(modified|_comments|key)/.test(field)) world.say(`  ${name} ${field}: ${was} → ${is} (${by})`);
      const author = authors.get(`${name} ${field}`);
      authors.set(`${name} ${field}`, by);
      if (field === 'customer') life.linked.push({ ticket: name, customer: is });
      if (by !== service || before === undefined) continue;
      if (personal.includes(field) && was !== '' && author !== undefined && author !== service && !isSpokenOf(name))
        if (!website.has(author))
          world.find('nothing that a person wrote is lost', field, `ticket ${name}: ${author} wrote ${was}, we ${is}`);
      if (field === 'custom_responsible' && is === '' && author === service && !isSpokenOf(name))
        world.find('nothing of ours is blanked by ourselves', field, `ticket ${name}: ${was}`);
      if (telling.includes(field)) for (const orgId of toldIn(world, field, is)) judgeTelling(field, orgId, before);
    }
  });

  function judgeTelling(field: string, orgId: string, ticket: Doc): void {
    const where = `${field} of ticket ${ticket.name} of ${ticket.raised_by} tells of ${marksOf[orgId]?.name}`;
    const [reader] = otherReaders(world, ticket);
    if (reader !== undefined)
      world.find('nothing of a company is written where another reads', field, `${where}; ${reader} reads it`);
    if (world.isHolding() && !isVouched(life, ticket, orgId))
      world.find('nothing of a claim is written under hold', field, where);
  }
}

/** Judges a life in which nothing is due any more. */
export async function judge(life: Life): Promise<void> {
  const { world } = life;
  for (const ticket of world.documents('HD Ticket')) judgeAssignments(life, ticket);
  judgeTurns(life);
  for (const saying of life.syncs) judgeUndo(life, saying);
  await judgeRepetition(life);
  for (const ticket of life.tickets) await judgeAgreement(life, ticket);
}

function judgeAssignments({ world }: Life, ticket: Doc): void {
  const name = text(ticket.name);
  if (text(ticket.agent_group) === '') world.find('every ticket has its team', '', `ticket ${name} has none`);
  const open = world
    .documents('ToDo')
    .filter((todo) => text(todo.reference_name) === name && todo.status === 'Open')
    .toSorted((a, b) => (text(a.creation) < text(b.creation) ? -1 : 1));
  const ours = open.filter(({ assigned_by }) => assigned_by === service).map(({ allocated_to }) => text(allocated_to));
  if (ours.length > 1) world.find('at most one open assignment', '', `ticket ${name}: ${ours}`);
  if (ours.length > 0 && open[0]?.assigned_by !== service)
    world.find('no assignment where a person took the ticket', '', `ticket ${name}: ${open[0]?.allocated_to}, ${ours}`);
}

function judgeTurns({ world, awayOnce }: Life): void {
  const turns = new Map<string, string[]>();
  const counted = new Set<string>();
  for (const { ticket, outcome, assignment } of world.decisions()) {
    const key = `${ticket} ${outcome.team} ${assignment.agent}`;
    if (outcome.team === null || !assignment.agent || counted.has(key)) continue;
    counted.add(key);
    turns.set(outcome.team, [...(turns.get(outcome.team) ?? []), assignment.agent]);
  }
  for (const [team, had] of turns) {
    const rows = world.document('HD Team', team)?.users;
    const members = Array.isArray(rows) ? rows.map(({ user }) => text(user)) : [];
    const counts = members.map((user) => had.filter((one) => one === user).length);
    if (!members.some((user) => awayOnce.has(user)) && Math.max(...counts) - Math.min(...counts) > 1)
      world.find('turns differ by one at most', '', `${team}: ${members.map((user, n) => `${user} ${counts[n]}`)}`);
  }
}

/** What a Sync that was undone had shown is there no more, unless something else vouches for it. */
function judgeUndo(life: Life, { ticket, orgId, before, isUndone }: Saying): void {
  const { world } = life;
  const now = world.document('HD Ticket', ticket);
  if (!isUndone || now === undefined || !world.isHolding() || toldOn(world, before).has(orgId)) return;
  if (isVouched(life, { ...now, customer: null }, orgId) || life.enriched.has(ticket)) return;
  for (const field of telling)
    if (toldIn(world, field, text(now[field])).includes(orgId) && field !== 'customer')
      world.find('an undo takes back what the Sync showed', field, `ticket ${ticket}: ${now[field]}`);
}

/** What panel and Sync say of a ticket at one moment; and again, once the CRM has another plan and an agent refreshes. */
async function judgeAgreement(life: Life, ticket: string): Promise<void> {
  const { world } = life;
  const look = async (refresh: boolean) => {
    const profile = await until(life, ask(life, 'an', 'customerProfile', { ticket, refresh: refresh ? '1' : '0' }));
    const preview = await until(life, ask(life, 'an', 'syncTicketCustomer', { ticket, action: 'preview' }));
    return { company: profile?.bitrix.company ?? null, preview };
  };
  const { company, preview } = await look(false);
  if (company === null || preview === null) return;
  const [panel, sync] = [company.company_id, preview.company?.company_id];
  if (panel !== sync)
    return world.find('panel and Sync say the same company', '', `ticket ${ticket}: ${panel}, ${sync}`);
  const record = world.crm.company(company.bitrix_id);
  if (record === undefined) return;
  await world.pass(5_000);
  const [plan, DATE_MODIFY] = [`Renewed ${marksOf[panel ?? '']?.name}`, new Date(world.machine.now()).toISOString()];
  world.crm.putCompany({ ...record, UF_CRM_CURRENT_SHOPPLAN: plan, DATE_MODIFY });
  const then = await look(true);
  const changed = then.preview?.changes.find(({ field }) => field === 'custom_shopplan_name')?.to;
  if (then.company?.current_shopplan === plan && then.preview !== null && changed !== plan)
    world.find('Sync brings what a Refresh has shown', '', `ticket ${ticket}: ${plan}, ${changed}`);
}

/** Runs the world until what is asked is answered. */
async function until<T>({ world }: Life, asked: Promise<T>): Promise<T> {
  await world.steps(Number.POSITIVE_INFINITY);
  return asked;
}

/** A second run of everything writes nothing. */
async function judgeRepetition(life: Life): Promise<void> {
  const { world } = life;
  const again = async () => {
    for (const ticket of life.tickets) await until(life, ask(life, 'an', 'customerProfile', { ticket }));
    await world.pass(120_000);
    for (const one of world.alive()) await until(life, loopOnce(life, one, one));
  };
  await world.pass(120_000);
  await again();
  const written: { part: string; text: string }[] = [];
  world.watchers.push(({ doctype, name, by, before, after }: Change) => {
    if (by !== service || doctype === 'Version') return;
    const isNew = (field: string) => field !== 'modified' && text(after[field]) !== text(before?.[field]);
    for (const field of Object.keys(after).filter(isNew))
      written.push({ part: `${doctype} ${field}`, text: `${name}: ${text(before?.[field])} → ${text(after[field])}` });
  });
  await again();
  for (const { part, text } of written) world.find('a second run writes nothing', part, text);
}
