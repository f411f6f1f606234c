import type { Terminal } from '#commands/terminal.ts';
import type { Config } from '#config.ts';
import { type AdminDocument, column, createAdminClient, type HelpdeskAdmin, isOn, textOf } from '#helpdesk/admin.ts';
import { withEgress } from '#net/egress.ts';
import type { Secret } from '#runtime/secret.ts';
import { listed } from './report.ts';

/** A team to which tickets are routed. */
interface FoundTeam {
  name: string;
  document: AdminDocument | null;
  members: string[];
  /** Members with an enabled user and an active HD Agent. */
  assignable: string[];
}

/** The teams that tickets are routed to, and everybody to whom a ticket can be assigned. Throws HelpdeskError. */
export async function readTeams(
  helpdesk: HelpdeskAdmin,
  { rules }: Config,
  deadline: () => AbortSignal,
): Promise<{ teams: FoundTeam[]; agents: string[] }> {
  const names = [...new Set(Object.values(rules.teams))];
  // Of everybody: the names of large teams are more than one address takes.
  const [users, agents, documents] = await Promise.all([
    helpdesk.list('User', { fields: ['name', 'enabled'], filters: [['user_type', '=', 'System User']] }, deadline()),
    helpdesk.list('HD Agent', { fields: ['name', 'user', 'is_active'], filters: [] }, deadline()),
    Promise.all(names.map((name) => helpdesk.get('HD Team', name, deadline()))),
  ]);
  const enabled = new Set(users.filter((user) => isOn(user.enabled)).map(({ name }) => name));
  const active = agents.filter((agent) => isOn(agent.is_active)).map(({ user }) => textOf(user));
  const assignable = new Set(active.filter((user) => enabled.has(user)));
  const teams = names.map((name, index) => {
    const document = documents[index] ?? null;
    const members = column(document?.users, 'user');
    return { name, document, members, assignable: members.filter((user) => assignable.has(user)) };
  });
  return { teams, agents: [...assignable].sort() };
}

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
    const { teams, agents } = await readTeams(admin, config, deadline);
    const left: string[] = [];
    for (const { name, document, assignable } of teams) {
      if (document === null || isOn(document.disabled) || assignable.length > 0) continue;
      const chosen = await askMembers(
        name,
        agents.filter((user) => user !== 'Administrator'),
        io,
      );
      if (chosen.length === 0) left.push(`"${name}"`);
      else {
        await admin.update('HD Team', name, { users: chosen.map((user) => ({ user })) }, deadline());
        io.print(`  done: ${chosen.join(', ')}`);
      }
    }
    return left.length === 0
      ? null
      : `To do now: add members who are active HD Agents to these teams, to whom no ticket can be assigned until then: ${left.join(', ')}.`;
  });
}

/** Until every name is that of an agent; none for later. */
async function askMembers(team: string, agents: readonly string[], io: Terminal): Promise<string[]> {
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
