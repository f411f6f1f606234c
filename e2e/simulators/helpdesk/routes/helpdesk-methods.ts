import { isAgent, rolesOf, teamsOf } from '#helpdesk/access/roles.ts';
import { updateDocument } from '#helpdesk/documents/documents.ts';
import { permissionDenied, validationError } from '#helpdesk/errors.ts';
import { type Call, text } from '#helpdesk/http/call.ts';
import { lookup } from '#helpdesk/site/site.ts';
import type { MethodTable } from './method.ts';

/** Helpdesk's own methods about people and settings; some came with availability in 1.28. */
export function helpdeskMethods(generation: string): MethodTable {
  const shared: MethodTable = {
    'helpdesk.api.auth.get_user': { run: getUser },
    'helpdesk.api.config.get_config': { guest: true, run: getConfig },
  };
  if (generation !== '1.28') return shared;
  return { ...shared, 'helpdesk.api.agent.set_my_availability': { writes: true, run: setAvailability } };
}

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

function getConfig(call: Call): Record<string, unknown> {
  const settings = lookup(call.site, 'HD Settings', 'HD Settings');
  const keys = ['brand_name', 'brand_logo', 'favicon', 'restrict_tickets_by_agent_group', 'prefer_knowledge_base'];
  return Object.fromEntries(keys.map((key) => [key, settings?.[key] ?? null]));
}

function setAvailability(call: Call): unknown {
  const { site, user } = call;
  const availability = text(call.args, 'availability');
  if (lookup(site, 'HD Agent', user) === undefined) throw permissionDenied('You are not an agent');
  if (lookup(site, 'HD Agent Status', availability) === undefined) {
    throw validationError(`Could not find Availability: ${availability}`, 'LinkValidationError');
  }
  const changed = site.clock.format(site.clock.epochMs());
  const values = { availability, availability_changed_on: changed };
  updateDocument(site, call, site.metadata.get('HD Agent'), user, values);
  return { availability };
}
