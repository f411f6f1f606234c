import * as z from 'zod';
import type { Clock } from '../../ports/clock.ts';
import { HelpdeskError } from '../../ports/helpdesk.ts';
import type { HelpdeskTickets, Team, TeamMember } from '../../ports/helpdesk-tickets.ts';
import { asService } from './as-service.ts';
import { DocumentName, type FrappeClient } from './client.ts';
import { rememberEach } from './remembered-each.ts';

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
const StatusRow = z.object({ name: z.string(), category: text });

/** So many addresses in one filter keep the line of the request below the 4,094 bytes that a site's server takes. */
const mostInFilter = 40;

const noAgents: ReadonlySet<string> = new Set(['Administrator', 'Guest']);

const teamForMs = 5_000;
const agentForMs = 60_000;
const statusesForMs = 60_000;

/** Who can be given tickets, as the service account sees it. `service` is its Authorization header. */
export function createRoster(deps: {
  client: FrappeClient;
  service: string;
  clock: Clock;
}): Pick<HelpdeskTickets, 'readTeam' | 'isAgent'> {
  const { client, service, clock } = deps;

  async function team(name: string, signal: AbortSignal): Promise<Team | null> {
    const found = await client
      .call('frappe.client.get', { doctype: 'HD Team', name }, TeamDocument, service, signal)
      .catch((error: unknown) => {
        if (error instanceof HelpdeskError && error.kind === 'not_found') return null;
        throw error;
      });
    // The database finds teams without regard to case (facts/live.md 1.1).
    if (found === null || found.message.name !== name) return null;
    const rows = (found.message.users ?? []).toSorted((a, b) => (a.idx ?? 0) - (b.idx ?? 0));
    const users = [...new Set(rows.flatMap(({ user }) => (user ? [user] : [])))];
    return { name, disabled: Boolean(found.message.disabled), members: await members(users, signal) };
  }

  async function members(users: string[], signal: AbortSignal): Promise<TeamMember[]> {
    // Older versions know no availability, and refuse a list that names the field: so all fields are asked for.
    const [agents, accounts] = await Promise.all([
      among(users, (some) => list('HD Agent', ['*'], [['user', 'in', some]], AgentRow, signal)),
      among(users, (some) => list('User', ['name', 'enabled'], [['name', 'in', some]], UserRow, signal)),
    ]);
    const agentOf = new Map(agents.map((agent) => [agent.user, agent]));
    const enabled = new Set(accounts.filter((account) => account.enabled).map(({ name }) => name));
    const asked = agents.some(({ availability }) => availability);
    const categories = asked ? await statuses('HD Agent Status', signal) : new Map<string, string>();
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

  /** Categories by status; none where the site has no such DocType or does not show it. */
  async function readStatuses(doctype: string, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const rows = await list(doctype, ['name', 'category'], [], StatusRow, signal).catch((error: unknown) => {
      const absent = error instanceof HelpdeskError && ['not_found', 'forbidden', 'rejected'].includes(error.kind);
      if (absent) return [];
      throw error;
    });
    return new Map(rows.flatMap(({ name, category }) => (category ? [[name, category] as const] : [])));
  }

  async function agent(user: string, signal: AbortSignal): Promise<boolean> {
    const rows = await list('HD Agent', ['user', 'is_active'], [['user', '=', user]], AgentRow, signal);
    return rows.some((row) => row.user === user && Boolean(row.is_active));
  }

  function list<T>(doctype: string, fields: string[], filters: unknown[][], row: z.ZodType<T>, signal: AbortSignal) {
    return client.list(doctype, { fields, filters, limit: 0 }, row, service, signal);
  }

  const statuses = rememberEach({ read: readStatuses, forMs: statusesForMs, clock });
  const teams = rememberEach({ read: (name, signal) => asService(team(name, signal)), forMs: teamForMs, clock });
  const agents = rememberEach({ read: (user, signal) => asService(agent(user, signal)), forMs: agentForMs, clock });
  // Administrator and Guest are nobody's own, even where they have an agent's record (design.md section 2).
  const isAgent: typeof agents = async (user, signal) => !noAgents.has(user) && agents(user, signal);
  return { readTeam: teams, isAgent };
}

/** A status is judged by its category, one that is not known by its own name; anything else counts as active. */
function availabilityOf(status: string | null | undefined, categories: ReadonlyMap<string, string>) {
  const category = categories.get(status ?? '') ?? status;
  if (category === 'Away') return 'away';
  return category === 'Unavailable' ? 'unavailable' : 'active';
}

async function among<T>(values: readonly string[], read: (some: string[]) => Promise<T[]>): Promise<T[]> {
  const reads: Promise<T[]>[] = [];
  for (let at = 0; at < values.length; at += mostInFilter) reads.push(read(values.slice(at, at + mostInFilter)));
  return (await Promise.all(reads)).flat();
}
