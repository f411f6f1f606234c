import { accounts, addressOf, agents, marksOf, orgIds, service } from './cast.ts';
import { type AgentStatement, type Life, text } from './life.ts';
import type { Doc, World } from './world.ts';

// What is judged at the moment at which it is written, by what the helpdesk shows to whom.

const website = new Set<string>(accounts);
/** Fields of a ticket in which a person's word stands. */
const personal = ['agent_group', 'customer', 'raised_by', 'status', 'priority'];
/** Fields that tell something of a company. */
export const telling = [
  ...['customer', 'custom_customer_segment', 'custom_shopplan', 'custom_platform_service_plan'],
  ...['custom_platform_routing_reason', 'custom_responsible'],
];

/** Of which companies a field tells something: by their marks, or by the org id of the customer in it. */
export function toldIn({ document }: World, field: string, value: string): string[] {
  const ofCustomer = field === 'customer' ? text(document('HD Customer', value)?.custom_platform_orgid) : '';
  return orgIds.filter((orgId) => {
    const { name = '', owner = '' } = marksOf[orgId] ?? {};
    return ofCustomer === orgId || new RegExp(`\\b${name}\\b`).test(value) || value.includes(owner);
  });
}

/** The website accounts that read a ticket and are not its sender's (docs/security.md#trust). */
export function otherReaders({ document }: World, ticket: Doc): string[] {
  const contact = document('Contact', ticket.contact);
  const reading = [ticket.owner, contact?.user, contact?.owner, ticket.contact].map(text);
  const isOther = (account: string) =>
    account !== text(ticket.raised_by) && (website.has(account) || account === 'Guest');
  return [...new Set(reading)].filter(isOther);
}

/**
 * Whether something that still stands may vouch for a company on a ticket (decision 7: who vouches). Never too strict: the pure
 * rules have tests of their own.
 */
export function isVouched({ world, sayings, tickets, emails, listed }: Life, ticket: Doc, orgId: string): boolean {
  const [name, sender] = [text(ticket.name), text(ticket.raised_by)];
  const said = sayings.filter((one) => one.kind === 'sync' && one.orgId === orgId && !one.isUndone);
  if (text(world.document('HD Customer', ticket.customer)?.custom_platform_orgid) === orgId) return true;
  if (said.some((one) => one.ticket === name)) return true;
  // Whose a ticket was first is what the first webhook told, which may have been overtaken.
  const isOf = ({ ticket, sender: of }: AgentStatement) =>
    of === sender && text((world.heard.get(ticket) ?? tickets.get(ticket))?.raised_by) === sender;
  // Of what no webhook told, the ticket is judged as it stands.
  const first = world.heard.get(text(tickets.get(name)?.ticket_split_from)) ?? world.heard.get(name) ?? ticket;
  if (text(first.raised_by) !== sender) return false;
  if (website.has(text(first.owner)) && first.owner !== sender) return false;
  const isEntered = agents.some((one) => ticket.owner === addressOf(one)) && first.custom_orgid === orgId;
  if (listed.some((one) => one.sender === sender && one.orgId === orgId)) return true;
  return said.some(isOf) || emails.get(orgId)?.has(sender) === true || isEntered;
}

/** Whether an agent has said something of a ticket, which may change what stands there. */
const isSpokenOf = ({ sayings, enriched }: Life, ticket: string) =>
  enriched.has(ticket) || sayings.some((one) => one.ticket === ticket);

/** Watches what is written, from the first moment on. */
export function watch(life: Life): void {
  const { world } = life;
  /** When somebody changed who reads a ticket, or who vouches for it. */
  const turnedAt = new Map<string, number>();
  /** Tickets that somebody outside has given another sender, contact, customer or org id: what we wrote may not stay there. */
  const reshaped = new Set<string>();
  /** Customers that the desk has put on tickets itself, which an undo may give back: by `TICKET CUSTOMER`. */
  const chosen = new Set<string>();

  world.watchers.push(({ doctype, name, before, after, by }) => {
    const isDesks = by !== service && !website.has(by);
    if (doctype === 'ToDo' && isDesks) life.takenUp.add(text(after.reference_name));
    if (doctype === 'HD Customer' && by === service) judgeNews(before, after);
    if (doctype !== 'HD Ticket') return;
    if (before === undefined) life.tickets.set(name, { ...after });
    for (const field of Object.keys(after)) {
      const [was, is] = [text(before?.[field]), text(after[field])];
      if (was === is) continue;
      if (!/^(modified|_comments|key)/.test(field)) world.say(`  ${name} ${field}: ${was} → ${is} (${by})`);
      const author = life.authors.get(`${name} ${field}`);
      // A customer that is being renamed is not there yet under its new name, and nobody has set another one.
      const isRenamed = field === 'customer' && is !== '' && world.document('HD Customer', is) === undefined;
      if (!isRenamed) life.authors.set(`${name} ${field}`, by);
      if (isRenamed) for (const { seen } of life.sayings) if (seen.includes(was)) seen.push(is);
      if (field === 'customer') life.linked.set(name, (life.linked.get(name) ?? new Set()).add(is));
      if (field === 'customer' && isDesks) chosen.add(`${name} ${is}`);
      if (before === undefined) continue;
      if (isDesks && /^(agent_group|status|last_agent_response)$/.test(field)) life.takenUp.add(name);
      if (/^(raised_by|contact)$/.test(field)) turnedAt.set(name, world.machine.now());
      if (website.has(by) && /^(raised_by|contact|customer|custom_orgid)$/.test(field)) reshaped.add(name);
      if (by !== service) continue;
      const change = `ticket ${name}: ${author} wrote ${was}, we ${is}`;
      // While no webhook is known, a group of a ticket that the sender wrote last is taken for the sender's.
      const isKnown = world.heard.has(name) && !life.purged.has(name);
      const isUntold = field === 'agent_group' && !isKnown && website.has(text(before.modified_by));
      const mayChange = isSpokenOf(life, name) || isUntold;
      if (personal.includes(field) && was !== '' && author && author !== service && !website.has(author))
        if (!mayChange) world.find('nothing that a person wrote is lost', field, change);
      const hasSeen = life.sayings.some((one) => one.ticket === name && one.seen.includes(was));
      if (field === 'customer' && was !== '' && author && author !== service && !website.has(author))
        if (!hasSeen && !life.enriched.has(name))
          world.find('an agent replaces the customer that they have seen, and no other', '', change);
      const isKept = !reshaped.has(name) && !life.purged.has(name);
      const isOurs = author === service && isKept && !isSpokenOf(life, name);
      const isShared = world.documents('DocShare').some(({ share_name }) => share_name === name);
      const mayStay = !hasLostAddress() && !isClaimedSince(after) && !world.hasNewRules() && !isShared;
      if (field === 'custom_responsible' && is === '' && isOurs && mayStay)
        world.find('nothing of ours is blanked by ourselves', field, change);
      if (field === 'agent_group' && was !== '' && life.takenUp.has(name) && !mayChange)
        world.find('nobody loses a ticket that they have taken up', '', change);
      // An undo gives back the customer of before, whoever had put it there; that of a rejection to the sender of then alone.
      const mayGiveBack = ({ kind, sender }: AgentStatement) => kind === 'sync' || sender === text(after.raised_by);
      const isOfBefore = life.sayings.some(
        (one) => one.ticket === name && text(one.before.customer) === is && mayGiveBack(one),
      );
      const isGivenBack = field === 'customer' && (isOfBefore || chosen.has(`${name} ${is}`));
      if (telling.includes(field))
        for (const orgId of toldIn(world, field, is)) judgeTelling(field, orgId, before, isGivenBack);
    }
  });

  /** Of a company that has not changed in the CRM, what a customer says of it stays. */
  function judgeNews(before: Doc | undefined, after: Doc): void {
    const isSame = (field: string) => text(before?.[field]) !== '' && text(before?.[field]) === text(after[field]);
    if (!['custom_platform_orgid', 'custom_crm_company_id', 'custom_crm_company_modified_at'].every(isSame)) return;
    for (const field of ['custom_customer_segment', 'custom_shopplan_name'])
      if (text(before?.[field]) !== '' && !isSame(field))
        world.find('nothing is written where the CRM has nothing new', field, `${after.name}: ${after[field]}`);
  }

  /** Whether the CRM has taken an address from a company, which vouched for what we wrote until then. */
  function hasLostAddress(): boolean {
    return [...life.emails].some(([orgId, ever]) => {
      const now = JSON.stringify(world.crm.company(marksOf[orgId]?.id ?? '')?.EMAIL ?? []);
      return [...ever].some((address) => !now.includes(address));
    });
  }

  /** Whether an agent's entry may count no more, since its sender has come to claim a company on a ticket of their own. */
  function isClaimedSince({ name, owner, raised_by }: Doc): boolean {
    const isEntered = agents.some((one) => owner === addressOf(one));
    return isEntered && world.documents('HD Ticket').some((one) => one.name !== name && one.raised_by === raised_by);
  }

  function judgeTelling(field: string, orgId: string, ticket: Doc, isGivenBack: boolean): void {
    // What is being judged at this moment, for at most so long.
    const isTurning = world.machine.now() - (turnedAt.get(text(ticket.name)) ?? 0) < 60_000;
    const part = isTurning ? 'who came while it was judged' : field;
    const where = `${field} of ticket ${ticket.name} of ${ticket.raised_by} tells of ${marksOf[orgId]?.name}`;
    const [reader] = otherReaders(world, ticket);
    if (reader !== undefined)
      world.find('nothing of a company is written where another reads', part, `${where}; ${reader} reads it`);
    if (world.isHolding() && !isGivenBack && !isVouched(life, ticket, orgId))
      world.find('nothing of a claim is written under hold', part, where);
  }
}
