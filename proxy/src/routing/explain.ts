import { contract } from '@deskside/shared/contract';
import type { RoutingDecision, RoutingDecisions } from '@deskside/shared/routing';
import { type Call, endpoint } from '#context.ts';
import type { Clock } from '#runtime/memory.ts';
import * as decisions from '#store/decisions.ts';
import type { StateDb } from '#store/schema.ts';

/** Names are a nicety: the answer does not wait longer for them. */
const namesWithinMs = 1_500;

/**
 * Why a ticket went where it went: every decision on it, newest first, for an agent who may read it. Throws what `openTicket` throws;
 * names that cannot be had are left out.
 */
export async function listDecisions(ctx: Call, { ticket }: { ticket: string }): Promise<RoutingDecisions> {
  const { ticket: read } = await ctx.gate.openTicket(ctx.caller, ticket, ctx.signal);
  const all = await decisions.list(ctx.db, read);
  return { ticket: read.name, decisions: all, names: await namesOf(ctx, all.flatMap(usersOf)) };
}

export const decisionsEndpoint = endpoint(contract.routingDecisions, {
  who: 'agent',
  handle: listDecisions,
  message: ({ decisions }) =>
    decisions.length > 0 ? 'Routing decisions loaded.' : 'There are no decisions on this ticket.',
});

/** Full names of these users, as far as they can be had in a moment. */
export async function namesOf({ helpdesk, signal }: Call, users: readonly string[]): Promise<Record<string, string>> {
  if (users.length === 0) return {};
  const limited = AbortSignal.any([signal, AbortSignal.timeout(namesWithinMs)]);
  const names = await helpdesk.people.userNames(users, limited).catch(() => []);
  return Object.fromEntries(names);
}

/** Of the helpdesk's users: whoever was looked at, and agents who vouched for the company. */
function usersOf({ assignment, inputs }: RoutingDecision): string[] {
  const vouching = (inputs.org_id?.trust?.evidence ?? []).filter(
    ({ code }) => code === 'linked_by_agent' || code === 'entered_by_agent',
  );
  const { agent, candidates } = assignment;
  return [agent, ...candidates.map(({ user }) => user), ...vouching.map(({ value }) => value)].filter(
    (user): user is string => Boolean(user),
  );
}

/** A millisecond or two of reading and parsing. */
const portion = 50;

/** How many decisions fairness is judged by (docs/operate.md#metrics). */
const judged = 400;
/** How long a judgement of it stands: it reads all of these. */
const judgeEveryMs = 60_000;

/** Per team, how far apart its agents are, in tickets, by the latest decisions; up to a minute old. */
export function createJudgeFairness(db: StateDb, clock: Clock): () => Promise<ReadonlyMap<string, number>> {
  let last: { at: number; spread: ReadonlyMap<string, number> } | null = null;
  return async () => {
    if (last === null || clock() - last.at >= judgeEveryMs)
      last = { at: clock(), spread: spreadOf(await latestTurns(db)) };
    return last.spread;
  };
}

/** The turns among the latest decisions, newest first. */
export async function latestTurns(db: StateDb): Promise<Turn[]> {
  const turns: Turn[] = [];
  let beforeId: string | null = null;
  for (let read = 0; read < judged; read += portion) {
    const page: RoutingDecision[] = await decisions.latestFirst(db, { beforeId, limit: portion });
    turns.push(...page.flatMap((decision) => turnOf(decision) ?? []));
    if (page.length < portion) break;
    beforeId = page.at(-1)?.id ?? null;
  }
  return turns;
}

/** Whose turn it was, of those who could have got the ticket; a repair can repeat a turn that it keeps. */
export interface Turn {
  ticket: string;
  team: string;
  agent: string;
  /** Includes the agent. */
  eligible: readonly string[];
}

/**
 * How far apart the agents of each team are, in tickets: the difference between who got most and who got least beyond
 * their due. Due is an equal part of every ticket that one could have got, so absence makes nobody look favoured. The
 * round-robin (docs/routing.md#round-robin) adds at most 1 each time that somebody comes or goes.
 */
export function spreadOf(turns: readonly Turn[]): Map<string, number> {
  const balances = new Map<string, Map<string, number>>();
  const seen = new Set<string>();
  for (const { ticket, team, agent, eligible } of turns) {
    const key = JSON.stringify([ticket, team, agent]);
    if (seen.has(key) || !eligible.includes(agent)) continue;
    seen.add(key);
    const balance = balances.get(team) ?? new Map<string, number>();
    balances.set(team, balance);
    for (const one of eligible)
      balance.set(one, (balance.get(one) ?? 0) + (one === agent ? 1 : 0) - 1 / eligible.length);
  }
  return new Map(
    [...balances].map(([team, balance]) => [team, Math.max(...balance.values()) - Math.min(...balance.values())]),
  );
}

/** The turns that were taken. */
const mayGetTickets: ReadonlySet<string> = new Set(['next_in_turn', 'not_their_turn']);

/** Null if it was nobody's turn. */
function turnOf({ ticket, inputs, outcome, assignment: { agent, candidates } }: RoutingDecision): Turn | null {
  const keptTeam = outcome.fallback === 'team_missing' ? null : (inputs.agent_group?.name ?? null);
  const team = outcome.team ?? keptTeam;
  const isTurn = candidates.some(({ user, reason }) => reason === 'next_in_turn' && user === agent);
  if (team === null || agent === null || !isTurn) return null;
  const eligible = candidates.filter(({ reason }) => mayGetTickets.has(reason)).map(({ user }) => user);
  return { ticket, team, agent, eligible };
}
