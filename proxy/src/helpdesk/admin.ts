import * as z from 'zod';
import type { Upstream } from '#net/egress.ts';
import type { AdminDoctype, AdminDocument, HelpdeskAdmin } from '#setup/helpdesk-admin.ts';
import { permissionRowOf } from '#setup/permission-rows.ts';
import { readDoctypeMeta } from './doctype.ts';
import { HelpdeskError, unless } from './errors.ts';
import { DocumentName, Frappe, Named } from './frappe.ts';

const CustomField = z.object({ name: DocumentName, fieldname: z.string() });
const permissionManager = 'frappe.core.page.permission_manager.permission_manager';

const Document = z.looseObject({ name: DocumentName });
const Rows = z.object({ message: z.array(z.record(z.string(), z.unknown())) });
const Text = z.object({ message: z.string() });
const User = z.object({ message: z.object({ roles: z.array(z.object({ role: z.string() })).optional() }) });

/**
 * Frappe's REST API for an administrator. Errors name what was tried and the kind of Frappe's refusal, never its texts,
 * which may contain tracebacks and secrets (docs/helpdesk.md#errors).
 *
 * @param key the administrator's `key:secret`
 */
export function createAdminClient(upstream: Upstream, key: string): HelpdeskAdmin {
  const client = new Frappe(upstream, `token ${key}`);

  async function remove(doctype: string, name: string, signal: AbortSignal): Promise<void> {
    const deleting = client.run('frappe.client.delete', { doctype, name }, z.unknown(), signal);
    await deleting.catch(unless(['not_found'], null));
  }

  const roleRows: HelpdeskAdmin['roleRows'] = async (doctype, signal) => {
    const query = { fields: ['*'], filters: [['parent', '=', doctype]], limit: 0 };
    const [own, { message }] = await Promise.all([
      client.list('Custom DocPerm', query, Document, signal),
      client.call(`${permissionManager}.get_standard_permissions`, { doctype }, Rows, signal),
    ]);
    const standard = message.map(permissionRowOf);
    const areOwn = own.length > 0;
    return { inForce: areOwn ? own.map(permissionRowOf) : standard, areOwn, standard };
  };

  return {
    async caller(signal) {
      const { message: user } = await client
        .call('frappe.auth.get_logged_user', {}, Text, signal)
        // A malformed key is treated as a guest's (docs/helpdesk.md#credentials).
        .catch(unless(['forbidden'], { message: 'Guest' }));
      if (user === 'Guest')
        throw new HelpdeskError('unauthenticated', 'The helpdesk treats the key as that of a guest.');
      if (user === 'Administrator') return { user, hasRole: () => true };
      const { message } = await client
        .call('frappe.client.get', { doctype: 'User', name: user }, User, signal)
        // An account that may not read its own roles is not a System Manager.
        .catch(unless<z.output<typeof User>>(['forbidden'], { message: {} }));
      return { user, hasRole: (wanted) => message.roles?.some(({ role }) => role === wanted) ?? false };
    },

    doctype: (name, signal) => readAdminDoctype(client, name, signal),

    async list(doctype, query, signal) {
      const rows = { ...query, orderBy: 'creation asc, name asc', limit: 0 };
      return (await client.list(doctype, rows, Document, signal)) as AdminDocument[];
    },

    async get(doctype, name, signal) {
      const schema = z.object({ message: Document });
      const found = await client
        .call('frappe.client.get', { doctype, name }, schema, signal)
        .catch(unless(['not_found'], null));
      // The database ignores case; a document with other case is a different one.
      return found?.message.name === name ? (found.message as AdminDocument) : null;
    },

    async password(doctype, name, fieldname, signal) {
      const found = await client
        .call('frappe.client.get_password', { doctype, name, fieldname }, Text, signal)
        // An unset secret gets the same answer as a wrong key (docs/helpdesk.md#credentials).
        .catch(unless(['unauthenticated'], null));
      return found?.message ?? null;
    },

    async call(method, args, signal) {
      return (await client.call(method, args, z.object({ message: z.unknown() }), signal)).message;
    },

    async create(doctype, document, signal) {
      return (await client.create(doctype, document, Named, signal)).name;
    },

    createRefused: (doctype, document, prefix, signal) => client.createRefused(doctype, document, prefix, signal),

    async update(doctype, name, changes, signal) {
      await client.update(doctype, name, changes, Named, signal);
    },

    remove,

    async erase(doctype, name, signal) {
      await remove(doctype, name, signal);
      const filters = [
        ['deleted_doctype', '=', doctype],
        ['deleted_name', '=', name],
      ];
      const kept = await client.list('Deleted Document', { fields: ['name'], filters, limit: 0 }, Named, signal);
      for (const { name: record } of kept) await remove('Deleted Document', record, signal);
    },

    async addRoleRow({ doctype, role, permlevel }, signal) {
      await client.run(`${permissionManager}.add`, { parent: doctype, role, permlevel }, z.unknown(), signal);
    },

    async removeRoleRow(row, signal) {
      const args = { ...row, if_owner: Number(row.if_owner) };
      await client.run(`${permissionManager}.remove`, args, z.unknown(), signal);
    },

    async resetRoleRows(doctype, signal) {
      await client.run(`${permissionManager}.reset`, { doctype }, z.unknown(), signal);
    },

    roleRows,

    async copyRoleRows(doctype, signal) {
      const { inForce, areOwn } = await roleRows(doctype, signal);
      const row = inForce.find(({ rights }) => rights.includes('read'));
      if (areOwn || row === undefined) return;
      // Frappe copies the rows before it changes one of them; this one stays as it is.
      const { role, permlevel, if_owner } = row;
      const args = { doctype, role, permlevel, if_owner: Number(if_owner), ptype: 'read', value: 1 };
      await client.run(`${permissionManager}.update`, args, z.unknown(), signal);
    },

    async grant({ right, ...row }, signal) {
      const args = { ...row, ptype: right, value: 1, if_owner: 0 };
      await client.run(`${permissionManager}.update`, args, z.unknown(), signal);
    },
  };
}

/**
 * Reads a DocType with all of the site's customisations, and which of its fields are documents of their own. Null if
 * the site has none of this name. To accounts that may not list Custom Field, no field appears to be custom.
 */
async function readAdminDoctype(client: Frappe, name: string, signal: AbortSignal): Promise<AdminDoctype | null> {
  const custom = { fields: ['name', 'fieldname'], filters: [['dt', '=', name]], limit: 0 };
  const [meta, documents] = await Promise.all([
    readDoctypeMeta(client, name, signal).catch(unless(['not_found'], null)),
    client.list('Custom Field', custom, CustomField, signal).catch(unless(['forbidden'], [])),
  ]);
  if (meta === null) return null;
  const documentOf = new Map(documents.map((row) => [row.fieldname, row.name]));
  const fields = meta.fields.map(
    (field) => [field.fieldname, { ...field, customField: documentOf.get(field.fieldname) ?? null }] as const,
  );
  return { fields: new Map(fields), permissions: meta.permissions };
}
