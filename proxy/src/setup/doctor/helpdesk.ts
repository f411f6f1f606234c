import * as z from 'zod';
import { automationsOnTickets, type HelpdeskAdmin, isOn, neededByCustomers, textOf } from '#helpdesk/admin.ts';
import { HelpdeskError, unless } from '#helpdesk/errors.ts';
import { desiredFields } from '#helpdesk/fields.ts';
import { noAgent } from '#helpdesk/sight.ts';
import { ownExtensionId } from '#setup/extension.ts';
import { desiredScript, scriptName, scriptText } from '#setup/needs/before-insert-script.ts';
import {
  browsers,
  builtExtensionIds,
  closedToService,
  compareClient,
  compareFields,
  desiredWebhook,
  differences,
  readTeams,
  readWebhook,
  redirectUriOf,
} from '#setup/needs/desired-state.ts';
import { type CheckInput, type Findings, fault, listed, ok, type Remark, unchecked, warning } from '#setup/report.ts';
import { refusals } from '#store/notes.ts';
import { withRecords } from './machine.ts';

// What `doctor` checks of the helpdesk; read-only.

/** Whose key the service uses, according to the helpdesk. */
export interface ServiceUser {
  user: string;
  isAgent: boolean;
  isAdmin: boolean;
}

const User = z.object({ user_id: z.string(), is_agent: z.boolean(), is_admin: z.boolean() });
const Versions = z.record(z.string(), z.object({ version: z.string() }));
const Permission = z.object({ has_permission: z.boolean() });
const Names = z.array(z.object({ name: z.union([z.string(), z.int()]).transform(String) }));

export async function call<T>(
  { service }: CheckInput,
  method: string,
  args: Record<string, string>,
  schema: z.ZodType<T>,
): Promise<T> {
  const parsed = schema.safeParse(await service.call(method, args));
  if (parsed.success) return parsed.data;
  throw new HelpdeskError('bad_answer', `Calling ${method}: the response has an unexpected shape.`);
}

/** Throws HelpdeskError. */
export async function whoIs(at: CheckInput): Promise<ServiceUser> {
  const { user_id, is_agent, is_admin } = await call(at, 'helpdesk.api.auth.get_user', {}, User);
  return { user: user_id, isAgent: is_agent, isAdmin: is_admin };
}

/** The oldest version that has been checked on a running site (docs/helpdesk.md). */
const [oldestMajor, oldestMinor] = [1, 24];

export async function version(at: CheckInput): Promise<Remark> {
  const { helpdesk } = await call(at, 'frappe.utils.change_log.get_versions', {}, Versions);
  if (helpdesk === undefined)
    return fault(
      'The server is not a Frappe Helpdesk. The app Helpdesk is not installed.',
      'Set HELPDESK_URL to the address of the site where the app Helpdesk is installed.',
    );
  const [major = 0, minor = 0] = helpdesk.version.replace(/^v/, '').split('.').map(Number);
  const isOld = major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
  if (!isOld) return ok(`Frappe Helpdesk ${helpdesk.version} responds.`);
  const oldest = `${oldestMajor}.${oldestMinor}, the oldest version that Deskside supports`;
  return warning(`Helpdesk ${helpdesk.version} is older than ${oldest}.`, 'Update Helpdesk.');
}

/** Whether the service account's rights suffice, and no more (docs/helpdesk.md#permissions). */
export async function* serviceAccount(at: CheckInput, { user, isAgent, isAdmin }: ServiceUser): Findings {
  if (!isAgent) return { level: 'fault', ...noAgent(user) };
  if (isAdmin)
    yield warning(
      `${user} is an administrator; the proxy does not need that.`,
      'Remove its role System Manager; only "deskside provision" and "deskside doctor" need such a key, for a single run.',
    );
  const [partial, writesCustomers] = await Promise.all([at.service.whyPartial(), mayWriteCustomers(at)]);
  if (partial !== null) yield { level: 'fault', ...partial };
  if (!writesCustomers)
    yield fault(
      `${user} may not create or write customers (HD Customer), so nothing can be linked or enriched.`,
      `Give ${user} the role Agent Manager.`,
    );
  return ok(`${user} is an agent and has the permissions it needs.`);
}

/** Whether the service account may write the first customer, and create one; where there is none, nobody can be asked. */
async function mayWriteCustomers(at: CheckInput): Promise<boolean> {
  const doctype = 'HD Customer';
  try {
    const some = { doctype, fields: '["name"]', limit_page_length: '1' };
    const [first] = await call(at, 'frappe.client.get_list', some, Names);
    if (first === undefined) return true;
    const asked = ['write', 'create'].map((perm_type) => ({ doctype, docname: first.name, perm_type }));
    const given = await Promise.all(asked.map((args) => call(at, 'frappe.client.has_permission', args, Permission)));
    return given.every(({ has_permission }) => has_permission);
  } catch (error) {
    if (error instanceof HelpdeskError && error.kind === 'forbidden') return false;
    throw error;
  }
}

/** Whether the specification's fields exist and can hold what is written to them. */
export async function* fields(at: CheckInput): Findings {
  const { service } = at;
  for (const doctype of ['HD Ticket', 'HD Customer'] as const) {
    const site = await service.doctype(doctype);
    const compared = compareFields(doctype, site);
    const missing = compared.filter(({ found }) => found === undefined).map(({ desired }) => desired.fieldname);
    if (missing.length > 0)
      yield fault(
        `${doctype} lacks ${listed(missing)}; their values are left out.`,
        'Run "deskside provision", which creates what is missing.',
      );
    for (const { desired, problem } of compared)
      if (problem) yield fault(`${doctype}: ${desired.fieldname} ${problem.text}.`, problem.todo);
    const closed = site && closedToService(doctype, site);
    if (closed) yield fault(closed.text, closed.todo);
    const needed = doctype === 'HD Customer' ? neededByCustomers(site?.fields.values() ?? []) : [];
    if (needed.length > 0)
      yield fault(
        `HD Customer needs ${needed.join(', ')}, which Deskside does not fill: no customer is made or changed.`,
        'Make it optional in "Customize Form", or give it a default.',
      );
  }
  const refused = Map.groupBy((await withRecords(at, refusals)) ?? [], ({ refusal }) => refusal);
  for (const [refusal, tickets] of refused)
    yield fault(
      `The helpdesk refuses what Deskside writes to ${listed(tickets.map(({ name }) => name))}: ${refusal}. They have no team.`,
      'Make it optional in "Customize Form", or give it a default; a ticket that somebody saves is routed within half a minute.',
    );
  return ok(`All ${Object.values(desiredFields).flat().length} fields exist and are suitable.`);
}

export const noSuchTeam = (name: string): Remark =>
  fault(
    `There is no team "${name}"; tickets meant for it stay without a team.`,
    'Create the team in the helpdesk, or name another one in the rule "teams".',
  );

/** Whether the teams that tickets are routed to can take them (docs/decisions.md 21 and 23). */
export async function* teams({ service, config }: CheckInput): Findings {
  const filters = [['document_type', '=', 'HD Ticket']] as const;
  const [{ teams }, rules] = await Promise.all([
    readTeams(service, config),
    service.list('Assignment Rule', { fields: ['name', 'disabled'], filters }),
  ]);
  for (const { name, document, members, assignable } of teams)
    if (document === null) yield noSuchTeam(name);
    else if (isOn(document.disabled))
      yield fault(
        `The team "${name}" is disabled, so the helpdesk shows its tickets under no team.`,
        'Enable it in the helpdesk, or name another one in the rule "teams".',
      );
    else if (assignable.length === 0)
      yield fault(
        `Nobody in the team "${name}" can be assigned a ticket (${members.length} members).`,
        'Add a member whose user is enabled and whose HD Agent is active.',
      );
  const native = rules.filter((rule) => !isOn(rule.disabled)).map(({ name }) => name);
  const sizes = teams.map(({ name, members, assignable }) => `${name} ${assignable.length} of ${members.length}`);
  const ofHelpdesk = native.length === 0 ? 'are off' : `(${listed(native)}) leave what is assigned alone`;
  return ok(`Who can be assigned tickets: ${listed(sizes)}. The helpdesk's own assignment rules ${ofHelpdesk}.`);
}

/** Whether new tickets are told to us (docs/helpdesk.md#webhooks). */
export async function* webhook({ config }: CheckInput, admin: HelpdeskAdmin): Findings {
  const provision = 'Run "deskside provision", which corrects it';
  const secrets = config.HELPDESK_WEBHOOK_SECRET ?? [];
  const found = await readWebhook(admin);
  if (found === null)
    return fault(
      'The helpdesk has no webhook that tells the proxy about new tickets; only the sweep finds them, and later.',
      'Run "deskside provision".',
    );
  const what = `The webhook "${found.document.name}"`;
  const { enabled, request_url, ...others } = differences(found.document, desiredWebhook(config.PUBLIC_URL ?? ''));
  if (enabled !== undefined) yield fault(`${what} is disabled.`, `${provision}.`);
  if (request_url !== undefined && config.PUBLIC_URL !== undefined)
    yield fault(
      `${what} leads to ${textOf(found.document.request_url) || 'nowhere'}, not to ${request_url}.`,
      `${provision}, or correct PUBLIC_URL.`,
    );
  const names = listed(Object.keys(others));
  if (names !== '')
    yield fault(`${what} is not as the proxy needs it (${names}): tickets are left out or refused.`, `${provision}.`);
  if (secrets.length > 0 && !secrets.some((one) => one.reveal() === found.secret))
    yield fault(`${what} has a secret other than HELPDESK_WEBHOOK_SECRET; the proxy refuses it.`, `${provision}.`);
  const failure = await lastFailure(admin, found.document.name);
  if (failure !== '')
    yield warning(
      `The helpdesk's last attempt to deliver to the proxy has failed. Its error: ${failure}`,
      'Look at "Webhook Request Log" in the helpdesk; most often the proxy cannot be reached at PUBLIC_URL from there.',
    );
  return ok(`${what} is enabled, signed and points here.`);
}

const Errors = z.array(z.object({ error: z.string().nullish() }));

/** What went wrong with the newest delivery; '' if nothing did. */
async function lastFailure(admin: HelpdeskAdmin, webhook: string): Promise<string> {
  const query = {
    doctype: 'Webhook Request Log',
    filters: JSON.stringify([['webhook', '=', webhook]]),
    fields: '["error"]',
    order_by: 'creation desc',
    limit_page_length: '1',
  };
  const [last] = Errors.safeParse(await admin.call('frappe.client.get_list', query)).data ?? [];
  return errorIn(last?.error);
}

/** What went wrong, of the traceback that the helpdesk notes. */
export function errorIn(traceback: unknown): string {
  return textOf(traceback).trim().split('\n').at(-1)?.slice(0, 300) ?? '';
}

/** What else gives tickets a group or an agent: it stays as it is set, whoever set it. */
export async function automations(admin: HelpdeskAdmin): Promise<Remark> {
  const routing = (await automationsOnTickets(admin)).filter(
    ({ kind, routes, name }) => routes && kind !== 'Assignment Rule' && name !== scriptName,
  );
  if (routing.length === 0) return ok('Nothing else of the site routes tickets.');
  const names = listed(routing.map(({ kind, name }) => `${kind} "${name}"`));
  return ok(`Tickets are given a group or an agent by ${names} as well; what they set stays.`);
}

/** The optional Before Insert script: above all it must do no harm (docs/helpdesk.md#inserting-a-ticket). */
export async function* beforeInsert({ config }: CheckInput, admin: HelpdeskAdmin): Findings {
  const { doctype_event: _, ...onTickets } = desiredScript;
  const filters = Object.entries(onTickets).map(([field, value]) => [field, '=', value] as const);
  const [scripts, runs] = await Promise.all([
    admin.list('Server Script', { fields: ['name', 'disabled', 'script'], filters }).catch(unless(['forbidden'], null)),
    // What the form itself asks; older versions may lack it.
    admin.call('frappe.core.doctype.server_script.server_script.enabled', {}).catch(() => null),
  ]);
  if (scripts === null) return unchecked('This key may not read it, for which it takes the role Script Manager.');
  const enabled = scripts.filter(({ disabled }) => !isOn(disabled)).map(({ name }) => name);
  if (runs === false && enabled.length > 0)
    yield fault(
      `Server scripts are off on this site, but ${listed(enabled)} is enabled: no ticket can be created.`,
      'Disable the script at once, or turn scripts on: "bench set-config -g server_script_enabled 1".',
    );
  const ours = scripts.find(({ name }) => name === scriptName);
  const secrets = config.HELPDESK_SCRIPT_SECRET ?? [];
  if (ours && isOn(ours.disabled) && secrets.length > 0)
    return warning(
      `"${scriptName}" is disabled, though HELPDESK_SCRIPT_SECRET is set: tickets are routed after their insert alone.`,
      'Run "deskside provision --before-insert", which rewrites it, or take HELPDESK_SCRIPT_SECRET out.',
    );
  if (ours === undefined || isOn(ours.disabled))
    return ok(`It is ${ours === undefined ? 'not there' : 'disabled'}; it is optional.`);
  const texts = secrets.map((one) => scriptText(config.PUBLIC_URL ?? '', one.reveal()));
  if (!texts.some((text) => text.trim() === textOf(ours.script).trim()))
    yield fault(
      `"${scriptName}" is not what "deskside provision" writes: another address or secret, or somebody has changed it.`,
      'Run "deskside provision --before-insert", which rewrites it.',
    );
  return ok('It is as it should be.');
}

/** Whether agents, and only they, can sign in with the extension (docs/helpdesk.md#oauth). */
export async function* signIn({ config, file }: CheckInput, admin: HelpdeskAdmin): Findings {
  const set = browsers.filter((use) => config.OAUTH_CLIENT_IDS[use] !== undefined);
  for (const use of set) {
    const document = await admin.get('OAuth Client', config.OAUTH_CLIENT_IDS[use] ?? '');
    if (document === null) {
      yield fault(
        `The helpdesk has no OAuth client with the id in OAUTH_CLIENT_IDS for ${use}.`,
        'Run "deskside provision"; if the environment sets OAUTH_CLIENT_IDS, take it out there.',
      );
      continue;
    }
    const extensionId = (use === 'firefox' ? null : ownExtensionId(file)) ?? builtExtensionIds[use];
    const changes = Object.keys(compareClient(document, { use, redirectUri: redirectUriOf(use, extensionId) }));
    const open = changes.includes('allowed_roles') ? ' People who are not of the desk may sign in.' : '';
    if (changes.length > 0)
      yield warning(
        `The OAuth client for ${use} is not as "deskside provision" makes it: ${listed(changes)}.${open}`,
        'Run "deskside provision", unless the extension was built with another id.',
      );
  }
  return ok(`People of the desk can sign in with ${listed(set) || 'no browser yet'}.`);
}
