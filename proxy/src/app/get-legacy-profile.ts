import type { CustomerRefreshData } from '@deskside/shared/enrichment';
import type { Helpdesk, TicketFile } from '../ports/helpdesk.ts';
import { asService } from './as-service.ts';
import type { Caller, Gate } from './open-ticket.ts';
import type { RecordResponsible } from './record-responsible.ts';
import type { RefreshCustomer } from './refresh-customer.ts';

export interface GetLegacyProfileDeps {
  gate: Gate;
  helpdesk: Pick<Helpdesk, 'readAccountLinks'>;
  refreshCustomer: RefreshCustomer;
  recordResponsible: RecordResponsible;
}

export type GetLegacyProfile = (input: {
  caller: Caller;
  ticket: string;
  refresh: boolean;
  signal: AbortSignal;
}) => Promise<CustomerRefreshData>;

/**
 * The profile as the older panel wants it (facts/domain.md 1.9): what the helpdesk has, without asking the CRM, unless
 * it is to be refreshed. Throws AppError for a caller who may not see it, and for a helpdesk that fails.
 */
export function createGetLegacyProfile(deps: GetLegacyProfileDeps): GetLegacyProfile {
  const { gate, helpdesk } = deps;
  return async ({ caller, ticket, refresh, signal }) => {
    const file = await gate.openTicket(caller, ticket, signal);
    const { customer, contact } = file;
    if (customer === null) return withoutCustomer(file);
    if (refresh) {
      const data = await deps.refreshCustomer({
        caller,
        customer: customer.name,
        contact: contact?.name ?? null,
        signal,
      });
      gate.forgetTicket(ticket);
      deps.recordResponsible(file.ticket, data.bitrix.responsible);
      return data;
    }
    const stored = customer.custom_crm_company_id;
    return {
      ticket: ticketOf(file),
      customer,
      contact,
      haravan: await asService(helpdesk.readAccountLinks(customer.name, signal)),
      bitrix: {
        enabled: null,
        configured: null,
        status: customer.custom_crm_sync_status ?? 'local',
        cached: true,
        company: stored === null ? null : { bitrix_id: stored, url: customer.custom_crm_company_url },
        contact: null,
        responsible: null,
      },
    };
  };
}

function withoutCustomer(file: TicketFile): CustomerRefreshData {
  return {
    ticket: ticketOf(file),
    customer: null,
    contact: file.contact,
    haravan: [],
    bitrix: { enabled: false, configured: false, status: 'idle', company: null, contact: null, responsible: null },
  };
}

function ticketOf({ ticket }: TicketFile) {
  const orgIdIn = (name: string) => ticket.orgIdFields.find(({ field }) => field === name)?.value || null;
  return {
    name: ticket.name,
    customer: ticket.customer,
    contact: ticket.contact,
    raised_by: ticket.origin.raisedBy,
    orgid: orgIdIn('custom_orgid'),
    profile_orgid: orgIdIn('custom_platform_profile_orgid'),
  };
}
