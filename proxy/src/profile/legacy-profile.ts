import { contract } from '@deskside/shared/contract';
import type { CustomerRefreshData } from '@deskside/shared/enrichment';
import type { OrgId } from '@deskside/shared/orgid';
import { type Call, endpoint } from '#context.ts';
import { legacyCustomer, refreshMessage, refreshWithCompany } from '#customers/refresh.ts';
import { hideServiceRefusal } from '#helpdesk/errors.ts';
import type { TicketFile } from '#helpdesk/tickets.ts';
import { orderCandidates } from '#intake/org-id.ts';
import type { CrmCompany } from '#store/profile-cache.ts';
import { isHeld } from '#trust/companies.ts';
import { judgeMatch } from '#trust/evidence.ts';
import { recordResponsible } from './follow-up.ts';

/**
 * The profile as the older panel expects it (docs/api.md#refresh): what the helpdesk has, without asking the CRM
 * unless a refresh is requested. Throws AppError if the caller may not see it and if the helpdesk fails.
 */
export async function getLegacyProfile(
  ctx: Call,
  { ticket, refresh }: { ticket: string; refresh: boolean },
): Promise<CustomerRefreshData> {
  const { caller, signal } = ctx;
  const file = await ctx.gate.openTicket(caller, ticket, signal);
  const { customer, contact } = file;
  const asked = { ticket: ticketOf(file), contact };
  if (customer === null) {
    const nothing = { status: 'idle', company: null, contact: null, responsible: null } as const;
    return { ...asked, customer: null, haravan: [], bitrix: { enabled: false, configured: false, ...nothing } };
  }
  if (refresh) {
    const named = { hd_customer: customer.name, contact: contact?.name ?? null };
    const { data, company } = await refreshWithCompany(ctx, named);
    ctx.gate.forgetTicket(ticket);
    const orgId = await orgIdToTell(ctx, file, company);
    if (orgId !== null) recordResponsible(ctx, file.ticket, { orgId, owner: data.bitrix.responsible });
    return data;
  }
  const { crmCompanyId, crmCompanyUrl } = customer;
  return {
    ...asked,
    customer: legacyCustomer(customer.record),
    haravan: ctx.accountLinks ? await hideServiceRefusal(ctx.accountLinks.of(customer.name, signal)) : [],
    bitrix: {
      enabled: null,
      configured: null,
      status: customer.syncStatus ?? 'local',
      cached: true,
      company:
        crmCompanyId === null
          ? null
          : { id: crmCompanyId, title: customer.record.customer_name ?? customer.name, url: crmCompanyUrl },
      contact: null,
      responsible: null,
    },
  };
}

/** The customer's org id, if trust lets the sender read on the ticket who looks after it (docs/decisions.md 9); else null. */
async function orgIdToTell(
  ctx: Call,
  { ticket, customer }: TicketFile,
  company: CrmCompany | null,
): Promise<OrgId | null> {
  const [candidate] = orderCandidates([], customer).candidates;
  if (candidate === undefined) return null;
  const { trust } = await hideServiceRefusal(judgeMatch(ctx, { ticket, candidate, company }));
  return isHeld({ org_id: { trust } }, ctx.routing.claims) ? null : candidate.orgId;
}

function ticketOf({ ticket }: TicketFile) {
  const orgIdIn = (wanted: 'current' | 'profile') =>
    ticket.orgIdFields.find(({ kind }) => kind === wanted)?.value || null;
  return {
    name: ticket.name,
    customer: ticket.customer,
    contact: ticket.contact,
    raised_by: ticket.origin.raisedBy,
    orgid: orgIdIn('current'),
    profile_orgid: orgIdIn('profile'),
  };
}

export const legacyProfileEndpoint = endpoint(contract.legacyProfile, {
  who: 'agent',
  handle: getLegacyProfile,
  message: refreshMessage,
});
