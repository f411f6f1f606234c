import { type FrappeClient, Named } from '#adapters/helpdesk-frappe/client/client.ts';

/**
 * Reads the roles with desk access: having one makes a user a system user. Agent Managers may list them
 * (docs/helpdesk.md#roles).
 */
export async function readDeskRoles(client: FrappeClient, as: string, signal: AbortSignal): Promise<Set<string>> {
  const query = { fields: ['name'], filters: [['desk_access', '=', 1]], limit: 0 };
  const rows = await client.list('Role', query, Named, as, signal);
  return new Set(rows.map(({ name }) => name));
}
