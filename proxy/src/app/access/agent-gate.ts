import { shareRequests } from '#app/runtime/answers/share-requests.ts';
import { AppError } from '#app/runtime/app-error.ts';
import { renewable } from '#app/runtime/renewable.ts';
import { type Helpdesk, HelpdeskError, type HelpdeskUser, type TicketFile } from '#ports/helpdesk/helpdesk.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Memory } from '#ports/runtime/memory.ts';
import type { Caller } from './caller.ts';
import { type CredentialPools, createCredentialPools } from './credential-pools.ts';
import { createOpenedTickets } from './opened-tickets.ts';

/** Lets agents in, and nobody else. */
export interface AgentGate {
  /** Who the caller is. Throws `unauthenticated`; like every method here also `rate_limited` (credential-pools.ts). */
  whoIs(caller: Caller, signal: AbortSignal): Promise<HelpdeskUser>;
  /** The caller, if they are an agent. Throws `unauthenticated` or `not_an_agent`. */
  requireAgent(caller: Caller, signal: AbortSignal): Promise<HelpdeskUser>;
  /**
   * The ticket, for an agent who may read it. Throws `unauthenticated`, `not_an_agent`, `ticket_not_readable` or
   * `ticket_not_found`, checked in this order, so that only agents learn whether a ticket exists.
   */
  openTicket(caller: Caller, ticket: string, signal: AbortSignal): Promise<TicketFile>;
  /** We have written to the ticket: what is cached about it is out of date. */
  forgetTicket(ticket: string): void;
}

/** How long it is cached who is an agent (docs/api.md#callers). */
const isAgentMs = 60_000;
const renewWithinMs = 20_000;

export function createAgentGate({
  helpdesk,
  memory,
  clock,
  pools = createCredentialPools(memory),
}: {
  helpdesk: Pick<Helpdesk, 'identify' | 'readTicket'>;
  memory: Memory;
  clock?: Clock;
  pools?: CredentialPools;
}): AgentGate {
  const users = renewable<HelpdeskUser>(memory, { ttlMs: isAgentMs, max: 5_000 }, clock);
  const opened = createOpenedTickets(memory, clock);
  const identifying = shareRequests<HelpdeskUser>();
  const reading = shareRequests<TicketFile>();

  function rememberedUser(caller: Caller): HelpdeskUser | undefined {
    const known = users.get(caller.digest);
    if (known && users.isDue(known)) renewSoon((renewal) => identifyAnew(caller, renewal), caller);
    return known?.value;
  }

  function rememberedTicket(caller: Caller, ticket: string): TicketFile | undefined {
    if (!rememberedUser(caller)?.isAgent) return undefined;
    const known = opened.get(caller, ticket);
    if (known && opened.isDue(known)) renewSoon((renewal) => readAnew(caller, ticket, renewal), caller, ticket);
    return known?.value.file;
  }

  async function identify(caller: Caller, signal: AbortSignal): Promise<HelpdeskUser> {
    const known = rememberedUser(caller);
    if (known) return known;
    if (pools.isRefused(caller)) throw new AppError('unauthenticated');
    return identifyAnew(caller, signal);
  }

  function identifyAnew(caller: Caller, signal: AbortSignal): Promise<HelpdeskUser> {
    return identifying(caller.digest, signal, async (shared) => {
      const user = await pools.ask(caller, shared, () => helpdesk.identify(caller, shared));
      users.set(caller.digest, user);
      pools.markKnown(caller);
      return user;
    });
  }

  function readAnew(caller: Caller, ticket: string, signal: AbortSignal): Promise<TicketFile> {
    const { key, keep } = opened.begin(caller, ticket);
    return reading(key, signal, async (shared) => {
      const file = await pools.ask(caller, shared, () => helpdesk.readTicket(caller, ticket, shared));
      keep(file);
      return file;
    });
  }

  /** Reads anew what is about to expire. What the helpdesk refuses is forgotten at once; any other failure changes nothing. */
  function renewSoon(read: (signal: AbortSignal) => Promise<unknown>, caller: Caller, ticket?: string): void {
    read(AbortSignal.timeout(renewWithinMs)).catch((error: unknown) => forgetRefused(error, caller, ticket));
  }

  async function whoIs(caller: Caller, signal: AbortSignal): Promise<HelpdeskUser> {
    return identify(caller, signal).catch((error: unknown) => refuse(error, caller));
  }

  return {
    whoIs,
    async requireAgent(caller, signal) {
      const user = await whoIs(caller, signal);
      if (!user.isAgent) throw new AppError('not_an_agent');
      return user;
    },
    async openTicket(caller, ticket, signal) {
      const remembered = rememberedTicket(caller, ticket);
      if (remembered) return remembered;
      // An unknown caller's ticket is not worth a request until it is known who they are.
      if (!pools.isKnown(caller)) await whoIs(caller, signal);
      const [user, file] = await Promise.allSettled([identify(caller, signal), readAnew(caller, ticket, signal)]);
      if (user.status === 'rejected') return refuse(user.reason, caller, ticket);
      if (!user.value.isAgent) throw new AppError('not_an_agent');
      if (file.status === 'rejected') return refuse(file.reason, caller, ticket);
      return file.value;
    },
    forgetTicket: (ticket) => opened.forget(ticket),
  };

  /** Translates the helpdesk's refusal into an AppError; any refusal also drops what is cached. */
  function refuse(error: unknown, caller: Caller, ticket?: string): never {
    forgetRefused(error, caller, ticket);
    throw error instanceof HelpdeskError ? AppError.of(error) : error;
  }

  function forgetRefused(error: unknown, caller: Caller, ticket?: string): void {
    if (!(error instanceof HelpdeskError)) return;
    if (error.kind === 'unauthenticated' || error.kind === 'forbidden') {
      users.delete(caller.digest);
      if (ticket !== undefined) opened.delete(caller, ticket);
    }
    if (error.kind === 'unauthenticated') pools.markRefused(caller);
  }
}
