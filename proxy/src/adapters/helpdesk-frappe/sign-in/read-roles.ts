import * as z from 'zod';
import { createFrappeClient } from '#adapters/helpdesk-frappe/client/client.ts';
import { refusalAsOutage } from '#adapters/helpdesk-frappe/client/service-refusal.ts';
import type { Upstream } from '#net/egress.ts';
import type { ReadRoles } from '#ports/helpdesk/helpdesk-sign-in.ts';

const Roles = z.object({ message: z.array(z.string()) });
const Account = z.object({ name: z.string(), enabled: z.union([z.number(), z.boolean()]).nullish() });

/** @param service the service account's Authorization header; everybody may ask for roles (docs/helpdesk.md#roles) */
export function createReadRoles(upstream: Upstream, service: string): ReadRoles {
  const client = createFrappeClient(upstream);
  return async (user, signal) => {
    const accounts = { fields: ['name', 'enabled'], filters: [['name', '=', user]], limit: 1 };
    const [{ message: roles }, rows] = await refusalAsOutage(
      Promise.all([
        client.call('frappe.core.doctype.user.user.get_roles', { uid: user }, Roles, service, signal),
        client.list('User', accounts, Account, service, signal),
      ]),
    );
    // A disabled account keeps its roles. Agents are not shown Administrator, whom nobody can disable.
    const isEnabled = user === 'Administrator' || rows.some(({ name, enabled }) => name === user && Boolean(enabled));
    return isEnabled ? roles : [];
  };
}
