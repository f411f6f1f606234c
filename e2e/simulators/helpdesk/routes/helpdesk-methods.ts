import { isAgent, rolesOf, teamsOf } from '#helpdesk/access/roles.ts';
import type { Call, MethodTable } from '#helpdesk/http/call.ts';
import { lookup } from '#helpdesk/site/site.ts';

/** Helpdesk's own methods about people. */
export const helpdeskMethods: MethodTable = { 'helpdesk.api.auth.get_user': { run: getUser } };

function getUser(call: Call): Record<string, unknown> {
  const { site, user } = call;
  const roles = rolesOf(site, user);
  const record = lookup(site, 'User', user);
  const agent = lookup(site, 'HD Agent', user);
  const isNew = site.generation === '1.28';
  return {
    has_desk_access: roles.has('Desk User'),
    is_admin: user === 'Administrator' || roles.has('System Manager'),
    is_agent: isAgent(site, user),
    ...(isNew ? { has_agent_record: agent !== undefined } : {}),
    user_id: user,
    is_manager: roles.has('Agent Manager'),
    user_image: record?.user_image ?? null,
    user_first_name: record?.first_name ?? null,
    user_name: record?.full_name ?? null,
    username: record?.username ?? null,
    time_zone: record?.time_zone ?? site.clock.timeZone,
    language: record?.language || site.settings.language,
    user_teams: teamsOf(site, user).map((team) => team.name),
    ...(isNew ? availabilityOf(agent) : {}),
  };
}

function availabilityOf(agent: Record<string, unknown> | undefined): Record<string, unknown> {
  return {
    availability: agent === undefined ? null : (agent.availability ?? 'Active'),
    availability_changed_on: agent?.availability_changed_on ?? null,
    persona_captured: true,
  };
}
