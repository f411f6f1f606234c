import * as z from 'zod';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import { column, type Deadline, type HelpdeskReader, isOn, type ZoneOf } from './helpdesk-reader.ts';
import { attempt, type ReadResult } from './read-result.ts';

/** Whose key the service uses, according to the helpdesk. */
export interface ServiceUser {
  user: string;
  isAgent: boolean;
  isManager: boolean;
  isAdmin: boolean;
}

export interface HelpdeskFacts {
  whoami: ReadResult<ServiceUser>;
  /** Version of Helpdesk; null if no app of that name is installed. */
  version: ReadResult<string | null>;
  /** The site's time zone, and whether Node knows it. */
  zone: ReadResult<{ name: string; exists: boolean }>;
  /** Null if not asked, because the service account is refused or is not an agent. */
  rights: ReadResult<Rights> | null;
}

/** What the service account may do. Null: there is no document yet to ask about. */
export interface Rights {
  /** Tickets are restricted to their teams. */
  restricted: boolean;
  /** It is in an enabled team that is exempt from this. */
  ignoresRestriction: boolean;
  writesTickets: boolean | null;
  writesCustomers: boolean | null;
}

const User = z.object({ user_id: z.string(), is_agent: z.boolean(), is_manager: z.boolean(), is_admin: z.boolean() });
const Versions = z.record(z.string(), z.object({ version: z.string() }));
const Zone = z.object({ time_zone: z.string() });
const Permission = z.object({ has_permission: z.boolean() });
const Names = z.array(z.object({ name: z.union([z.string(), z.int()]).transform(String) }));

/** Asks who we are, what is running there, and what we may do. Writes nothing. */
export async function gatherHelpdesk(
  service: HelpdeskReader,
  zoneOf: ZoneOf,
  deadline: Deadline,
): Promise<HelpdeskFacts> {
  const ask = async <T>(method: string, args: Record<string, string>, schema: z.ZodType<T>): Promise<T> => {
    const parsed = schema.safeParse(await service.call(method, args, deadline()));
    if (!parsed.success)
      throw new HelpdeskError('bad_answer', `Calling ${method}: the response has an unexpected shape.`);
    return parsed.data;
  };
  const whoIs = async (): Promise<ServiceUser> => {
    const { user_id, is_agent, is_manager, is_admin } = await ask('helpdesk.api.auth.get_user', {}, User);
    return { user: user_id, isAgent: is_agent, isManager: is_manager, isAdmin: is_admin };
  };
  const [whoami, version, zone] = await Promise.all([
    attempt(whoIs()),
    attempt(
      ask('frappe.utils.change_log.get_versions', {}, Versions).then(({ helpdesk }) => helpdesk?.version ?? null),
    ),
    attempt(
      ask('frappe.client.get_time_zone', {}, Zone).then(({ time_zone: name }) => ({
        name,
        exists: zoneOf(name) !== null,
      })),
    ),
  ]);
  const mayAll = async (doctype: string, rights: string[]): Promise<boolean | null> => {
    const [first] = await ask(
      'frappe.client.get_list',
      { doctype, fields: '["name"]', limit_page_length: '1' },
      Names,
    ).catch((error: unknown) => {
      if (error instanceof HelpdeskError && error.kind === 'forbidden') return [null];
      throw error;
    });
    if (first === undefined) return null;
    if (first === null) return false;
    const given = await Promise.all(
      rights.map((right) =>
        ask('frappe.client.has_permission', { doctype, docname: first.name, perm_type: right }, Permission),
      ),
    );
    return given.every(({ has_permission }) => has_permission);
  };
  const rightsOf = async (user: string): Promise<Rights> => {
    const [settings, ignoring, writesTickets, writesCustomers] = await Promise.all([
      service.get('HD Settings', 'HD Settings', deadline()),
      ignoringTeams(service, deadline),
      mayAll('HD Ticket', ['read', 'write']),
      mayAll('HD Customer', ['read', 'write', 'create']),
    ]);
    const restricted = isOn(settings?.restrict_tickets_by_agent_group);
    return { restricted, ignoresRestriction: ignoring.has(user), writesTickets, writesCustomers };
  };
  const rights = whoami.ok && whoami.value.isAgent ? await attempt(rightsOf(whoami.value.user)) : null;
  return { whoami, version, zone, rights };
}

/** Members of enabled teams that see every ticket. */
async function ignoringTeams(service: HelpdeskReader, deadline: Deadline): Promise<Set<string>> {
  const filters = [['ignore_restrictions', '=', 1]] as const;
  const teams = await service.list('HD Team', { fields: ['name'], filters }, deadline());
  const documents = await Promise.all(teams.map(({ name }) => service.get('HD Team', name, deadline())));
  return new Set(documents.filter((team) => !isOn(team?.disabled)).flatMap((team) => column(team?.users, 'user')));
}
