import { randomBytes } from 'node:crypto';
import type { ClaimsMode } from '@deskside/shared/routing';
import { type AdminDocument, textOf } from '#helpdesk/admin.ts';
import { customerData, customerDataKey } from '#helpdesk/desired-fields.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import { desiredScript, installScript, removeTrial, scriptName, scriptText } from './before-insert-script.ts';
import { claimsMeaning, openToAnybody, switchSignUpOff, whoSignsUp } from './claims.ts';
import {
  type Browser,
  browsers,
  compareClient,
  desiredOAuthClient,
  desiredWebhook,
  differences,
  oauthRoles,
  publicClient,
  readWebhook,
  redirectUriOf,
  webhookName,
} from './desired-state.ts';
import { conflict, exists, type Item, unseen } from './items.ts';
import type { ProvisionRun } from './provision-run.ts';

// The documents that `provision` makes in the helpdesk, and what it keeps of them in our own files.

/** Teams that are missing. One needs a member: whoever makes it, until others take their place. */
export async function teamItems({ admin, settings, signal, user }: ProvisionRun): Promise<Item[]> {
  const documents = await Promise.all(settings.teams.map((team) => admin.get('HD Team', team, signal)));
  return settings.teams.map((team, index): Item => {
    const what = `HD Team "${team}"`;
    if (documents[index]) return exists(what);
    const document = { team_name: team, users: [{ user }] };
    const make = async () => void (await admin.create('HD Team', document, signal));
    return { what, state: 'create', detail: `member: ${user}`, make };
  });
}

/** The DocType of snapshots. An existing one is left alone, as long as snapshots can be told apart. */
export async function snapshotItems({ admin, settings, signal }: ProvisionRun): Promise<Item[]> {
  if (!settings.snapshots) return [];
  const what = `DocType ${customerData.name}`;
  const found = await admin.doctype(customerData.name, signal);
  if (found === null) {
    const make = async () => void (await admin.create('DocType', customerData, signal));
    return [{ what, state: 'create', detail: `${customerData.fields.length} fields`, make }];
  }
  const missing = customerDataKey.filter((field) => !found.fields.has(field));
  return missing.length === 0
    ? [exists(what)]
    : [conflict(what, `has no ${missing.join(', ')}: kept; no snapshots are saved until these fields are added to it`)];
}

/**
 * The webhook after the insert, and where we have no secret for it yet, one: that of the webhook which is there, so that
 * another run does not change it, else a new one. The secret is never shown.
 */
export async function webhookItems(run: ProvisionRun): Promise<{ items: Item[]; warnings: string[] }> {
  const { admin, settings, own, seesAll, signal } = run;
  const what = `Webhook "${webhookName}"`;
  if (!seesAll) return { items: [unseen(what)], warnings: [] };
  const read = await readWebhook(admin, signal);
  // One of another name, which leads to us as well, is not ours to change.
  const found = read?.document.name === webhookName ? read : null;
  const theirs = found?.secret && found.secret.length >= 16 && !found.secret.includes(',') ? found.secret : null;
  const secret = settings.webhookSecrets[0]?.reveal() ?? theirs ?? randomBytes(24).toString('hex');
  const keeping: Item = {
    what: 'Setting HELPDESK_WEBHOOK_SECRET',
    state: 'create',
    detail: secret === theirs ? 'that of the webhook which is there' : 'new',
    make: async () => own.keep({ HELPDESK_WEBHOOK_SECRET: secret }),
  };
  const items = settings.webhookSecrets.length === 0 ? [keeping] : [];
  const desired = desiredWebhook(settings.publicUrl);
  if (found === null) {
    const document = { name: webhookName, __newname: webhookName, ...desired, webhook_secret: secret };
    const make = async () => void (await admin.create('Webhook', document, signal));
    return { items: [...items, { what, state: 'create', detail: desired.request_url, make }], warnings: [] };
  }
  const changes = {
    ...differences(found.document, desired),
    ...(found.secret !== secret && { webhook_secret: secret }),
  };
  items.push(changeItem(run, 'Webhook', { what, name: webhookName, changes, detail: desired.request_url }));
  const before = textOf(found.document.request_url);
  const isTurned = 'request_url' in changes && before !== '';
  const turned = `The webhook leads to ${before} now. If another Deskside runs there, it hears of no new ticket from then on.`;
  return { items, warnings: isTurned ? [turned] : [] };
}

/** Brings a document that is there into its desired state. */
function changeItem(
  { admin, signal }: ProvisionRun,
  doctype: string,
  { what, name, changes, detail }: { what: string; name: string; changes: object; detail: string },
): Item {
  const names = Object.keys(changes);
  if (names.length === 0) return exists(what, detail);
  return { what, state: 'change', detail: names.join(', '), make: () => admin.update(doctype, name, changes, signal) };
}

/** The public clients of the extension, one a browser, and their ids in our settings. */
export async function clientItems(run: ProvisionRun): Promise<Item[]> {
  const { admin, settings, own, seesAll, signal } = run;
  const nameOf = (use: Browser) => desiredOAuthClient(use, '').app_name;
  if (!seesAll) return browsers.map((use) => unseen(`OAuth Client "${nameOf(use)}"`));
  const filters = [['app_name', 'in', browsers.map(nameOf)]] as const;
  const [meta, rows] = await Promise.all([
    admin.doctype('OAuth Client', signal),
    admin.list('OAuth Client', { fields: ['name'], filters }, signal),
  ]);
  const documents = await Promise.all(rows.map(({ name }) => admin.get('OAuth Client', name, signal)));
  const asksForMethod = meta?.fields.has('token_endpoint_auth_method') ?? false;
  const clients = documents.filter((document) => document !== null);
  const items = browsers.map((use) =>
    clientItem(run, { use, redirectUri: redirectUriOf(use, settings.extensionIds[use]) }, clients, asksForMethod),
  );
  const what = 'Setting OAUTH_CLIENT_IDS';
  const { ids, by } = own.clientIds;
  const isComplete = browsers.every((use) => run.clientIds[use] !== undefined && ids[use] === run.clientIds[use]);
  if (isComplete) return [...items, exists(what, Object.keys(ids).join(', '))];
  if (by === 'environment')
    return [
      ...items,
      conflict(what, 'the environment goes over the file: kept; set it to what is printed below, or take it out there'),
    ];
  const make = async () => own.keep({ OAUTH_CLIENT_IDS: JSON.stringify({ ...ids, ...run.clientIds }) });
  return [...items, { what, state: by === null ? 'create' : 'change', detail: browsers.join(', '), make }];
}

/** One client, identified by its name. Of several, the one with the right redirect address is used. */
function clientItem(
  run: ProvisionRun,
  { use, redirectUri }: { use: Browser; redirectUri: string },
  clients: readonly AdminDocument[],
  asksForMethod: boolean,
): Item {
  const { admin, clientIds, signal } = run;
  const client = desiredOAuthClient(use, redirectUri);
  const what = `OAuth Client "${client.app_name}"`;
  const named = clients.filter(({ app_name }) => app_name === client.app_name);
  const found = named.find(({ redirect_uris }) => redirect_uris === redirectUri) ?? named[0];
  if (found === undefined) {
    const allowed_roles = oauthRoles.map((role) => ({ role }));
    const document = { ...client, ...(asksForMethod && publicClient), allowed_roles };
    const make = async () => {
      clientIds[use] = await admin.create('OAuth Client', document, signal);
    };
    return { what, state: 'create', detail: redirectUri, make };
  }
  clientIds[use] = found.name;
  const changes = compareClient(found, { use, redirectUri }, asksForMethod);
  const others = named.length > 1 ? `; ${named.length - 1} more with this name, not used` : '';
  return changeItem(run, 'OAuth Client', { what, name: found.name, changes, detail: `${redirectUri}${others}` });
}

/** The Before Insert script, right only if its text is identical and it is switched on. */
export async function scriptItems({ admin, settings, seesAll, seesScripts, signal }: ProvisionRun): Promise<Item[]> {
  const { publicUrl, scriptSecret: secret } = settings;
  const what = `Server Script "${scriptName}"`;
  if (secret === null) return [];
  if (!seesScripts) return seesAll ? [] : [unseen(what)];
  const found = await admin.get('Server Script', scriptName, signal);
  const desired = { ...desiredScript, script: scriptText(publicUrl, secret), disabled: 0 };
  const changed = found === null ? [] : Object.keys(differences(found, desired));
  if (found !== null && changed.length === 0) return [exists(what, 'switched on')];
  return [
    {
      what,
      state: found === null ? 'create' : 'change',
      detail: [...changed, 'enabled once a trial has come through'].join(', '),
      make: () => installScript(admin, { exists: found !== null, publicUrl, secret }, signal),
    },
  ];
}

/**
 * The rule of claims: what was given, else, where nobody has chosen yet, what who may sign up asks for; and what the operator
 * should know of it: what was chosen, what it means and how to change it, in one line.
 *
 * @param signUpIsOpen null if this key may not know
 */
export function claimsItems(
  { own }: ProvisionRun,
  signUpIsOpen: boolean | null,
): { items: Item[]; warnings: string[] } {
  const { given, chosen } = own.claims;
  const byItself: ClaimsMode = signUpIsOpen === false ? 'accept' : 'hold';
  const wanted = given ?? chosen ?? byItself;
  const what = 'Rule claims';
  const changing: Item = {
    what,
    state: chosen === null ? 'create' : 'change',
    detail: chosen === null ? wanted : `${chosen} becomes ${wanted}`,
    make: async () => own.keepRules({ claims: wanted }),
  };
  const items = wanted === chosen ? [exists(what, wanted)] : [changing];
  if (given === null && chosen === null) {
    const first = signUpIsOpen ? `${switchSignUpOff}, then ` : '';
    const change = wanted === 'accept' ? '--claims hold changes that.' : `${first}--claims accept changes that.`;
    return {
      items,
      warnings: [`${whoSignsUp(signUpIsOpen)} So claims is ${wanted}: ${claimsMeaning[wanted]}. ${change}`],
    };
  }
  const isOpen = wanted === 'accept' && signUpIsOpen === true;
  return { items, warnings: isOpen ? [`${openToAnybody} ${switchSignUpOff}, or choose --claims hold.`] : [] };
}

/** Sign-ins first, so that nobody is left signed in, then clients, webhook and script. */
export async function documentRemovalItems(run: ProvisionRun): Promise<Item[]> {
  const { admin, seesScripts, signal } = run;
  const erasing = (doctype: string, names: readonly string[], what: string, detail = ''): Item => ({
    what,
    state: 'delete',
    detail,
    async make() {
      for (const name of names) await admin.erase(doctype, name, signal);
    },
  });
  const appNames = browsers.map((browser) => desiredOAuthClient(browser, '').app_name);
  const query = { fields: ['name', 'app_name'], filters: [['app_name', 'in', appNames]] } as const;
  const clients = await admin.list('OAuth Client', query, signal);
  const items: Item[] = [];
  for (const doctype of ['OAuth Bearer Token', 'OAuth Authorization Code']) {
    const names = await signInsOf(run, doctype, clients);
    // The names are tokens themselves, and shown nowhere.
    if (names.length > 0) items.push(erasing(doctype, names, doctype, `${names.length}`));
  }
  for (const { name, app_name } of clients) items.push(erasing('OAuth Client', [name], `OAuth Client "${app_name}"`));
  if ((await admin.get('Webhook', webhookName, signal)) !== null)
    items.push(erasing('Webhook', [webhookName], `Webhook "${webhookName}"`));
  if (seesScripts && (await admin.get('Server Script', scriptName, signal)) !== null)
    items.push({
      what: `Server Script "${scriptName}"`,
      state: 'delete',
      detail: '',
      async make() {
        await admin.erase('Server Script', scriptName, signal);
        await removeTrial(admin, signal);
      },
    });
  return items;
}

/** What the helpdesk keeps of those who have signed in; it names a client, which cannot go before. */
async function signInsOf({ admin, signal }: ProvisionRun, doctype: string, clients: readonly AdminDocument[]) {
  if (clients.length === 0) return [];
  const filters = [['client', 'in', clients.map(({ name }) => name)]] as const;
  const found = await admin.list(doctype, { fields: ['name'], filters }, signal).catch((error: unknown) => {
    // A Frappe that has no such DocType.
    if (error instanceof HelpdeskError && error.kind === 'not_found') return [];
    throw error;
  });
  return found.map(({ name }) => name);
}
