import type { OrgId } from '@deskside/shared/orgid';
import type { Lookup } from '#app/crm/lookup-company.ts';
import type { EnrichRecords } from '#app/customer/enrich-records.ts';
import type { AppError } from '#app/runtime/app-error.ts';
import { hdCustomer } from '#app/testing/fake-helpdesk.ts';
import type { FakeTickets } from '#app/testing/fake-tickets-control.ts';
import { company } from '#app/testing/fakes.ts';
import type { CrmCompany } from '#ports/crm/crm.ts';
import type { Clock } from '#ports/runtime/clock.ts';

export const medium = '1000069001' as OrgId;
export const growing = '200000376001' as OrgId;
/** An address that the CRM has for it. */
export const growingOwner = 'chu@shop.example';
export const small = '1900000001' as OrgId;

const companies: Record<string, CrmCompany> = {
  [medium]: company(medium, {}, { customer_segment: 'Medium', current_shopplan: 'OMNI SCALE 2025 (1 năm)' }),
  [growing]: company(
    growing,
    { emails: [growingOwner] },
    { customer_segment: 'Medium', current_shopplan: 'Grow 2024' },
  ),
  [small]: company(small, {}, { customer_segment: 'SME', current_shopplan: 'STANDARD' }),
};

/** What a test says of the CRM, and what it was asked. */
interface CrmWorld {
  crmDown: boolean;
  /** The org ids that the CRM was asked for. */
  asked: OrgId[];
  /** Runs, and is awaited, while the CRM is being asked for an org id. */
  whileAsking: (orgId: OrgId) => Promise<void> | void;
  /** What enrichment fails with at the moment. */
  enrichmentFails: AppError | null;
  /** Whether the ticket's customer was allowed to be turned into another company. */
  adopting: boolean[];
}

/** A CRM with three companies that can be made to fail, and the helpdesk's customers made of them. */
export function pipelineCrm(world: CrmWorld, { clock, tickets }: { clock: Clock; tickets: FakeTickets }) {
  const searchCompany = async (value: OrgId): Promise<Lookup> => {
    world.asked.push(value);
    await world.whileAsking(value);
    const found = companies[value];
    const base = { value, companies: [], checkedAt: clock(), stale: false, error: null };
    if (world.crmDown) return { ...base, status: 'error', outcome: null, checkedAt: null, error: 'timeout' };
    if (!found) return { ...base, status: 'not_found', outcome: 'not_found' };
    return { ...base, status: 'matched', outcome: 'matched', companies: [found] };
  };
  const enrichRecords: EnrichRecords = async ({ orgId, file, requireBind, level }) => {
    world.adopting.push(requireBind !== null);
    if (world.enrichmentFails !== null) throw world.enrichmentFails;
    const looked = await searchCompany(orgId);
    const [found] = looked.companies;
    if (!found || !file) return { looked, level, data: { status: looked.status } };
    const name = `${found.fields.company_name} - ${orgId}`;
    const { name: ticket, customer: previous } = file.ticket;
    const linked = previous === null || previous === name;
    const { customer_segment, current_shopplan } = found.fields;
    const filled = { custom_customer_segment: customer_segment, custom_shopplan_name: current_shopplan };
    const customer = hdCustomer(name, { custom_platform_orgid: orgId, ...filled });
    if (linked && previous !== name) tickets.setsCustomer(ticket, customer, 'service@desk.example');
    return {
      looked,
      level,
      data: {
        status: looked.status,
        hd_customer: name,
        ticket: { name: ticket, linked, previous_customer: previous },
      },
    };
  };
  return { searchCompany, enrichRecords };
}
