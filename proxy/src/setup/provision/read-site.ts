import { scriptName, trialName } from '#setup/before-insert-script.ts';
import { readSignUp } from '#setup/claims.ts';
import { type FoundWebhook, readWebhook } from '#setup/compare.ts';
import { customerData, desiredFields, desiredOAuthClient, webhookName } from '#setup/desired-state.ts';
import type { AdminDoctype, AdminDocument, HelpdeskAdmin } from '#setup/helpdesk-admin.ts';
import { readRowsNote } from '#setup/rows-note.ts';
import { ProvisionError, type ProvisionMode, type ProvisionOptions, systemManager, wantedClients } from './options.ts';
import type { ContactRows } from './plan-contact-guard.ts';

const unseen = 'unseen' as const;

/** What the helpdesk already has of it. */
export interface SiteState {
  /** Whose key it is. */
  user: string;
  /** Those of the wanted teams that are there. */
  teamsFound: ReadonlySet<string>;
  /** Whether this key shows which fields are documents of their own. */
  seesAll: boolean;
  ticket: AdminDoctype;
  customer: AdminDoctype;
  /** Who may create, write and delete Contacts. */
  contact: ContactRows | 'unseen';
  /** Roles with desk access; the others are for website users. */
  deskRoles: ReadonlySet<string>;
  /** Null if the site has no such DocType. */
  customerData: AdminDoctype | null;
  webhook: FoundWebhook | null | 'unseen';
  /** Our clients by name, oldest first, and whether this Frappe has a field for how a client authenticates itself. */
  oauth: { clients: AdminDocument[]; asksForMethod: boolean } | 'unseen';
  /** Null if there is none, or if not read: only a Script Manager may. */
  script: AdminDocument | null | 'unseen';
  /** Whether anybody may sign up; null if this key may not know. */
  signUpIsOpen: boolean | null;
  /** Whether a run was interrupted during a trial. */
  trialLeft: boolean;
}

/**
 * Reads what is there; writes nothing.
 *
 * @param mode a plan needs no System Manager's key: what others cannot see is `unseen`
 * @throws ProvisionError if the key is of no use for this, or if two options cannot be combined on this site
 */
export async function readSite(
  admin: HelpdeskAdmin,
  options: ProvisionOptions,
  mode: ProvisionMode,
  signal: AbortSignal,
): Promise<SiteState> {
  const { user, hasRole } = await (mode === 'plan' ? admin.caller(signal) : systemManager(admin, signal));
  const seesAll = hasRole('System Manager');
  const scripts = hasRole('Script Manager');
  if (options.beforeInsert !== null && !scripts && seesAll) {
    throw new ProvisionError(
      `${user} does not have the role Script Manager, which --before-insert needs. Give the account that role, or leave the ` +
        'option out: the webhook routes tickets without it.',
    );
  }
  const [ticket, customer, contact, deskRoles, data, webhook, oauth, signUpIsOpen, script, trial, teams] =
    await Promise.all([
      admin.doctype('HD Ticket', signal),
      admin.doctype('HD Customer', signal),
      seesAll ? readContactRows(admin, signal) : unseen,
      admin.list('Role', { fields: ['name'], filters: [['desk_access', '=', 1]] }, signal),
      options.snapshots ? admin.doctype(customerData.name, signal) : null,
      seesAll ? readOurWebhook(admin, signal) : unseen,
      seesAll ? readOAuth(admin, options, signal) : unseen,
      readSignUp(admin, signal),
      scripts ? admin.get('Server Script', scriptName, signal) : seesAll ? null : unseen,
      scripts ? admin.get('Server Script', trialName, signal) : null,
      Promise.all(options.teams.map((team) => admin.get('HD Team', team, signal))),
    ]);
  if (ticket === null || customer === null) {
    throw new ProvisionError('The site at HELPDESK_URL has no HD Ticket: Frappe Helpdesk is not installed there.');
  }
  refuseProtectedScript(options, ticket, script);
  return {
    user,
    teamsFound: new Set(teams.flatMap((team) => team?.name ?? [])),
    seesAll,
    ticket,
    customer,
    contact,
    deskRoles: new Set(deskRoles.map(({ name }) => name)),
    customerData: data,
    webhook,
    oauth,
    signUpIsOpen,
    script,
    trialLeft: trial !== null,
  };
}

export async function readContactRows(admin: HelpdeskAdmin, signal: AbortSignal): Promise<ContactRows> {
  const [rows, note] = await Promise.all([admin.roleRows('Contact', signal), readRowsNote(admin, 'Contact', signal)]);
  return { ...rows, note };
}

/** A Before Insert script runs as the sender: what it sets at level 1 would be reset (docs/decisions.md 19). */
function refuseProtectedScript(options: ProvisionOptions, ticket: AdminDoctype, script: SiteState['script']): void {
  const guarded = desiredFields['HD Ticket'].some(
    ({ fieldname }) => (ticket.fields.get(fieldname)?.permlevel ?? 0) > 0,
  );
  if (options.beforeInsert !== null && guarded) {
    throw new ProvisionError(
      '--before-insert is refused: fields of HD Ticket are protected (permission level 1), and what a Before Insert ' +
        'script sets there is reset. The webhook routes tickets without it.',
    );
  }
  if (options.protect && script !== null && script !== 'unseen' && script.disabled !== 1) {
    throw new ProvisionError(
      `--protect is refused: the Server Script "${scriptName}" is switched on, and what it sets at permission level 1 ` +
        'would be reset. Disable or delete the script first; the webhook routes tickets without it.',
    );
  }
}

/** A webhook of another name, which leads to us as well, is not ours to change. */
async function readOurWebhook(admin: HelpdeskAdmin, signal: AbortSignal): Promise<FoundWebhook | null> {
  const found = await readWebhook(admin, signal);
  return found?.document.name === webhookName ? found : null;
}

async function readOAuth(
  admin: HelpdeskAdmin,
  options: ProvisionOptions,
  signal: AbortSignal,
): Promise<Exclude<SiteState['oauth'], 'unseen'>> {
  const names = wantedClients(options).map(({ use, redirectUri }) => desiredOAuthClient(use, redirectUri).app_name);
  if (names.length === 0) return { clients: [], asksForMethod: false };
  const query = { fields: ['name'], filters: [['app_name', 'in', names]] } as const;
  const [meta, rows] = await Promise.all([
    admin.doctype('OAuth Client', signal),
    admin.list('OAuth Client', query, signal),
  ]);
  const clients = await Promise.all(rows.map(({ name }) => admin.get('OAuth Client', name, signal)));
  return {
    clients: clients.filter((client) => client !== null),
    asksForMethod: meta?.fields.has('token_endpoint_auth_method') ?? false,
  };
}
