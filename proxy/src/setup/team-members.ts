import type { Terminal } from '#commands/terminal.ts';
import type { Config } from '#config.ts';
import { createAdminClient, isOn, textOf } from '#helpdesk/admin.ts';
import { withEgress } from '#net/egress.ts';
import type { Secret } from '#runtime/secret.ts';
import { readTeams } from './check-helpdesk.ts';
import { listed } from './report.ts';

/**
 * Asks whoever sits there who should be in the teams in which nobody can be assigned a ticket: one that was just made has the
 * administrator alone, who is seldom an agent.
 *
 * @returns what is left to do, where nobody can be asked or nobody is named; null if nothing
 */
export async function offerMembers(config: Config, adminKey: Secret, io: Terminal): Promise<string | null> {
  return withEgress(config, async (egress) => {
    const limits = { timeoutMs: 15_000, maxConnections: 4 };
    const admin = createAdminClient(egress.upstream(config.HELPDESK_URL, limits), adminKey.reveal());
    const deadline = () => AbortSignal.timeout(limits.timeoutMs);
    const teams = await readTeams({ service: admin, config, deadline });
    const empty = teams.filter(
      ({ document, assignable }) => document && !isOn(document.disabled) && !assignable.length,
    );
    const left: string[] = [];
    const agents = await activeAgents();
    for (const { name } of empty) {
      const chosen = await ask(name, agents);
      if (chosen.length === 0) left.push(`"${name}"`);
      else {
        await admin.update('HD Team', name, { users: chosen.map((user) => ({ user })) }, deadline());
        io.print(`  done: ${chosen.join(', ')}`);
      }
    }
    return left.length === 0
      ? null
      : `To do now: add members who are active HD Agents to these teams, to whom no ticket can be assigned until then: ${left.join(', ')}.`;

    /** Those to whom a ticket can be assigned. */
    async function activeAgents(): Promise<string[]> {
      const [users, agents] = await Promise.all([
        admin.list('User', { fields: ['name', 'enabled'], filters: [['user_type', '=', 'System User']] }, deadline()),
        admin.list('HD Agent', { fields: ['name', 'user', 'is_active'], filters: [] }, deadline()),
      ]);
      const enabled = new Set(users.filter((user) => isOn(user.enabled)).map(({ name }) => name));
      const active = agents.filter((agent) => isOn(agent.is_active)).map(({ user }) => textOf(user));
      return active.filter((user) => enabled.has(user) && user !== 'Administrator').sort();
    }
  });

  /** Until every name is that of an agent; none for later. */
  async function ask(team: string, agents: readonly string[]): Promise<string[]> {
    if (io.ask === null || agents.length === 0) return [];
    io.print(`\nNobody in the team "${team}" can be assigned a ticket. The helpdesk's agents: ${listed(agents)}.`);
    for (;;) {
      const answer = await io.ask('Who should be in it (addresses with commas between; empty: later): ');
      const names = answer.split(',').flatMap((name) => name.trim() || []);
      const unknown = names.filter((name) => !agents.includes(name));
      if (unknown.length === 0) return [...new Set(names)];
      io.print(`  No active HD Agent: ${listed(unknown)}.`);
    }
  }
}
