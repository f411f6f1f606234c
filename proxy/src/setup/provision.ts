import { randomBytes } from 'node:crypto';
import { ClaimsMode } from '@deskside/shared/routing';
import { Command, Option } from 'commander';
import { environmentFile, needAdminKey } from '#commands/settings.ts';
import { collect, sentenceOf, type Terminal, terminal } from '#commands/terminal.ts';
import { ConfigError, Environment, httpRefused, readSome } from '#config.ts';
import { type AdminDocument, createAdminClient, type HelpdeskAdmin, isOn, textOf } from '#helpdesk/admin.ts';
import { unless } from '#helpdesk/errors.ts';
import { customerData, customerDataKey } from '#helpdesk/fields.ts';
import { withEgress } from '#net/egress.ts';
import { StartError } from '#runtime/app-error.ts';
import { desiredScript, installScript, scriptName, scriptText, trialLogs, trialName } from './before-insert-script.ts';
import {
  type Browser,
  browsers,
  builtExtensionIds,
  claimsMeaning,
  compareClient,
  desiredOAuthClient,
  desiredWebhook,
  differences,
  oauthRoles,
  openToAnybody,
  publicClient,
  readSignUp,
  readWebhook,
  redirectUriOf,
  switchSignUpOff,
  webhookName,
  whoSignsUp,
} from './desired-state.ts';
import { ownExtensionId } from './extension.ts';
import { carryOut, type Item } from './items.ts';
import { type OwnSettings, ownSettings, type SettingsGiven } from './own-settings.ts';
import { doctypeItems, doctypeRemovalItems, type Site } from './permissions.ts';

/** Options of `provision` as parsed by commander. */
export interface ProvisionOptions {
  adminKeyFile?: string;
  extensionId: string[];
  withSnapshots?: boolean;
  beforeInsert?: boolean;
  claims?: ClaimsMode;
  /** Take away what was made; `fields`: the custom fields too; `account`: disable the service account. */
  remove?: boolean;
  fields?: boolean;
  account?: boolean;
  plan?: boolean;
  yes?: boolean;
}

/** What a run goes by, and what it finds out on its way. */
interface ProvisionRun extends Site {
  own: OwnSettings;
  settings: ReturnType<typeof readProvisionSettings>;
  /** Whose key it is, and whether it shows the Server Scripts. */
  user: string;
  seesScripts: boolean;
  /** Ids of the OAuth clients, as far as they are there. */
  clientIds: Partial<Record<Browser, string>>;
}

/** How a running service gets to know of it. */
export const reloading = '"sudo systemctl reload deskside", or SIGHUP to each proxy, has it read them again.';

/** A new field makes the helpdesk alter a table, which takes seconds on a large one. */
const timeoutMs = 60_000;

/** `--claims`, of `provision` and `init`. */
export const claimsOption = () =>
  new Option('--claims <mode>', 'what an org id is worth that only the sender vouches for').choices(ClaimsMode.options);

/** `deskside provision`: creates in the helpdesk what the service needs (docs/operate.md#commands). */
export function provisionCommand(): Command {
  return new Command('provision')
    .description('Show and then create what the proxy needs in the helpdesk; a second run changes nothing')
    .option('--admin-key-file <path>', "file with a System Manager's key:secret (default: DESKSIDE_ADMIN_KEY)")
    .option('--extension-id <browser=id>', 'id of the extension, if it is not the built-in one', collect, [])
    .option('--with-snapshots', 'also create the DocType HD Customer Data, for snapshots of CRM companies')
    .option(
      '--before-insert',
      'also create the Server Script that routes a ticket before it is inserted (needs Script Manager)',
    )
    .addOption(claimsOption())
    .option('--remove', 'take away what was made, instead: sign-ins, clients, webhook, script, permissions')
    .option('--fields', 'with --remove: the custom fields too, with their values')
    .option('--plan', 'show the plan and change nothing')
    .option('--yes', 'do not ask for confirmation')
    .action(async (options: ProvisionOptions, command: Command) => {
      const file = environmentFile(command.optsWithGlobals<{ envFile?: string }>().envFile);
      const { code, isWritten } = await runProvision(options, { file, variables: process.env }, terminal());
      if (isWritten) terminal().print(reloading);
      process.exitCode = code;
    });
}

/**
 * Brings the helpdesk into the desired state, or with `remove` takes away what that has made; what others have made or changed
 * stays, and is said. A second run finds nothing to do.
 *
 * @param more what `init` adds: what comes first, and teams that are made
 * @returns the exit code: 0 done, nothing to do or only shown; 1 failed; 2 not confirmed; and whether a file of ours changed
 */
export async function runProvision(
  options: ProvisionOptions,
  given: SettingsGiven,
  io: Pick<Terminal, 'print' | 'printError' | 'ask'>,
  { first = [], teams = [] }: { first?: readonly Item[]; teams?: readonly string[] } = {},
): Promise<{ code: number; isWritten: boolean }> {
  try {
    const settings = readProvisionSettings(options, given);
    const own = ownSettings(given, options.claims ?? null);
    const mode = options.plan ? 'plan' : options.yes ? 'yes' : 'ask';
    const code = await withEgress(settings, async (egress) => {
      const upstream = egress.upstream(settings.HELPDESK_URL, { timeoutMs, maxConnections: 4 });
      const run = await startRun(createAdminClient(upstream, settings.adminKey.reveal()), own, settings);
      const { items, warnings } = options.remove ? await removal(run, options) : await wanted(run, teams);
      const code = await carryOut([...first, ...items], warnings, io, mode);
      // The ids are public: the browsers are told them.
      if (code !== 2 && !options.remove && Object.keys(run.clientIds).length > 0)
        io.print(
          `\nThe browsers' clients, as the settings name them:\nOAUTH_CLIENT_IDS=${JSON.stringify(run.clientIds)}`,
        );
      return code;
    });
    for (const [file, names] of own.written) io.print(`\n${file} changed: ${names.join(', ')}.`);
    return { code, isWritten: own.written.size > 0 };
  } catch (error) {
    io.printError(sentenceOf(error));
    return { code: 1, isWritten: false };
  }
}

/** The required part of the environment: the service account may not exist yet. */
const Needed = Environment.pick({
  HELPDESK_URL: true,
  PUBLIC_URL: true,
  HELPDESK_WEBHOOK_SECRET: true,
  HELPDESK_SCRIPT_SECRET: true,
  ALLOW_INSECURE_UPSTREAMS: true,
}).required({ PUBLIC_URL: true });

/**
 * What the operator wants in the helpdesk, and how it is reached.
 *
 * @throws ConfigError with all problems at once, each naming its variable or option; no secret is quoted
 */
export function readProvisionSettings(options: ProvisionOptions, { file, variables }: SettingsGiven) {
  const { data, problems } = readSome(Needed, variables);
  if (data && !data.ALLOW_INSECURE_UPSTREAMS && data.PUBLIC_URL.startsWith('http:'))
    problems.push(`PUBLIC_URL: ${httpRefused('PUBLIC_URL')}`);
  const scriptSecret = options.beforeInsert ? (data?.HELPDESK_SCRIPT_SECRET?.[0]?.reveal() ?? '') : null;
  // It is sent in a header and is part of the script's text.
  if (scriptSecret !== null && !/^[\x21-\x7e]+$/.test(scriptSecret))
    problems.push(
      'HELPDESK_SCRIPT_SECRET: missing, or not of ASCII letters, digits and punctuation alone, as --before-insert needs it',
    );
  const ids = ownExtensionId(file);
  const extensionIds = { ...builtExtensionIds, ...(ids !== null && { chrome: ids, edge: ids }) };
  for (const pair of options.extensionId) {
    const [, browser, id = ''] = extensionId.exec(pair) ?? [];
    if (browser) extensionIds[browser as Browser] = id;
    else problems.push(`--extension-id: expected <browser>=<id>, such as chrome=${builtExtensionIds.chrome}`);
  }
  try {
    const adminKey = needAdminKey(options.adminKeyFile, variables.DESKSIDE_ADMIN_KEY);
    if (data && problems.length === 0)
      return {
        ...{ ...data, adminKey, scriptSecret, extensionIds, withSnapshots: options.withSnapshots ?? false },
        apiKey: variables.HELPDESK_API_KEY?.trim(),
      };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    problems.push(error.message);
  }
  throw new ConfigError(`The helpdesk cannot be provisioned yet:\n${problems.map((line) => `  ${line}`).join('\n')}`);
}

const extensionId = /^(chrome|edge|firefox)=([a-p]{32}|\{[0-9a-f-]{36}\}|[\w.-]+@[\w.-]+)$/;

/** Finds out who asks, and reads the two DocTypes. Throws StartError if the key is of no use for this. */
async function startRun(
  admin: HelpdeskAdmin,
  own: OwnSettings,
  settings: ProvisionRun['settings'],
): Promise<ProvisionRun> {
  const { user, hasRole } = await systemManager(admin);
  const seesScripts = hasRole('Script Manager');
  if (settings.scriptSecret !== null && !seesScripts)
    throw new StartError(
      `${user} does not have the role Script Manager, which --before-insert needs. Give the account that role, or leave the ` +
        'option out: the webhook routes tickets without it.',
    );
  const [ticket, customer] = await Promise.all([admin.doctype('HD Ticket'), admin.doctype('HD Customer')]);
  if (ticket === null || customer === null)
    throw new StartError('The site at HELPDESK_URL has no HD Ticket: Frappe Helpdesk is not installed there.');
  return { admin, own, settings, user, seesScripts, site: { ticket, customer }, clientIds: {} };
}

/** Who the key belongs to, which has to be a System Manager. Throws StartError, and HelpdeskError. */
export async function systemManager(admin: HelpdeskAdmin): ReturnType<HelpdeskAdmin['caller']> {
  const caller = await admin.caller();
  if (caller.hasRole('System Manager')) return caller;
  throw new StartError(`${caller.user} is not a System Manager of the helpdesk. Use the key of an account that is.`);
}

/** What is to be made, and what the operator should know before. */
interface Plan {
  items: Item[];
  warnings: string[];
}

async function wanted(run: ProvisionRun, teams: readonly string[]): Promise<Plan> {
  const plans = [
    await planTeams(run, teams),
    await doctypeItems(run),
    await planSnapshots(run),
    await planWebhook(run),
    await planClients(run),
    await planScript(run),
    await planClaims(run),
  ];
  return {
    items: plans.flatMap((plan) => (Array.isArray(plan) ? plan : plan.items)),
    warnings: plans.flatMap((plan) => (Array.isArray(plan) ? [] : plan.warnings)),
  };
}

/** Teams that are missing. One needs a member: whoever makes it, until others take their place. */
async function planTeams(run: ProvisionRun, teams: readonly string[]): Promise<Item[]> {
  const { admin, user } = run;
  const documents = await Promise.all(teams.map((team) => admin.get('HD Team', team)));
  return teams.map((team, index): Item => {
    const what = `HD Team "${team}"`;
    if (documents[index]) return { what, state: 'exists' };
    const make = creating(run, 'HD Team', { team_name: team, users: [{ user }] });
    return { what, state: 'create', detail: `member: ${user}`, make };
  });
}

/** The DocType of snapshots. An existing one is left alone, as long as snapshots can be told apart. */
async function planSnapshots(run: ProvisionRun): Promise<Item[]> {
  if (!run.settings.withSnapshots) return [];
  const what = `DocType ${customerData.name}`;
  const found = await run.admin.doctype(customerData.name);
  const make = creating(run, 'DocType', customerData);
  if (found === null) return [{ what, state: 'create', detail: `${customerData.fields.length} fields`, make }];
  const missing = customerDataKey.filter((field) => !found.fields.has(field));
  if (missing.length === 0) return [{ what, state: 'exists' }];
  const detail = `has no ${missing.join(', ')}: kept; no snapshots are saved until these fields are added to it`;
  return [{ what, state: 'conflict', detail }];
}

/**
 * The webhook after the insert, and where we have no secret for it yet, one: that of the webhook which is there, so that
 * another run does not change it, else a new one. The secret is never shown.
 */
async function planWebhook(run: ProvisionRun): Promise<Plan> {
  const { admin, settings, own } = run;
  const what = `Webhook "${webhookName}"`;
  const read = await readWebhook(admin);
  // One of another name, which leads to us as well, is not ours to change.
  const found = read?.document.name === webhookName ? read : null;
  const theirs = found?.secret && found.secret.length >= 16 && !found.secret.includes(',') ? found.secret : null;
  const ours = settings.HELPDESK_WEBHOOK_SECRET?.[0]?.reveal();
  const secret = ours ?? theirs ?? randomBytes(24).toString('hex');
  const keeping: Item = {
    what: 'Setting HELPDESK_WEBHOOK_SECRET',
    state: 'create',
    detail: secret === theirs ? 'that of the webhook which is there' : 'new',
    make: async () => own.keep({ HELPDESK_WEBHOOK_SECRET: secret }),
  };
  const items = ours === undefined ? [keeping] : [];
  const desired = desiredWebhook(settings.PUBLIC_URL);
  if (found === null) {
    const make = creating(run, 'Webhook', { __newname: webhookName, ...desired, webhook_secret: secret });
    return { items: [...items, { what, state: 'create', detail: desired.request_url, make }], warnings: [] };
  }
  const changes = {
    ...differences(found.document, desired),
    ...(found.secret !== secret && { webhook_secret: secret }),
  };
  const before = textOf(found.document.request_url);
  const isTurned = 'request_url' in changes && before !== '';
  const turned = `The webhook leads to ${before} now. If another Deskside runs there, it hears of no new ticket from then on.`;
  return {
    items: [...items, changeItem(run, 'Webhook', { what, name: webhookName, changes, detail: desired.request_url })],
    warnings: isTurned ? [turned] : [],
  };
}

const creating =
  ({ admin }: ProvisionRun, doctype: string, document: object) =>
  async () => {
    await admin.create(doctype, document);
  };

/** Brings a document that is there into its desired state. */
function changeItem(
  { admin }: ProvisionRun,
  doctype: string,
  { what, name, changes, detail }: { what: string; name: string; changes: object; detail: string },
): Item {
  const names = Object.keys(changes);
  if (names.length === 0) return { what, state: 'exists', detail };
  return { what, state: 'change', detail: names.join(', '), make: () => admin.update(doctype, name, changes) };
}

/** Clients by our names. */
const ofUs = [['app_name', 'in', browsers.map((use) => desiredOAuthClient(use, '').app_name)]] as const;

/** The public clients of the extension, one a browser, and their ids in our settings. */
async function planClients(run: ProvisionRun): Promise<Item[]> {
  const { admin, own, clientIds } = run;
  const [meta, rows] = await Promise.all([
    admin.doctype('OAuth Client'),
    admin.list('OAuth Client', { fields: ['name'], filters: ofUs }),
  ]);
  const documents = await Promise.all(rows.map(({ name }) => admin.get('OAuth Client', name)));
  const asksForMethod = meta?.fields.has('token_endpoint_auth_method') ?? false;
  const clients = documents.filter((document) => document !== null);
  const items = browsers.map((use) => clientItem(run, use, clients, asksForMethod));
  const what = 'Setting OAUTH_CLIENT_IDS';
  const { ids, by } = own.clientIds;
  const isComplete = browsers.every((use) => clientIds[use] !== undefined && ids[use] === clientIds[use]);
  const elsewhere = 'the environment goes over the file: kept; set it to what is printed below, or take it out there';
  const make = async () => own.keep({ OAUTH_CLIENT_IDS: JSON.stringify({ ...ids, ...clientIds }) });
  if (isComplete) items.push({ what, state: 'exists', detail: Object.keys(ids).join(', ') });
  else if (by === 'environment') items.push({ what, state: 'conflict', detail: elsewhere });
  else items.push({ what, state: by === null ? 'create' : 'change', detail: browsers.join(', '), make });
  return items;
}

/** One client, identified by its name. Of several, the one with the right redirect address is used. */
function clientItem(run: ProvisionRun, use: Browser, clients: readonly AdminDocument[], asksForMethod: boolean): Item {
  const { admin, clientIds, settings } = run;
  const redirectUri = redirectUriOf(use, settings.extensionIds[use]);
  const client = desiredOAuthClient(use, redirectUri);
  const what = `OAuth Client "${client.app_name}"`;
  const named = clients.filter(({ app_name }) => app_name === client.app_name);
  const found = named.find(({ redirect_uris }) => redirect_uris === redirectUri) ?? named[0];
  if (found === undefined) {
    const allowed_roles = oauthRoles.map((role) => ({ role }));
    const document = { ...client, ...(asksForMethod && publicClient), allowed_roles };
    const make = async () => {
      clientIds[use] = await admin.create('OAuth Client', document);
    };
    return { what, state: 'create', detail: redirectUri, make };
  }
  clientIds[use] = found.name;
  const changes = compareClient(found, { use, redirectUri }, asksForMethod);
  const others = named.length > 1 ? `; ${named.length - 1} more with this name, not used` : '';
  return changeItem(run, 'OAuth Client', { what, name: found.name, changes, detail: `${redirectUri}${others}` });
}

/** The Before Insert script, right only if its text is identical and it is switched on. */
async function planScript({ admin, settings }: ProvisionRun): Promise<Item[]> {
  const { PUBLIC_URL: publicUrl, scriptSecret: secret } = settings;
  if (secret === null) return [];
  const what = `Server Script "${scriptName}"`;
  const found = await admin.get('Server Script', scriptName);
  const desired = { ...desiredScript, script: scriptText(publicUrl, secret), disabled: 0 };
  const changed = Object.keys(found === null ? {} : differences(found, desired));
  if (found !== null && changed.length === 0) return [{ what, state: 'exists', detail: 'switched on' }];
  const detail = [...changed, 'enabled once a trial has come through'].join(', ');
  const make = () => installScript(admin, { exists: found !== null, publicUrl, secret });
  return [{ what, state: found === null ? 'create' : 'change', detail, make }];
}

/**
 * The rule of claims: what was given, else, where nobody has chosen yet, what who may sign up asks for; and what the operator
 * should know of it: what was chosen, what it means and how to change it, in one line.
 */
async function planClaims({ own, admin }: ProvisionRun): Promise<Plan> {
  const isOpen = await readSignUp(admin);
  const { given, chosen } = own.claims;
  const wanted = given ?? chosen ?? (isOpen === false ? 'accept' : 'hold');
  const what = 'Rule claims';
  const detail = chosen === null ? wanted : `${chosen} becomes ${wanted}`;
  const make = async () => own.keepRules({ claims: wanted });
  const item: Item =
    wanted === chosen
      ? { what, state: 'exists', detail: wanted }
      : { what, state: chosen === null ? 'create' : 'change', detail, make };
  const warnings: string[] = [];
  if (given === null && chosen === null) {
    const first = isOpen ? `${switchSignUpOff}, then ` : '';
    const change = wanted === 'accept' ? '--claims hold changes that.' : `${first}--claims accept changes that.`;
    warnings.push(`${whoSignsUp(isOpen)} So claims is ${wanted}: ${claimsMeaning[wanted]}. ${change}`);
  } else if (wanted === 'accept' && isOpen)
    warnings.push(`${openToAnybody} ${switchSignUpOff}, or choose --claims hold.`);
  return { items: [item], warnings };
}

/** Sign-ins first, so that nobody is left signed in, then clients, webhook and script, and what DocTypes were changed. */
async function removal(run: ProvisionRun, { fields = false, account = false }: ProvisionOptions): Promise<Plan> {
  const { admin, own, settings, seesScripts } = run;
  const erasing = async (
    doctype: string,
    filters: readonly (readonly [string, string, unknown])[],
  ): Promise<Item[]> => {
    const listed = admin.list(doctype, { fields: ['name'], filters });
    // A Frappe that has no such DocType.
    const found = (await listed.catch(unless(['not_found'], []))).map(({ name }) => name);
    const make = async () => {
      for (const name of found) await admin.erase(doctype, name);
    };
    // Names of sign-ins are tokens themselves, and shown nowhere.
    const detail = doctype.startsWith('OAuth') ? `${found.length}` : found.join(', ');
    return found.length === 0 ? [] : [{ what: doctype, state: 'delete', detail, make }];
  };
  const clients = await admin.list('OAuth Client', { fields: ['name'], filters: ofUs });
  const theirs = [['client', 'in', clients.map(({ name }) => name)]] as const;
  const items = [
    ...(clients.length > 0 ? await erasing('OAuth Bearer Token', theirs) : []),
    ...(clients.length > 0 ? await erasing('OAuth Authorization Code', theirs) : []),
    ...(await erasing('OAuth Client', ofUs)),
    ...(await erasing('Webhook', [['name', '=', webhookName]])),
    ...(seesScripts ? await erasing('Server Script', [['name', 'in', [scriptName, trialName]]]) : []),
    ...(seesScripts ? await erasing('Error Log', trialLogs) : []),
  ];
  const doctypes = await doctypeRemovalItems(run, fields);
  const held = [['api_key', '=', settings.apiKey ?? '']] as const;
  const users = account ? await admin.list('User', { fields: ['name', 'enabled'], filters: held }) : [];
  const accounts = users
    .filter(({ enabled }) => isOn(enabled))
    .map(({ name }): Item => {
      const detail = 'disabled; delete it in the helpdesk if nothing names it';
      const make = () => admin.update('User', name, { enabled: 0 });
      return { what: `User "${name}"`, state: 'change', detail, make };
    });
  const inFile = own
    .inFile(['HELPDESK_WEBHOOK_SECRET', 'OAUTH_CLIENT_IDS'])
    .map((name): Item => ({ what: `Setting ${name}`, state: 'delete', make: async () => own.keep({ [name]: null }) }));
  const stays =
    'What tickets and people may hold on to stays: the service account ("deskside uninstall" disables it), teams with their assignment rules, HD Customer Data, and what the helpdesk has logged.';
  return { items: [...items, ...doctypes.items, ...accounts, ...inFile], warnings: [...doctypes.warnings, stays] };
}
