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
