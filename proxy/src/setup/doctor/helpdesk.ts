import * as z from 'zod';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import { type AreaReport, type DoctorFinding, finding } from '#setup/doctor/finding.ts';
import { helpdeskWords } from '#setup/doctor/words.ts';
import { column, type Deadline, type HelpdeskReader, isOn, type ZoneOf } from '#setup/helpdesk-reader.ts';
import { attempt, type ReadResult } from '#setup/read-result.ts';

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

/** The oldest version that has been checked on a running site (docs/helpdesk.md#versions). */
const oldest = [1, 24];

/** Judges whether a Frappe Helpdesk responds, which one, and whether its time zone is usable. */
export function judgeHelpdesk({ whoami, version, zone }: HelpdeskFacts): AreaReport {
  const area = 'Helpdesk';
  if (!whoami.ok && (whoami.kind === 'unavailable' || whoami.kind === 'timeout')) {
    const { certificate } = whoami;
    const { problem, remedy } = certificate ? helpdeskWords.certificate(certificate) : helpdeskWords.unreachable;
    const code = certificate ? 'helpdesk_certificate' : 'helpdesk_unreachable';
    const only = finding(code, `${problem} ${whoami.message}`, remedy);
    return { area, findings: [only], passed: [], unchecked: ['Everything else about the helpdesk.'] };
  }
  const isRefusal = !whoami.ok && (whoami.kind === 'unauthenticated' || whoami.kind === 'forbidden');
  if ((!whoami.ok && !isRefusal) || (version.ok && version.value === null)) {
    const { problem, remedy } = helpdeskWords.notRecognised;
    const detail = whoami.ok ? 'The app Helpdesk is not installed.' : whoami.message;
    const only = finding('helpdesk_not_recognised', `${problem} ${detail}`, remedy);
    return { area, findings: [only], passed: [], unchecked: ['Everything else about the helpdesk.'] };
  }
  const findings = [];
  const passed = [];
  const unchecked = [];
  if (!version.ok) unchecked.push(`The version of Helpdesk: ${version.message}`);
  else if (version.value !== null && isOlder(version.value)) {
    const problem = `Helpdesk ${version.value} is older than ${oldest.join('.')}, the oldest version that Deskside supports.`;
    findings.push(finding('helpdesk_version_old', problem, 'Update Helpdesk.'));
  } else passed.push(`Frappe Helpdesk ${version.value} responds.`);
  if (!zone.ok) unchecked.push(`The time zone: ${zone.message}`);
  else if (!zone.value.exists) {
    const remedy = "Choose one from the IANA database, such as Asia/Ho_Chi_Minh, in the helpdesk's System Settings.";
    findings.push(
      finding('time_zone_unknown', `Its time zone ${JSON.stringify(zone.value.name)} does not exist.`, remedy),
    );
  } else passed.push(`Its time zone is ${zone.value.name}.`);
  return { area, findings, passed, unchecked };
}

/** Judges whether the service account's key is valid and its permissions suffice (docs/helpdesk.md#permissions). */
export function judgeService({ whoami, rights }: HelpdeskFacts): AreaReport {
  const area = 'Service account';
  const verdict = (findings: DoctorFinding[], passed: string[] = [], unchecked: string[] = []): AreaReport => ({
    area,
    findings,
    passed,
    unchecked,
  });
  if (!whoami.ok) {
    if (whoami.kind !== 'unauthenticated' && whoami.kind !== 'forbidden') {
      return verdict([], [], ['Its permissions: the helpdesk does not respond as it should.']);
    }
    const { problem, remedy } = helpdeskWords.refused;
    return verdict([finding('service_key_refused', problem, remedy)]);
  }
  const { user, isAgent, isAdmin } = whoami.value;
  if (!isAgent) {
    const remedy = `Give ${user} the roles Agent and Agent Manager; System Manager alone is not an agent.`;
    return verdict([
      finding('service_not_agent', `${user} is not an agent, so the helpdesk shows it no tickets.`, remedy, user),
    ]);
  }
  const findings = [];
  if (isAdmin) {
    findings.push(
      finding(
        'service_is_administrator',
        `${user} is an administrator; the proxy does not need that.`,
        'Remove its role System Manager; only "deskside provision" and "deskside doctor" need such a key, for a single run.',
        user,
      ),
    );
  }
  if (!rights?.ok) return verdict(findings, [], [`Its permissions: ${rights?.message ?? 'not asked.'}`]);
  findings.push(...judgeRights(user, rights.value));
  const unasked = [
    ...(rights.value.writesTickets === null ? ['Whether it may write tickets: there is none yet.'] : []),
    ...(rights.value.writesCustomers === null ? ['Whether it may create customers: there is none yet.'] : []),
  ];
  return verdict(
    findings,
    findings.length === 0 ? [`${user} is an agent and has the permissions it needs.`] : [],
    unasked,
  );
}

function judgeRights(user: string, rights: Rights): DoctorFinding[] {
  const findings = [];
  const hidden = rights.restricted && !rights.ignoresRestriction;
  if (hidden) {
    findings.push(
      finding(
        'service_restricted',
        `Tickets are restricted to their teams, and ${user} is in no team that is exempt: it cannot see the others.`,
        `Put ${user} into a team of its own with "Ignore restrictions".`,
        user,
      ),
    );
  }
  if (rights.writesTickets === false && !hidden) {
    const remedy = `Give ${user} the role Agent, and check for User Permissions that restrict it.`;
    findings.push(finding('tickets_not_writable', `${user} may not write tickets.`, remedy, user));
  }
  if (rights.writesCustomers === false) {
    const problem = `${user} may not create or write customers (HD Customer), so nothing can be linked or enriched.`;
    findings.push(finding('customers_not_writable', problem, `Give ${user} the role Agent Manager.`, user));
  }
  return findings;
}

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
