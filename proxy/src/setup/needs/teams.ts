import type { Config } from '#config.ts';
import { type AdminDocument, column, type HelpdeskAdmin, isOn, textOf } from '#helpdesk/admin.ts';
import type { Item } from '#setup/items.ts';
import { type CheckInput, type Findings, fault, listed, ok, type Remark } from '#setup/report.ts';
import { making, type ProvisionRun } from './need.ts';

// The teams that tickets are routed to.

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
): Promise<{ teams: FoundTeam[]; agents: string[] }> {
  const names = [...new Set(Object.values(rules.teams))];
  // Of everybody: the names of large teams are more than one address takes.
  const [users, agents, documents] = await Promise.all([
    helpdesk.list('User', { fields: ['name', 'enabled'], filters: [['user_type', '=', 'System User']] }),
    helpdesk.list('HD Agent', { fields: ['name', 'user', 'is_active'], filters: [] }),
    Promise.all(names.map((name) => helpdesk.get('HD Team', name))),
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

/** Teams that are missing. One needs a member: whoever makes it, until others take their place. */
export async function planTeams(run: ProvisionRun): Promise<Item[]> {
  const { admin, user, teams } = run;
  const documents = await Promise.all(teams.map((team) => admin.get('HD Team', team)));
  return teams.map((team, index): Item => {
    const what = `HD Team "${team}"`;
    if (documents[index]) return { what, state: 'exists' };
    const make = making(run, 'HD Team', { team_name: team, users: [{ user }] });
    return { what, state: 'create', detail: `member: ${user}`, make };
  });
}

export const noSuchTeam = (name: string): Remark =>
  fault(
    `There is no team "${name}"; tickets meant for it stay without a team.`,
    'Create the team in the helpdesk, or name another one in the rule "teams".',
  );

/** Whether the teams that tickets are routed to can take them (decisions 21 and 23: team and status, assign first). */
export async function* checkTeams({ service, config }: CheckInput): Findings {
  const filters = [['document_type', '=', 'HD Ticket']] as const;
  const [{ teams }, rules] = await Promise.all([
    readTeams(service, config),
    service.list('Assignment Rule', { fields: ['name', 'disabled'], filters }),
  ]);
  for (const { name, document, members, assignable } of teams)
    if (document === null) yield noSuchTeam(name);
    else if (isOn(document.disabled))
      yield fault(
        `The team "${name}" is disabled, so the helpdesk shows its tickets under no team.`,
        'Enable it in the helpdesk, or name another one in the rule "teams".',
      );
    else if (assignable.length === 0)
      yield fault(
        `Nobody in the team "${name}" can be assigned a ticket (${members.length} members).`,
        'Add a member whose user is enabled and whose HD Agent is active.',
      );
  const native = rules.filter((rule) => !isOn(rule.disabled)).map(({ name }) => name);
  const sizes = teams.map(({ name, members, assignable }) => `${name} ${assignable.length} of ${members.length}`);
  const ofHelpdesk = native.length === 0 ? 'are off' : `(${listed(native)}) leave what is assigned alone`;
  return ok(`Who can be assigned tickets: ${listed(sizes)}. The helpdesk's own assignment rules ${ofHelpdesk}.`);
}
