import { contract } from '@deskside/shared/contract';
import type { RoutingDecision } from '@deskside/shared/routing';
import { type DecisionRow, fewestRows, type TeamShare, type Today } from '@deskside/shared/today';
import { type Call, type Context, type EntryInput, endpoint } from '#context.ts';
import { planStatus } from '#crm/company.ts';
import { lanes } from '#crm/limits.ts';
import { cachedCompanies } from '#crm/lookup.ts';
import { HelpdeskError, refuse } from '#helpdesk/errors.ts';
import type { TicketKey } from '#helpdesk/ticket-file.ts';
import type { OpenTicket } from '#helpdesk/whole.ts';
import { AppError } from '#runtime/app-error.ts';
import * as pipeline from '#store/backlog.ts';
import * as decisions from '#store/decisions.ts';
import { namesOf } from './explain.ts';

/** Decisions are read from the newest back, so a day long past would take all of them. */
const oldestMs = 49 * 3_600_000;
/** A millisecond or two of parsing for every fifty. */
const pageSize = 100;
/** Open tickets whose customers' plans are looked at, and how many of one customer are named. */
const mostOpen = 1_000;
const mostOfCustomer = 5;

/**
 * What all teams got on a day, for a lead (docs/api.md#the-day): tickets by team and agent beside what each was due, what
 * waits and why, the last decisions, plans that end soon, and whether helpdesk and CRM answer. `from` and `to`: the day's first
 * moment and the next day's, as the caller's clock has it, in epoch milliseconds. Throws `not_an_agent`,
 * `not_a_manager`, `bad_input` for a day before yesterday, and AppError if the helpdesk fails.
 */
export async function today(
  ctx: Call,
  { from, to, rows: most = fewestRows }: EntryInput<typeof contract.routingToday>,
): Promise<Today> {
  await requireManager(ctx);
  const now = ctx.clock();
  if (from < now - oldestMs)
    throw new AppError('bad_input', [{ field: 'from', message: 'Expected today or yesterday.' }]);
  const [day, waiting, backlog, lastToldAt, open, crm] = await Promise.all([
    readDay(ctx, { from, to }, most),
    decisions.longestWaiting(ctx.db, most),
    pipeline.backlog(ctx.db),
    pipeline.lastToldAt(ctx.db),
    openWithOrgId(ctx),
    crmState(ctx),
  ]);
  const due = await duePlans(ctx, open ?? [], now);
  const ending = due.slice(0, most);
  const named = [...[...waiting, ...day.last].map(keyOf), ...ending.flatMap((plan) => plan.tickets)];
  const seeing = ctx.helpdesk.ticketLists.visibleAs(ctx.caller, named, ctx.signal);
  const visible = new Set((await seeing.catch(refuse)).map(textOf));
  const shown = (decision: RoutingDecision) => visible.has(textOf(keyOf(decision)));

  const shownWaiting = waiting.filter(shown);
  const rows = day.last.filter(shown).map(toRow);
  const plans = ending.flatMap(({ tickets, ...plan }) => {
    const names = tickets.filter((ticket) => visible.has(textOf(ticket))).map(({ name }) => name);
    return names.length === 0 ? [] : [{ ...plan, tickets: names }];
  });
  const teams = sharesOf(day.tickets);
  const agents = [...teams.flatMap((team) => team.agents), ...rows].flatMap(({ agent }) => agent ?? []);
  return {
    at: iso(now),
    tickets: day.tickets.length,
    teams,
    trust: trustOf(day.tickets),
    found_by_sweep: day.foundBySweep,
    last_webhook_at: lastToldAt === null ? null : iso(lastToldAt),
    waiting: {
      tickets: backlog.waiting.tickets,
      hidden: waiting.length - shownWaiting.length,
      rows: shownWaiting.map((decision) => ({
        ticket: decision.ticket,
        team: teamOf(decision),
        since: decision.decided_at,
        why: reasonsOf(decision),
      })),
    },
    undecided: {
      tickets: backlog.unrouted.tickets,
      since: backlog.unrouted.since === null ? null : iso(backlog.unrouted.since),
    },
    decisions: { hidden: day.last.length - rows.length, is_more: day.isMore, rows },
    plans: { customers: due.length, hidden: ending.length - plans.length, unread: open === null, rows: plans },
    helpdesk: { answers: open !== null },
    crm,
    names: await namesOf(ctx, [...new Set(agents)]),
  };
}

/** Throws unless the caller has the role Agent Manager, which our own key asks for: agents are not shown each other's roles. */
async function requireManager({ gate, helpdesk, caller, signal }: Call): Promise<void> {
  const { id } = await gate.requireAgent(caller, signal);
  if (!(await helpdesk.people.isManager(id, signal).catch(refuse))) throw new AppError('not_a_manager');
}

/** Tickets that were decided for the first time on that day, each as it stood at its end; and the last decisions of all, at most so many. */
async function readDay(ctx: Context, { from, to }: { from: number; to: number }, most: number) {
  const standing = new Map<string, DayTicket>();
  const tickets: DayTicket[] = [];
  const last: RoutingDecision[] = [];
  let foundBySweep = 0;
  for (let beforeId: string | null = null; ; ) {
    const page: RoutingDecision[] = await decisions.latestFirst(ctx.db, { beforeId, limit: pageSize });
    // One more than is told says whether there are more.
    last.push(...page.slice(0, most + 1 - last.length));
    for (const decision of page) {
      const at = Date.parse(decision.decided_at);
      if (at < from || at >= to) continue;
      const key = textOf(keyOf(decision));
      // Newest first: what comes first of a ticket is how it stood.
      const ticket = standing.get(key) ?? toDayTicket(decision);
      standing.set(key, ticket);
      if (decision.number > 1) continue;
      tickets.push(ticket);
      if (decision.found_by === 'sweep') foundBySweep += 1;
    }
    const oldest = page.at(-1);
    if (oldest === undefined || page.length < pageSize) break;
    if (Date.parse(oldest.decided_at) < from && last.length > most) break;
    beforeId = oldest.id;
  }
  return { tickets, last: last.slice(0, most), isMore: last.length > most, foundBySweep };
}

/** What is counted of a ticket. `eligible`: who could have got it, if it was somebody's turn. */
interface DayTicket {
  team: string | null;
  agent: string | null;
  state: RoutingDecision['assignment']['state'];
  eligible: readonly string[];
  trust: keyof Today['trust'];
}

function toDayTicket(decision: RoutingDecision): DayTicket {
  const { state, agent, candidates } = decision.assignment;
  const got = state === 'planned' || state === 'assigned' ? agent : null;
  const isTurn = candidates.some(({ user }) => user === got);
  const eligible = candidates.filter(({ reason }) => reason === 'next_in_turn' || reason === 'not_their_turn');
  return {
    team: teamOf(decision),
    agent: got,
    state,
    eligible: isTurn ? eligible.map(({ user }) => user) : [],
    trust: levelOf(decision) ?? 'none',
  };
}

/** Tickets by team and agent, beside what each was due; the largest team first. */
function sharesOf(ofDay: readonly DayTicket[]): TeamShare[] {
  const teams = new Map<
    string | null,
    Omit<TeamShare, 'agents'> & { agents: Map<string, TeamShare['agents'][number]> }
  >();
  for (const { team, agent, state, eligible } of ofDay) {
    const share = teams.get(team) ?? { team, tickets: 0, waiting: 0, by_person: 0, for_nobody: 0, agents: new Map() };
    teams.set(team, share);
    const ofAgent = (user: string) => {
      const known = share.agents.get(user) ?? { agent: user, tickets: 0, due: 0 };
      share.agents.set(user, known);
      return known;
    };
    share.tickets += 1;
    if (agent !== null) ofAgent(agent).tickets += 1;
    else if (state === 'nobody_available') share.waiting += 1;
    else if (state === 'none') share.for_nobody += 1;
    else share.by_person += 1;
    for (const user of eligible) ofAgent(user).due += 1 / eligible.length;
  }
  return [...teams.values()]
    .map((share) => ({ ...share, agents: [...share.agents.values()].toSorted(byAgent).map(rounded) }))
    .toSorted((a, b) => b.tickets - a.tickets || named(a).localeCompare(named(b)));
}

const named = ({ team }: TeamShare) => team ?? '';
const byAgent = (a: { agent: string }, b: { agent: string }) => a.agent.localeCompare(b.agent);
const rounded = (share: TeamShare['agents'][number]) => ({ ...share, due: Math.round(share.due * 100) / 100 });

function trustOf(ofDay: readonly DayTicket[]): Today['trust'] {
  const counts = { confirmed: 0, likely: 0, claimed: 0, none: 0 };
  for (const { trust } of ofDay) counts[trust] += 1;
  return counts;
}

/** The team a ticket was in by its decision: null where the rules' own does not exist. */
function teamOf({ outcome, inputs }: RoutingDecision): string | null {
  return outcome.team ?? (outcome.fallback === 'team_missing' ? null : (inputs.agent_group?.name ?? null));
}

/** Null without an org id. One that nobody has judged is the sender's word. */
function levelOf({ inputs: { org_id } }: RoutingDecision): DecisionRow['trust'] {
  return org_id === null ? null : (org_id.trust?.level ?? 'claimed');
}

/** How many members could not get the ticket, by reason. */
function reasonsOf({ assignment }: RoutingDecision): Today['waiting']['rows'][number]['why'] {
  const why: Today['waiting']['rows'][number]['why'] = {};
  for (const { reason } of assignment.candidates) why[reason] = (why[reason] ?? 0) + 1;
  return why;
}

function toRow(decision: RoutingDecision): DecisionRow {
  const { id, ticket, decided_at, inputs, outcome, assignment, cause, link } = decision;
  return {
    id,
    ticket,
    at: decided_at,
    company: (link?.done ? link.customer : inputs.customer?.name) ?? null,
    org_id: inputs.org_id?.value ?? null,
    team: teamOf(decision),
    agent: assignment.agent,
    state: assignment.state,
    rule: outcome.rules.find(({ hit }) => hit)?.rule ?? null,
    fallback: outcome.fallback,
    cause,
    trust: levelOf(decision),
  };
}

/** Null if the helpdesk does not answer our own key. */
function openWithOrgId({ helpdesk, signal }: Call): Promise<OpenTicket[] | null> {
  return helpdesk.ticketLists.openWithOrgId(mostOpen, signal).catch((error: unknown) => {
    if (error instanceof HelpdeskError && !signal.aborted) return null;
    throw error;
  });
}

/** Of these tickets' customers, those whose plan has ended or ends soon by what is cached of their companies, the first to end first. */
async function duePlans(ctx: Context, open: readonly OpenTicket[], now: number) {
  const orgIds = open.map(({ orgId }) => orgId);
  const companies = ctx.crm && (await cachedCompanies(ctx.crm, orgIds));
  const byCustomer = Map.groupBy(open, ({ customer }) => customer);
  const plans = [...byCustomer].flatMap(([customer, tickets]) => {
    const company = tickets[0] && companies?.get(tickets[0].orgId);
    const endsAt = company?.planExpiresAt ?? null;
    const { shopplan_status, shopplan_days_left = 0 } = planStatus(endsAt, now);
    if (company === undefined || endsAt === null || shopplan_status === 'active') return [];
    const plan = company.fields.current_shopplan;
    const some = tickets.slice(0, mostOfCustomer).map(({ name, creation }) => ({ name, creation }));
    return [{ customer, plan, ends: iso(endsAt), days_left: shopplan_days_left, tickets: some, open: tickets.length }];
  });
  return plans.toSorted((a, b) => a.ends.localeCompare(b.ends));
}

async function crmState({ crm, crmEnabled }: Context): Promise<Today['crm']> {
  if (!crmEnabled) return { state: 'disabled', error: null, lanes: [] };
  if (crm === null) return { state: 'not_configured', error: null, lanes: [] };
  const { left, waiting, refusal } = await crm.state();
  return {
    state: refusal === null ? 'answers' : 'failing',
    error: refusal,
    lanes: lanes.map((lane) => ({ lane, left: left[lane], waiting: waiting[lane] })),
  };
}

const keyOf = ({ ticket, inputs }: RoutingDecision): TicketKey => ({ name: ticket, creation: inputs.ticket_creation });
const textOf = ({ name, creation }: TicketKey) => `${name} ${creation}`;
const iso = (moment: number) => new Date(moment).toISOString();

export const todayEndpoint = endpoint(contract.routingToday, {
  who: 'agent',
  handle: today,
  message: () => 'Day loaded.',
});
