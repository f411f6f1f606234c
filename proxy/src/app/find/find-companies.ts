import type { FindData, FoundCompany } from '@deskside/shared/find';
import type { OrgId } from '@deskside/shared/orgid';
import type { AgentGate } from '#app/access/agent-gate.ts';
import type { Caller } from '#app/access/caller.ts';
import type { Lookup } from '#app/crm/lookup-company.ts';
import type { SearchCompanies } from '#app/crm/search-companies.ts';
import { AppError } from '#app/runtime/app-error.ts';
import type { SenderMemory } from '#app/trust/sender-memory.ts';
import { planStatus } from '#domain/crm/plan-status.ts';
import { type FoundCompany as Found, mergeHits } from '#domain/find/found-company.ts';
import { orderFound } from '#domain/find/order-found.ts';
import { type Reading, readQuery } from '#domain/find/read-query.ts';
import type { StoreHosts } from '#domain/intake/store-address.ts';
import type { SearchAnswer } from '#ports/crm/crm.ts';
import { type CustomerSearchResult, type Helpdesk, HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { LimitSearches } from './limit-searches.ts';

/** As many as a person compares. */
const mostShown = 10;

export interface FindCompaniesDeps {
  gate: AgentGate;
  helpdesk: Pick<Helpdesk, 'searchCustomers'>;
  /** The CRM: searched, and looked up by org id as a Sync does it. Null if no webhook is configured. */
  crm: { search: SearchCompanies; lookUp: (orgId: OrgId) => Promise<Lookup> } | null;
  crmEnabled: boolean;
  hosts: StoreHosts;
  limit: LimitSearches;
  /** What agents chose earlier for the sender comes first among equals. */
  senderMemory: Pick<SenderMemory, 'choices'>;
  clock: Clock;
}

/**
 * Finds the companies that an agent may mean by what they typed (docs/api.md#find-company), for a ticket that they may
 * read: in the helpdesk as themselves, and in the CRM. Either may fail and is then named; what the other has is still
 * found. Throws what `openTicket` throws, and `rate_limited`.
 */
export type FindCompanies = (input: {
  caller: Caller;
  ticket: string;
  query: string;
  requestId: string;
  signal: AbortSignal;
}) => Promise<FindData>;

export function createFindCompanies(deps: FindCompaniesDeps): FindCompanies {
  const { gate, limit } = deps;

  return async ({ caller, ticket, query, requestId, signal }) => {
    const agent = await gate.requireAgent(caller, signal);
    const opened = (await gate.openTicket(caller, ticket, signal)).ticket;
    const { name } = opened;
    const readings = readQuery(query, deps.hosts);
    if (readings.length === 0) return nothing(name);
    const { customers, crm, found, shownFirst } = await limit(agent, signal, async () => {
      const [customers, crm, choices] = await Promise.all([
        searchHelpdesk(caller, readings, signal),
        searchCrm(readings),
        // They order what is found; without them it is found all the same.
        deps.senderMemory.choices(opened).catch(() => []),
      ]);
      const found = orderFound(mergeHits(readings, { ...customers, companies: crm.companies }), choices);
      const first = found.slice(0, mostShown);
      return { customers, crm, found, shownFirst: crm.status === 'searched' ? await complete(first) : first };
    });
    const { failed } = crm;
    return {
      ticket: name,
      read_as: readings.map(({ kind }) => kind),
      companies: shownFirst.map(shown),
      more: found.length > mostShown || customers.isCut || crm.isCut,
      helpdesk: { status: customers.status },
      crm: { status: crm.status, error: failed && { code: failed, request_id: requestId } },
    };
  };

  async function searchHelpdesk(
    caller: Caller,
    readings: readonly Reading[],
    signal: AbortSignal,
  ): Promise<CustomerSearchResult & { status: FindData['helpdesk']['status'] }> {
    try {
      return { ...(await deps.helpdesk.searchCustomers(caller, readings, signal)), status: 'searched' };
    } catch (error) {
      if (!(error instanceof HelpdeskError)) throw error;
      if (error.kind === 'unauthenticated') throw AppError.of(error);
      return { customers: [], isCut: false, status: error.kind === 'forbidden' ? 'not_permitted' : 'failed' };
    }
  }

  async function searchCrm(
    readings: readonly Reading[],
  ): Promise<SearchAnswer & { status: FindData['crm']['status'] }> {
    const none = { companies: [], isCut: false, failed: null };
    if (!deps.crmEnabled) return { ...none, status: 'disabled' };
    if (deps.crm === null) return { ...none, status: 'missing_config' };
    const answer = await deps.crm.search(readings);
    return { ...answer, status: answer.failed === null ? 'searched' : 'failed' };
  }

  /**
   * What the helpdesk alone has, as the CRM knows it by its org id: all in one request, and the Sync that follows needs
   * that answer anyway. What the CRM does not have, or not in time, stays as the helpdesk has it.
   */
  async function complete(found: readonly Found[]): Promise<Found[]> {
    return Promise.all(
      found.map(async (one) => {
        const company = one.crmId === null && one.orgId && (await deps.crm?.lookUp(one.orgId))?.companies[0];
        if (!company) return one;
        const { bitrix_id: crmId, company_name, url, current_shopplan } = company.fields;
        const { planExpiresAt, modifiedAt } = company;
        const of = { crmId, url, planExpiresAt, modifiedAt };
        return { ...one, ...of, name: company_name ?? one.name, plan: current_shopplan };
      }),
    );
  }

  function nothing(ticket: string): FindData {
    const crm = deps.crmEnabled ? (deps.crm ? 'searched' : 'missing_config') : 'disabled';
    return {
      ...{ ticket, read_as: [], companies: [], more: false },
      ...{ helpdesk: { status: 'searched' }, crm: { status: crm, error: null } },
    };
  }

  function shown({ orgId, crmId, name, url, plan, planExpiresAt, customer, twins, reasons }: Found): FoundCompany {
    const { shopplan_status: plan_status, shopplan_days_left: plan_days_left } = planStatus(
      planExpiresAt,
      deps.clock(),
    );
    return {
      ...{ org_id: orgId, bitrix_id: crmId, name, url, plan, customer, same_org_id: twins },
      ...(plan_status !== undefined && { plan_status }),
      ...(plan_days_left !== undefined && { plan_days_left }),
      found_by: reasons.map(({ by, value, person }) => ({ by, value, person })),
    };
  }
}
