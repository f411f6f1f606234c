import type { CustomerRefreshData } from '@deskside/shared/enrichment';
import { legacyCustomer } from '@deskside/shared/legacy-customer';
import type { CrmContact, HelpdeskContact, Responsible } from '@deskside/shared/profile';
import type { AgentGate } from '#app/access/agent-gate.ts';
import type { Caller } from '#app/access/caller.ts';
import { requireCustomerWrite } from '#app/access/require-customer-write.ts';
import type { LimitRefreshes } from '#app/crm/limit-refreshes.ts';
import { explainCustomerRefusal, hideServiceRefusal } from '#app/runtime/helpdesk-refusal.ts';
import { chooseContact } from '#domain/crm/choose-contact.ts';
import { planStatus } from '#domain/crm/plan-status.ts';
import { orderCandidates } from '#domain/customer/org-id-candidates.ts';
import type { CrmCompany } from '#ports/crm/crm.ts';
import type { CustomerFile, Helpdesk } from '#ports/helpdesk/helpdesk.ts';
import type { HelpdeskRecords } from '#ports/helpdesk/helpdesk-records.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Enriched, EnrichRecords } from './enrich-records.ts';

/** A company's account owner according to the CRM now; one checked since `startedAt` (epoch milliseconds) will do. */
type OwnerOf = (id: string | null, how: { startedAt: number; deadlineMs: number }) => Promise<Responsible | null>;

/** An agent who presses a button waits longer for the owner than one who opens a ticket, but not indefinitely. */
const ownerWithinMs = 5_000;

export interface RefreshCustomerDeps {
  gate: AgentGate;
  helpdesk: Pick<Helpdesk, 'readCustomerFile' | 'readAccountLinks'>;
  records: Pick<HelpdeskRecords, 'requireCustomerWrite'>;
  clock: Clock;
  crmEnabled: boolean;
  limitRefreshes: LimitRefreshes;
  /** Null if no webhook is configured. */
  crm: { enrichRecords: EnrichRecords; ownerOf: OwnerOf } | null;
}

export type RefreshCustomer = (input: {
  caller: Caller;
  customer: string;
  contact: string | null;
  signal: AbortSignal;
}) => Promise<CustomerRefreshData>;

/**
 * Asks the CRM about a customer, writes what is new, and returns the profile (docs/api.md#refresh), for an agent who
 * may read the customer and the contact. Throws AppError if the caller is not permitted or refreshes too
 * often, and if the helpdesk fails.
 */
export function createRefreshCustomer(deps: RefreshCustomerDeps): RefreshCustomer {
  const { gate, helpdesk, clock } = deps;

  return async ({ caller, customer, contact, signal }) => {
    const startedAt = clock();
    deps.limitRefreshes(await gate.requireAgent(caller, signal));
    const read = () => explainCustomerRefusal(helpdesk.readCustomerFile(caller, { customer, contact }, signal));
    const before = await read();
    const [candidate] = orderCandidates([], before.customer).candidates;
    const enriched =
      candidate && deps.crmEnabled && deps.crm
        ? await deps.crm.enrichRecords({
            orgId: candidate.orgId,
            force: true,
            lane: 'click',
            hdCustomer: customer,
            requireBind: (name) => requireCustomerWrite(deps.records, caller, name, signal),
            level: null,
            linksClaims: false,
            file: null,
          })
        : null;
    const changes = enriched?.data.changes ?? [];
    const [after, haravan, found] = await Promise.all([
      changes.length > 0 ? read() : before,
      hideServiceRefusal(helpdesk.readAccountLinks(customer, signal)),
      foundIn(enriched, before.contact, startedAt),
    ]);
    return {
      ticket: {},
      customer: legacyCustomer(after.customer.record),
      contact: after.contact,
      haravan,
      bitrix: {
        enabled: deps.crmEnabled,
        configured: deps.crm !== null,
        status: enriched?.data.status ?? withoutAsking(deps, before),
        ...(enriched && { stale: enriched.looked.stale }),
        ...found,
      },
      changes,
    };
  };

  async function foundIn(
    enriched: Enriched | null,
    contact: HelpdeskContact | null,
    startedAt: number,
  ): Promise<Pick<CustomerRefreshData['bitrix'], 'company' | 'contact' | 'responsible'>> {
    const company = enriched?.looked.companies[0];
    if (!company) return { company: null, contact: null, responsible: null };
    const how = { startedAt, deadlineMs: ownerWithinMs };
    return {
      company: {
        ...company.fields,
        ...planStatus(company.planExpiresAt, clock()),
        id: company.fields.bitrix_id,
        title: company.fields.title_full,
      },
      contact: contactOf(company, contact),
      responsible: (await deps.crm?.ownerOf(company.fields.assigned_by_id, how)) ?? null,
    };
  }
}

function withoutAsking(deps: Pick<RefreshCustomerDeps, 'crmEnabled' | 'crm'>, { customer }: CustomerFile) {
  if (!deps.crmEnabled) return 'disabled';
  if (deps.crm === null) return 'missing_config';
  return orderCandidates([], customer).candidates.length === 0 ? 'missing_orgid' : 'error';
}

function contactOf({ contacts }: CrmCompany, contact: HelpdeskContact | null): CrmContact | null {
  return chooseContact(contacts, {
    emails: contact?.email_id ? [contact.email_id.trim().toLowerCase()] : [],
    phones: [contact?.mobile_no, contact?.phone].flatMap((phone) => phone || []),
  });
}
