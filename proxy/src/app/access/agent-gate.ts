import { AppError } from '#app/runtime/app-error.ts';
import { shareRequests } from '#app/runtime/share-requests.ts';
import { type Helpdesk, HelpdeskError, type HelpdeskUser, type TicketFile } from '#ports/helpdesk/helpdesk.ts';
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

export function createAgentGate({
  helpdesk,
  memory,
  pools = createCredentialPools(memory),
}: {
  helpdesk: Pick<Helpdesk, 'identify' | 'readTicket'>;
  memory: Memory;
  pools?: CredentialPools;
}): AgentGate {
  const users = memory.area<HelpdeskUser>({ ttlMs: isAgentMs, max: 5_000 });
  const opened = createOpenedTickets(memory);
  const identifying = shareRequests<HelpdeskUser>();
  const reading = shareRequests<TicketFile>();

  async function identify(caller: Caller, signal: AbortSignal): Promise<HelpdeskUser> {
    const known = users.get(caller.digest);
    if (known) return known;
    if (pools.isRefused(caller)) throw new AppError('unauthenticated');
    return identifying(caller.digest, signal, async (shared) => {
      const user = await pools.ask(caller, shared, () => helpdesk.identify(caller, shared));
      users.set(caller.digest, user);
      pools.markKnown(caller);
      return user;
    });
  }

  async function readTicket(caller: Caller, ticket: string, signal: AbortSignal): Promise<TicketFile> {
    const known = opened.get(caller, ticket);
    if (known) return known;
    const { key, keep } = opened.begin(caller, ticket);
    return reading(key, signal, async (shared) => {
      const file = await pools.ask(caller, shared, () => helpdesk.readTicket(caller, ticket, shared));
      keep(file);
      return file;
    });
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
      // An unknown caller's ticket is not worth a request until it is known who they are.
      if (!pools.isKnown(caller)) await whoIs(caller, signal);
      const [user, file] = await Promise.allSettled([identify(caller, signal), readTicket(caller, ticket, signal)]);
      if (user.status === 'rejected') return refuse(user.reason, caller, ticket);
      if (!user.value.isAgent) throw new AppError('not_an_agent');
      if (file.status === 'rejected') return refuse(file.reason, caller, ticket);
      return file.value;
    },
    forgetTicket: (ticket) => opened.forget(ticket),
  };

  /** Translates the helpdesk's refusal into an AppError; any refusal also drops what is cached. */
  function refuse(error: unknown, caller: Caller, ticket?: string): never {
    if (!(error instanceof HelpdeskError)) throw error;
    if (error.kind === 'unauthenticated' || error.kind === 'forbidden') {
      users.delete(caller.digest);
      if (ticket !== undefined) opened.delete(caller, ticket);
    }
    if (error.kind === 'unauthenticated') pools.markRefused(caller);
    throw AppError.of(error);
  }
}
