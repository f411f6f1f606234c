import { randomBytes } from 'node:crypto';
import type { Browser } from '@deskside/shared/contract';
import type { Config } from '#config.ts';
import { type AdminDocument, column, isOn, textOf } from '#helpdesk/admin.ts';
import { unless } from '#helpdesk/errors.ts';
import { customerData, customerDataKey } from '#helpdesk/fields.ts';
import { aboutDomains } from '#setup/doctor/machine.ts';
import type { Item } from '#setup/items.ts';
import type { OwnSettings } from '#setup/provision/own-settings.ts';
import { desiredScript, installScript, scriptName, scriptText, trialLogs, trialName } from './before-insert-script.ts';
import {
  browsers,
  claimsMeaning,
  compareClient,
  desiredOAuthClient,
  desiredWebhook,
  differences,
  type FoundWebhook,
  howToClose,
  isClosed,
  isOpen,
  oauthRoles,
  openToAnybody,
  publicClient,
  readOpenness,
  readWebhook,
  redirectUriOf,
  serviceRoles,
  webhookName,
  whoComesIn,
} from './desired-state.ts';
import { doctypeItems, doctypeRemovalItems, type SiteDoctypes } from './rights.ts';

// What `provision` makes in the helpdesk, item by item, and what `--remove` takes away again.

/** What a run goes by, and what it finds out on its way. */
export interface ProvisionRun extends SiteDoctypes {
  own: OwnSettings;
  settings: Pick<Config, 'HELPDESK_WEBHOOK_SECRET'> & {
    PUBLIC_URL: string;
    /** Of our own account. */
    apiKey: string | undefined;
    /** Null without the Before Insert script. */
    scriptSecret: string | null;
    extensionIds: Record<Browser, string>;
    withSnapshots: boolean;
  };
  /** Whose key it is, and whether it shows the Server Scripts. */
  user: string;
  seesScripts: boolean;
  /** Ids of the OAuth clients, as far as they are there. */
  clientIds: Partial<Record<Browser, string>>;
}

/** What is to be made, and what the operator should know before. */
interface Plan {
  items: Item[];
  warnings: string[];
}

export async function wantedItems(run: ProvisionRun, teams: readonly string[]): Promise<Plan> {
  const plans = [
    await planAccount(run),
    await planTeams(run, teams),
    await doctypeItems(run),
    await planRenames(run),
    await planSnapshots(run),
    await planWebhook(run),
    await planClients(run),
    await planScript(run),
    await planClaims(run),
    planPlatformHosts(run),
  ];
  return {
    items: plans.flatMap((plan) => (Array.isArray(plan) ? plan : plan.items)),
    warnings: plans.flatMap((plan) => (Array.isArray(plan) ? [] : plan.warnings)),
  };
}

/** Roles that the service account lacks: without them the helpdesk shows it no tickets. */
async function planAccount({ admin, settings: { apiKey } }: ProvisionRun): Promise<Item[]> {
  if (apiKey === undefined) return [];
  const [owner] = await admin.list('User', { fields: ['name'], filters: [['api_key', '=', apiKey]] });
  const held = column(owner && (await admin.get('User', owner.name))?.roles, 'role');
  const missing = serviceRoles.filter((role) => !held.includes(role));
  if (owner === undefined || missing.length === 0) return [];
  const roles = [...held, ...missing].map((role) => ({ role }));
  const make = () => admin.update('User', owner.name, { roles });
  return [{ what: `User "${owner.name}"`, state: 'change', detail: `role ${missing.join(', ')}`, make }];
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

/** A property of the site's own; the field that nothing reads says that it is ours. */
const noRenames = {
  ...{ doctype_or_field: 'DocType', doc_type: 'User', property: 'allow_rename', property_type: 'Check', value: '0' },
  default_value: 'Deskside',
};
const ourSetter = (['doc_type', 'property', 'default_value'] as const).map(
  (key) => [key, '=', noRenames[key]] as const,
);

/** Every account may write itself, and so rename itself to an address that is another's (docs/decisions.md 8). */
async function planRenames(run: ProvisionRun): Promise<Plan> {
  const what = 'Renaming of accounts';
  if ((await run.admin.doctype('User'))?.isRenamable !== true)
    return { items: [{ what, state: 'exists', detail: 'nobody renames a User' }], warnings: [] };
  const make = creating(run, 'Property Setter', noRenames);
  const warning =
    'Everybody with an account may rename it to an address that has none, and is then taken for that sender, signed in. From now on nobody renames a User, the desk included. Accounts that have been renamed stay so.';
  return { items: [{ what, state: 'create', detail: 'a Property Setter: not allowed', make }], warnings: [warning] };
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
async function planClients(run: ProvisionRun): Promise<Plan> {
  const { admin, own, clientIds } = run;
  const [meta, rows] = await Promise.all([
    admin.doctype('OAuth Client'),
    admin.list('OAuth Client', { fields: ['name'], filters: ofUs }),
  ]);
  const documents = await Promise.all(rows.map(({ name }) => admin.get('OAuth Client', name)));
  const asksForMethod = meta?.fields.has('token_endpoint_auth_method') ?? false;
  const clients = documents.filter((document) => document !== null);
  const items = browsers.map((use) => clientItem(run, use, clients, asksForMethod));
  const turned = items.filter(({ detail = '' }) => detail.includes('redirect_uris')).map(({ what }) => what);
  const others = `Another extension signs in by ${turned.join(', ')}, perhaps that of another Deskside: whoever has it cannot sign in from then on. Its extension.pem in the place of ours keeps it (docs/operate.md#moving-to-another-machine).`;
  const what = 'Setting OAUTH_CLIENT_IDS';
  const { ids, by } = own.clientIds;
  const isComplete = browsers.every((use) => clientIds[use] !== undefined && ids[use] === clientIds[use]);
  const elsewhere = 'the environment goes over the file: kept; set it to what is printed below, or take it out there';
  const make = async () => own.keep({ OAUTH_CLIENT_IDS: JSON.stringify({ ...ids, ...clientIds }) });
  if (isComplete) items.push({ what, state: 'exists', detail: Object.keys(ids).join(', ') });
  else if (by === 'environment') items.push({ what, state: 'conflict', detail: elsewhere });
  else items.push({ what, state: by === null ? 'create' : 'change', detail: browsers.join(', '), make });
  return { items, warnings: turned.length > 0 ? [others] : [] };
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
 * The rule of claims: what was given, else, where nobody has chosen yet, what who may come in asks for; and what the operator
 * should know of it: what was chosen, what it means and how to change it, in one line.
 */
async function planClaims({ own, admin }: ProvisionRun): Promise<Plan> {
  const openness = await readOpenness(admin);
  const { given, chosen } = own.claims;
  const wanted = given ?? chosen ?? (isClosed(openness) ? 'accept' : 'hold');
  const what = 'Rule claims';
  const detail = chosen === null ? wanted : `${chosen} becomes ${wanted}`;
  const make = async () => own.keepRules({ claims: wanted });
  const item: Item =
    wanted === chosen
      ? { what, state: 'exists', detail: wanted }
      : { what, state: chosen === null ? 'create' : 'change', detail, make };
  const warnings: string[] = [];
  if (given === null && chosen === null) {
    const first = isOpen(openness) ? `${howToClose(openness)}, then ` : '';
    const change = wanted === 'accept' ? '--claims hold changes that.' : `${first}--claims accept changes that.`;
    warnings.push(`${whoComesIn(openness)} So claims is ${wanted}: ${claimsMeaning[wanted]}. ${change}`);
  } else if (wanted === 'accept' && isOpen(openness))
    warnings.push(`${whoComesIn(openness)} ${openToAnybody} ${howToClose(openness)}, or choose --claims hold.`);
  return { items: [item], warnings };
}

/** The rule of the platform's hosts, where somebody was asked; and that shops are not found by their domain while it names none. */
function planPlatformHosts({ own }: ProvisionRun): Plan {
  const { given, chosen } = own.platformHosts;
  const hosts = given ?? chosen ?? [];
  const item: Item = {
    what: 'Rule platform_hosts',
    state: 'create',
    detail: hosts.length === 0 ? 'none' : hosts.join(', '),
    make: async () => own.keepRules({ platform_hosts: hosts }),
  };
  return { items: given === null ? [] : [item], warnings: hosts.length === 0 ? [aboutDomains(hosts)] : [] };
}

/** That the helpdesk is another Deskside's, by whom its webhook names; null if it is this one's, or nobody's. */
export function whoElse(webhook: FoundWebhook | null, publicUrl: string): string | null {
  const to = webhook?.document.name === webhookName ? textOf(webhook.document.request_url) : '';
  if (to === '' || to === desiredWebhook(publicUrl).request_url) return null;
  return `The webhook in the helpdesk leads to ${to}: another Deskside is in use, and not this one at ${publicUrl}.`;
}

/** Sign-ins first, so that nobody is left signed in, then clients, webhook and script, and what DocTypes were changed. */
export async function removalItems(
  run: ProvisionRun,
  { fields = false, account = false }: { fields?: boolean; account?: boolean },
): Promise<Plan> {
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
    ...(await erasing('Property Setter', ourSetter)),
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
  const elsewhere = whoElse(await readWebhook(admin), settings.PUBLIC_URL);
  const stays =
    'What tickets and people may hold on to stays: the service account ("deskside uninstall" disables it), teams with their assignment rules, HD Customer Data, and what the helpdesk has logged.';
  return {
    items: [...items, ...doctypes.items, ...accounts, ...inFile],
    warnings: [...(elsewhere ? [elsewhere] : []), ...doctypes.warnings, stays],
  };
}
