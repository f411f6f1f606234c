import type { ClaimsMode } from '@deskside/shared/routing';
import type { FieldedDoctype } from '#setup/desired-state.ts';
import { type OwnSettings, type ProvisionOptions, wantedClients } from './options.ts';
import { claimsWarnings, planClaims } from './plan-claims.ts';
import { planContactGuard } from './plan-contact-guard.ts';
import { type CustomerGuard, planCustomerGuard } from './plan-customer-guard.ts';
import {
  planClearing,
  planScript,
  planSnapshots,
  planTeams,
  planWebhook,
  planWebhookSecret,
} from './plan-documents.ts';
import { planFields, planRoleRows } from './plan-fields.ts';
import type { Plan, PlanItem } from './plan-item.ts';
import { planClientIds, planOAuthClient } from './plan-oauth.ts';
import type { SiteState } from './read-site.ts';

/**
 * Compares the helpdesk with what is wanted. Pure. Rows of permissions come before the fields that need them, since
 * without them agents cannot see a field at level 1.
 */
export function planProvision(
  site: SiteState,
  options: ProvisionOptions,
  claims: { rule: OwnSettings['claims']; wanted: ClaimsMode | null },
  clientIds: OwnSettings['clientIds'],
): Plan {
  const made = options.webhookSecret === null ? planWebhookSecret(site.webhook) : null;
  const webhookSecret = options.webhookSecret ?? made?.secret;
  const clients = wantedClients(options).map((client) => planOAuthClient(site.oauth, client));
  const rows = options.protect ? planRoleRows(site.ticket) : [];
  const guard = options.protectCustomerOrgId ? planCustomerGuard(site.customer, site.deskRoles) : null;
  const contact = planContactGuard(site.contact, site.deskRoles);
  return {
    items: [
      ...options.first,
      ...(made ? [made.item] : []),
      ...planTeams(site, options.teams),
      ...rows,
      ...(guard?.rows ?? []),
      ...contact,
      ...planFields('HD Ticket', site.ticket, ({ serviceOnly }) => options.protect && serviceOnly, site.seesAll),
      ...planFields(
        'HD Customer',
        site.customer,
        ({ fieldname }) => guard?.fields.has(fieldname) ?? false,
        site.seesAll,
      ),
      ...(options.snapshots ? [planSnapshots(site.customerData)] : []),
      ...(webhookSecret ? [planWebhook(site.webhook, options.publicUrl, webhookSecret)] : []),
      ...clients,
      ...planClientIds(clientIds, clients),
      ...(options.beforeInsert === null
        ? []
        : [planScript(site.script, options.publicUrl, options.beforeInsert.secret)]),
      ...(site.trialLeft ? [planClearing()] : []),
      ...planClaims(claims.rule, claims.wanted),
    ],
    warnings: [
      ...(changes(rows) ? [ownRows('--protect gives HD Ticket', 'HD Ticket')] : []),
      ...guardWarnings(guard),
      ...contactWarnings(site.contact, contact),
      ...claimsWarnings(claims.rule, claims.wanted, site.signUpIsOpen),
    ],
  };
}

const changes = (rows: readonly PlanItem[]) => rows.some(({ step }) => step !== null);

/** The cost of adding the first row to a DocType's permissions. */
const ownRows = (what: string, doctype: FieldedDoctype | 'Contact') =>
  `${what} role permissions of its own (Custom DocPerm): from then on, updates of Helpdesk no longer change ` +
  `the permissions of ${doctype} on this site.`;

function guardWarnings(guard: CustomerGuard | null): string[] {
  if (guard === null || !changes(guard.rows)) return [];
  return [
    `Portal customers with the role ${guard.roles.join(', ')} may change which company an HD Customer is. To prevent ` +
      `that, ${ownRows('this gives HD Customer', 'HD Customer')} Use --no-protect-customer-orgid to leave it as it is.`,
  ];
}

function contactWarnings(contact: SiteState['contact'], items: readonly PlanItem[]): string[] {
  if (contact === 'unseen' || !changes(items)) return [];
  const gets = contact.areOwn ? '' : ` ${ownRows('This gives Contact', 'Contact')}`;
  return [
    'Everybody with an account may create and write Contacts, and the helpdesk shows a ticket to whoever its Contact is ' +
      `named like. Only the desk may do so from now on.${gets} Contacts that are there already stay: "deskside doctor" ` +
      'lists those of website users.',
  ];
}
