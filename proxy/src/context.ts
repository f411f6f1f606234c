import type { EventEmitter } from 'node:events';
import type { AroundTicket } from '@deskside/shared/around';
import type { AccountLink } from '@deskside/shared/profile';
import type { output, ZodMiniType } from 'zod/mini';
import type { Crm } from './crm/crm.ts';
import type { EnrichmentRuns, LimitSearches } from './crm/per-user.ts';
import type { SearchAnswer } from './crm/search.ts';
import type { AgentGate } from './helpdesk/agent-gate.ts';
import type { Caller } from './helpdesk/credentials.ts';
import type { AccountLinks } from './helpdesk/customer-data.ts';
import type { Helpdesk } from './helpdesk/helpdesk.ts';
import type { MetaReader } from './intake/meta-json.ts';
import type { StoreHosts } from './intake/store-address.ts';
import type { RoutingConfig } from './rules.ts';
import type { Background } from './runtime/jobs.ts';
import type { Logger, Metrics } from './runtime/log.ts';
import type { Clock, Memory, MemoryArea, RateLimit, Readings } from './runtime/memory.ts';
import type { Store } from './store/database.ts';
import type { WithLock } from './store/leases.ts';

/** What is made once, and lasts while the process does, whatever the settings become. */
export interface ProcessServices {
  /** The tables of the store, for the functions in `store/`. */
  db: Store['db'];
  /** How often an agent's extension may tell that it misses its place. */
  anchorReports: Pick<RateLimit, 'spend'>;
  background: Background;
  clock: Clock;
  gate: AgentGate;
  helpdesk: Helpdesk;
  limitSearches: LimitSearches;
  logger: Logger;
  memory: Memory;
  metrics: Pick<Metrics, 'ticketDecided' | 'ticketAssigned'>;
  /** What shops' addresses say of themselves. */
  metaJson: MetaReader;
  /** `arrived`: a ticket has come into the inbox. `written`: we may have written to the ticket. */
  signs: EventEmitter<{ arrived: []; written: [ticket: string] }>;
  /** How often somebody may have the CRM asked in spite of a fresh answer. */
  refreshes: Pick<RateLimit, 'spend' | 'spendAhead'>;
  /** Fires when the service stops. */
  stopped: AbortSignal;
  withLock: WithLock;
}

/**
 * What a verb works with: a verb is a function of this and of what it is asked. Settings that change make another context;
 * work that has begun ends on the one with which it began (docs/operate.md#a-change).
 */
export interface Context extends ProcessServices {
  /** Deskside's own version, and where the helpdesk is. */
  about: { version: string; helpdeskUrl: string };
  /** The site's records of platform accounts; null if none are configured. */
  accountLinks: AccountLinks | null;
  remembered: ShortCaches;
  /** Null if no webhook is configured. */
  crm: Crm | null;
  crmEnabled: boolean;
  /** Enrichments that users have asked for. */
  enrichmentRuns: EnrichmentRuns;
  /** The longest that the CRM may take, in milliseconds (docs/operate.md#variables). */
  crmTimeoutMs: number;
  /** What routing goes by. */
  routing: RoutingConfig;
  /** Whether addresses of a company's contacts in the CRM vouch as the company's own do (docs/security.md#trust). */
  contactAddressesVouch: boolean;
  /** Addresses from which many shops write (decision 7: who vouches). */
  sharedAddresses: readonly string[];
  /** Hosts that are the platform's, and those that are never a shop's (docs/routing.md#intake). */
  hosts: StoreHosts;
  /** The first of the platform's hosts, under which it currently gives out domains; null if it has none. */
  platformHost: string | null;
  /** How long the records of a closed ticket are kept, in milliseconds. */
  retentionMs: number;
  /** Whether tickets are routed: a helpdesk whose webhook has a secret wants it. */
  routesTickets: boolean;
  /** Waits, in milliseconds; rejects when the signal fires. */
  pause: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** The context of one piece of work. The signal fires when it is to end. */
export interface Work extends Context {
  signal: AbortSignal;
}

/** Runs work on a ticket on which nobody else works meanwhile. */
export function lockTicket<T>(ctx: Work, ticket: string, work: (ctx: Work) => Promise<T>): Promise<T> {
  return ctx.withLock(`ticket ${ticket}`, (signal) => work({ ...ctx, signal: AbortSignal.any([signal, ctx.signal]) }));
}

/** The context of one request: who asks. Its signal fires when they have left. */
export interface Call extends Work {
  caller: Caller;
  requestId: string;
}

/** What this process goes by for a moment, for people who wait. */
export interface ShortCaches {
  /** The platform accounts of a customer. */
  accountLinks: Readings<AccountLink[]>;
  around: Readings<AroundTicket>;
  /** What the CRM has by a ticket's sender. */
  bySender: MemoryArea<SearchAnswer>;
  /** The answer of the CRM (epoch milliseconds) that a customer's record tells. */
  checks: MemoryArea<{ at: number }>;
}

const forAMinute = { ttlMs: 60_000, max: 5_000 };

export function rememberedIn(memory: Memory): ShortCaches {
  return {
    accountLinks: memory.readings(forAMinute),
    around: memory.readings({ ttlMs: 5_000, max: 1_000 }),
    bySender: memory.area({ ttlMs: 10 * 60_000, max: 2_000 }),
    checks: memory.area({ ttlMs: 24 * 60 * 60_000, max: 10_000 }),
  };
}

/** An endpoint as a contract has it. */
interface Entry {
  method: 'GET' | 'POST';
  path: string;
  input: ZodMiniType<object>;
  data: ZodMiniType<object>;
}

/** What a caller asks by an entry. */
export type EntryInput<E extends Entry> = output<E['input']>;

/** An entry of the contract with what is done for it. */
export interface Endpoint<E extends Entry = Entry, D extends output<E['data']> = output<E['data']>> {
  entry: E;
  /**
   * Who may ask: agents, or whoever sends a credential. A POST of anybody else is refused before its body is read. What is
   * asked by GET the verb refuses, which asks the helpdesk for the ticket at the same time.
   */
  who: 'agent' | 'signed_in';
  /** The verb. It gets the contract's input, and what it answers is sent as it is. */
  handle(ctx: Call, asked: EntryInput<E>): Promise<D>;
  /** A sentence about the answer, which older clients show as it is (docs/api.md#bodies). */
  message(data: D): string;
  /** What the envelope says of it; without: that it succeeded. */
  success?(data: D): boolean;
}

/** A verb of the service with the row that serves it. It stands beside the verb; `server/app.ts` lists them. */
export function endpoint<E extends Entry, D extends output<E['data']>>(
  entry: E,
  row: Omit<Endpoint<E, D>, 'entry'>,
): Endpoint<E, D> {
  return { entry, ...row };
}
