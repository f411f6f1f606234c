import { addressOf, agents, marksOf, orgIds, senders, service, teams, twinOf } from './cast.ts';
import { insert } from './incoming.ts';
import { isOpenClaim, judgeRejection, judgeTicket, judgeTurns, judgeUndo } from './judge-tickets.ts';
import { type AgentStatement, ask, isStanding, type Life, text } from './life.ts';
import { announce, loopOnce } from './systems.ts';
import { isVouched } from './watch.ts';
import type { Doc } from './world.ts';

// What has to be true of every life when nothing is due any more.

export async function judge(life: Life): Promise<void> {
  const { world, sayings, purged } = life;
  // What a purge may have taken as soon as it was recorded is not known.
  for (const one of sayings) if (one.at < (purged.get(one.ticket) ?? 0)) one.id = null;
  for (const one of sayings) takeAsOneWord(sayings.filter(({ id }) => id !== null && id === one.id));
  const latest = new Map(world.decisions().map((one) => [one.ticket, one]));
  for (const ticket of world.documents('HD Ticket')) judgeTicket(life, ticket, latest.get(text(ticket.name)));
  judgeTurns(life);
  const firsts = world.decisions({ isWhole: true }).flatMap(({ number, ticket }) => (number === 1 ? [ticket] : []));
  for (const [n, ticket] of firsts.entries())
    if (firsts.indexOf(ticket) < n) world.find('a ticket that was decided is no new one after a purge', '', ticket);
  for (const orgId of orgIds) {
    const same = world.documents('HD Customer').filter((one) => text(one.custom_platform_orgid) === orgId);
    if (same.length > 1) world.find('a company has one customer', '', same.map(({ name }) => text(name)).join(', '));
  }
  for (const saying of sayings) if (saying.isUndone) judgeUndo(life, saying);
  for (const saying of sayings) judgeRejection(life, saying);
  const shown = await judgeRepetition(life);
  for (const [ticket, profile] of shown) await judgeProfile(life, ticket, profile);
  await judgeEvent(life);
  await judgeNewTicket(life);
  for (const saying of sayings) await judgeEndedSync(life, saying);
  const byCompany = new Map([...shown].map(([ticket, { bitrix }]) => [bitrix.company?.bitrix_id, ticket]));
  for (const [bitrixId, ticket] of byCompany) if (bitrixId) await judgeRefresh(life, ticket, bitrixId);
}

/** What was pressed twice is one word: its undoing, done or cut off, is that of both. */
function takeAsOneWord(same: AgentStatement[]): void {
  const until = Math.max(...same.map((one) => one.until));
  const isUndone = same.some((one) => one.isUndone);
  for (const one of same) Object.assign(one, { until, isUndone });
}

/** The same once the CRM announces that the sender of such a claim has an address of the company. */
async function judgeEvent(life: Life): Promise<void> {
  const { world, emails } = life;
  const latest = new Map(world.decisions().map((one) => [one.ticket, one]));
  const ticket = world.documents('HD Ticket').find((one) => isOpenClaim(life, one, latest.get(text(one.name))));
  const orgId = latest.get(text(ticket?.name))?.inputs.org_id?.value ?? '';
  const { id = '' } = marksOf[orgId] ?? {};
  const record = world.crm.company(id);
  if (!world.isHolding() || ticket === undefined || record === undefined) return;
  if (life.mergedUntold.has(orgId) || world.crm.company(twinOf(id))) return;
  const EMAIL = [{ ID: '1', VALUE_TYPE: 'WORK', VALUE: text(ticket.raised_by), TYPE_ID: 'EMAIL' }];
  emails.get(orgId)?.add(text(ticket.raised_by));
  world.crm.putCompany({ ...record, EMAIL, DATE_MODIFY: new Date(world.machine.now()).toISOString() });
  await until(life, announce(life, 'ONCRMCOMPANYUPDATE', id));
  for (const one of world.alive()) await until(life, loopOnce(life, one));
  if (world.decisions().findLast((one) => one.ticket === ticket.name)?.inputs.org_id?.trust?.level === 'claimed')
    world.find('a claim is judged again once somebody vouches', 'the CRM, at last', `ticket ${ticket.name}`);
}

/** Runs the world until what is asked is answered. */
async function until<T>({ world }: Life, asked: Promise<T>): Promise<T> {
  await world.steps(Number.POSITIVE_INFINITY);
  return asked;
}

const profileOf = (life: Life, ticket: string, refresh = '0') =>
  until(life, ask(life, 'an', 'customerProfile', { ticket, refresh }));
type Profile = NonNullable<Awaited<ReturnType<typeof profileOf>>>;
const previewOf = (life: Life, ticket: string) =>
  until(life, ask(life, 'an', 'syncTicketCustomer', { ticket, action: 'preview' }));

/** An answer of the CRM counts for an hour (CRM_REFRESH_TTL_MINUTES). */
const countsForMs = 61 * 60_000;

/** A second run of everything writes nothing. Gives what the panel then shows of each ticket. */
async function judgeRepetition(life: Life): Promise<Map<string, Profile>> {
  const { world } = life;
  const shown = new Map<string, Profile>();
  const again = async () => {
    for (const ticket of life.tickets.keys()) {
      const profile = await profileOf(life, ticket);
      if (profile === null) continue;
      shown.set(ticket, profile);
      const { as_of, stale } = profile.bitrix;
      if (as_of !== null && !stale && world.machine.now() - Date.parse(as_of) > countsForMs)
        world.find('no answer of the CRM counts past its life', '', `ticket ${ticket}: ${as_of}`);
    }
    await world.pass(120_000);
    for (const one of world.alive()) await until(life, loopOnce(life, one));
  };
  await world.pass(120_000);
  const answers = world.crmAnswers();
  await again();
  // The link of a Sync that a crash cut in is noted by one look, and counts for the next.
  if (world.hasLostProcess()) await again();
  const written: { part: string; text: string }[] = [];
  world.watchers.push(({ doctype, name, by, before, after }) => {
    if (by !== service || doctype === 'Version') return;
    const changed = Object.keys(after).filter((field) => text(after[field]) !== text(before?.[field]));
    // A new answer of the CRM is a new check.
    const ofCheck = ['modified', 'modified_by', 'custom_crm_last_checked_at'];
    if (world.crmAnswers() > answers && changed.every((field) => ofCheck.includes(field))) return;
    for (const field of changed.filter((field) => field !== 'modified'))
      written.push({ part: `${doctype} ${field}`, text: `${name}: ${text(before?.[field])} → ${text(after[field])}` });
  });
  // An answer whose life has ended is asked for anew, and may tell of another address, by which the run after it writes.
  let asked = answers;
  for (const _ of [1, 2, 3]) {
    if (world.crmAnswers() > asked) await again();
    asked = world.crmAnswers();
    written.length = 0;
    await again();
    if (world.crmAnswers() === asked) break;
  }
  for (const { part, text } of written) world.find('a second run writes nothing', part, text);
  return shown;
}

const ranks = { claimed: 0, likely: 1, confirmed: 2 };

/** What the panel says of a ticket, and Sync at the same moment. */
async function judgeProfile(life: Life, ticket: string, { bitrix }: Profile): Promise<void> {
  const { world, sayings } = life;
  const { company, lookup_trust, also_named, rejected } = bitrix;
  for (const { kind, id, isUndone } of sayings)
    if (kind === 'rejection' && isUndone && rejected.some((one) => one.id === id))
      world.find('a rejection that was taken back counts no more', '', `ticket ${ticket}`);
  judgeLifted(life, ticket, rejected);
  // Whatever is said of a sender's company ends what was said before on another of their tickets.
  const { sender = null } = sayings.findLast((one) => one.ticket === ticket) ?? {};
  const words = sayings.filter((one) => one.sender === sender && one.orgId === company?.company_id);
  const latest = words.findLast((one) => one.kind === 'rejection' && one.ticket === ticket && isStanding(one));
  // What was said at the same time may count as said later.
  const mayEnd = (one: AgentStatement) =>
    one.isUndone || (latest && (one.kind === 'sync' || one.ticket !== ticket) && one.until > latest.at);
  if (latest !== undefined && !words.some(mayEnd))
    world.find('no company leads that was rejected', '', `ticket ${ticket}: ${company?.company_name}`);
  if (!company) return;
  const now = world.document('HD Ticket', ticket) ?? {};
  if (lookup_trust && lookup_trust.level !== 'claimed' && !isVouchedNow(life, now, text(company.company_id)))
    world.find('nobody vouches who may not', text(lookup_trust.evidence[0]?.code), `ticket ${ticket}`);
  const announced = announcedPlan(life, text(company.company_id));
  if (announced !== null && company.current_shopplan !== announced)
    world.find(
      'what the CRM has announced is shown',
      '',
      `ticket ${ticket}: ${company.current_shopplan}, ${announced}`,
    );
  const better = also_named.find(
    ({ trust }) => ranks[trust?.level ?? 'claimed'] > ranks[lookup_trust?.level ?? 'claimed'],
  );
  if (better) world.find('the best vouched for leads', '', `ticket ${ticket}: ${better.company_name} does not`);

  const sync = (await previewOf(life, ticket))?.company?.company_id;
  if (sync !== undefined && sync !== company.company_id)
    world.find('panel and Sync say the same company', '', `ticket ${ticket}: ${company.company_id}, ${sync}`);
}

/** The rejections that a Sync of a sender's own ticket has lifted, for all that they have made in a session of their own. */
function lifted(life: Life): { sync: AgentStatement; rejection: AgentStatement }[] {
  const said = life.sayings.filter((one) => isStanding(one) && isOfSession(life, one));
  return said.flatMap((sync) => {
    const isEnded = (one: AgentStatement) =>
      one.kind === 'rejection' && one.sender === sync.sender && one.orgId === sync.orgId && one.until < sync.at;
    return sync.kind === 'sync' ? said.filter(isEnded).map((rejection) => ({ sync, rejection })) : [];
  });
}

function judgeLifted(life: Life, ticket: string, rejected: Profile['bitrix']['rejected']): void {
  for (const { sync, rejection } of lifted(life))
    if (rejected.some(({ id }) => id === rejection.id))
      life.world.find('a Sync lifts what was rejected before', '', `ticket ${ticket}: ${sync.ticket}`);
}

/** Whether it was said of a ticket that its sender had made in a session of their own. */
function isOfSession({ world, tickets }: Life, { ticket, sender }: AgentStatement): boolean {
  const first = world.heard.get(ticket) ?? tickets.get(ticket);
  return first?.owner === sender && !text(first?.ticket_split_from);
}

/** What an agent's Refresh shows, once the CRM has another plan, Sync brings. */
async function judgeRefresh(life: Life, ticket: string, bitrixId: string): Promise<void> {
  const { world } = life;
  const record = world.crm.company(bitrixId);
  if (record === undefined) return;
  await world.pass(5_000);
  const [plan, DATE_MODIFY] = [`Renewed ${record.UF_CRM_STORENAME}`, new Date(world.machine.now()).toISOString()];
  world.crm.putCompany({ ...record, UF_CRM_CURRENT_SHOPPLAN: plan, DATE_MODIFY });
  const refreshed = await profileOf(life, ticket, '1');
  const said = await previewOf(life, ticket);
  const changed = said?.changes.find(({ field }) => field === 'custom_shopplan_name')?.to;
  // A customer that is the company's has been brought up to date by the Refresh itself.
  const stands = world.document('HD Customer', said?.customer?.name ?? '')?.custom_shopplan_name;
  if (refreshed?.bitrix.company?.current_shopplan === plan && said && ![changed, stands].includes(plan))
    world.find('Sync brings what a Refresh has shown', '', `ticket ${ticket}: ${plan}, ${changed}`);
}

/** What stands by now, without what the ticket itself shows. An agent's entry counts for a sender who never claimed the company. */
function isVouchedNow(life: Life, ticket: Doc, orgId: string): boolean {
  const { world, tickets, purged } = life;
  const isDesks = (one: Doc | undefined) => agents.some((agent) => one?.owner === addressOf(agent));
  // Of one that no webhook told of, a sweep may have learnt after somebody had put another sender or org id there.
  const isUnchanged = (now: Doc | undefined, one: Doc) =>
    now?.raised_by === one.raised_by && now?.custom_orgid === one.custom_orgid;
  const isKnown = (name: string, one: Doc) =>
    world.heard.has(name) || isUnchanged(world.document('HD Ticket', name), one);
  const claims = [...tickets].flatMap(([name, one]) =>
    one.raised_by === ticket.raised_by && !isDesks(one) && !purged.has(name) && isKnown(name, one) ? [one] : [],
  );
  const isClaimed = claims.some((one) => text(one.custom_orgid) === orgId);
  const asked = { ...ticket, customer: null, ...(isClaimed && { owner: 'Administrator' }) };
  return isVouched(life, asked, orgId);
}

/** The plan of a company whose latest change the CRM has announced, and which it has once. */
function announcedPlan({ world, announced }: Life, orgId: string): string | null {
  const { id = '' } = marksOf[orgId] ?? {};
  const [record, twin] = [world.crm.company(id), world.crm.company(twinOf(id))];
  return announced.has(orgId) && record && !twin ? text(record.UF_CRM_CURRENT_SHOPPLAN) : null;
}

/** A Sync that was undone or forgotten, or whose link was never on its ticket, vouches for nothing on the sender's next one. */
async function judgeEndedSync(life: Life, saying: AgentStatement): Promise<void> {
  const { kind, ticket, id, orgId, sender, isUndone, isForgotten } = saying;
  const { world, linked, sayings, emails, listed } = life;
  const isOf = (name: string) => text(world.document('HD Customer', name)?.custom_platform_orgid) === orgId;
  const isCut = id === null && ![...(linked.get(ticket) ?? [])].some(isOf);
  if (kind !== 'sync' || !(isCut || isUndone || isForgotten)) return;
  const others = sayings.filter((one) => one.kind === 'sync' && one.orgId === orgId && one !== saying);
  if (others.length > 0 || emails.get(orgId)?.has(sender) || !senders.some((one) => one === sender)) return;
  if (listed.some((one) => one.sender === sender && one.orgId === orgId)) return;
  await world.receiveMail({ from: sender, subject: 'Lại lỗi', text: `Org ID: ${orgId}` });
  const probe = [...life.tickets].at(-1);
  if (probe === undefined) return;
  await until(life, world.tell(probe[1], 0));
  const trust = (await profileOf(life, probe[0]))?.bitrix.lookup_trust;
  if (trust && trust.level !== 'claimed')
    world.find(
      'no Sync vouches that was undone, forgotten, or never seen on its ticket',
      '',
      `ticket ${ticket}: ${trust.evidence[0]?.code}`,
    );
}

/** A ticket like one whose Sync has lifted a rejection, or else like the first one, is routed by what the panel says of it. */
async function judgeNewTicket(life: Life): Promise<void> {
  const { world } = life;
  const answered = lifted(life).at(-1)?.sync;
  const [first] = life.tickets.values();
  const like = life.tickets.get(answered?.ticket ?? '') ?? first;
  if (like === undefined) return;
  const { raised_by, owner } = like;
  const custom_orgid = answered?.orgId ?? like.custom_orgid;
  const before = life.tickets.size;
  await until(life, insert(life, text(owner), { raised_by, custom_orgid }, 'comes'));
  if (life.tickets.size === before) return;
  const [name = ''] = [...life.tickets.keys()].slice(-1);
  await world.steps(Number.POSITIVE_INFINITY);
  const { company = null, rejected = [] } = (await profileOf(life, name))?.bitrix ?? {};
  judgeLifted(life, name, rejected);
  const now = world.document('HD Ticket', name);
  const decision = world.decisions().findLast((one) => one.ticket === name);
  if (!company || !decision || decision.outcome.fallback !== null || decision.outcome.team === null) return;
  const { org_id, customer } = decision.inputs;
  if (org_id?.value !== company.company_id)
    return world.find('routing and panel say the same company', '', `${org_id?.value}, ${company.company_id}`);
  if (customer !== null && customer.org_id !== company.company_id) return;
  // A ticket of a claim that is held is linked to nobody, and goes by the company's customer all the same.
  const standing = world.documents('HD Customer').find((one) => one.custom_platform_orgid === company.company_id);
  const held = world.document('HD Customer', now?.customer) ?? standing;
  // With an unchanged DATE_MODIFY the helpdesk's record stays as it is, and decides.
  const isBehind =
    held !== undefined &&
    (held.custom_shopplan_name !== company.current_shopplan ||
      held.custom_customer_segment !== company.customer_segment);
  const said = isBehind
    ? { segment: text(held.custom_customer_segment), plan: text(held.custom_shopplan_name) }
    : { segment: text(company.customer_segment), plan: text(company.current_shopplan) };
  const { team } = decision.outcome;
  if (team === teamFor(said)) return;
  const isOlder = [...(life.plans.get(text(company.company_id)) ?? [])].some((one) => teamFor(one) === team);
  const part = isOlder ? 'but by an older answer of the CRM' : '';
  world.find('routing goes by what the panel says', part, `${team}: ${said.segment}, ${said.plan}`);
}

/** The specification's rules. */
function teamFor({ segment, plan }: { segment: string; plan: string }): string {
  if (segment !== 'Medium') return teams[2];
  return /scale/i.test(plan) ? teams[0] : /grow/i.test(plan) ? teams[1] : teams[2];
}
