import type { OrgId } from '@deskside/shared/orgid';
import type { Finding } from '@deskside/shared/routing';
import { fakeLayers } from '#crm/testing/fakes.ts';
import { medium, sampleCrm } from '#crm/testing/sample-companies.ts';
import type { MetaAnswer } from '#intake/meta-json.ts';
import { createProcessInbox, sweepTickets } from '#routing/inbox.ts';
import { routeTicket } from '#routing/pipeline.ts';
import { routingConfig } from '#routing/testing/pipeline-rules.ts';
import { assignWaiting } from '#routing/waiting.ts';
import type { RoutingConfig } from '#rules.ts';
import { silent } from '#runtime/testing/quiet.ts';
import * as decisions from '#store/decisions.ts';
import { keepInsert } from '#store/testing/inserted.ts';
import { type MemoryStore, memoryStore } from '#store/testing/memory-store.ts';
import type * as tickets from '#store/tickets.ts';
import { syncTicketCustomer, type TicketSyncInput } from '#sync/sync.ts';
import { undoSync } from '#sync/undo-sync.ts';
import { type Desk, newDesk } from './desk.ts';
import { sender } from './desk-seed.ts';
import { callBy, testContext } from './test-context.ts';

/** What intake finds in a ticket's description. */
export const inText: Finding = {
  kind: 'org_id',
  value: medium,
  source: 'text',
  field: 'description',
  quote: '',
  address: null,
};

/** A description in which intake finds it. */
export const saysOrgId = `Org ID: ${medium}`;

/** A ticket with an org id. */
export const withOrgId = (orgId: string | null, more: Record<string, unknown> = {}) => ({
  custom_orgid: orgId,
  ...more,
});

/** Whose session a ticket is from, and whose address it has: somebody of whom nothing is known, on the portal. */
export const stranger = 'evil@mail.example';
export const byStranger = { owner: stranger, raised_by: stranger, via_customer_portal: 1 };
/** An agent who writes it for a customer. */
export const byAgent = { owner: 'an@desk.example', raised_by: sender };

/**
 * The pipeline with three teams and the sample companies. `desk`: another world's, for two installations on one helpdesk.
 * `ticket`: there is a ticket 1 of these values, of which no webhook has told.
 */
export function pipelineWorld({
  claims = 'accept',
  ttlMinutes = 0,
  desk = newDesk(),
  store = memoryStore(desk.clock),
  configured = true,
  ticket,
}: {
  claims?: RoutingConfig['claims'];
  ttlMinutes?: number;
  desk?: Desk;
  store?: MemoryStore;
  configured?: boolean;
  ticket?: Record<string, unknown>;
} = {}) {
  const { clock } = desk;
  if (ticket) desk.insert('1', ticket);
  const crm = sampleCrm();
  const layers = fakeLayers({ crm, clock, db: store.db, ttlMinutes });
  /** What shops say of themselves, by host; the others have no meta.json. */
  const shops = new Map<string, { orgId: string } | 'timeout'>();
  const askedShops: string[] = [];
  const faults: string[] = [];
  /** What the lines with a fault said besides, and those that one is over. */
  const faultFields: object[] = [];
  /** The tickets of the decisions that were counted. */
  const counted: string[] = [];
  /** The tickets of which it was counted that their agent has them. */
  const countedAgents: string[] = [];
  /** Everything that was logged as a warning or an error. */
  const complaints: string[] = [];
  const logger = {
    ...silent,
    info: (fields: object) => void ('fault_ended' in fields && faultFields.push(fields)),
    warn: (_: object, message: string) => void complaints.push(message),
    error(fields: object, message: string) {
      complaints.push(message);
      if (!('fault' in fields)) return;
      faults.push(String(fields.fault));
      faultFields.push(fields);
    },
  };

  async function askShop(host: string): Promise<MetaAnswer> {
    askedShops.push(host);
    const said = shops.get(host);
    const address = `https://${host}/meta.json`;
    if (said === 'timeout') return { kind: 'failed', why: said, address };
    if (said === undefined) return { kind: 'none', why: 'not_found', address };
    return { kind: 'found', address, orgId: said.orgId, domains: [] };
  }

  /** Keeps what the webhook of a ticket says. */
  async function hear(ticket: string) {
    const insert = desk.insertOf(ticket);
    if (insert) await keepInsert(store.db, ticket, insert, clock());
  }

  const workOn = (name: string, foundBy: tickets.TicketWork['foundBy'], attempts: number) => {
    return { ...desk.keyOf(name), foundBy, since: clock(), attempts, revision: 1 };
  };

  /** One process of several on one store. */
  const process = () => {
    const stop = new AbortController();
    const ctx = testContext({
      desk,
      store,
      crm: configured ? layers : null,
      logger,
      metrics: {
        ticketDecided: ({ ticket }) => void counted.push(ticket),
        ticketAssigned: ({ ticket }) => void countedAgents.push(ticket),
      },
      routing: { ...routingConfig, claims },
      // Nobody waits for a decision as at a panel: a slow shop would hold up the queue.
      metaJson: {
        read: () => Promise.reject(new Error('A decision asks a shop by way of its queue.')),
        readFor: async (_ticket: string, host: string) => askShop(host),
      },
      stopped: stop.signal,
    });
    const reported = new Set<string>();
    /** The webhook comes, and the pipeline takes the ticket up. */
    const run = async (ticket: string, attempts = 0) => {
      await hear(ticket);
      return routeTicket(ctx, workOn(ticket, 'webhook', attempts));
    };
    return {
      ctx,
      run,
      /** A ticket of these values comes. */
      route: async (ticket: string, values: Record<string, unknown>) => {
        desk.insert(ticket, values);
        return run(ticket);
      },
      /** The sweep finds it, and no webhook has told of it. */
      runFound: (ticket: string) => routeTicket(ctx, workOn(ticket, 'sweep', 0)),
      processInbox: createProcessInbox(() => ctx),
      /** An agent syncs a ticket with the company of this org id; no profile has been read. */
      sync: (
        ticket: string,
        orgId: OrgId,
        { by = 'an', ...how }: Partial<TicketSyncInput> & { by?: 'an' | 'ba' } = {},
      ) => {
        const asked = {
          ticket,
          company_id: orgId,
          bitrix_id: null,
          sync_id: null,
          expected_customer: null,
          adopt: null,
        };
        return syncTicketCustomer(callBy(ctx, by), { ...asked, action: 'apply', reroute: false, ...how });
      },
      undoSync: (ticket: string, { sync_id }: { sync_id: string | null }) =>
        undoSync(callBy(ctx, 'an'), { ticket, sync_id }),
      assignWaiting: () => assignWaiting(ctx),
      sweep: (isWide = false) => sweepTickets(ctx, { isWide, reported }),
      stop: () => stop.abort(),
    };
  };

  return {
    desk,
    clock,
    store,
    crm,
    shops,
    askedShops,
    faults,
    faultFields,
    countedAgents,
    counted,
    complaints,
    db: store.db,
    rows: store.rows,
    hear,
    /** The last decision on a ticket, and all of them. */
    decided: (ticket: string) => decisions.latest(store.db, desk.keyOf(ticket)),
    decisionsOn: (ticket: string) => decisions.list(store.db, desk.keyOf(ticket)),
    process,
    ...process(),
  };
}

export type PipelineWorld = ReturnType<typeof pipelineWorld>;

/** The routing fields of the ticket as the helpdesk has them now. */
export function standing({ desk }: Pick<PipelineWorld, 'desk'>, name: string) {
  const { agentGroup, reason } = desk.routingOf(name);
  return { group: agentGroup, reason, customer: desk.customerOf(name), assigned: desk.assigned(name) };
}
