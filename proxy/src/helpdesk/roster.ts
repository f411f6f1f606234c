import * as z from 'zod';
import { among } from './among.ts';
import { DocumentName } from './client.ts';
import { refusalAsOutage, unless } from './frappe-error.ts';
import type { HelpdeskTickets, Team, TeamMember } from './helpdesk-tickets.ts';
import type { Site } from './site.ts';

const text = z.string().nullish();
const flag = z.union([z.number(), z.boolean()]).nullish();
const TeamDocument = z.object({
  message: z.object({
    name: DocumentName,
    disabled: flag,
    users: z.array(z.object({ user: text, idx: z.number().nullish() })).nullish(),
  }),
});
const AgentRow = z.object({ user: text, is_active: flag, availability: text });
const UserRow = z.object({ name: z.string(), enabled: flag });
const NameRow = z.object({ name: z.string(), full_name: text });
const StatusRow = z.object({ name: z.string(), category: text });

const teamsFor = { ttlMs: 5_000, max: 1_000 };
const statusesFor = { ttlMs: 60_000, max: 10 };

/** Who can be assigned tickets, as the service account sees it. */
export function createRoster({
  client,
  service,
  memory,
}: Pick<Site, 'client' | 'service' | 'memory'>): Pick<HelpdeskTickets, 'readTeam' | 'userNames'> {
  const teams = memory.readings<{ team: Team | null }>(teamsFor);
  const statuses = memory.readings<ReadonlyMap<string, string>>(statusesFor);

  async function team(name: string, signal: AbortSignal): Promise<Team | null> {
    const found = await client
      .call('frappe.client.get', { doctype: 'HD Team', name }, TeamDocument, service, signal)
      .catch(unless('not_found', null));
    // The database ignores case when it looks up teams (docs/helpdesk.md#names).
    if (found === null || found.message.name !== name) return null;
    const rows = (found.message.users ?? []).toSorted((a, b) => (a.idx ?? 0) - (b.idx ?? 0));
    const users = [...new Set(rows.flatMap(({ user }) => (user ? [user] : [])))];
    return { name, disabled: Boolean(found.message.disabled), members: await members(users, signal) };
  }

  async function members(users: string[], signal: AbortSignal): Promise<TeamMember[]> {
    // Older versions have no availability and refuse a list that names the field, so all fields are requested.
    const [agents, accounts] = await Promise.all([
      among(users, (some) => list('HD Agent', ['*'], [['user', 'in', some]], AgentRow, signal)),
      among(users, (some) => list('User', ['name', 'enabled'], [['name', 'in', some]], UserRow, signal)),
    ]);
    const agentOf = new Map(agents.map((agent) => [agent.user, agent]));
    const enabled = new Set(accounts.filter((account) => account.enabled).map(({ name }) => name));
    const asked = agents.some(({ availability }) => availability);
    const categories = asked ? await statuses.get('', readStatuses, signal) : new Map<string, string>();
    return users.map((user) => {
      const agent = agentOf.get(user);
      const state = !enabled.has(user)
        ? 'user_disabled'
        : agent === undefined
          ? 'no_agent_record'
          : agent.is_active
            ? 'ready'
            : 'agent_inactive';
      return { user, state, availability: availabilityOf(agent?.availability, categories) };
    });
  }

  /** Categories by status; empty if the site has no such DocType or does not show it. */
  async function readStatuses(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const rows = await list('HD Agent Status', ['name', 'category'], [], StatusRow, signal).catch(
      unless(['not_found', 'forbidden', 'rejected'], []),
    );
    return new Map(rows.flatMap(({ name, category }) => (category ? [[name, category] as const] : [])));
  }

  async function userNames(users: readonly string[], signal: AbortSignal) {
    const rows = await among([...new Set(users)], (some) =>
      refusalAsOutage(list('User', ['name', 'full_name'], [['name', 'in', some]], NameRow, signal)),
    );
    return new Map(rows.flatMap(({ name, full_name: full }) => (full?.trim() ? [[name, full.trim()] as const] : [])));
  }

  function list<T>(doctype: string, fields: string[], filters: unknown[][], row: z.ZodType<T>, signal: AbortSignal) {
    return client.list(doctype, { fields, filters, limit: 0 }, row, service, signal);
  }

  return {
    async readTeam(name, signal) {
      const read = async (within: AbortSignal) => ({ team: await refusalAsOutage(team(name, within)) });
      return (await teams.get(name, read, signal)).team;
    },
    userNames,
  };
}

/** A status counts by its category, an unknown one by its own name; anything else is active. */
function availabilityOf(status: string | null | undefined, categories: ReadonlyMap<string, string>) {
  const category = categories.get(status ?? '') ?? status;
  if (category === 'Away') return 'away';
  return category === 'Unavailable' ? 'unavailable' : 'active';
}
