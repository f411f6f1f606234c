import type { ClaimsMode } from '@deskside/shared/routing';
import type { FieldedDoctype } from '#setup/desired-state.ts';
import { type OwnSettings, type ProvisionOptions, wantedClients } from './options.ts';
import { notChosen, openToAnybody, planClaims, switchSignUpOff } from './plan-claims.ts';
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
  return {
    items: [
      ...options.first,
      ...(made ? [made.item] : []),
      ...planTeams(site, options.teams),
      ...rows,
      ...(guard?.rows ?? []),
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
      ...claimsWarnings(claims.wanted ?? claims.rule.chosen?.mode ?? null, site.signUpIsOpen),
    ],
  };
}

const changes = (rows: readonly PlanItem[]) => rows.some(({ step }) => step !== null);

/** The cost of adding the first row to a DocType's permissions. */
const ownRows = (what: string, doctype: FieldedDoctype) =>
  `${what} role permissions of its own (Custom DocPerm): from then on, updates of Helpdesk no longer change ` +
  `the permissions of ${doctype} on this site.`;

function guardWarnings(guard: CustomerGuard | null): string[] {
  if (guard === null || !changes(guard.rows)) return [];
  return [
    `Portal customers with the role ${guard.roles.join(', ')} may change which company an HD Customer is. To prevent ` +
      `that, ${ownRows('this gives HD Customer', 'HD Customer')} Use --no-protect-customer-orgid to leave it as it is.`,
  ];
}

function claimsWarnings(mode: ClaimsMode | null, signUpIsOpen: boolean | null): string[] {
  if (mode === null) return [`${notChosen} Run this again with --claims accept, route or propose.`];
  if (mode !== 'accept' || signUpIsOpen !== true) return [];
  return [`${openToAnybody} ${switchSignUpOff}, or choose --claims route.`];
}
