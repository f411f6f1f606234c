import { scriptName } from '../before-insert-script.ts';
import type { AdminDoctype, AdminDocument, HelpdeskAdmin } from '../helpdesk-admin.ts';
import { customerData, wantedFields, wantedOAuthClient, webhookName } from '../wanted.ts';
import { ProvisionError, type Wishes } from './wishes.ts';

/** What of the wanted the helpdesk has already. */
export interface SiteState {
  ticket: AdminDoctype;
  customer: AdminDoctype;
  /** Null where the site has no such DocType. */
  customerData: AdminDoctype | null;
  webhook: { document: AdminDocument; secret: string | null } | null;
  /** Clients of ours by name, oldest first; whether this Frappe has a field for how a client authenticates itself. */
  oauth: { clients: AdminDocument[]; asksForMethod: boolean };
  /** Null where there is none, and where nobody asked: only a Script Manager may look. */
  script: AdminDocument | null;
}

/**
 * Reads what is there; writes nothing.
 *
 * @throws ProvisionError where the key is of no use for this, or two wishes exclude each other on this site
 */
export async function readSite(admin: HelpdeskAdmin, wishes: Wishes, signal: AbortSignal): Promise<SiteState> {
  const { user, hasRole } = await admin.caller(signal);
  if (!hasRole('System Manager')) {
    throw new ProvisionError(`${user} is no System Manager of the helpdesk. Use the key of an account that is.`);
  }
  const scripts = hasRole('Script Manager');
  if (wishes.beforeInsert !== null && !scripts) {
    throw new ProvisionError(
      `${user} has not the role Script Manager, which --before-insert needs. Give the account that role, or leave the ` +
        'option out: the webhook routes tickets without it.',
    );
  }
  const [ticket, customer, data, webhook, oauth, script] = await Promise.all([
    admin.doctype('HD Ticket', signal),
    admin.doctype('HD Customer', signal),
    wishes.snapshots ? admin.doctype(customerData.name, signal) : null,
    readWebhook(admin, signal),
    readOAuth(admin, wishes, signal),
    scripts ? admin.get('Server Script', scriptName, signal) : null,
  ]);
  if (ticket === null || customer === null) {
    throw new ProvisionError('HELPDESK_URL leads to a site without HD Ticket: Frappe Helpdesk is not installed there.');
  }
  refuseProtectedScript(wishes, ticket, script);
  return { ticket, customer, customerData: data, webhook, oauth, script };
}

/** A Before Insert script runs as the sender: what it sets at level 1 would be taken back (design.md, decision 19). */
function refuseProtectedScript(wishes: Wishes, ticket: AdminDoctype, script: AdminDocument | null): void {
  const guarded = wantedFields['HD Ticket'].some(({ fieldname }) => (ticket.fields.get(fieldname)?.permlevel ?? 0) > 0);
  if (wishes.beforeInsert !== null && guarded) {
    throw new ProvisionError(
      '--before-insert is refused: fields of HD Ticket are protected (permission level 1), and what a Before Insert ' +
        'script sets there is taken back. The webhook routes tickets without it.',
    );
  }
  if (wishes.protect && script !== null && script.disabled !== 1) {
    throw new ProvisionError(
      `--protect is refused: the Server Script "${scriptName}" is switched on, and what it sets at permission level 1 ` +
        'would be taken back. Disable or delete the script first; the webhook routes tickets without it.',
    );
  }
}

async function readWebhook(admin: HelpdeskAdmin, signal: AbortSignal): Promise<SiteState['webhook']> {
  const document = await admin.get('Webhook', webhookName, signal);
  if (document === null) return null;
  return { document, secret: await admin.password('Webhook', webhookName, 'webhook_secret', signal) };
}

async function readOAuth(admin: HelpdeskAdmin, wishes: Wishes, signal: AbortSignal): Promise<SiteState['oauth']> {
  const names = wishes.browsers.map(({ browser, extensionId }) => wantedOAuthClient(browser, extensionId).app_name);
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
