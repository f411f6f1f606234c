import * as z from 'zod';
import { among } from './among.ts';
import { Named } from './client.ts';
import { refusalAsOutage } from './frappe-error.ts';
import type { HelpdeskTickets } from './helpdesk-tickets.ts';
import type { Site } from './site.ts';

/** An account's roles, as `frappe.core.doctype.user.user.get_roles` answers. */
const RolesOfUser = z.object({ message: z.array(z.string()) });

const Owned = z.object({ name: z.string(), owner: z.string() });

/** The helpdesk's own account, under which mail arrives. */
const systemAccount = 'Administrator';
/**
 * Accounts that do not belong to a person and never count as agents, whatever roles or record they have
 * (docs/helpdesk.md#credentials).
 */
export const noAgents: ReadonlySet<string> = new Set([systemAccount, 'Guest']);

/** The roles that the helpdesk itself counts (docs/helpdesk.md#roles). */
const agentRoles: ReadonlySet<string> = new Set(['Agent', 'Agent Manager']);

const forAMinute = { ttlMs: 60_000, max: 1_000 };

/**
 * Which of the accounts (in lower case) are of the desk (docs/routing.md#who-is-of-the-desk): system users, disabled ones
 * as well, and Administrator; never our own account. Agents may filter by an account's type, though they are not shown it,
 * and are not shown Administrator at all (docs/helpdesk.md#permissions).
 */
export async function deskAmong(
  { client, service, serviceUser }: Pick<Site, 'client' | 'service' | 'serviceUser'>,
  accounts: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Set<string>> {
  const desk = new Set([systemAccount.toLowerCase()].filter((account) => accounts.has(account)));
  const others = [...accounts].filter((account) => !desk.has(account));
  if (others.length === 0) return desk;
  const read = (some: string[]) => {
    const filters = [
      ['name', 'in', some],
      ['user_type', '=', 'System User'],
    ];
    return client.list('User', { fields: ['name'], filters, limit: some.length }, Named, service, signal);
  };
  const [us, rows] = await Promise.all([serviceUser(signal), among(others, read)]);
  // The database ignores accents, so its results are compared again.
  for (const { name } of rows) if (name !== us && accounts.has(name.toLowerCase())) desk.add(name.toLowerCase());
  return desk;
}

/** Who is of the desk, and who is an agent: the two rules of docs/routing.md#who-is-of-the-desk. */
export function createDesk(
  deps: Pick<Site, 'client' | 'service' | 'serviceUser' | 'memory'>,
): Pick<HelpdeskTickets, 'isDesk' | 'isAgent' | 'isWebsiteUser' | 'contactOwner' | 'systemAccount'> {
  const { client, service, memory } = deps;

  async function websiteUser(account: string, signal: AbortSignal): Promise<boolean> {
    const filters = [
      ['name', '=', account],
      ['user_type', '=', 'Website User'],
    ];
    const rows = await client.list('User', { fields: ['name'], filters, limit: 1 }, Named, service, signal);
    return rows.some(({ name }) => name.toLowerCase() === account);
  }

  async function desk(account: string, signal: AbortSignal): Promise<boolean> {
    return (await deskAmong(deps, new Set([account]), signal)).has(account);
  }

  async function agent(user: string, signal: AbortSignal): Promise<boolean> {
    const method = 'frappe.core.doctype.user.user.get_roles';
    const { message: roles } = await client.call(method, { uid: user }, RolesOfUser, service, signal);
    return roles.some((role) => agentRoles.has(role));
  }

  async function ownerOf(contact: string, signal: AbortSignal): Promise<string | null> {
    const query = { fields: ['name', 'owner'], filters: [['name', '=', contact] as const], limit: 1 };
    const rows = await client.list('Contact', query, Owned, service, signal);
    return rows.find(({ name }) => name === contact)?.owner ?? null;
  }

  const desks = memory.readings<boolean>(forAMinute);
  const agents = memory.readings<boolean>(forAMinute);
  const websiteUsers = memory.readings<boolean>(forAMinute);
  return {
    isDesk: async (account, signal) => {
      const name = account.trim().toLowerCase();
      return name !== '' && desks.get(name, (within) => refusalAsOutage(desk(name, within)), signal);
    },
    isWebsiteUser: async (account, signal) => {
      const name = account.trim().toLowerCase();
      return websiteUsers.get(name, (within) => refusalAsOutage(websiteUser(name, within)), signal);
    },
    isAgent: async (user, signal) => {
      if (user === '' || noAgents.has(user)) return false;
      if (user === (await deps.serviceUser(signal))) return false;
      return agents.get(user, (within) => refusalAsOutage(agent(user, within)), signal);
    },
    contactOwner: (contact, signal) => refusalAsOutage(ownerOf(contact, signal)),
    systemAccount,
  };
}
