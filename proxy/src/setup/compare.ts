import {
  type AdminDoctype,
  type AdminDocument,
  type AdminField,
  column,
  type HelpdeskAdmin,
  isOn,
  textOf,
} from '#helpdesk/admin.ts';
import { websiteRolesThatSet } from '#helpdesk/permissions.ts';
import type { Secret } from '#runtime/secret.ts';
import {
  afterInsertPath,
  type Browser,
  type DesiredField,
  desiredFields,
  desiredOAuthClient,
  desiredWebhook,
  type FieldedDoctype,
  foundAs,
  identifyingFields,
  oauthRoles,
  publicClient,
  webhookName,
} from './desired-state.ts';

// How the helpdesk differs from what is desired: `provision` mends it, `doctor` says it.

export interface ComparedField {
  desired: DesiredField;
  /** The site's field, possibly under its older name. */
  found: AdminField | undefined;
  /** Why it cannot hold what the service writes; null if it can. */
  misfit: 'type' | 'org id as a number' | null;
  /** What the service writes and a Select does not offer. */
  lacking: string[];
}

/**
 * The specification's fields of one DocType and how those of the site differ (docs/decisions.md 5 and 16): `provision` mends what
 * it can, `doctor` says it.
 *
 * @param site null if the site lacks the DocType itself
 */
export function compareFields(doctype: FieldedDoctype, site: AdminDoctype | null): ComparedField[] {
  return desiredFields[doctype].map((desired) => {
    const { fieldname, suits, values = [] } = desired;
    const found = site ? foundAs(site.fields, desired) : undefined;
    if (found === undefined) return { desired, found, misfit: null, lacking: [] };
    if (!suits.includes(found.fieldtype)) {
      const isNumber = /org_?id$/.test(fieldname) && /Int$/.test(found.fieldtype);
      return { desired, found, misfit: isNumber ? 'org id as a number' : 'type', lacking: [] };
    }
    const offered = found.options.split('\n').flatMap((option) => option.trim() || []);
    const isClosedList = found.fieldtype === 'Select' && offered.length > 0;
    return {
      desired,
      found,
      misfit: null,
      lacking: isClosedList ? values.filter((one) => !offered.includes(one)) : [],
    };
  });
}

/**
 * The fields of HD Customer that say which company it is, and the roles of website users that may set each
 * (docs/decisions.md 19): `provision` closes those at level 0, `doctor` says which are open. A field that is yet to be made
 * counts as one at level 0.
 */
export function openIdentity({ fields, permissions }: AdminDoctype, deskRoles: ReadonlySet<string>) {
  return identifyingFields.flatMap((field) => {
    const level = fields.get(field)?.permlevel ?? 0;
    const roles = websiteRolesThatSet(permissions, level, deskRoles);
    return roles.length > 0 ? [{ field, level, roles, isThere: fields.has(field) }] : [];
  });
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

/** How a stored secret compares with ours; the values themselves are not passed on. */
type SecretState = 'current' | 'previous' | 'other' | 'unset';

/**
 * Which of our secrets it is, by what is known of the stored one.
 *
 * @param ours the current secret, then possibly the previous one
 */
export function whichOf(ours: readonly Secret[], isIt: (secret: string) => boolean): Exclude<SecretState, 'unset'> {
  const [current, previous] = ours.map((secret) => isIt(secret.reveal()));
  return current ? 'current' : previous ? 'previous' : 'other';
}

/** Our webhook as the helpdesk has it. */
export interface FoundWebhook {
  document: AdminDocument;
  /** Null if none is set. */
  secret: string | null;
}

/** Reads our webhook: the one that `provision` makes, or else one that leads to the same path. Null if there is none. */
export async function readWebhook(admin: HelpdeskAdmin, signal: AbortSignal): Promise<FoundWebhook | null> {
  const filters = [['webhook_doctype', '=', 'HD Ticket']] as const;
  const all = await admin.list('Webhook', { fields: ['name', 'request_url', 'enabled'], filters }, signal);
  const leadingToUs = all.filter(({ request_url }) => textOf(request_url).endsWith(afterInsertPath));
  const found =
    all.find(({ name }) => name === webhookName) ?? leadingToUs.find(({ enabled }) => isOn(enabled)) ?? leadingToUs[0];
  if (found === undefined) return null;
  const [document, secret] = await Promise.all([
    admin.get('Webhook', found.name, signal),
    admin.password('Webhook', found.name, 'webhook_secret', signal),
  ]);
  return document && { document, secret };
}

interface ComparedWebhook {
  /** The properties that differ, as they should be. */
  differing: Partial<ReturnType<typeof desiredWebhook>>;
  secret: SecretState;
}

/**
 * How the webhook differs from the desired one: `provision` mends it, `doctor` says it (docs/helpdesk.md#webhooks).
 *
 * @param publicUrl null if it is not known: then the address is not compared
 * @param ours the current secret, then possibly the previous one
 */
export function compareWebhook(
  { document, secret }: FoundWebhook,
  publicUrl: string | null,
  ours: readonly Secret[],
): ComparedWebhook {
  const desired = desiredWebhook(publicUrl ?? '');
  const { request_url: _, ...elsewhere } = desired;
  return {
    differing: differences<Partial<typeof desired>>(document, publicUrl === null ? elsewhere : desired),
    secret: secret ? whichOf(ours, (one) => one === secret) : 'unset',
  };
}

/** How a client of the helpdesk differs from the desired one: `provision` mends it, `doctor` says it (docs/helpdesk.md#oauth). */
interface ComparedClient {
  /** The properties that differ, as they should be. */
  changes: Record<string, unknown>;
  /** Leads back to where it should, and perhaps elsewhere too. */
  leadsBack: boolean;
  /** Portal customers may not use it to sign in. */
  staffOnly: boolean;
}

/** @param asksForMethod whether this Frappe has a field for how a client authenticates itself */
export function compareClient(
  document: AdminDocument,
  { use, redirectUri }: { use: Browser; redirectUri: string },
  asksForMethod = false,
): ComparedClient {
  const wanted = oauthRoles;
  const roles = column(document.allowed_roles, 'role');
  const staffOnly = roles.length > 0 && roles.every((role) => wanted.includes(role));
  const desired = { ...desiredOAuthClient(use, redirectUri), ...(asksForMethod && publicClient) };
  return {
    changes: {
      ...differences(document, desired),
      ...(!(staffOnly && wanted.every((role) => roles.includes(role))) && {
        allowed_roles: wanted.map((role) => ({ role })),
      }),
    },
    leadsBack: textOf(document.redirect_uris).split(/\s+/).includes(redirectUri),
    staffOnly,
  };
}
