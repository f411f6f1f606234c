import { createHash } from 'node:crypto';
import type { Browser } from '@deskside/shared/contract';
import { type AdminDocument, column, type HelpdeskAdmin } from '#helpdesk/admin.ts';
import { ownExtensionId } from '#setup/extension.ts';
import type { Item } from '#setup/items.ts';
import { type CheckInput, type Findings, fault, listed, ok, warning } from '#setup/report.ts';
import { changeItem, describeDifferences, differences, erasing, type ProvisionRun } from './need.ts';

// The clients by which the extension signs in, one a browser (docs/helpdesk.md#oauth).

export const browsers = ['chrome', 'edge', 'firefox'] as const;

/** Ids of the extension as built by this repository: extension/build/chrome-key.ts and manifest.ts. */
export const builtExtensionIds: Record<Browser, string> = {
  chrome: 'jhjoljfecgnnofpkppemifcbcoihkgho',
  edge: 'jhjoljfecgnnofpkppemifcbcoihkgho',
  firefox: '{ac7e55df-2349-4967-bdd9-71e95296c59e}',
};

/** What `identity.getRedirectURL('cb')` returns in that browser; Firefox prefixes the SHA-1 of the id. */
export function redirectUriOf(browser: Browser, extensionId: string): string {
  if (browser !== 'firefox') return `https://${extensionId}.chromiumapp.org/cb`;
  return `https://${createHash('sha1').update(extensionId).digest('hex')}.extensions.allizom.org/cb`;
}

/** Keeps portal customers from signing in (docs/helpdesk.md#oauth). */
const oauthRoles: readonly string[] = ['Agent', 'Agent Manager'];
const allowedRoles = oauthRoles.map((role) => ({ role }));

/** A public client for one browser's extension: PKCE without a secret, and no consent page (docs/helpdesk.md#oauth). */
export function desiredOAuthClient(browser: Browser, redirectUri: string) {
  return {
    app_name: `Deskside (${browser[0]?.toUpperCase()}${browser.slice(1)})`,
    skip_authorization: 1,
    scopes: 'all openid',
    redirect_uris: redirectUri,
    default_redirect_uri: redirectUri,
    grant_type: 'Authorization Code',
    response_type: 'Code',
    token_endpoint_auth_method: 'None',
  };
}

/** What differs at a client of the helpdesk, as it should be. It may lead back elsewhere as well. */
function changesOf(document: AdminDocument, browser: Browser, redirectUri: string): Record<string, unknown> {
  const roles = column(document.allowed_roles, 'role');
  const isOfTheDesk = roles.length === oauthRoles.length && oauthRoles.every((role) => roles.includes(role));
  // Only newer versions of Frappe ask for the method.
  const { token_endpoint_auth_method: method, ...client } = desiredOAuthClient(browser, redirectUri);
  const isAsked = 'token_endpoint_auth_method' in document;
  return {
    ...differences(document, client),
    ...(isAsked && differences(document, { token_endpoint_auth_method: method })),
    ...(!isOfTheDesk && { allowed_roles: allowedRoles }),
  };
}

/** Clients by our names. */
const ofUs = [['app_name', 'in', browsers.map((use) => desiredOAuthClient(use, '').app_name)]] as const;

/** The public clients of the extension, one a browser, and their ids in our settings. */
export async function planClients(run: ProvisionRun): Promise<Item[]> {
  const { admin, own, clientIds } = run;
  const rows = await admin.list('OAuth Client', { fields: ['name'], filters: ofUs });
  const documents = await Promise.all(rows.map(({ name }) => admin.get('OAuth Client', name)));
  const clients = documents.filter((document) => document !== null);
  const items = browsers.map((browser) => clientItem(run, browser, clients));
  const what = 'Setting OAUTH_CLIENT_IDS';
  const { ids, by } = own.clientIds;
  const isComplete = browsers.every(
    (browser) => clientIds[browser] !== undefined && ids[browser] === clientIds[browser],
  );
  const elsewhere = 'the environment goes over the file: kept; set it to what is printed below, or take it out there';
  const make = async () => own.keep({ OAUTH_CLIENT_IDS: JSON.stringify({ ...ids, ...clientIds }) });
  if (isComplete) items.push({ what, state: 'exists', detail: Object.keys(ids).join(', ') });
  else if (by === 'environment') items.push({ what, state: 'conflict', detail: elsewhere });
  else items.push({ what, state: by === null ? 'create' : 'change', detail: browsers.join(', '), make });
  return items;
}

/** One client, identified by its name. Of several, the one with the right redirect address is used. */
function clientItem(run: ProvisionRun, browser: Browser, clients: readonly AdminDocument[]): Item {
  const { admin, clientIds, settings } = run;
  const redirectUri = redirectUriOf(browser, settings.extensionIds[browser]);
  const client = desiredOAuthClient(browser, redirectUri);
  const what = `OAuth Client "${client.app_name}"`;
  const named = clients.filter(({ app_name }) => app_name === client.app_name);
  const found = named.find(({ redirect_uris }) => redirect_uris === redirectUri) ?? named[0];
  if (found === undefined) {
    const make = async () => {
      clientIds[browser] = await admin.create('OAuth Client', { ...client, allowed_roles: allowedRoles });
    };
    return { what, state: 'create', detail: redirectUri, make };
  }
  clientIds[browser] = found.name;
  const changes = changesOf(found, browser, redirectUri);
  const others = named.length > 1 ? `; ${named.length - 1} more with this name, not used` : '';
  const item = changeItem(run, 'OAuth Client', { what, name: found.name, changes, detail: `${redirectUri}${others}` });
  if ('redirect_uris' in changes)
    item.warning = `Another extension signs in by ${what}, perhaps that of another Deskside: whoever has it cannot sign in from then on. Its extension.pem in the place of ours keeps it (docs/operate.md#moving-to-another-machine).`;
  return item;
}

/** Sign-ins first, so that nobody is left signed in. */
export async function removeClients(run: ProvisionRun): Promise<Item[]> {
  const clients = await run.admin.list('OAuth Client', { fields: ['name'], filters: ofUs });
  if (clients.length === 0) return [];
  const theirs = [['client', 'in', clients.map(({ name }) => name)]] as const;
  return [
    ...(await erasing(run, 'OAuth Bearer Token', theirs)),
    ...(await erasing(run, 'OAuth Authorization Code', theirs)),
    ...(await erasing(run, 'OAuth Client', ofUs)),
  ];
}

/** Whether agents, and only they, can sign in with the extension. */
export async function* checkSignIn({ config, file }: CheckInput, admin: HelpdeskAdmin): Findings {
  const ids = config.OAUTH_CLIENT_IDS;
  const set = browsers.filter((browser) => ids[browser] !== undefined);
  for (const browser of set) {
    const document = await admin.get('OAuth Client', ids[browser] ?? '');
    const extensionId = (browser === 'firefox' ? null : ownExtensionId(file)) ?? builtExtensionIds[browser];
    const changes = document && changesOf(document, browser, redirectUriOf(browser, extensionId));
    if (document === null || changes === null)
      yield fault(
        `The helpdesk has no OAuth client with the id in OAUTH_CLIENT_IDS for ${browser}.`,
        'Run "deskside provision"; if the environment sets OAUTH_CLIENT_IDS, take it out there.',
      );
    else if (Object.keys(changes).length > 0)
      yield warning(
        `The OAuth client for ${browser} is not as "deskside provision" makes it: ${describeDifferences(document, changes).join(', ')}.${'allowed_roles' in changes ? ' People who are not of the desk may sign in.' : ''}`,
        'Run "deskside provision", unless the extension was built with another id.',
      );
  }
  return ok(`People of the desk can sign in with ${listed(set) || 'no browser yet'}.`);
}
