import { randomBytes } from 'node:crypto';
import type { ClaimsMode } from '@deskside/shared/routing';
import { type AdminDocument, textOf } from '#helpdesk/admin.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import { desiredScript, scriptName, scriptText, trialName } from './before-insert-script.ts';
import { claimsMeaning, openToAnybody, switchSignUpOff, whoSignsUp } from './claims.ts';
import { compareClient, compareWebhook, differences, readWebhook } from './compare.ts';
import {
  type Browser,
  browsers,
  customerData,
  customerDataKey,
  desiredFields,
  desiredOAuthClient,
  desiredWebhook,
  oauthRoles,
  publicClient,
  redirectUriOf,
  webhookName,
} from './desired-state.ts';
import { clearTrials, installScript } from './install-script.ts';
import { conflict, exists, type Item, ProvisionError, unseen } from './items.ts';
import type { ProvisionRun } from './provision-settings.ts';

// The documents that `provision` makes in the helpdesk, and what it keeps of them in our own files.

/** Teams that are missing. One needs a member: whoever makes it, until others take their place. */
export async function teamItems({ admin, options, signal, user }: ProvisionRun): Promise<Item[]> {
  const documents = await Promise.all(options.teams.map((team) => admin.get('HD Team', team, signal)));
  return options.teams.map((team, index): Item => {
    const what = `HD Team "${team}"`;
    if (documents[index]) return exists(what);
    const document = { team_name: team, users: [{ user }] };
    return {
      what,
      state: 'create',
      detail: `member: ${user}`,
      make: async () => void (await admin.create('HD Team', document, signal)),
    };
  });
}

/** The DocType of snapshots. An existing one is left alone, as long as snapshots can be told apart. */
export async function snapshotItems({ admin, options, signal }: ProvisionRun): Promise<Item[]> {
  if (!options.snapshots) return [];
  const what = `DocType ${customerData.name}`;
  const found = await admin.doctype(customerData.name, signal);
  if (found === null)
    return [
      {
        what,
        state: 'create',
        detail: `${customerData.fields.length} fields`,
        make: async () => void (await admin.create('DocType', customerData, signal)),
      },
    ];
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
  const { admin, options, own, seesAll, signal } = run;
  const what = `Webhook "${webhookName}"`;
  if (!seesAll) return { items: [unseen(what)], warnings: [] };
  const read = await readWebhook(admin, signal);
  // One of another name, which leads to us as well, is not ours to change.
  const found = read?.document.name === webhookName ? read : null;
  const theirs = found?.secret && found.secret.length >= 16 && !found.secret.includes(',') ? found.secret : null;
  const secret = options.webhookSecrets[0]?.reveal() ?? theirs ?? randomBytes(24).toString('hex');
  const keeping: Item = {
    what: 'Setting HELPDESK_WEBHOOK_SECRET',
    state: 'create',
    detail: secret === theirs ? 'that of the webhook which is there' : 'new',
    make: async () => own.keep({ HELPDESK_WEBHOOK_SECRET: secret }),
  };
  const items = options.webhookSecrets.length === 0 ? [keeping] : [];
  const desired = desiredWebhook(options.publicUrl);
  if (found === null) {
    const document = { name: webhookName, __newname: webhookName, ...desired, webhook_secret: secret };
    items.push({
      what,
      state: 'create',
      detail: desired.request_url,
      make: async () => void (await admin.create('Webhook', document, signal)),
    });
    return { items, warnings: [] };
  }
  const { differing } = compareWebhook(found, options.publicUrl, []);
  const changes = { ...differing, ...(found.secret !== secret && { webhook_secret: secret }) };
  const names = Object.keys(changes);
  if (names.length === 0) return { items: [...items, exists(what, desired.request_url)], warnings: [] };
  items.push({
    what,
    state: 'change',
    detail: names.join(', '),
    make: () => admin.update('Webhook', webhookName, changes, signal),
  });
  const before = textOf(found.document.request_url);
  const isTurned = 'request_url' in changes && before !== '';
  return {
    items,
    warnings: isTurned
      ? [`The webhook leads to ${before} now. If another Deskside runs there, it hears of no new ticket from then on.`]
      : [],
  };
}

/** The public clients of the extension, one a browser, and their ids in our settings. */
export async function clientItems(run: ProvisionRun): Promise<Item[]> {
  const { admin, options, own, seesAll, signal } = run;
  const wanted = options.browsers.map(({ browser, extensionId }) => ({
    use: browser,
    redirectUri: redirectUriOf(browser, extensionId),
  }));
  if (wanted.length === 0) return [];
  const nameOf = (use: Browser) => desiredOAuthClient(use, '').app_name;
  if (!seesAll) return wanted.map(({ use }) => unseen(`OAuth Client "${nameOf(use)}"`));
  const filters = [['app_name', 'in', wanted.map(({ use }) => nameOf(use))]] as const;
  const [meta, rows] = await Promise.all([
    admin.doctype('OAuth Client', signal),
    admin.list('OAuth Client', { fields: ['name'], filters }, signal),
  ]);
  const documents = await Promise.all(rows.map(({ name }) => admin.get('OAuth Client', name, signal)));
  const asksForMethod = meta?.fields.has('token_endpoint_auth_method') ?? false;
  const clients = documents.filter((document) => document !== null);
  const items = wanted.map((one) => clientItem(run, one, clients, asksForMethod));
  const what = 'Setting OAUTH_CLIENT_IDS';
  const { ids, by } = own.clientIds;
  const isComplete = wanted.every(({ use }) => run.clientIds[use] !== undefined && ids[use] === run.clientIds[use]);
  if (isComplete) return [...items, exists(what, Object.keys(ids).join(', '))];
  if (by === 'environment')
    return [
      ...items,
      conflict(what, 'the environment goes over the file: kept; set it to what is printed below, or take it out there'),
    ];
  const uses = [...new Set([...Object.keys(ids), ...wanted.map(({ use }) => use)])];
  const keeping: Item = {
    what,
    state: by === null ? 'create' : 'change',
    detail: uses.join(', '),
    make: async () => own.keep({ OAUTH_CLIENT_IDS: JSON.stringify({ ...ids, ...run.clientIds }) }),
  };
  return [...items, keeping];
}

/** One client, identified by its name. Of several, the one with the right redirect address is used. */
function clientItem(
  { admin, clientIds, signal }: ProvisionRun,
  { use, redirectUri }: { use: Browser; redirectUri: string },
  clients: readonly AdminDocument[],
  asksForMethod: boolean,
): Item {
  const client = desiredOAuthClient(use, redirectUri);
  const what = `OAuth Client "${client.app_name}"`;
  const named = clients.filter(({ app_name }) => app_name === client.app_name);
  const found = named.find(({ redirect_uris }) => redirect_uris === redirectUri) ?? named[0];
  if (found === undefined) {
    const allowed_roles = oauthRoles.map((role) => ({ role }));
    const document = { ...client, ...(asksForMethod && publicClient), allowed_roles };
    return {
      what,
      state: 'create',
      detail: redirectUri,
      async make() {
        clientIds[use] = await admin.create('OAuth Client', document, signal);
      },
    };
  }
  clientIds[use] = found.name;
  const { changes } = compareClient(found, { use, redirectUri }, asksForMethod);
  const others = named.length > 1 ? `; ${named.length - 1} more with this name, not used` : '';
  const names = Object.keys(changes);
  if (names.length === 0) return exists(what, `${redirectUri}${others}`);
  return {
    what,
    state: 'change',
    detail: `${names.join(', ')}${others}`,
    make: () => admin.update('OAuth Client', found.name, changes, signal),
  };
}

/** The Before Insert script, right only if its text is identical and it is switched on; and what an interrupted run left. */
export async function scriptItems(run: ProvisionRun): Promise<Item[]> {
  const { admin, options, seesAll, seesScripts, signal, site } = run;
  const what = `Server Script "${scriptName}"`;
  const wanted = options.beforeInsert;
  const items: Item[] = [];
  if (!seesScripts) return wanted && !seesAll ? [unseen(what)] : [];
  const found = await admin.get('Server Script', scriptName, signal);
  const isGuarded = desiredFields['HD Ticket'].some(
    ({ fieldname }) => (site.ticket.fields.get(fieldname)?.permlevel ?? 0) > 0,
  );
  // A Before Insert script runs as the sender: what it sets at level 1 would be reset (docs/decisions.md 19).
  if (wanted && isGuarded)
    throw new ProvisionError(
      '--before-insert is refused: fields of HD Ticket are protected (permission level 1), and what a Before Insert ' +
        'script sets there is reset. The webhook routes tickets without it.',
    );
  if (options.protect && found && found.disabled !== 1)
    throw new ProvisionError(
      `--protect is refused: the Server Script "${scriptName}" is switched on, and what it sets at permission level 1 ` +
        'would be reset. Disable or delete the script first; the webhook routes tickets without it.',
    );
  if (wanted) {
    const make = () =>
      installScript(admin, { ...wanted, exists: found !== null, publicUrl: options.publicUrl }, signal);
    const desired = { ...desiredScript, script: scriptText(options.publicUrl, wanted.secret), disabled: 0 };
    const changed = found === null ? [] : Object.keys(differences(found, desired));
    const trial = 'tried on a ticket that is not stored before it is enabled';
    if (found === null) items.push({ what, state: 'create', detail: trial, make });
    else if (changed.length === 0) items.push(exists(what, 'switched on'));
    else items.push({ what, state: 'change', detail: `${changed.join(', ')}; ${trial}`, make });
  }
  if ((await admin.get('Server Script', trialName, signal)) !== null)
    items.push({
      what: `Server Script "${trialName}"`,
      state: 'delete',
      detail: 'left over from an interrupted run',
      make: () => clearTrials(admin, signal),
    });
  return items;
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
    items.push(erasing('Server Script', [scriptName], `Server Script "${scriptName}"`));
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
