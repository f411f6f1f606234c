import type { CustomerRefreshData } from '@deskside/shared/enrichment';
import type { CrmContact, HelpdeskContact, Responsible } from '@deskside/shared/profile';
import { orderCandidates } from '../domain/candidates.ts';
import { chooseContact } from '../domain/choose-contact.ts';
import { planStatus } from '../domain/plan-status.ts';
import type { Clock } from '../ports/clock.ts';
import type { CrmCompany } from '../ports/crm.ts';
import type { CustomerFile, Helpdesk } from '../ports/helpdesk.ts';
import { asReaderOfCustomer, asService } from './as-service.ts';
import type { Enriched, EnrichRecords } from './enrich-records.ts';
import type { Caller, Gate } from './open-ticket.ts';

/** The account owner of a company, as the CRM says now. `startedAt` (epoch milliseconds): one checked since then will do. */
export type OwnerOf = (id: string | null, startedAt: number) => Promise<Responsible | null>;

export interface RefreshCustomerDeps {
  gate: Gate;
  helpdesk: Pick<Helpdesk, 'readCustomerFile' | 'readAccountLinks'>;
  clock: Clock;
  crmEnabled: boolean;
  /** Null where no webhook is configured. */
  crm: { enrichRecords: EnrichRecords; ownerOf: OwnerOf } | null;
}

export type RefreshCustomer = (input: {
  caller: Caller;
  customer: string;
  contact: string | null;
  signal: AbortSignal;
}) => Promise<CustomerRefreshData>;

/**
 * Asks the CRM about a customer, writes what is new, and gives the profile (facts/domain.md 1.10), for an agent who may
 * read the customer and the contact. Throws AppError for one who may not, and for a helpdesk that fails.
 */
export function createRefreshCustomer(deps: RefreshCustomerDeps): RefreshCustomer {
  const { gate, helpdesk, clock } = deps;

  return async ({ caller, customer, contact, signal }) => {
    const startedAt = clock();
    await gate.requireAgent(caller, signal);
    const read = () => asReaderOfCustomer(helpdesk.readCustomerFile(caller, { customer, contact }, signal));
    const before = await read();
    const [candidate] = orderCandidates([], before.customer).candidates;
    const enriched =
      candidate && deps.crmEnabled && deps.crm
        ? await deps.crm.enrichRecords({
            orgId: candidate.orgId,
            force: true,
            lane: 'click',
            hdCustomer: customer,
            adoptFree: true,
            file: null,
          })
        : null;
    const changes = enriched?.data.changes ?? [];
    const [after, haravan, found] = await Promise.all([
      changes.length > 0 ? read() : before,
      asService(helpdesk.readAccountLinks(customer, signal)),
      foundIn(enriched, before.contact, startedAt),
    ]);
    return {
      ticket: {},
      ...after,
      haravan,
      bitrix: {
        enabled: deps.crmEnabled,
        configured: deps.crm !== null,
        status: enriched?.data.status ?? withoutAsking(deps, before),
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
    return {
      company: { ...company.fields, ...planStatus(company.planExpiresAt, clock()) },
      contact: contactOf(company, contact),
      responsible: (await deps.crm?.ownerOf(company.fields.assigned_by_id, startedAt)) ?? null,
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
