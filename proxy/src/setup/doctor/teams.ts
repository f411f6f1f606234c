import { column, type Deadline, type HelpdeskReader, isOn, textOf } from '#setup/helpdesk-reader.ts';
import { attempt } from '#setup/read-result.ts';
import { type AreaReport, areaReport, type DoctorFinding, finding, listed } from './finding.ts';

export interface TeamFacts {
  name: string;
  /** Null if there is no such team. */
  found: {
    disabled: boolean;
    members: string[];
    /** Members with an enabled user and an active HD Agent. */
    assignable: string[];
    /** The native rule; null if the team has none, or if it may not be read. */
    rule: { name: string; enabled: boolean; users: string[] } | null;
    ruleReadable: boolean;
  } | null;
}

/** Reads the teams that tickets are routed to, with their people and native rules. */
export async function gatherTeams(
  service: HelpdeskReader,
  names: readonly string[],
  deadline: Deadline,
): Promise<TeamFacts[]> {
  const documents = await Promise.all(names.map((name) => service.get('HD Team', name, deadline())));
  // Of everybody: the names of large teams are more than one address takes.
  const [users, agents, rules] = await Promise.all([
    service.list('User', { fields: ['name', 'enabled'], filters: [['user_type', '=', 'System User']] }, deadline()),
    service.list('HD Agent', { fields: ['name', 'user', 'is_active'], filters: [] }, deadline()),
    Promise.all(documents.map((team) => attempt(ruleOf(service, textOf(team?.assignment_rule), deadline)))),
  ]);
  const enabled = new Set(users.filter((user) => isOn(user.enabled)).map(({ name }) => name));
  const active = new Set(agents.filter((agent) => isOn(agent.is_active)).map(({ user }) => textOf(user)));
  return names.map((name, index) => {
    const [team, rule] = [documents[index], rules[index]];
    if (!team || !rule) return { name, found: null };
    const members = column(team.users, 'user');
    return {
      name,
      found: {
        disabled: isOn(team.disabled),
        members,
        assignable: members.filter((user) => enabled.has(user) && active.has(user)),
        rule: rule.ok ? rule.value : null,
        ruleReadable: rule.ok,
      },
    };
  });
}

async function ruleOf(service: HelpdeskReader, name: string, deadline: Deadline) {
  const rule = name === '' ? null : await service.get('Assignment Rule', name, deadline());
  return rule && { name, enabled: !isOn(rule.disabled), users: column(rule.users, 'user') };
}

/** Judges whether the teams that tickets are routed to can take them (docs/decisions.md 22 and 25). */
export function judgeTeams(teams: readonly TeamFacts[]): AreaReport {
  const judged = teams.map((team) => ({
    ...team,
    findings: judgeTeam(team).map((found) => ({ ...found, about: team.name })),
  }));
  const passed = judged.flatMap(({ name, found, findings }) =>
    found && findings.length === 0 ? [describe(name, found)] : [],
  );
  const unread = teams.filter(({ found }) => found && !found.ruleReadable).map(({ name }) => name);
  const why = `Native rules of ${listed(unread)}: the service account may not read them.`;
  return areaReport('Teams', {
    findings: judged.flatMap(({ findings }) => findings),
    passed,
    unchecked: [unread.length > 0 && why],
  });
}

function judgeTeam({ name, found }: TeamFacts): DoctorFinding[] {
  if (found === null) {
    const remedy = 'Create the team in the helpdesk, or name another one in the rule "teams".';
    return [finding('team_missing', `There is no team "${name}"; tickets meant for it stay without a team.`, remedy)];
  }
  if (found.disabled) {
    const problem = `The team "${name}" is disabled, so the helpdesk shows its tickets under no team.`;
    return [finding('team_disabled', problem, 'Enable it in the helpdesk, or name another one in the rule "teams".')];
  }
  if (found.assignable.length === 0) {
    const problem = `Nobody in the team "${name}" can be assigned a ticket (${found.members.length} members).`;
    const remedy = 'Add a member whose user is enabled and whose HD Agent is active.';
    return [finding('team_nobody_assignable', problem, remedy)];
  }
  const [surplus, lacking] = differences(found);
  if (surplus.length + lacking.length === 0) return [];
  const parts = [
    surplus.length > 0 && `only the rule has ${listed(surplus)}`,
    lacking.length > 0 && `only the team has ${listed(lacking)}`,
  ].filter((part) => part !== false);
  const problem = `The native rule of the team "${name}" does not have the same users as the team: ${parts.join('; ')}.`;
  const remedy = 'Open the team and save it: that copies its members to the rule (and switches the rule on).';
  return [finding('rule_users_differ', problem, remedy)];
}

/** Users that only the rule has, and users that only the team has. */
function differences({ members, rule }: NonNullable<TeamFacts['found']>): [string[], string[]] {
  if (rule === null) return [[], []];
  return [rule.users.filter((user) => !members.includes(user)), members.filter((user) => !rule.users.includes(user))];
}

function describe(name: string, { members, assignable, rule }: NonNullable<TeamFacts['found']>): string {
  const state = rule === null ? 'it has no native rule' : `its native rule is ${rule.enabled ? 'on' : 'off'}`;
  const note = rule === null ? '' : ' (any save of the team switches it on; both are fine)';
  return `Team "${name}": ${assignable.length} of ${members.length} members can be assigned; ${state}${note}.`;
}
