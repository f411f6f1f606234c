import * as z from 'zod';
import { HelpdeskError } from '#helpdesk/helpdesk.ts';
import { column, type Deadline, type HelpdeskReader, isOn, type ZoneOf } from '#setup/helpdesk-reader.ts';
import { attempt, type ReadResult } from '#setup/read-result.ts';
import { type AreaReport, areaReport, type FaultCode, finding } from './finding.ts';
import { helpdeskWords } from './words.ts';

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
  const versionOf = async () =>
    (await ask('frappe.utils.change_log.get_versions', {}, Versions)).helpdesk?.version ?? null;
  const zoneThere = async () => {
    const { time_zone: name } = await ask('frappe.client.get_time_zone', {}, Zone);
    return { name, exists: zoneOf(name) !== null };
  };
  const [whoami, version, zone] = await Promise.all([attempt(whoIs()), attempt(versionOf()), attempt(zoneThere())]);
  const mayAll = async (doctype: string, rights: string[]): Promise<boolean | null> => {
    const some = { doctype, fields: '["name"]', limit_page_length: '1' };
    const [first] = await ask('frappe.client.get_list', some, Names).catch((error: unknown) => {
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

/** The oldest version that has been checked on a running site (docs/helpdesk.md#versions). */
const oldest = [1, 24];

/** Judges whether a Frappe Helpdesk responds, which one, and whether its time zone is usable. */
export function judgeHelpdesk({ whoami, version, zone }: HelpdeskFacts): AreaReport {
  const area = 'Helpdesk';
  const nothingElse = (code: FaultCode, { problem, remedy }: { problem: string; remedy: string }, detail: string) =>
    areaReport(area, {
      findings: [finding(code, `${problem} ${detail}`, remedy)],
      unchecked: ['Everything else about the helpdesk.'],
    });
  if (!whoami.ok && (whoami.kind === 'unavailable' || whoami.kind === 'timeout')) {
    const { certificate, message } = whoami;
    return certificate
      ? nothingElse('helpdesk_certificate', helpdeskWords.certificate(certificate), message)
      : nothingElse('helpdesk_unreachable', helpdeskWords.unreachable, message);
  }
  if ((!whoami.ok && !isRefusal(whoami)) || (version.ok && version.value === null)) {
    const detail = whoami.ok ? 'The app Helpdesk is not installed.' : whoami.message;
    return nothingElse('helpdesk_not_recognised', helpdeskWords.notRecognised, detail);
  }
  const old = version.ok && version.value !== null && isOlder(version.value);
  const unknown = zone.ok && !zone.value.exists;
  return areaReport(area, {
    findings: [
      old &&
        finding(
          'helpdesk_version_old',
          `Helpdesk ${version.value} is older than ${oldest.join('.')}, the oldest version that Deskside supports.`,
          'Update Helpdesk.',
        ),
      unknown &&
        finding(
          'time_zone_unknown',
          `Its time zone ${JSON.stringify(zone.value.name)} does not exist.`,
          "Choose one from the IANA database, such as Asia/Ho_Chi_Minh, in the helpdesk's System Settings.",
        ),
    ],
    passed: [
      version.ok && !old && `Frappe Helpdesk ${version.value} responds.`,
      zone.ok && !unknown && `Its time zone is ${zone.value.name}.`,
    ],
    unchecked: [
      !version.ok && `The version of Helpdesk: ${version.message}`,
      !zone.ok && `The time zone: ${zone.message}`,
    ],
  });
}

/** Judges whether the service account's key is valid and its permissions suffice (docs/helpdesk.md#permissions). */
export function judgeService({ whoami, rights }: HelpdeskFacts): AreaReport {
  const area = 'Service account';
  if (!whoami.ok) {
    const { problem, remedy } = helpdeskWords.refused;
    return isRefusal(whoami)
      ? areaReport(area, { findings: [finding('service_key_refused', problem, remedy)] })
      : areaReport(area, { unchecked: ['Its permissions: the helpdesk does not respond as it should.'] });
  }
  const { user, isAgent, isAdmin } = whoami.value;
  if (!isAgent) {
    const remedy = `Give ${user} the roles Agent and Agent Manager; System Manager alone is not an agent.`;
    const problem = `${user} is not an agent, so the helpdesk shows it no tickets.`;
    return areaReport(area, { findings: [finding('service_not_agent', problem, remedy, user)] });
  }
  const administrator =
    isAdmin &&
    finding(
      'service_is_administrator',
      `${user} is an administrator; the proxy does not need that.`,
      'Remove its role System Manager; only "deskside provision" and "deskside doctor" need such a key, for a single run.',
      user,
    );
  if (!rights?.ok)
    return areaReport(area, {
      findings: [administrator],
      unchecked: [`Its permissions: ${rights?.message ?? 'not asked.'}`],
    });
  const { writesTickets, writesCustomers, restricted, ignoresRestriction } = rights.value;
  const hidden = restricted && !ignoresRestriction;
  return areaReport(area, {
    findings: [
      administrator,
      hidden &&
        finding(
          'service_restricted',
          `Tickets are restricted to their teams, and ${user} is in no team that is exempt: it cannot see the others.`,
          `Put ${user} into a team of its own with "Ignore restrictions".`,
          user,
        ),
      writesTickets === false &&
        !hidden &&
        finding(
          'tickets_not_writable',
          `${user} may not write tickets.`,
          `Give ${user} the role Agent, and check for User Permissions that restrict it.`,
          user,
        ),
      writesCustomers === false &&
        finding(
          'customers_not_writable',
          `${user} may not create or write customers (HD Customer), so nothing can be linked or enriched.`,
          `Give ${user} the role Agent Manager.`,
          user,
        ),
    ],
    fine: `${user} is an agent and has the permissions it needs.`,
    unchecked: [
      writesTickets === null && 'Whether it may write tickets: there is none yet.',
      writesCustomers === null && 'Whether it may create customers: there is none yet.',
    ],
  });
}

/** The helpdesk answers, but not to this key. */
export const isRefusal = (read: ReadResult<unknown>) =>
  !read.ok && (read.kind === 'unauthenticated' || read.kind === 'forbidden');

/** Why nothing can be read as the service account; null if it can. */
export function whyUnreadable({ whoami }: { whoami: ReadResult<{ isAgent: boolean }> }): string | null {
  if (!whoami.ok) return 'the service account is refused.';
  return whoami.value.isAgent ? null : 'the service account is not an agent.';
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldest;
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}
