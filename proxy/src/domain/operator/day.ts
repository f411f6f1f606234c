import type { OperatorRouting, TeamDay } from '@deskside/shared/operator/routing';
import type { MatchCounts, OperatorToday } from '@deskside/shared/operator/today';
import { routingRules } from '@deskside/shared/routing';
import { spreadOf, type Turn } from '#domain/routing/fairness.ts';
import { type DecidedTicket, matchOf, turnsOf } from './decided-ticket.ts';

const hourMs = 3_600_000;
/** Longest day that is shown: a whole one in any time zone, with some room. */
const longestDayMs = 36 * hourMs;
/** How many org ids are listed that the CRM does not know, and tickets with each. */
const maxOrgIds = 20;
const maxTickets = 3;

/** The first moment of the day to show, kept within what may be looked at. Epoch milliseconds. */
export function startOfDay(wanted: number, now: number): number {
  return Math.min(Math.max(wanted, now - longestDayMs), now);
}

/** How much is known of who wrote the day's tickets. Decisions newest first; times in epoch milliseconds. */
export function matchesOf(
  decided: readonly DecidedTicket[],
  since: number,
  now: number,
): Pick<OperatorToday, 'tickets' | 'by_hour' | 'unknown_org_ids'> {
  const latest = decided.filter(({ isLatest }) => isLatest);
  const none = (): MatchCounts => ({ matched: 0, claimed: 0, unknown: 0 });
  const tickets = none();
  const hours = hoursOf(since, now).map((at) => ({ at: iso(at), ...none() }));
  for (const one of latest) {
    const match = matchOf(one);
    tickets[match] += 1;
    const hour = hours[Math.floor((one.at - since) / hourMs)];
    if (hour) hour[match] += 1;
  }
  return { tickets, by_hour: hours, unknown_org_ids: unknownOrgIds(latest) };
}

function unknownOrgIds(latest: readonly DecidedTicket[]): OperatorToday['unknown_org_ids'] {
  const found = new Map<string, OperatorToday['unknown_org_ids'][number]>();
  for (const { orgId, isNotFound, ticket, at } of latest) {
    if (orgId === null || !isNotFound) continue;
    const known = found.get(orgId) ?? { org_id: orgId, tickets: [], at: iso(at) };
    if (known.tickets.length < maxTickets) known.tickets.push(ticket);
    found.set(orgId, known);
  }
  return [...found.values()].slice(0, maxOrgIds);
}

/** Where the day's tickets went, and by what. `names`: of agents, as far as they are known. */
export function routingOf(
  decided: readonly DecidedTicket[],
  { since, now, names }: { since: number; now: number; names: ReadonlyMap<string, string> },
): OperatorRouting {
  const latest = decided.filter(({ isLatest }) => isLatest);
  const hours = hoursOf(since, now).map((at) => ({ at: iso(at), tickets: 0 }));
  for (const { at } of latest) {
    const hour = hours[Math.floor((at - since) / hourMs)];
    if (hour) hour.tickets += 1;
  }
  return {
    since: iso(since),
    as_of: iso(now),
    tickets: latest.length,
    teams: teamsOf(decided, names),
    rules: routingRules.map((rule) => {
      const ruled = latest.filter((one) => one.rule === rule);
      return { rule, tickets: ruled.length, claimed: ruled.filter((one) => matchOf(one) === 'claimed').length };
    }),
    by_hour: hours,
    fallbacks: fallbacksOf(decided),
    found: {
      webhook: decided.filter(({ foundBy }) => foundBy === 'webhook').length,
      sweep: decided.filter(({ foundBy }) => foundBy === 'sweep').length,
    },
    repairs: new Set(decided.filter(({ cause }) => cause === 'repair').map(({ ticket }) => ticket)).size,
    kept: latest.filter(({ rule, isOverruled }) => rule === 'group_kept' || isOverruled).length,
  };
}

function fallbacksOf(decided: readonly DecidedTicket[]): OperatorRouting['fallbacks'] {
  return (['crm', 'meta_json', 'team_missing'] as const).map((fallback) => {
    const fell = decided.filter((one) => one.fallback === fallback);
    const tickets = new Set(fell.map(({ ticket }) => ticket)).size;
    return { fallback, tickets, open: fell.filter(({ isLatest }) => isLatest).length };
  });
}

/** Most tickets first. */
function teamsOf(decided: readonly DecidedTicket[], names: ReadonlyMap<string, string>): TeamDay[] {
  const turns = turnsOf(decided);
  const spreads = spreadOf(turns);
  const tickets = new Map<string, number>();
  for (const { team, isLatest } of decided)
    if (team !== null) tickets.set(team, (tickets.get(team) ?? 0) + (isLatest ? 1 : 0));
  return [...tickets]
    .map(([team, count]) => ({
      team,
      tickets: count,
      spread: spreads.get(team) ?? null,
      agents: agentsOf(
        turns.filter((turn) => turn.team === team),
        names,
      ),
    }))
    .toSorted((a, b) => b.tickets - a.tickets || a.team.localeCompare(b.team));
}

function agentsOf(turns: readonly Turn[], names: ReadonlyMap<string, string>): TeamDay['agents'] {
  const shares = new Map<string, { tickets: number; due: number }>();
  const seen = new Set<string>();
  for (const { ticket, agent, eligible } of turns) {
    // A repair can repeat a turn that it keeps.
    const key = JSON.stringify([ticket, agent]);
    if (seen.has(key)) continue;
    seen.add(key);
    for (const one of eligible) {
      const share = shares.get(one) ?? { tickets: 0, due: 0 };
      share.due += 1 / eligible.length;
      if (one === agent) share.tickets += 1;
      shares.set(one, share);
    }
  }
  return [...shares]
    .map(([user, share]) => ({ user, name: names.get(user) ?? null, ...share }))
    .toSorted((a, b) => b.tickets - a.tickets || a.user.localeCompare(b.user));
}

function hoursOf(since: number, now: number): number[] {
  return Array.from({ length: Math.floor((now - since) / hourMs) + 1 }, (_, hour) => since + hour * hourMs);
}

const iso = (at: number) => new Date(at).toISOString();
