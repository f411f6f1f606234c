import { createHash } from 'node:crypto';
import type { Browser } from '@deskside/shared/contract';
import type { ClaimsMode } from '@deskside/shared/routing';
import type { Config } from '#config.ts';
import {
  type AdminDoctype,
  type AdminDocument,
  type AdminField,
  column,
  type HelpdeskAdmin,
  isOn,
  textOf,
} from '#helpdesk/admin.ts';
import { unless } from '#helpdesk/errors.ts';
import { type DesiredField, desiredFields, type FieldedDoctype, foundAs } from '#helpdesk/fields.ts';
import { websiteRolesThatSet } from '#helpdesk/permissions.ts';

// What Deskside expects in the helpdesk, and how a site differs from it: `provision` mends that, `doctor` says it. Field types
// follow docs/data.md; org ids are Data (docs/decisions.md 5).

/** Fields of HD Customer that identify its company: setting one of them is enough to pass for that company. */
const identifyingFields = ['custom_platform_orgid', 'custom_crm_company_id', 'custom_crm_company_url'] as const;

/** The standard field after which the custom ones appear in the form. */
export const firstAfter: Record<FieldedDoctype, string> = { 'HD Ticket': 'customer', 'HD Customer': 'domain' };

export const webhookName = 'Deskside: new ticket';
const afterInsertPath = '/webhooks/helpdesk/ticket/after-insert';

/** Who made the ticket for whom, and what came with it. Org ids by precedence (docs/decisions.md 5). */
const insertedFields = ['owner', 'modified_by', 'raised_by', 'contact', 'customer', 'agent_group', 'ticket_split_from'];
const orgIdFields = ['custom_platform_profile_orgid', 'custom_orgid', 'custom_org_id'];

/** Whatever a sender typed stays one JSON text, and a field that the site lacks is null. */
const asJson = (fields: readonly string[]) => fields.map((field) => `"${field}":{{ doc.${field} | tojson }}`).join(',');

/** The ticket as its insert left it (docs/helpdesk.md#webhooks). */
const afterInsertBody =
  `{"event":"after_insert","name":{{ doc.name | string | tojson }},` +
  `"creation":{{ doc.creation | string | tojson }},"modified":{{ doc.modified | string | tojson }},` +
  `${asJson(insertedFields)},"org_ids":{${asJson(orgIdFields)}}}`;

/**
 * The signed webhook. Its body contains no dates and no Decimals: with one among the values, the helpdesk sends
 * nothing at all (docs/helpdesk.md#webhooks). The secret is not part of this.
 *
 * @param publicUrl origin at which the helpdesk reaches the proxy
 */
export const desiredWebhook = (publicUrl: string) =>
  ({
    webhook_doctype: 'HD Ticket',
    webhook_docevent: 'after_insert',
    enabled: 1,
    condition: '',
    request_url: `${publicUrl}${afterInsertPath}`,
    is_dynamic_url: 0,
    timeout: 5,
    request_method: 'POST',
    request_structure: 'JSON',
    enable_security: 1,
    webhook_json: afterInsertBody,
  }) as const;

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
export const oauthRoles: readonly string[] = ['Agent', 'Agent Manager'];

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
  };
}

/** Newer versions of Frappe ask how a client authenticates itself; a public one does not. Sent if the field exists. */
export const publicClient = { token_endpoint_auth_method: 'None' } as const;

/** A field of the specification as the site has it. */
export interface ComparedField {
  desired: DesiredField;
  /** Possibly under its older name. */
  found: AdminField | undefined;
  /** Why it cannot hold all that the service writes, as the end of a sentence, and what to do; null if it can. */
  problem: { text: string; todo: string } | null;
}

/** @param site null if the site lacks the DocType itself */
export function compareFields(doctype: FieldedDoctype, site: AdminDoctype | null): ComparedField[] {
  return desiredFields[doctype].map((desired) => {
    const found = site ? foundAs(site.fields, desired) : undefined;
    return { desired, found, problem: found === undefined ? null : problemOf(desired, found) };
  });
}

function problemOf({ fieldtype, suits, values = [] }: DesiredField, found: AdminField): ComparedField['problem'] {
  if (!suits.includes(found.fieldtype))
    return {
      text: `is ${found.fieldtype}, should be ${fieldtype}: values that it cannot hold are left out`,
      todo: 'Back up its values, delete the field and run "deskside provision".',
    };
  const offered = found.options.split('\n').flatMap((option) => option.trim() || []);
  const isClosedList = found.fieldtype === 'Select' && offered.length > 0;
  const lacking = isClosedList ? values.filter((one) => !offered.includes(one)) : [];
  if (lacking.length === 0) return null;
  return {
    text: `is a Select without ${lacking.join(', ')}: such values are left out`,
    todo: 'Add these options in "Customize Form", exactly as written here.',
  };
}

/** Fields of the helpdesk's own that the service writes; a release may move them to another level (frappe/helpdesk#3544). */
const standardFields: Record<FieldedDoctype, readonly string[]> = {
  'HD Ticket': ['agent_group', 'customer'],
  'HD Customer': ['customer_name'],
};

/** The roles of the service account (docs/helpdesk.md#permissions). */
export const serviceRoles = ['Agent', 'Agent Manager'];

/**
 * Fields at a level that the service account's roles may not both read and write, as a sentence, and what to do; null if
 * there are none. The helpdesk would leave their values out without a word (docs/helpdesk.md#permissions).
 */
export function closedToService(doctype: FieldedDoctype, { fields, permissions }: AdminDoctype) {
  const ours = permissions.filter(({ role }) => serviceRoles.includes(role));
  const levels = (right: 'read' | 'write') =>
    new Set(ours.filter(({ rights }) => rights.includes(right)).map(({ permlevel }) => permlevel));
  const open = levels('read').intersection(levels('write'));
  const written = [
    ...standardFields[doctype].flatMap((name) => fields.get(name) ?? []),
    ...desiredFields[doctype].flatMap((desired) => foundAs(fields, desired) ?? []),
  ];
  const closed = written.filter(({ permlevel }) => permlevel > 0 && !open.has(permlevel));
  if (closed.length === 0) return null;
  const names = closed.map(({ fieldname, permlevel }) => `${fieldname} (level ${permlevel})`).join(', ');
  return {
    text: `The service account may not read and write ${names} of ${doctype}.`,
    todo: `Give Agent Manager read and write permission at that level (Role Permissions Manager, ${doctype}).`,
  };
}

/**
 * The fields of HD Customer that say which company it is, and the roles of website users that may set each (docs/decisions.md
 * 19). A field that is yet to be made counts as one at level 0.
 */
export function openIdentity({ fields, permissions }: AdminDoctype, deskRoles: ReadonlySet<string>) {
  return identifyingFields.flatMap((field) => {
    const level = fields.get(field)?.permlevel ?? 0;
    const roles = websiteRolesThatSet(permissions, level, deskRoles);
    return roles.length > 0 ? [{ field, level, roles, isThere: fields.has(field) }] : [];
  });
}

/** Roles that make whoever has them a system user. */
export async function deskRolesOf(admin: HelpdeskAdmin): Promise<Set<string>> {
  const roles = await admin.list('Role', { fields: ['name'], filters: [['desk_access', '=', 1]] });
  return new Set(roles.map(({ name }) => name));
}

/** The desired values that a document lacks. An unset field counts as empty or 0; surrounding whitespace is ignored. */
export function differences<Desired extends Record<string, string | number>>(
  found: Record<string, unknown>,
  desired: Desired,
): Partial<Desired> {
  const plain = (value: unknown) => String(value ?? '').trim();
  const same = (value: unknown, other: string | number) =>
    typeof other === 'number' ? Number(value ?? 0) === other : plain(value) === plain(other);
  return Object.fromEntries(
    Object.entries(desired).filter(([field, value]) => !same(found[field], value)),
  ) as Partial<Desired>;
}

/** Our webhook as the helpdesk has it; `secret`: null if none is set. */
export interface FoundWebhook {
  document: AdminDocument;
  secret: string | null;
}

/** The webhook that `provision` makes, or else one that leads to the same path. Null if there is none. */
export async function readWebhook(admin: HelpdeskAdmin): Promise<FoundWebhook | null> {
  const filters = [['webhook_doctype', '=', 'HD Ticket']] as const;
  const all = await admin.list('Webhook', { fields: ['name', 'request_url', 'enabled'], filters });
  const leadingToUs = all.filter(({ request_url }) => textOf(request_url).endsWith(afterInsertPath));
  const found =
    all.find(({ name }) => name === webhookName) ?? leadingToUs.find(({ enabled }) => isOn(enabled)) ?? leadingToUs[0];
  if (found === undefined) return null;
  const [document, secret] = await Promise.all([
    admin.get('Webhook', found.name),
    admin.password('Webhook', found.name, 'webhook_secret'),
  ]);
  return document && { document, secret };
}

/**
 * What differs at a client of the helpdesk, as it should be (docs/helpdesk.md#oauth). It may lead back elsewhere as well.
 *
 * @param asksForMethod whether this Frappe has a field for how a client authenticates itself
 */
export function compareClient(
  document: AdminDocument,
  { use, redirectUri }: { use: Browser; redirectUri: string },
  asksForMethod = false,
): Record<string, unknown> {
  const roles = column(document.allowed_roles, 'role');
  const isOfTheDesk = roles.length === oauthRoles.length && oauthRoles.every((role) => roles.includes(role));
  return {
    ...differences(document, { ...desiredOAuthClient(use, redirectUri), ...(asksForMethod && publicClient) }),
    ...(!isOfTheDesk && { allowed_roles: oauthRoles.map((role) => ({ role })) }),
  };
}

/** A team to which tickets are routed. */
interface FoundTeam {
  name: string;
  document: AdminDocument | null;
  members: string[];
  /** Members with an enabled user and an active HD Agent. */
  assignable: string[];
}

/** The teams that tickets are routed to, and everybody to whom a ticket can be assigned. Throws HelpdeskError. */
export async function readTeams(
  helpdesk: HelpdeskAdmin,
  { rules }: Config,
): Promise<{ teams: FoundTeam[]; agents: string[] }> {
  const names = [...new Set(Object.values(rules.teams))];
  // Of everybody: the names of large teams are more than one address takes.
  const [users, agents, documents] = await Promise.all([
    helpdesk.list('User', { fields: ['name', 'enabled'], filters: [['user_type', '=', 'System User']] }),
    helpdesk.list('HD Agent', { fields: ['name', 'user', 'is_active'], filters: [] }),
    Promise.all(names.map((name) => helpdesk.get('HD Team', name))),
  ]);
  const enabled = new Set(users.filter((user) => isOn(user.enabled)).map(({ name }) => name));
  const active = agents.filter((agent) => isOn(agent.is_active)).map(({ user }) => textOf(user));
  const assignable = new Set(active.filter((user) => enabled.has(user)));
  const teams = names.map((name, index) => {
    const document = documents[index] ?? null;
    const members = column(document?.users, 'user');
    return { name, document, members, assignable: members.filter((user) => assignable.has(user)) };
  });
  return { teams, agents: [...assignable].sort() };
}

/** What a mode of claims does with an org id that only the sender of a ticket vouches for, and why (docs/decisions.md 9). */
export const claimsMeaning: Record<ClaimsMode, string> = {
  accept:
    'an org id that only the sender of a ticket vouches for links the ticket, as specified, and the sender reads on it whose the org id is',
  hold: 'an org id that only the sender of a ticket vouches for decides the team and links no ticket, although the specification asks for that: whoever types the one of another company would read whose it is',
};

/** Who may write to the helpdesk unasked: null, what this key may not know. */
export interface Openness {
  /** Whether anybody may sign up. */
  signUp: boolean | null;
  /** Whether anybody may make tickets without signing up, which every visitor reads (docs/helpdesk.md#senders). */
  guestTickets: boolean | null;
}

/** Whether nobody from outside can make tickets whose senders nobody has asked in. */
export const isClosed = ({ signUp, guestTickets }: Openness) => signUp === false && guestTickets === false;

/** What stands open for certain. */
export const isOpen = ({ signUp, guestTickets }: Openness) => signUp === true || guestTickets === true;

export const openToAnybody = 'Claims are accepted all the same: whoever types an org id reads whose it is.';

/** What closes it, as the beginning of a sentence. */
export function howToClose({ signUp, guestTickets }: Openness): string {
  const steps = [
    ...(signUp === false ? [] : ['switch sign-up off (Website Settings, "Disable signups")']),
    ...(guestTickets === false ? [] : ['switch guest tickets off (HD Settings, "Allow anyone to create tickets")']),
  ].join(' and ');
  return `${steps.charAt(0).toUpperCase()}${steps.slice(1)}`;
}

/** Who may sign up, and make tickets without, in sentences. */
export function whoComesIn({ signUp, guestTickets }: Openness): string {
  const bySignUp =
    signUp === null
      ? 'Whether anybody may sign up at the helpdesk cannot be seen.'
      : signUp
        ? 'Anybody may sign up at the helpdesk.'
        : 'Nobody may sign up at the helpdesk by themselves.';
  if (guestTickets === false) return bySignUp;
  const byGuests = guestTickets
    ? 'Anybody may create tickets without an account, and every visitor reads those.'
    : 'Whether anybody may create tickets without an account cannot be seen.';
  return `${bySignUp} ${byGuests}`;
}

/** Whether the helpdesk lets anybody sign up, and create tickets as a guest (docs/helpdesk.md#permissions). Throws HelpdeskError. */
export async function readOpenness(admin: HelpdeskAdmin): Promise<Openness> {
  const [website, helpdesk] = await Promise.all(
    ['Website Settings', 'HD Settings'].map((name) => admin.get(name, name).catch(unless(['forbidden'], null))),
  );
  return {
    signUp: website ? !isOn(website.disable_signup) : null,
    guestTickets: helpdesk ? isOn(helpdesk.allow_anyone_to_create_tickets) : null,
  };
}
