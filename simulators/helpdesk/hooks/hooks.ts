import { validationError } from '#helpdesk/errors.ts';
import { defineDoctype } from '#helpdesk/site/place.ts';
import { childRows, documentsOf, type FakeSite, type Hooks, newColumns } from '#helpdesk/site/site.ts';
import { type DocPerm, type Field, permissionRow } from '#helpdesk/store/doctype.ts';
import type { StoredDocument } from '#helpdesk/store/store.ts';
import { hashName } from '#helpdesk/store/store.ts';
import { fieldDefaults } from '#helpdesk/store/values.ts';
import { syncTeamRule } from './assignment-rules.ts';
import { readScript } from './read-script.ts';
import { ticketHooks } from './ticket.ts';
import { todoHooks } from './todo.ts';

/** Contact: names, primary address and numbers are drawn together from its parts and rows. */
const contactHooks: Hooks = {
  beforeInsert(_site, _actor, document) {
    document.image ??= '';
    collect(document);
  },
  name(_site, document) {
    const base = String(document.full_name || document.email_id || '');
    if (base === '') throw validationError('Please set a name for the contact');
    const [link] = childRows(document, 'links');
    return link === undefined ? base : `${base}-${String(link.link_name).trim()}`;
  },
  validate(_site, _actor, document) {
    collect(document);
  },
};

function collect(document: StoredDocument): void {
  const parts = [document.first_name, document.middle_name, document.last_name];
  document.full_name = parts.filter((part) => typeof part === 'string' && part !== '').join(' ');
  const emails = childRows(document, 'email_ids');
  document.email_id = String((emails.find((row) => row.is_primary === 1) ?? emails[0])?.email_id ?? '').toLowerCase();
  const phones = childRows(document, 'phone_nos');
  document.phone = phones.find((row) => row.is_primary_phone === 1)?.phone ?? '';
  document.mobile_no = phones.find((row) => row.is_primary_mobile_no === 1)?.phone ?? '';
  for (const link of childRows(document, 'links')) link.link_title ??= link.link_name;
}

/**
 * Custom DocPerm: once a DocType has such rows, only these count, and its standard rows no longer do
 * (docs/helpdesk.md#permission-levels). Without any the standard ones are back.
 */
const customDocPermHooks: Hooks = {
  onChange(site, document) {
    applyCustomRows(site, String(document.parent));
  },
};

export function applyCustomRows(site: FakeSite, doctype: string): void {
  const rows = customRows(site, doctype);
  site.metadata.replacePermissions(doctype, rows.length > 0 ? (rows as unknown as DocPerm[]) : null);
}

export function customRows(site: FakeSite, doctype: string): StoredDocument[] {
  return documentsOf(site, 'Custom DocPerm').filter((row) => row.parent === doctype);
}

/**
 * The first change copies the DocType's own rows; from then on the copies count (docs/helpdesk.md#permission-levels).
 */
export function copyStandardRows(site: FakeSite, doctype: string): void {
  if (customRows(site, doctype).length > 0) return;
  // What a standard row does not say it does not permit, whatever the default of a row of the site's own.
  const { fields } = site.metadata.get('Custom DocPerm');
  const none = Object.fromEntries(
    fields.flatMap((field) => (field.fieldtype === 'Check' ? [[field.fieldname, 0]] : [])),
  );
  for (const row of site.metadata.get(doctype).permissions)
    storeRow(site, 'Administrator', { ...none, ...row, parent: doctype });
}

/** A row of a site's own, in some user's name. */
export function storeRow(site: FakeSite, user: string, row: Record<string, unknown>): void {
  const meta = site.metadata.get('Custom DocPerm');
  site.store.put(meta, {
    ...newColumns(site, user),
    ...(row.name === undefined ? fieldDefaults(meta, null) : {}),
    ...row,
    name: String(row.name ?? hashName()),
    modified: site.clock.now(),
    modified_by: user,
  });
}

/**
 * HD Settings: while anybody may create tickets, Guest has a row of its own on HD Ticket. Every guest ticket is Guest's, so every
 * visitor reads every one (docs/helpdesk.md#senders).
 */
const settingsHooks: Hooks = {
  afterSave(site, _actor, document) {
    const meta = site.metadata.get('Custom DocPerm');
    copyStandardRows(site, 'HD Ticket');
    for (const row of customRows(site, 'HD Ticket')) if (row.role === 'Guest') site.store.remove(meta, row.name);
    if (document.allow_anyone_to_create_tickets === 1)
      storeRow(site, 'Administrator', { parent: 'HD Ticket', ...permissionRow('Guest', 'rwco') });
    applyCustomRows(site, 'HD Ticket');
  },
};

/** Custom Field: a new one is there at once on every document of its DocType, a changed one counts at once. */
const customFieldHooks: Hooks = {
  beforeInsert(site, _actor, document) {
    const doctype = site.metadata.get(String(document.dt));
    const label = String(document.label ?? document.fieldname ?? '');
    document.label = label;
    document.fieldname ??= `custom_${label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')}`;
    document.precision ??= '';
    for (const zero of ['length', 'columns']) document[zero] ??= 0;
    document.idx = doctype.fields.length + 1;
    if (site.metadata.field(doctype, String(document.fieldname)) !== undefined) {
      const name = `<strong>${String(document.fieldname)}</strong>`;
      throw validationError(`A field with the name ${name} already exists in ${doctype.name}`);
    }
  },
  name: (_site, document) => `${String(document.dt)}-${String(document.fieldname)}`,
  afterSave(site, _actor, document, before) {
    const [doctype, modified] = [String(document.dt), String(document.modified)];
    const after = document.insert_after ? String(document.insert_after) : undefined;
    if (before === undefined) site.metadata.addCustomField(doctype, fieldOf(document), after, modified);
    else site.metadata.changeCustomField(doctype, fieldOf(document), modified);
  },
  afterDelete(site, document) {
    site.metadata.removeCustomField(String(document.dt), String(document.fieldname), site.clock.now());
  },
};

function fieldOf(document: StoredDocument): Field {
  return {
    fieldname: String(document.fieldname),
    label: String(document.label),
    fieldtype: String(document.fieldtype),
    ...(document.options ? { options: String(document.options) } : {}),
    reqd: Number(document.reqd ?? 0),
    permlevel: Number(document.permlevel ?? 0),
    read_only: Number(document.read_only ?? 0),
  };
}

/** DocType: a new one can be used at once; a Single has its one document from the start. */
const doctypeHooks: Hooks = {
  validate(_site, actor, document) {
    if (document.issingle !== 1) return;
    for (const row of childRows(document, 'permissions')) Object.assign(row, { report: 0, export: 0, import: 0 });
    actor.messages.push({ message: 'Report cannot be set for Single types', title: 'Message' });
  },
  afterInsert(site, actor, document) {
    defineDoctype(site, document);
    if (document.issingle !== 1) return;
    const standard = { owner: actor.user, modified: document.modified, modified_by: actor.user, docstatus: 0, idx: 0 };
    site.store.put(site.metadata.get(document.name), { name: document.name, ...standard });
  },
};

/** OAuth Client: its name is the client id, and it gets a secret that a public client never sends. */
const oauthClientHooks: Hooks = {
  beforeInsert(_site, _actor, document) {
    document.client_id = hashName();
    document.client_secret = hashName();
  },
  name: (_site, document) => String(document.client_id),
};

/**
 * Server Script: refuses what the simulator could store but not run, so that no test rests on it. API scripts, and
 * Before Insert scripts that ask an address, are run.
 */
const serverScriptHooks: Hooks = {
  validate(_site, _actor, document) {
    if (document.disabled === 1 || document.script_type === 'API') return;
    const runs = document.script_type === 'DocType Event' && document.doctype_event === 'Before Insert';
    if (runs && readScript(String(document.script ?? '')) !== null) return;
    throw validationError('The simulator runs only API scripts, and Before Insert scripts that ask an address.');
  },
};

/** HD Team: every save brings its native rule back in line (docs/helpdesk.md#assignment). */
const teamHooks: Hooks = {
  afterSave(site, _actor, document) {
    syncTeamRule(site, document);
  },
};

/** User: who may sign in, by what key, and with which roles. */
const userHooks: Hooks = {
  afterSave(site, _actor, document) {
    const text = (field: string) => String(document[field] ?? '');
    const roles = Array.isArray(document.roles) ? (document.roles as { role: string }[]) : [];
    site.accounts.set(document.name, {
      name: document.name,
      fullName: text('first_name'),
      password: site.accounts.get(document.name)?.password ?? '',
      apiKey: text('api_key'),
      apiSecret: text('api_secret'),
      roles: roles.map(({ role }) => role),
      enabled: document.enabled === 1,
    });
  },
};

/** Property Setter: one for a property of a DocType. */
const propertySetterHooks: Hooks = {
  name: (_site, document) => `${String(document.doc_type)}-main-${String(document.property)}`,
};

/** Webhook: the two preview fields that the form computes. */
const webhookHooks: Hooks = {
  beforeInsert(_site, _actor, document) {
    document.meets_condition = 'Yes';
    document.preview_request_body = 'Select a document to preview request data';
  },
};

const registry = new Map<string, Hooks>([
  ['HD Ticket', ticketHooks],
  ['HD Settings', settingsHooks],
  ['HD Team', teamHooks],
  ['Contact', contactHooks],
  ['ToDo', todoHooks],
  ['Custom Field', customFieldHooks],
  ['Custom DocPerm', customDocPermHooks],
  ['DocType', doctypeHooks],
  ['Server Script', serverScriptHooks],
  ['OAuth Client', oauthClientHooks],
  ['Property Setter', propertySetterHooks],
  ['User', userHooks],
  ['Webhook', webhookHooks],
]);

const none: Hooks = {};

/** The controller of a DocType; an empty one where it has nothing to add. */
export function hooksFor(doctype: string): Hooks {
  return registry.get(doctype) ?? none;
}
