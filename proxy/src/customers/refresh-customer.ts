import { contract } from '@deskside/shared/contract';
import type { CustomerRefreshData } from '@deskside/shared/enrichment';
import type { HelpdeskContact } from '@deskside/shared/profile';
import type { LookupStatus } from '@deskside/shared/status';
import type { Context } from '#context.ts';
import { planStatus } from '#crm/company.ts';
import { chooseContact, findOwner } from '#crm/people.ts';
import { endpoint } from '#endpoint.ts';
import type { Caller } from '#helpdesk/credentials.ts';
import type { CustomerFile } from '#helpdesk/customers.ts';
import { orderCandidates } from '#intake/org-id.ts';
import { explainCustomerRefusal, hideServiceRefusal } from '#runtime/app-error.ts';
import type { CrmCompany } from '#store/profile-cache.ts';
import { enrichRecords } from './enrich.ts';
import { legacyCustomer } from './legacy-customer.ts';
import type { Enriched } from './limits.ts';
import { requireCustomerWrite } from '#server/require-write.ts';

/** An agent who presses a button waits longer for the owner than one who opens a ticket, but not indefinitely. */
const ownerWithinMs = 5_000;

export interface RefreshAsked {
  caller: Caller;
  customer: string;
  contact: string | null;
}

/**
 * Asks the CRM about a customer, writes what is new, and returns the profile (docs/api.md#refresh), for an agent who
 * may read the customer and the contact. Throws AppError if the caller is not permitted or refreshes too
 * often, and if the helpdesk fails.
 */
export async function refreshCustomer(
  ctx: Context,
  asked: RefreshAsked,
  signal: AbortSignal,
): Promise<CustomerRefreshData> {
  return (await refreshWithCompany(ctx, asked, signal)).data;
}

/** The same, and the company that the CRM has. */
export async function refreshWithCompany(
  ctx: Context,
  { caller, customer, contact }: RefreshAsked,
  signal: AbortSignal,
): Promise<{ data: CustomerRefreshData; company: CrmCompany | null }> {
  const { gate, helpdesk, clock } = ctx;
  const startedAt = clock();
  ctx.limitRefreshes(await gate.requireAgent(caller, signal));
  const read = () => explainCustomerRefusal(helpdesk.customers.readAs(caller, { customer, contact }, signal));
  const before = await read();
  const [candidate] = orderCandidates([], before.customer).candidates;
  const enriched =
    candidate && ctx.crmEnabled && ctx.crm !== null
      ? await enrichRecords(ctx, {
          orgId: candidate.orgId,
          force: true,
          lane: 'click',
          hdCustomer: customer,
          requireBind: (name) => requireCustomerWrite(ctx, caller, name, signal),
          level: null,
          linksClaims: false,
          file: null,
        })
      : null;
  const changes = enriched?.data.changes ?? [];
  const [after, haravan, found] = await Promise.all([
    changes.length > 0 ? read() : before,
    ctx.accountLinks ? hideServiceRefusal(ctx.accountLinks.of(customer, signal)) : [],
    foundIn(ctx, enriched, before.contact, startedAt),
  ]);
  const data = {
    ticket: {},
    customer: legacyCustomer(after.customer.record),
    contact: after.contact,
    haravan,
    bitrix: {
      enabled: ctx.crmEnabled,
      configured: ctx.crm !== null,
      status: enriched?.data.status ?? withoutAsking(ctx, before),
      ...(enriched && { stale: enriched.looked.stale }),
      ...found,
    },
    changes,
  };
  return { data, company: enriched?.looked.companies[0] ?? null };
}

async function foundIn(
  { crm, clock }: Context,
  enriched: Enriched | null,
  contact: HelpdeskContact | null,
  startedAt: number,
): Promise<Pick<CustomerRefreshData['bitrix'], 'company' | 'contact' | 'responsible'>> {
  const company = enriched?.looked.companies[0];
  if (!company || !crm) return { company: null, contact: null, responsible: null };
  const owner = { id: company.fields.assigned_by_id, refresh: true, startedAt, deadlineMs: ownerWithinMs };
  return {
    company: {
      ...company.fields,
      ...planStatus(company.planExpiresAt, clock()),
      id: company.fields.bitrix_id,
      title: company.fields.title_full,
    },
    contact: chooseContact(company.contacts, contact?.email_id ? [contact.email_id] : []),
    responsible: await findOwner(crm, owner),
  };
}

function withoutAsking({ crmEnabled, crm }: Context, { customer }: CustomerFile): LookupStatus {
  if (!crmEnabled) return 'disabled';
  if (crm === null) return 'missing_config';
  return orderCandidates([], customer).candidates.length === 0 ? 'missing_orgid' : 'error';
}

export const refreshEndpoint = endpoint(contract.refreshCustomer, {
  who: 'agent',
  handle: (ctx, { hd_customer: customer, ...asked }) =>
    refreshCustomer(ctx, { ...asked, customer, caller: ctx.caller }, ctx.signal),
  message: refreshMessage,
});

/** What is said of a profile by its status. */
export const profileMessages: Readonly<Record<LookupStatus, string>> = {
  matched: 'Customer profile loaded.',
  cached: 'Customer profile loaded.',
  not_found: 'No CRM company found.',
  missing_orgid: 'No Company ID for CRM lookup.',
  disabled: 'CRM enrichment is disabled.',
  missing_config: 'CRM is not configured.',
  error: 'CRM fetch failed.',
};

const refreshMessages: Readonly<Record<string, string>> = {
  ...profileMessages,
  idle: 'Ticket has no linked HD Customer.',
};

export function refreshMessage({ bitrix: { enabled, status } }: CustomerRefreshData): string {
  const isStored = enabled === null;
  return (isStored ? undefined : refreshMessages[status]) ?? profileMessages.matched;
}
