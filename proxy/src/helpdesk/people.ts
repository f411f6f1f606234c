import * as z from 'zod';
import { HelpdeskError, unless } from './errors.ts';
import { among, DocumentName, type Frappe, NamedDocument } from './frappe.ts';
import { type Credential, SitePart } from './site.ts';
import { isSameText } from './text.ts';

/** Who a credential belongs to, according to the helpdesk. */
export interface HelpdeskUser {
  id: string;
  fullName: string | null;
  /** The language they use the helpdesk in, theirs or else the site's, as a code such as `vi`. Null: none is set. */
  language: string | null;
  /** Has an agent's role or record. The helpdesk's own accounts do not count (docs/helpdesk.md#credentials). */
  isAgent: boolean;
}

export interface TeamMember {
  user: string;
  /** `ready`: an enabled user with an active agent record. */
  state: 'ready' | 'user_disabled' | 'no_agent_record' | 'agent_inactive';
  /** By the category of the agent's status; `active` if the helpdesk has no availability. */
  availability: 'active' | 'away' | 'unavailable';
}

/** A team with its members in row order, each once. */
export interface Team {
  name: string;
  disabled: boolean;
  members: TeamMember[];
}

/** The helpdesk's own account, under which it does its own work, such as taking in mail. */
export const systemAccount = 'Administrator';

/**
 * Accounts that do not belong to a person and never count as agents, whatever roles or record they have
 * (docs/helpdesk.md#credentials).
 */
const noAgents: ReadonlySet<string> = new Set([systemAccount, 'Guest']);

/** The roles that the helpdesk itself counts (docs/helpdesk.md#permissions). */
const agentRoles: ReadonlySet<string> = new Set(['Agent', 'Agent Manager']);
const forAMinute = { ttlMs: 60_000, max: 1_000 };
const teamsFor = { ttlMs: 5_000, max: 1_000 };
const namesFor = { ttlMs: 600_000, max: 1_000 };
const statusesFor = { ttlMs: 60_000, max: 10 };
const text = z.string().nullish();
const flag = z.union([z.number(), z.boolean()]).nullish();

/** Whose a credential is, as `helpdesk.api.auth.get_user` answers. */
const CurrentUser = z.object({
  message: z.object({
    user_id: z.string(),
    user_name: z.string().nullish(),
    language: z.string().nullish().catch(null),
    is_agent: z.boolean(),
  }),
});

/** An account's roles, as `frappe.core.doctype.user.user.get_roles` answers. */
const RolesOfUser = z.object({ message: z.array(z.string()) });
const OwnerRow = z.object({ name: z.string(), owner: z.string() });

const TeamDocument = z.object({
  name: DocumentName,
  disabled: flag,
  users: z.array(z.object({ user: text, idx: z.number().nullish() })).nullish(),
});

const AgentRow = z.object({ user: text, is_active: flag, availability: text });
const UserRow = z.object({ name: z.string(), enabled: flag });
const NameRow = z.object({ name: z.string(), full_name: text });
const StatusRow = z.object({ name: z.string(), category: text });

/**
 * Who is who: accounts, who is of the desk, who is an agent (docs/routing.md#who-is-of-the-desk), and who is in a team.
 * Every method may throw HelpdeskError; all but `identify` and `identifyService` ask as the service account.
 */
export class People extends SitePart {
  private readonly desks = this.site.memory.readings<boolean>(forAMinute);
  private readonly roles = this.site.memory.readings<readonly string[]>(forAMinute);
  private readonly websiteUsers = this.site.memory.readings<boolean>(forAMinute);
  private readonly teams = this.site.memory.readings<{ team: Team | null }>(teamsFor);
  private readonly names = this.site.memory.readings<ReadonlyMap<string, string>>(namesFor);
  private readonly statuses = this.site.memory.readings<ReadonlyMap<string, string>>(statusesFor);
  private ownName: string | undefined;

  /** One request as the caller. Throws `unauthenticated` for a credential that belongs to nobody. */
  async identify(caller: Credential, signal: AbortSignal): Promise<HelpdeskUser> {
    const user = await whoIs(this.site.as(caller), signal).catch((error: unknown) => {
      // A malformed credential is treated as Guest, who may not call this (docs/helpdesk.md#credentials).
      if (error instanceof HelpdeskError && error.kind === 'forbidden') throw nobody();
      throw error;
    });
    if (user.user_id === 'Guest') throw nobody();
    const isAgent = user.is_agent && !noAgents.has(user.user_id);
    return { id: user.user_id, fullName: user.user_name || null, language: user.language || null, isAgent };
  }

  /** The service account, as the helpdesk knows it now. Throws unless it is answered. */
  async identifyService(signal: AbortSignal): Promise<{ user: string; isAgent: boolean }> {
    const { user_id, is_agent } = await whoIs(this.site.account, signal);
    return { user: user_id, isAgent: is_agent };
  }

  /** The service account's own user id, which never changes. */
  async serviceUser(signal: AbortSignal): Promise<string> {
    this.ownName ??= (await whoIs(this.site.service, signal)).user_id;
    return this.ownName;
  }

  /** Whether the account is of the desk, or was while it was enabled. Our own is not. Ignores case. Cached for a minute. */
  async isDesk(account: string, signal: AbortSignal): Promise<boolean> {
    const name = account.trim().toLowerCase();
    if (name === '') return false;
    const read = async (within: AbortSignal) => (await this.deskAmong(new Set([name]), within)).has(name);
    return this.desks.get(name, read, signal);
  }

  /** Whether there is a website user's account of this name, enabled or not. Ignores case. Cached for a minute. */
  async isWebsiteUser(account: string, signal: AbortSignal): Promise<boolean> {
    const wanted = account.trim().toLowerCase();
    const read = async (within: AbortSignal) => (await this.websiteAmong(new Set([wanted]), within)).has(wanted);
    return this.websiteUsers.get(wanted, read, signal);
  }

  /** Which of the accounts (in lower case) are website users', enabled or not. */
  async websiteAmong(accounts: ReadonlySet<string>, signal: AbortSignal): Promise<Set<string>> {
    return new Set((await this.usersOfType('Website User', accounts, signal)).map((name) => name.toLowerCase()));
  }

  /** As the helpdesk spells them. The database ignores accents, so its results are compared again. */
  private async usersOfType(type: string, accounts: ReadonlySet<string>, signal: AbortSignal): Promise<string[]> {
    const read = (some: string[]) => {
      const filters = [
        ['name', 'in', some],
        ['user_type', '=', type],
      ];
      return this.site.service.list('User', { fields: ['name'], filters, limit: some.length }, NamedDocument, signal);
    };
    const rows = await among([...accounts], read);
    return rows.flatMap(({ name }) => (accounts.has(name.toLowerCase()) ? [name] : []));
  }

  /** Whether the user has an agent's role, enabled or not; never one of the helpdesk's own, nor ours. Cached for a minute. */
  async isAgent(user: string, signal: AbortSignal): Promise<boolean> {
    if (user === '' || noAgents.has(user) || user === (await this.serviceUser(signal))) return false;
    return (await this.rolesOf(user, signal)).some((role) => agentRoles.has(role));
  }

  /** Whether the user, an agent, leads: has the role Agent Manager. Cached for a minute. */
  async isManager(user: string, signal: AbortSignal): Promise<boolean> {
    return (await this.rolesOf(user, signal)).includes('Agent Manager');
  }

  private rolesOf(user: string, signal: AbortSignal): Promise<readonly string[]> {
    const read = async (within: AbortSignal) => {
      const method = 'frappe.core.doctype.user.user.get_roles';
      return (await this.site.service.call(method, { uid: user }, RolesOfUser, within)).message;
    };
    return this.roles.get(user, read, signal);
  }

  /**
   * Which of the accounts (in lower case) are of the desk: system users, disabled ones as well, and Administrator; never
   * our own account. Agents may filter by an account's type, though they are not shown it, and are not shown
   * Administrator at all (docs/helpdesk.md#permissions).
   */
  async deskAmong(accounts: ReadonlySet<string>, signal: AbortSignal): Promise<Set<string>> {
    const desk = new Set([systemAccount.toLowerCase()].filter((account) => accounts.has(account)));
    const others = accounts.difference(desk);
    if (others.size === 0) return desk;
    const [us, names] = await Promise.all([this.serviceUser(signal), this.usersOfType('System User', others, signal)]);
    for (const name of names) if (name !== us) desk.add(name.toLowerCase());
    return desk;
  }

  /** The account that made a Contact, as the helpdesk says; null if there is no such Contact. */
  async contactOwner(contact: string, signal: AbortSignal): Promise<string | null> {
    const query = { fields: ['name', 'owner'], filters: [['name', '=', contact]], limit: 1 };
    const rows = await this.site.service.list('Contact', query, OwnerRow, signal);
    return rows.find(({ name }) => name === contact)?.owner ?? null;
  }

  /** Whether there is a Contact with this primary address, by the database's own comparison. */
  async hasContact(address: string, signal: AbortSignal): Promise<boolean> {
    const query = { fields: ['name'], filters: [['email_id', '=', address]], limit: 1 };
    return (await this.site.service.list('Contact', query, NamedDocument, signal)).length > 0;
  }

  /** Full names of users, those that have one and that the service account may see. Cached for ten minutes. */
  async userNames(users: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const wanted = [...new Set(users)].toSorted();
    const read = async (within: AbortSignal) => {
      const rows = await among(wanted, (some) =>
        this.list('User', ['name', 'full_name'], [['name', 'in', some]], NameRow, within),
      );
      return new Map(rows.flatMap(({ name, full_name: full }) => (full?.trim() ? [[name, full.trim()] as const] : [])));
    };
    return this.names.get(JSON.stringify(wanted), read, signal);
  }

  /** Null if there is no such team. Cached for a few seconds. */
  async readTeam(name: string, signal: AbortSignal): Promise<Team | null> {
    const read = async (within: AbortSignal) => ({ team: await this.team(name, within) });
    return (await this.teams.get(name, read, signal)).team;
  }

  private async team(name: string, signal: AbortSignal): Promise<Team | null> {
    const found = await this.site.service.get('HD Team', name, TeamDocument, signal).catch(unless(['not_found'], null));
    // The database ignores case when it looks up teams (docs/helpdesk.md#names).
    if (found === null || !isSameText(found.name, name)) return null;
    const rows = (found.users ?? []).toSorted((a, b) => (a.idx ?? 0) - (b.idx ?? 0));
    const users = [...new Set(rows.flatMap(({ user }) => (user ? [user] : [])))];
    return {
      name: name.normalize('NFC'),
      disabled: Boolean(found.disabled),
      members: await this.members(users, signal),
    };
  }

  private async members(users: string[], signal: AbortSignal): Promise<TeamMember[]> {
    // Older versions have no availability and refuse a list that names the field, so all fields are requested.
    const [agents, accounts] = await Promise.all([
      among(users, (some) => this.list('HD Agent', ['*'], [['user', 'in', some]], AgentRow, signal)),
      among(users, (some) => this.list('User', ['name', 'enabled'], [['name', 'in', some]], UserRow, signal)),
    ]);
    const agentOf = new Map(agents.map((agent) => [agent.user, agent]));
    const enabled = new Set(accounts.filter((account) => account.enabled).map(({ name }) => name));
    const read = (within: AbortSignal) => this.readStatuses(within);
    const hasAvailability = agents.some(({ availability }) => availability);
    const categories = hasAvailability ? await this.statuses.get('', read, signal) : new Map<string, string>();
    return users.map((user) => {
      const agent = agentOf.get(user);
      const state = stateOf(agent, enabled.has(user));
      return { user, state, availability: availabilityOf(agent?.availability, categories) };
    });
  }

  /** Categories by status; empty if the site has no such DocType or does not show it. */
  private async readStatuses(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const query = { fields: ['name', 'category'], filters: [], limit: 0 };
    const rows = await this.site.account
      .list('HD Agent Status', query, StatusRow, signal)
      .catch(unless(['not_found', 'forbidden', 'rejected'], []));
    return new Map(rows.flatMap(({ name, category }) => (category ? [[name, category] as const] : [])));
  }

  private list<T>(doctype: string, fields: string[], filters: unknown[][], row: z.ZodType<T>, signal: AbortSignal) {
    return this.site.service.list(doctype, { fields, filters, limit: 0 }, row, signal);
  }
}

export async function whoIs(frappe: Frappe, signal: AbortSignal) {
  return (await frappe.call('helpdesk.api.auth.get_user', {}, CurrentUser, signal)).message;
}

function nobody(): HelpdeskError {
  return new HelpdeskError('unauthenticated', 'The credential does not belong to anyone.');
}

function stateOf(agent: z.output<typeof AgentRow> | undefined, isEnabled: boolean): TeamMember['state'] {
  if (!isEnabled) return 'user_disabled';
  if (agent === undefined) return 'no_agent_record';
  return agent.is_active ? 'ready' : 'agent_inactive';
}

/** A status counts by its category, an unknown one by its own name; anything else is active. */
function availabilityOf(status: string | null | undefined, categories: ReadonlyMap<string, string>) {
  const category = categories.get(status ?? '') ?? status;
  if (category === 'Away') return 'away';
  return category === 'Unavailable' ? 'unavailable' : 'active';
}
