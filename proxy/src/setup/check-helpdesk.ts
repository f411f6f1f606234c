import * as z from 'zod';
import { installed } from '#commands/environment-file.ts';
import { type AdminDoctype, type AdminDocument, column, isOn, textOf } from '#helpdesk/admin.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import { type RoleRow, websiteRolesThatChange, websiteRolesThatSet } from '#helpdesk/permissions.ts';
import { automationsOnTickets, neededByCustomers } from '#helpdesk/site-rules.ts';
import { siteZone } from '#helpdesk/time.ts';
import * as notes from '#store/notes.ts';
import { beforeInsertPath, desiredScript, scriptName } from './before-insert-script.ts';
import { withRecords } from './check-here.ts';
import { claimsMeaning, openToAnybody, readSignUp, switchSignUpOff, whoSignsUp } from './claims.ts';
import { compareClient, compareFields, compareWebhook, openIdentity, readWebhook, whichOf } from './compare.ts';
import { builtExtensionIds, desiredFields, type FieldedDoctype, isBrowser, redirectUriOf } from './desired-state.ts';
import { ownExtensionId } from './extension.ts';
import { type Examined, fault, listed, ok, type Said, unchecked, warning, whyUnread } from './report.ts';

// What `doctor` checks of the helpdesk; read-only.

/** Whose key the service uses, according to the helpdesk. */
export interface ServiceUser {
  user: string;
  isAgent: boolean;
  isManager: boolean;
  isAdmin: boolean;
}

const User = z.object({ user_id: z.string(), is_agent: z.boolean(), is_manager: z.boolean(), is_admin: z.boolean() });
const Versions = z.record(z.string(), z.object({ version: z.string() }));
const Zone = z.object({ time_zone: z.string() });
const Permission = z.object({ has_permission: z.boolean() });
const Names = z.array(z.object({ name: z.union([z.string(), z.int()]).transform(String) }));
const Owners = z.array(z.object({ owner: z.string() }));

async function call<T>(
  { service, deadline }: Examined,
  method: string,
  args: Record<string, string>,
  schema: z.ZodType<T>,
): Promise<T> {
  const parsed = schema.safeParse(await service.call(method, args, deadline()));
  if (parsed.success) return parsed.data;
  throw new HelpdeskError('bad_answer', `Calling ${method}: the response has an unexpected shape.`);
}

/** Throws HelpdeskError. */
export async function whoIs(at: Examined): Promise<ServiceUser> {
  const { user_id, is_agent, is_manager, is_admin } = await call(at, 'helpdesk.api.auth.get_user', {}, User);
  return { user: user_id, isAgent: is_agent, isManager: is_manager, isAdmin: is_admin };
}

/** The oldest version that has been checked on a running site (docs/helpdesk.md#versions). */
const [oldestMajor, oldestMinor] = [1, 24];

/** Which Helpdesk it is, and whether its time zone is usable. */
export async function version(at: Examined): Promise<Said> {
  const { helpdesk } = await call(at, 'frappe.utils.change_log.get_versions', {}, Versions);
  if (helpdesk === undefined)
    return fault(
      'The server is not a Frappe Helpdesk. The app Helpdesk is not installed.',
      'Set HELPDESK_URL to the address of the site where the app Helpdesk is installed.',
    );
  const [major = 0, minor = 0] = helpdesk.version.replace(/^v/, '').split('.').map(Number);
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor)
    ? warning(
        `Helpdesk ${helpdesk.version} is older than ${oldestMajor}.${oldestMinor}, the oldest version that Deskside supports.`,
        'Update Helpdesk.',
      )
    : ok(`Frappe Helpdesk ${helpdesk.version} responds.`);
}

export async function timeZone(at: Examined): Promise<Said> {
  const { time_zone: name } = await call(at, 'frappe.client.get_time_zone', {}, Zone);
  try {
    siteZone(name);
    return ok(`Its time zone is ${name}.`);
  } catch {
    return fault(
      `Its time zone ${JSON.stringify(name)} does not exist.`,
      "Choose one from the IANA database, such as Asia/Ho_Chi_Minh, in the helpdesk's System Settings.",
    );
  }
}

/** Whether the service account's rights suffice, and no more (docs/helpdesk.md#permissions). */
export async function serviceAccount(at: Examined, { user, isAdmin }: ServiceUser): Promise<Said[]> {
  const { service, deadline } = at;
  const [settings, exempt, writesTickets, writesCustomers] = await Promise.all([
    service.get('HD Settings', 'HD Settings', deadline()),
    exemptUsers(at),
    mayAll(at, 'HD Ticket', ['read', 'write']),
    mayAll(at, 'HD Customer', ['read', 'write', 'create']),
  ]);
  const isRestricted = isOn(settings?.restrict_tickets_by_agent_group) && !exempt.has(user);
  const said: Said[] = [];
  if (isAdmin)
    said.push(
      warning(
        `${user} is an administrator; the proxy does not need that.`,
        'Remove its role System Manager; only "deskside provision" and "deskside doctor" need such a key, for a single run.',
      ),
    );
  if (isRestricted)
    said.push(
      fault(
        `Tickets are restricted to their teams, and ${user} is in no team that is exempt: it cannot see the others.`,
        `Put ${user} into a team of its own with "Ignore restrictions".`,
      ),
    );
  else if (writesTickets === false)
    said.push(
      fault(
        `${user} may not write tickets.`,
        `Give ${user} the role Agent, and check for User Permissions that restrict it.`,
      ),
    );
  if (writesCustomers === false)
    said.push(
      fault(
        `${user} may not create or write customers (HD Customer), so nothing can be linked or enriched.`,
        `Give ${user} the role Agent Manager.`,
      ),
    );
  if (said.length === 0) said.push(ok(`${user} is an agent and has the permissions it needs.`));
  if (writesTickets === null) said.push(unchecked('Whether it may write tickets: there is none yet.'));
  if (writesCustomers === null) said.push(unchecked('Whether it may create customers: there is none yet.'));
  return said;
}

/** Whether the service account has all these rights on the first document; null if there is none to ask about. */
async function mayAll(at: Examined, doctype: string, rights: string[]): Promise<boolean | null> {
  const some = { doctype, fields: '["name"]', limit_page_length: '1' };
  try {
    const [first] = await call(at, 'frappe.client.get_list', some, Names);
    if (first === undefined) return null;
    const given = await Promise.all(
      rights.map((perm_type) =>
        call(at, 'frappe.client.has_permission', { doctype, docname: first.name, perm_type }, Permission),
      ),
    );
    return given.every(({ has_permission }) => has_permission);
  } catch (error) {
    if (error instanceof HelpdeskError && error.kind === 'forbidden') return false;
    throw error;
  }
}

/** Members of enabled teams that see every ticket. */
async function exemptUsers({ service, deadline }: Examined): Promise<Set<string>> {
  const filters = [['ignore_restrictions', '=', 1]] as const;
  const teams = await service.list('HD Team', { fields: ['name'], filters }, deadline());
  const documents = await Promise.all(teams.map(({ name }) => service.get('HD Team', name, deadline())));
  return new Set(documents.filter((team) => !isOn(team?.disabled)).flatMap((team) => column(team?.users, 'user')));
}

/** Whether the specification's fields exist, can hold what is written to them, and are open to the service account. */
export async function fields({ service, admin, deadline }: Examined, me: ServiceUser): Promise<Said[]> {
  const known = column((await admin?.get('User', me.user, deadline()))?.roles, 'role');
  // Without an administrator's key, what Helpdesk says of the account.
  const claimed = [me.isAgent && 'Agent', me.isManager && 'Agent Manager', me.isAdmin && 'System Manager'];
  const roles = known.length > 0 ? known : claimed.filter((role) => role !== false);
  const said = await Promise.all(
    (['HD Ticket', 'HD Customer'] as const).map(async (doctype) => {
      const site = await service.doctype(doctype, deadline());
      const open = levelsOpenTo(roles, site?.permissions ?? []);
      const said = [...sayFields(doctype, compareFields(doctype, site), open), ...sayStandard(doctype, site, open)];
      const needed = doctype === 'HD Customer' ? neededByCustomers(site?.fields.values() ?? []) : [];
      if (needed.length === 0) return said;
      const text = `HD Customer needs ${needed.join(', ')}, which Deskside does not fill: no customer is made or changed.`;
      return [...said, fault(text, 'Make it optional in "Customize Form", or give it a default.')];
    }),
  );
  const count = desiredFields['HD Ticket'].length + desiredFields['HD Customer'].length;
  return said.flat().length > 0 ? said.flat() : [ok(`All ${count} fields exist and are suitable.`)];
}

function sayFields(
  doctype: FieldedDoctype,
  compared: ReturnType<typeof compareFields>,
  openLevels: ReadonlySet<number>,
): Said[] {
  const names = (found: typeof compared, detail: (field: (typeof compared)[number]) => string = () => '') =>
    listed(found.map((field) => `${field.desired.fieldname}${detail(field)}`));
  const missing = compared.filter(({ found }) => found === undefined);
  const numbers = compared.filter(({ misfit }) => misfit === 'org id as a number');
  const unsuitable = compared.filter(({ misfit }) => misfit === 'type');
  const lacking = compared.filter((field) => field.lacking.length > 0);
  const closed = compared.filter(({ found }) => found && found.permlevel > 0 && !openLevels.has(found.permlevel));
  const said: Said[] = [];
  if (missing.length > 0)
    said.push(
      fault(
        `${doctype} lacks ${names(missing)}; their values are left out.`,
        'Run "deskside provision", which creates what is missing.',
      ),
    );
  if (numbers.length > 0)
    said.push(
      fault(
        `${names(numbers)} of ${doctype} is a number: an org id above 2,147,483,647 does not fit and is left out.`,
        'Create a field of type Data, copy the values, and give it this name (docs/decisions.md 5).',
      ),
    );
  if (unsuitable.length > 0)
    said.push(
      fault(
        `${doctype} has fields whose type cannot hold their values: ${names(unsuitable, ({ desired, found }) => ` (${found?.fieldtype} instead of ${desired.suits[0]})`)}.`,
        'Change the type in "Customize Form", or rename the field and run "deskside provision".',
      ),
    );
  if (lacking.length > 0)
    said.push(
      fault(
        `${doctype} lacks options: ${names(lacking, (field) => ` (without ${field.lacking.join(', ')})`)}; such values are left out.`,
        'Add the options in "Customize Form", exactly as written here.',
      ),
    );
  if (closed.length > 0)
    said.push(
      fault(
        `The service account may not read and write ${names(closed, ({ found }) => ` (level ${found?.permlevel})`)} of ${doctype}.`,
        `Give Agent and Agent Manager read and write permission at that level (Role Permissions Manager, ${doctype}).`,
      ),
    );
  return said;
}

/** Fields of the helpdesk's own that we write; a release may move them to another level (frappe/helpdesk#3544). */
function sayStandard(doctype: FieldedDoctype, site: AdminDoctype | null, openLevels: ReadonlySet<number>): Said[] {
  const written = doctype === 'HD Ticket' ? ['agent_group', 'customer'] : [];
  return written.flatMap((name) => {
    const level = site?.fields.get(name)?.permlevel ?? 0;
    if (level === 0 || openLevels.has(level)) return [];
    const text = `The service account may not read and write ${name} (level ${level}) of ${doctype}: tickets are not routed.`;
    return [fault(text, `Give Agent Manager that level (Role Permissions Manager, ${doctype}).`)];
  });
}

function levelsOpenTo(roles: readonly string[], rows: readonly RoleRow[]): Set<number> {
  const ours = rows.filter(({ role, ifOwner }) => !ifOwner && (role === 'All' || roles.includes(role)));
  const levels = (right: 'read' | 'write') =>
    new Set(ours.filter((row) => row[right]).map(({ permlevel }) => permlevel));
  return levels('read').intersection(levels('write'));
}

async function deskRoles({ service, deadline }: Examined): Promise<Set<string>> {
  const roles = await service.list('Role', { fields: ['name'], filters: [['desk_access', '=', 1]] }, deadline());
  return new Set(roles.map(({ name }) => name));
}

/** Whether senders can make the Contacts by which the helpdesk shows them tickets (docs/decisions.md 8). */
export async function contacts(at: Examined): Promise<Said[]> {
  const { service, deadline } = at;
  const [desk, contact, theirs] = await Promise.all([
    deskRoles(at),
    service.doctype('Contact', deadline()),
    contactsOfWebsiteUsers(at),
  ]);
  const roles = websiteRolesThatChange(contact?.permissions ?? [], desk);
  const said = [
    roles.length === 0
      ? ok('Only desk users may create, write and delete Contacts.')
      : fault(
          `Website users (${listed(roles)}) may create, write or delete Contacts: whoever makes one with the address of somebody else reads the tickets of that person.`,
          'Run "deskside provision", which moves these rights to the desk and notes how they were.',
        ),
  ];
  if (theirs.length === 0) return said;
  const owner = encodeURIComponent(theirs[0]?.owner ?? '');
  const which = listed(theirs.map((one) => `${one.name} (of ${one.owner})`));
  said.push(
    warning(
      `Website users own Contacts, with whatever address they gave: ${which}.`,
      `Look at each in the helpdesk (/app/contact?owner=${owner}, then the same for each other owner), and delete what holds an address or a customer that is not its owner’s: provisioning takes nothing away.`,
    ),
  );
  return said;
}

/** So many owners fit into the address of a request. */
const atOnce = 50;

async function contactsOfWebsiteUsers(at: Examined): Promise<{ name: string; owner: string }[]> {
  const { service, deadline } = at;
  const distinct = { doctype: 'Contact', fields: '["owner"]', group_by: 'owner', limit_page_length: '0' };
  const [owners, desk] = await Promise.all([
    call(at, 'frappe.client.get_list', distinct, Owners),
    service.list('User', { fields: ['name'], filters: [['user_type', '=', 'System User']] }, deadline()),
  ]);
  // Guest owns what signing up makes; nobody can sign in as Guest, and so change it.
  const others = new Set(['Administrator', 'Guest', ...desk.map(({ name }) => name)]);
  const website = owners.map(({ owner }) => owner).filter((owner) => !others.has(owner));
  const found: { name: string; owner: string }[] = [];
  for (let start = 0; start < website.length; start += atOnce) {
    const filters = [['owner', 'in', website.slice(start, start + atOnce)]] as const;
    const rows = await service.list('Contact', { fields: ['name', 'owner'], filters }, deadline());
    found.push(...rows.map(({ name, owner }) => ({ name, owner: textOf(owner) })));
  }
  return found;
}

/** Whether senders can set which company a customer is, or which accounts are theirs (docs/decisions.md 7). */
export async function customers(at: Examined): Promise<Said[]> {
  const { service, config, deadline } = at;
  const links = config.rules.account_link?.doctype;
  const [desk, customer, accounts] = await Promise.all([
    deskRoles(at),
    service.doctype('HD Customer', deadline()),
    links === undefined ? null : service.doctype(links, deadline()),
  ]);
  const open = customer ? openIdentity(customer, desk).filter(({ isThere }) => isThere) : [];
  const said = [
    open.length === 0
      ? ok('Only desk users can set which company an HD Customer is.')
      : fault(
          `Portal customers with the role ${listed([...new Set(open.flatMap(({ roles }) => roles))])} may change ${listed(open.map(({ field }) => field))} of HD Customer, and so pass for another company.`,
          'Run "deskside provision", which protects these fields; if it has, remove write permission at their level from these roles.',
        ),
  ];
  const linkRoles = accounts ? websiteRolesThatSet(accounts.permissions, 0, desk) : [];
  if (linkRoles.length > 0)
    said.push(
      warning(
        `Portal customers (${listed(linkRoles)}) may write ${links}, so these records do not vouch for a sender.`,
        `Remove create and write permission on ${links} from these roles (Role Permissions Manager).`,
      ),
    );
  return said;
}

/** What claims are worth, and whether strangers can make use of it (docs/decisions.md 9). */
export async function claims({ config, admin, deadline }: Examined): Promise<Said> {
  const mode = config.rules.claims;
  const seen = admin && (await readSignUp(admin, deadline()).catch(() => null));
  const kept = async () =>
    withRecords(config.DATABASE_URL.reveal(), async (db) => (await notes.lastSignUp(db))?.isOpen ?? null);
  const isOpen = seen ?? (await kept());
  if (mode === 'accept' && isOpen === null)
    return unchecked('Whether anybody may sign up: run "deskside provision", which looks.');
  if (isOpen !== true) return ok(`Claims: ${mode}. That means: ${claimsMeaning[mode]}.`);
  return mode === 'accept'
    ? warning(openToAnybody, `${switchSignUpOff}, or set "claims" to "hold" in the file of rules.`)
    : warning(
        `${whoSignsUp(true)} So claims is hold: ${claimsMeaning.hold}.`,
        `Nothing, if that is meant. Else: ${switchSignUpOff}, then set "claims" to "accept" in the file of rules.`,
      );
}

/** A team to which tickets are routed. */
interface FoundTeam {
  name: string;
  document: AdminDocument | null;
  members: string[];
  /** Members with an enabled user and an active HD Agent. */
  assignable: string[];
}

/** The teams that tickets are routed to, with their people. Throws HelpdeskError. */
export async function readTeams({
  service,
  config,
  deadline,
}: Pick<Examined, 'service' | 'config' | 'deadline'>): Promise<FoundTeam[]> {
  const names = [...new Set(Object.values(config.rules.teams))];
  // Of everybody: the names of large teams are more than one address takes.
  const [users, agents, documents] = await Promise.all([
    service.list('User', { fields: ['name', 'enabled'], filters: [['user_type', '=', 'System User']] }, deadline()),
    service.list('HD Agent', { fields: ['name', 'user', 'is_active'], filters: [] }, deadline()),
    Promise.all(names.map((name) => service.get('HD Team', name, deadline()))),
  ]);
  const enabled = new Set(users.filter((user) => isOn(user.enabled)).map(({ name }) => name));
  const active = new Set(agents.filter((agent) => isOn(agent.is_active)).map(({ user }) => textOf(user)));
  return names.map((name, index) => {
    const document = documents[index] ?? null;
    const members = column(document?.users, 'user');
    return { name, document, members, assignable: members.filter((user) => enabled.has(user) && active.has(user)) };
  });
}

/** Whether the teams that tickets are routed to can take them (docs/decisions.md 21 and 23). */
export async function teams(at: Examined): Promise<Said[]> {
  return Promise.all((await readTeams(at)).map((team) => sayTeam(at, team)));
}

async function sayTeam(at: Examined, { name, document, members, assignable }: FoundTeam): Promise<Said> {
  if (document === null)
    return fault(
      `There is no team "${name}"; tickets meant for it stay without a team.`,
      'Create the team in the helpdesk, or name another one in the rule "teams".',
    );
  if (isOn(document.disabled))
    return fault(
      `The team "${name}" is disabled, so the helpdesk shows its tickets under no team.`,
      'Enable it in the helpdesk, or name another one in the rule "teams".',
    );
  if (assignable.length === 0)
    return fault(
      `Nobody in the team "${name}" can be assigned a ticket (${members.length} members).`,
      'Add a member whose user is enabled and whose HD Agent is active.',
    );
  const can = `Team "${name}": ${assignable.length} of ${members.length} members can be assigned`;
  const ruleName = textOf(document.assignment_rule);
  if (ruleName === '') return ok(`${can}; it has no native rule.`);
  try {
    const rule = await at.service.get('Assignment Rule', ruleName, at.deadline());
    const users = column(rule?.users, 'user');
    const surplus = users.filter((user) => !members.includes(user));
    const lacking = members.filter((user) => !users.includes(user));
    if (rule === null || surplus.length + lacking.length === 0)
      return ok(`${can}; its native rule is ${isOn(rule?.disabled) ? 'off' : 'on'} (both are fine).`);
    const parts = [
      ...(surplus.length > 0 ? [`only the rule has ${listed(surplus)}`] : []),
      ...(lacking.length > 0 ? [`only the team has ${listed(lacking)}`] : []),
    ];
    return warning(
      `The native rule of the team "${name}" does not have the same users as the team: ${parts.join('; ')}.`,
      'Open the team and save it: that copies its members to the rule (and switches the rule on).',
    );
  } catch (error) {
    return unchecked(`The native rule of "${name}": ${whyUnread(error)}`);
  }
}

/** Whether new tickets are told to us (docs/helpdesk.md#webhooks). Needs an administrator's key, as do the next three. */
export async function webhook(at: Examined): Promise<Said[]> {
  const { config, admin, deadline } = at;
  if (admin === null) return [];
  const found = await readWebhook(admin, deadline());
  const provision = 'Run "deskside provision", which corrects it.';
  if (found === null)
    return [
      fault(
        'The helpdesk has no webhook that tells the proxy about new tickets; only the sweep finds them, and later.',
        'Run "deskside provision".',
      ),
    ];
  const { name, webhook_docevent: event } = found.document;
  const { differing, secret } = compareWebhook(found, config.PUBLIC_URL ?? null, config.HELPDESK_WEBHOOK_SECRET ?? []);
  const isOurs = config.HELPDESK_WEBHOOK_SECRET !== undefined;
  const said: Said[] = [];
  const wrong = (text: string, todo = provision) => said.push(fault(`The webhook "${name}" ${text}`, todo));
  if ('enabled' in differing) wrong('is disabled.');
  if ('request_url' in differing)
    wrong(`does not lead to ${differing.request_url}.`, `${provision} Or correct PUBLIC_URL.`);
  if ('webhook_docevent' in differing)
    wrong(`is sent on ${textOf(event) || 'no event'}, not on ${differing.webhook_docevent}.`);
  if ('webhook_json' in differing) wrong('sends a body that the proxy does not know.');
  if ('enable_security' in differing) wrong('is not signed; the proxy refuses it.');
  else if (isOurs && secret === 'unset') wrong('has no secret; the proxy refuses it.');
  else if (isOurs && secret === 'other')
    wrong('has a secret other than HELPDESK_WEBHOOK_SECRET; the proxy refuses it.');
  else if (secret === 'previous')
    said.push(
      warning(
        `The webhook "${name}" still signs with the previous secret.`,
        'Run "deskside provision", then remove the previous secret.',
      ),
    );
  if ('condition' in differing)
    said.push(
      warning(
        `The webhook "${name}" has a condition, so some tickets may be left out.`,
        'Clear the field "Condition", unless this is intended.',
      ),
    );
  const failed = await failedDeliveries(at, name);
  if (failed.count > 0)
    said.push(
      warning(
        `${failed.count} attempts to deliver to the proxy have failed in the last 24 hours. The helpdesk's last error: ${failed.error}`,
        'Look at "Webhook Request Log" in the helpdesk; most often the proxy cannot be reached at PUBLIC_URL from there.',
      ),
    );
  return said.length > 0 ? said : [ok(`"${name}" is enabled, signed and points here.`)];
}

const Errors = z.array(z.object({ error: z.string() }));

/** What the helpdesk has noted of webhooks that did not reach us, in the last day. */
async function failedDeliveries(at: Examined, name: string): Promise<{ count: number; error: string }> {
  const { admin, deadline } = at;
  const filters = JSON.stringify([
    ['webhook', '=', name],
    ['creation', '>', await dayAgo(at)],
    ['error', '!=', ''],
  ]);
  const args = { doctype: 'Webhook Request Log', filters };
  const count = Number(await admin?.call('frappe.client.get_count', args, deadline()));
  const newest = { ...args, fields: '["error"]', order_by: 'creation desc', limit_page_length: '1' };
  const [last] = Errors.safeParse(await admin?.call('frappe.client.get_list', newest, deadline())).data ?? [];
  return { count, error: errorIn(last?.error) };
}

/** What went wrong, of the traceback that the helpdesk notes. */
export function errorIn(traceback: unknown): string {
  return textOf(traceback).trim().split('\n').at(-1)?.slice(0, 300) ?? '';
}

/** As the site writes it; in UTC if its zone is unknown, which is at most half a day off. */
async function dayAgo(at: Examined): Promise<string> {
  const then = at.clock() - 86_400_000;
  const { time_zone } = await call(at, 'frappe.client.get_time_zone', {}, Zone);
  try {
    return siteZone(time_zone).fromInstant(then) ?? '';
  } catch {
    return new Date(then).toISOString().slice(0, 19).replace('T', ' ');
  }
}

/** What else gives tickets a group or an agent: it stays as it is set, whoever set it. */
export async function automations({ admin, deadline }: Examined): Promise<Said[]> {
  if (admin === null) return [];
  const routing = (await automationsOnTickets(admin, deadline())).filter(
    ({ kind, routes, name }) => routes && kind !== 'Assignment Rule' && name !== scriptName,
  );
  if (routing.length === 0) return [ok('Nothing else of the site routes tickets.')];
  const names = listed(routing.map(({ kind, name }) => `${kind} "${name}"`));
  return [ok(`Tickets are given a group or an agent by ${names} as well; what they set stays.`)];
}

/** The optional Before Insert script: above all it must do no harm (docs/helpdesk.md#server-scripts). */
export async function beforeInsert({ config, admin, deadline }: Examined): Promise<Said[]> {
  if (admin === null) return [];
  const { doctype_event, ...onTickets } = desiredScript;
  const filters = Object.entries(onTickets).map(([field, value]) => [field, '=', value] as const);
  const scriptFields = ['name', 'doctype_event', 'disabled', 'script'];
  const [scripts, runs] = await Promise.all([
    admin.list('Server Script', { fields: scriptFields, filters }, deadline()),
    // What the form itself asks; older versions may lack it.
    admin.call('frappe.core.doctype.server_script.server_script.enabled', {}, deadline()).catch(() => null),
  ]);
  const enabled = scripts.filter(({ disabled }) => !isOn(disabled)).map(({ name }) => name);
  const said: Said[] = [];
  if (runs === false && enabled.length > 0)
    said.push(
      fault(
        `Server scripts are off on this site, but ${listed(enabled)} is enabled: no ticket can be created.`,
        'Disable the script at once, or turn scripts on: "bench set-config -g server_script_enabled 1".',
      ),
    );
  const leadsHere = (script: AdminDocument) =>
    script.doctype_event === doctype_event && textOf(script.script).includes(beforeInsertPath);
  const ours = scripts.find(({ name }) => name === scriptName) ?? scripts.find(leadsHere);
  const others = enabled.filter((name) => name !== ours?.name);
  if (others.length > 0) said.push(ok(`Other scripts run on tickets: ${listed(others)}.`));
  const secrets = config.HELPDESK_SCRIPT_SECRET ?? [];
  if (ours === undefined || isOn(ours.disabled)) {
    const isWanted = secrets.length > 0 && ours !== undefined;
    said.push(
      isWanted
        ? warning(
            `"${ours.name}" is disabled, though HELPDESK_SCRIPT_SECRET is set: tickets are routed after their insert alone.`,
            'Run "deskside provision --before-insert", or take HELPDESK_SCRIPT_SECRET out.',
          )
        : ok(ours === undefined ? 'There is none; it is optional.' : 'It is disabled; it is optional.'),
    );
    return said;
  }
  const text = textOf(ours.script);
  const wrong = (text: string) =>
    said.push(fault(`"${ours.name}" ${text}`, 'Run "deskside provision --before-insert", which rewrites it.'));
  if (config.PUBLIC_URL !== undefined && !text.includes(`"${config.PUBLIC_URL}${beforeInsertPath}"`))
    wrong('does not lead to PUBLIC_URL.');
  const secret = whichOf(secrets, (one) => text.includes(JSON.stringify(one)));
  if (secret === 'other') wrong('sends a secret other than HELPDESK_SCRIPT_SECRET; the proxy refuses it.');
  if (secret === 'previous')
    said.push(
      warning(
        `"${ours.name}" still sends the previous secret.`,
        'Run "deskside provision --before-insert", which rewrites it.',
      ),
    );
  if (!/^\s*except\b/m.test(text))
    wrong('does not catch failures: if the proxy does not respond, no ticket can be created.');
  if (said.length === 0) said.push(ok('It is as it should be.'));
  return said;
}

/** Whether agents, and only they, can sign in with the extension (docs/helpdesk.md#oauth). */
export async function signIn({ config, admin, deadline }: Examined): Promise<Said[]> {
  if (admin === null) return [];
  const set = Object.entries(config.OAUTH_CLIENT_IDS).filter(([use]) => isBrowser(use));
  const said: Said[] = [];
  for (const [use, id] of set) {
    if (!isBrowser(use)) continue;
    const document = await admin.get('OAuth Client', id, deadline());
    if (document === null) {
      said.push(
        fault(
          `The helpdesk has no OAuth client with the id in OAUTH_CLIENT_IDS for ${use}.`,
          'Run "deskside provision"; if the environment sets OAUTH_CLIENT_IDS, take it out there.',
        ),
      );
      continue;
    }
    const extensionId = (use === 'firefox' ? null : ownExtensionId(installed.settings)) ?? builtExtensionIds[use];
    const redirectUri = redirectUriOf(use, extensionId);
    const { leadsBack, staffOnly } = compareClient(document, { use, redirectUri });
    if (!leadsBack)
      said.push(
        warning(
          `The OAuth client for ${use} does not lead back to the extension as built here.`,
          'Run "deskside provision", unless the extension was built with another id.',
        ),
      );
    if (!staffOnly)
      said.push(
        warning(
          `The OAuth client for ${use} lets people sign in who are not of the desk.`,
          'Run "deskside provision", which sets its "Allowed Roles".',
        ),
      );
  }
  if (said.length === 0 && set.length > 0)
    said.push(ok(`People of the desk can sign in with ${listed(set.map(([use]) => use))}.`));
  return said;
}
