import { fieldLevels, isAgent, listedDoctype, rolesOf, teamsOf } from '#helpdesk/access/permissions.ts';
import { readDocument } from '#helpdesk/documents/documents.ts';
import { isRenamable } from '#helpdesk/documents/rename.ts';
import { openTodos } from '#helpdesk/hooks/todo.ts';
import { type MethodTable, RawBody, type SiteCall, text } from '#helpdesk/http/call.ts';
import { documentsOf, lookup } from '#helpdesk/site/site.ts';
import { isTable } from '#helpdesk/store/doctype.ts';
import { asDict } from '#helpdesk/store/serialise.ts';

const versions = { '1.24': '1.24.1', '1.25': '1.25.1', '1.28': '1.28.1' } as const;

/** Methods about the site and the caller. */
export const siteMethods: MethodTable = {
  ping: { guest: true, run: () => 'pong' },
  'frappe.auth.get_logged_user': { run: (call) => call.user },
  'frappe.utils.change_log.get_versions': {
    run: (call) => ({
      frappe: { title: 'Frappe Framework', description: 'Web framework', branch: 'version-15', version: '15.82.0' },
      helpdesk: {
        title: 'Helpdesk',
        description: 'Customer service software',
        branch: 'main',
        version: versions[call.site.generation],
      },
    }),
  },
  'frappe.core.doctype.server_script.server_script.enabled': { run: (call) => call.site.settings.serverScriptEnabled },
  // As 1.28.1 answers on Frappe 15; what they hide is not simulated.
  'frappe.core.doctype.user_permission.user_permission.get_user_permissions': {
    run: ({ site, user }) => site.settings.userPermissions[user] ?? {},
  },
  'frappe.core.doctype.user.user.get_roles': { run: (call) => [...rolesOf(call.site, text(call.args, 'uid'))] },
  // Of the queue alone, as 1.24.1 and 1.28.1 answer a System Manager.
  'frappe.desk.reportview.get_count': { run: (call) => call.site.settings.queuedJobs },
  'frappe.desk.form.load.getdoctype': { run: getDoctype },
  'frappe.desk.form.load.getdoc': { run: getDoc },
};

/**
 * A document with what its page shows beside it. Whoever reads it reads its last ten versions, with what stood in each field
 * before, and its open assignments, whoever made them (docs/helpdesk.md#permissions).
 */
function getDoc(call: SiteCall): unknown {
  const { site, user } = call;
  const doctype = site.metadata.get(text(call.args, 'doctype'));
  const document = readDocument(site, user, doctype, text(call.args, 'name'));
  const docs = [asDict(site.metadata, doctype, document, fieldLevels(site, user, doctype, 'read'))];
  const versions = documentsOf(site, 'Version')
    .filter(({ ref_doctype, docname }) => ref_doctype === doctype.name && docname === document.name)
    .sort((left, right) => (String(left.creation) < String(right.creation) ? 1 : -1))
    .slice(0, 10)
    .map(({ name, owner, creation, data }) => ({ name, owner, creation, data }));
  const assignments = openTodos(site, doctype.name, document.name)
    .filter(({ allocated_to }) => allocated_to)
    .map(({ name, allocated_to, description, status }) => ({ name, owner: allocated_to, description, status }));
  return new RawBody({ docs, docinfo: { doctype: doctype.name, name: document.name, versions, assignments } });
}

/** Field lists with custom fields merged in; the caller's own copy is confirmed by its timestamp. */
function getDoctype(call: SiteCall): unknown {
  const doctype = listedDoctype(call.site, call.user, text(call.args, 'doctype'));
  if (call.args.cached_timestamp === doctype.modified) return 'use_cache';
  const children = doctype.fields.filter(isTable).flatMap((field) => {
    const child = call.site.metadata.find(field.options ?? '');
    return child === undefined ? [] : [child];
  });
  const docs = [doctype, ...children].map((meta) => ({
    name: meta.name,
    doctype: 'DocType',
    modified: meta.modified,
    issingle: meta.issingle,
    istable: meta.istable,
    autoname: meta.autoname,
    allow_rename: isRenamable(call.site, meta.name) ? 1 : 0,
    fields: meta.fields.map((field) => ({
      fieldname: field.fieldname,
      label: field.label,
      fieldtype: field.fieldtype,
      options: field.options ?? null,
      reqd: field.reqd ?? 0,
      permlevel: field.permlevel ?? 0,
      read_only: field.read_only ?? 0,
      is_custom_field: field.is_custom_field ?? null,
    })),
    permissions: meta.permissions.map((row) => ({ modified: meta.modified, ...row })),
  }));
  return new RawBody({ docs, user_settings: '{}' });
}

/** Helpdesk's own methods about people. */
export const helpdeskMethods: MethodTable = { 'helpdesk.api.auth.get_user': { run: getUser } };

function getUser(call: SiteCall): Record<string, unknown> {
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
