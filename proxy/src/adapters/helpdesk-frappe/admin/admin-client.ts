import * as z from 'zod';
import type { Upstream } from '../../../net/egress.ts';
import { HelpdeskError } from '../../../ports/helpdesk.ts';
import type { AdminDocument, HelpdeskAdmin } from '../../../setup/helpdesk-admin.ts';
import { createFrappeClient, DocumentName, Named } from '../client.ts';
import { readAdminDoctype } from './admin-doctype.ts';
import { unless } from './unless.ts';

const permissionManager = 'frappe.core.page.permission_manager.permission_manager';

const Document = z.looseObject({ name: DocumentName });
const Text = z.object({ message: z.string() });
const User = z.object({ message: z.object({ roles: z.array(z.object({ role: z.string() })).optional() }) });

/**
 * Frappe's REST API for an administrator. Errors name what was tried and Frappe's kind of refusal, never its texts, which
 * may hold tracebacks and secrets (facts/live.md section 2).
 *
 * @param key the administrator's `key:secret`
 */
export function createAdminClient(upstream: Upstream, key: string): HelpdeskAdmin {
  const client = createFrappeClient(upstream);
  const as = `token ${key}`;

  return {
    async caller(signal) {
      const { message: user } = await client
        .call('frappe.auth.get_logged_user', {}, Text, as, signal)
        // A key that cannot be read as one is taken for a guest's (facts/live.md section 2).
        .catch(unless('forbidden', { message: 'Guest' }));
      if (user === 'Guest') throw new HelpdeskError('unauthenticated', 'The helpdesk takes the key for a guest.');
      if (user === 'Administrator') return { user, hasRole: () => true };
      const { message } = await client
        .call('frappe.client.get', { doctype: 'User', name: user }, User, as, signal)
        // Whoever may not read his own roles is no System Manager.
        .catch(unless<z.output<typeof User>>('forbidden', { message: {} }));
      return { user, hasRole: (wanted) => message.roles?.some(({ role }) => role === wanted) ?? false };
    },

    doctype: (name, signal) => readAdminDoctype(client, as, name, signal),

    async list(doctype, query, signal) {
      const rows = { ...query, orderBy: 'creation asc, name asc', limit: 0 };
      return (await client.list(doctype, rows, Document, as, signal)) as AdminDocument[];
    },

    async get(doctype, name, signal) {
      const schema = z.object({ message: Document });
      const found = await client
        .call('frappe.client.get', { doctype, name }, schema, as, signal)
        .catch(unless('not_found', null));
      // The database compares without regard to case; such a document is another one.
      return found?.message.name === name ? (found.message as AdminDocument) : null;
    },

    async password(doctype, name, fieldname, signal) {
      const found = await client
        .call('frappe.client.get_password', { doctype, name, fieldname }, Text, as, signal)
        // A secret that is not set is answered like a wrong key (facts/frappe.md 2.2).
        .catch(unless('unauthenticated', null));
      return found?.message ?? null;
    },

    async call(method, args, signal) {
      return (await client.call(method, args, z.object({ message: z.unknown() }), as, signal)).message;
    },

    async create(doctype, document, signal) {
      return (await client.create(doctype, document, Named, as, signal)).name;
    },

    async update(doctype, name, changes, signal) {
      await client.update(doctype, name, changes, Named, as, signal);
    },

    async remove(doctype, name, signal) {
      const deleting = client.run('frappe.client.delete', { doctype, name }, z.unknown(), as, signal);
      await deleting.catch(unless('not_found', null));
    },

    async addRoleRow({ doctype, role, permlevel }, signal) {
      await client.run(`${permissionManager}.add`, { parent: doctype, role, permlevel }, z.unknown(), as, signal);
    },

    async grant({ right, ...row }, signal) {
      const args = { ...row, ptype: right, value: 1, if_owner: 0 };
      await client.run(`${permissionManager}.update`, args, z.unknown(), as, signal);
    },
  };
}
