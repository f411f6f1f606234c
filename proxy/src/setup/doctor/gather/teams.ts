import { column, type Deadline, type HelpdeskReader, isOn, textOf } from './helpdesk-reader.ts';
import { attempt } from './read-result.ts';

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
  const people = [...new Set(documents.flatMap((team) => column(team?.users, 'user')))];
  const among = async (doctype: string, field: string, fields: string[]) =>
    people.length === 0
      ? []
      : service.list(doctype, { fields: ['name', ...fields], filters: [[field, 'in', people]] }, deadline());
  const [users, agents, rules] = await Promise.all([
    among('User', 'name', ['enabled']),
    among('HD Agent', 'user', ['user', 'is_active']),
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
