import type { OrgId } from '@deskside/shared/orgid';
import type { Finding } from '@deskside/shared/routing';
import { assignWaiting } from '#app/routing/assign-waiting.ts';
import { createProcessInbox } from '#app/routing/inbox/process-inbox.ts';
import { sweepTickets } from '#app/routing/inbox/sweep-tickets.ts';
import { createLearnTurns, withKnownTurns } from '#app/routing/known-turns.ts';
import { moveBack } from '#app/routing/move/move-back.ts';
import { moveBySync, previewMove } from '#app/routing/move/move-by-sync.ts';
import { runTicketPipeline } from '#app/routing/run-ticket-pipeline.ts';
import { createWithLock } from '#app/runtime/duties/with-lock.ts';
import { currentOrgId, oneHelpdesk } from '#app/testing/fake-helpdesk.ts';
import type { NewTicket } from '#app/testing/fake-ticket.ts';
import { silent } from '#app/testing/fakes.ts';
import type { RoutingConfig } from '#domain/routing/decide-routing.ts';
import type { SenderTies } from '#ports/helpdesk/helpdesk.ts';
import type { StoreMetaAnswer } from '#ports/intake/store-meta.ts';
import { memoryStore } from '#store/testing/memory-store.ts';
import type { TicketWork } from '#store/tickets/inbox.ts';
import { medium, pipelineCrm } from './pipeline-crm.ts';
import { pipelineHelpdesk } from './pipeline-helpdesk.ts';
import { routingConfig } from './pipeline-rules.ts';

/** How long records are kept, in milliseconds. */
export const retentionMs = 400 * 24 * 3_600_000;

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

/** The intake field of a ticket on which somebody has put this as the shop's address. */
export const storeAt = (value: string) => [{ field: 'custom_store_url', value }];

/** A ticket with an org id. */
export function withOrgId(orgId: string | null, ticket: NewTicket['ticket'] = {}): NewTicket {
  return { ticket: { orgIdFields: [currentOrgId(orgId)], ...ticket } };
}

/**
 * The pipeline with three teams, and a CRM with three companies that can be made to fail. `site`: of another world, for two
 * installations on one helpdesk.
 */
export function pipelineWorld({
  claims = 'accept',
  configured = true,
  crmEnabled = true,
  site: { clock, tickets, records, helpdesk: read } = pipelineHelpdesk(),
}: {
  claims?: RoutingConfig['claims'];
  configured?: boolean;
  crmEnabled?: boolean;
  site?: ReturnType<typeof pipelineHelpdesk>;
} = {}) {
  const store = memoryStore(clock);
  const { decisions: kept, inbox, leases, rejections, sweepMark: mark, syncLog, upkeep } = store;
  const world = {
    crmDown: false,
    asked: [] as OrgId[],
    /** What shops say of themselves, by host; the others have no meta.json. */
    shops: new Map<string, { orgId: string } | 'timeout'>(),
    askedShops: [] as string[],
    ties: { customers: [] } as SenderTies,
    /** The only org id that the ties are about; null: any. */
    tiesOf: null as OrgId | null,
    alerts: [] as string[],
    /** Everything that was logged as a warning or an error. */
    complaints: [] as string[],
    whileAsking: (_orgId: OrgId): Promise<void> | void => {},
  };
  const logger = {
    ...silent,
    warn: (_: object, message: string) => void world.complaints.push(message),
    error(fields: object, message: string) {
      world.complaints.push(message);
      if ('alert' in fields) world.alerts.push(String(fields.alert));
    },
  };

  const crm = configured ? pipelineCrm(world, clock) : null;
  const routing: RoutingConfig = { ...routingConfig, claims };

  /** One process of several on one store. */
  const process = () => {
    const stop = new AbortController();
    const withLock = createWithLock(leases);
    const learnTurns = createLearnTurns({ helpdesk: tickets, decisions: kept, upkeep, withLock, logger });
    const decisions = withKnownTurns(kept, learnTurns);
    const said = {
      hasAccountLinks: () => false,
      hasAccountOf: async () => false,
      orgIdIsProtected: async () => true,
      accountLinksAreStaffOnly: async () => false,
      async readSenderTies(_sender: string, orgId: OrgId) {
        return world.tiesOf === null || world.tiesOf === orgId ? world.ties : { customers: [] };
      },
    };
    const helpdesk = oneHelpdesk(said, read, {});
    const ctx = {
      helpdesk,
      decisions,
      inbox,
      sweepMark: mark,
      upkeep,
      syncLog,
      rejections,
      bindings: store.bindings,
      adoptions: store.adoptions,
      writtenFacts: store.writtenFacts,
      learnTurns,
      withLock,
      clock,
      logger,
      routing,
      retentionMs,
      crm,
      platformHost: null,
      crmTimeoutMs: 15_000,
      crmEnabled,
      gate: { forgetTicket: () => {} },
      hosts: { platform_hosts: ['myplatform.example'], guarded_domains: [] },
      metaQueue: { read: async (_ticket: string, host: string) => askShop(host) },
      stopped: stop.signal,
    };
    const run = (work: TicketWork, signal: AbortSignal) => runTicketPipeline(ctx, work, signal);
    type Asked<V> = V extends (ctx: never, ...asked: infer A) => unknown ? A : never;
    const move = {
      bySync: {
        preview: (...asked: Asked<typeof previewMove>) => previewMove(ctx, ...asked),
        apply: (...asked: Asked<typeof moveBySync>) => moveBySync(ctx, ...asked),
      },
      back: (...asked: Asked<typeof moveBack>) => moveBack(ctx, ...asked),
    };
    const reported = new Set<string>();
    const { signal } = new AbortController();
    return {
      run: (ticket: string, attempts = 0) =>
        run({ ticket, cause: 'webhook', since: clock(), attempts, revision: 1 }, signal),
      processInbox: createProcessInbox({ ...ctx, current: { now: { ctx } } }),
      assignWaiting: () => assignWaiting(ctx, signal),
      sweep: (isWide = false) => sweepTickets(ctx, { isWide, reported }, signal),
      stop: () => stop.abort(),
      move,
    };
  };

  function askShop(host: string): StoreMetaAnswer {
    world.askedShops.push(host);
    const said = world.shops.get(host);
    const address = `https://${host}/meta.json`;
    if (said === 'timeout') return { kind: 'failed', why: said, address };
    if (said === undefined) return { kind: 'none', why: 'not_found', address };
    return { kind: 'found', address, orgId: said.orgId, domains: [], name: null };
  }

  return Object.assign(world, {
    clock,
    store,
    tickets,
    records,
    helpdesk: read,
    decisions: kept,
    upkeep,
    inbox,
    mark,
    syncLog,
    rejections,
    process,
    ...process(),
  });
}

export type PipelineWorld = ReturnType<typeof pipelineWorld>;

/** The routing fields of the ticket as the helpdesk has them now. */
export function standing({ tickets }: PipelineWorld, name: string) {
  const ticket = tickets.tickets.get(name);
  return {
    group: ticket?.file.ticket.agentGroup ?? null,
    reason: ticket?.reason ?? null,
    customer: ticket?.file.ticket.customer ?? null,
    assigned: tickets.assigned(name),
  };
}
