import type { EnrichmentData } from '@deskside/shared/enrichment';
import type { OrgId } from '@deskside/shared/orgid';
import type { ClaimsMode } from '@deskside/shared/routing';
import type { AgentGate } from '#app/access/agent-gate.ts';
import type { Caller } from '#app/access/caller.ts';
import { requireCustomerWrite } from '#app/access/require-customer-write.ts';
import { requireTicketWrite } from '#app/access/require-ticket-write.ts';
import type { LimitRefreshes } from '#app/crm/limit-refreshes.ts';
import { createFairQueue, type FairQueueLimits } from '#app/runtime/fair-queue.ts';
import { explainCustomerRefusal } from '#app/runtime/helpdesk-refusal.ts';
import { agentsWord } from '#ports/customer/customer-adoptions.ts';
import type { HelpdeskRecords } from '#ports/helpdesk/helpdesk-records.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Enriched, EnrichRecords } from './enrich-records.ts';
import type { NoteCheck } from './note-check.ts';

export interface EnrichCompanyDeps {
  gate: AgentGate;
  records: Pick<HelpdeskRecords, 'requireTicketWrite' | 'requireCustomerRead' | 'requireCustomerWrite'>;
  crmEnabled: boolean;
  limitRefreshes: LimitRefreshes;
  /** In mode `accept` a claim links as well. */
  claims: ClaimsMode;
  /** Null where no webhook is configured. */
  enrichRecords: EnrichRecords | null;
  noteCheck: NoteCheck;
  clock: Clock;
}

export type EnrichCompany = (input: {
  caller: Caller;
  orgId: OrgId | null;
  force: boolean;
  hdCustomer: string | null;
  ticket: string | null;
  requestId: string;
  signal: AbortSignal;
}) => Promise<EnrichmentData>;

/** Each holds a place in the CRM's queue and requests of the service account; one user leaves room for others. */
const runs: FairQueueLimits = {
  slots: 64,
  slotsPerKey: 32,
  waiting: 500,
  waitingPerKey: 200,
  patienceMs: 30_000,
};

/**
 * Enriches an org id's customer for an agent, and links the ticket to it (docs/api.md#enrichment). Identical
 * simultaneous calls share one run. Throws AppError if the caller is not permitted or asks for too much, on a conflict,
 * and if the helpdesk fails; whatever the CRM does is a status.
 */
export function createEnrichCompany(deps: EnrichCompanyDeps): EnrichCompany {
  const running = new Map<string, Promise<Enriched>>();
  const queue = createFairQueue(runs);
  const never = new AbortController().signal;

  return async ({ caller, orgId, force, hdCustomer, ticket, requestId, signal }) => {
    const agent = await deps.gate.requireAgent(caller, signal);
    if (orgId === null) return { status: 'missing_orgid' };
    if (!deps.crmEnabled) return { status: 'disabled' };
    const { enrichRecords } = deps;
    if (enrichRecords === null) return { status: 'missing_config' };
    if (force) deps.limitRefreshes(agent);
    const opened = ticket === null ? null : await requireTicketWrite(deps, caller, ticket, signal);
    if (hdCustomer !== null) await explainCustomerRefusal(deps.records.requireCustomerRead(caller, hdCustomer, signal));

    const file = opened?.file ?? null;
    const linksClaims = deps.claims === 'accept';
    // What a caller may do with a customer is theirs alone, so callers share no run that could depend on it.
    const named = hdCustomer ?? ticket;
    const key = JSON.stringify([orgId, force, hdCustomer, ticket, named === null ? '' : caller.digest]);
    const { data } = await once(key, agent.id, async () => {
      const enriched = await enrichRecords({
        ...{ orgId, force, lane: 'open', hdCustomer, level: null, linksClaims },
        // Who may write a ticket may say which company its customer is (docs/decisions.md 11).
        requireBind: async (name) => {
          if (name !== file?.ticket.customer) await requireCustomerWrite(deps.records, caller, name, signal);
        },
        adopting: agentsWord({ by: agent.id, via: 'enrichment', ticket, at: deps.clock() }),
        file,
      });
      const { looked, level } = enriched;
      const tells = (linksClaims || level !== 'claimed') && !isOtherCompanys(enriched);
      if (file !== null) await deps.noteCheck(file.ticket, looked, tells);
      return enriched;
    });
    return data.error ? { ...data, error: { ...data.error, request_id: requestId } } : data;
  };

  /** The work goes on if its caller leaves: others may be waiting, and finishing costs less than starting over. */
  function once(key: string, user: string, work: () => Promise<Enriched>): Promise<Enriched> {
    const same = running.get(key);
    if (same) return same;
    const flight = queue.run(user, never, work).finally(() => running.delete(key));
    running.set(key, flight);
    return flight;
  }
}

/** The ticket keeps another company's customer, so the times of this check are not its own. */
function isOtherCompanys({ looked, data }: Enriched): boolean {
  return looked.outcome === 'matched' && data.ticket?.linked !== true;
}
