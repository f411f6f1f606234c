import {
  type Credential,
  type Helpdesk,
  HelpdeskError,
  type HelpdeskUser,
  type TicketFile,
} from '../ports/helpdesk.ts';
import type { Memory, MemoryArea } from '../ports/memory.ts';
import { AppError } from './app-error.ts';

/** A credential with the digest under which its permissions are remembered. The digest does not reveal it. */
export interface Caller extends Credential {
  readonly digest: string;
}

/** Lets agents in, and nobody else. */
export interface Gate {
  /** Who the caller is. Throws `unauthenticated`. */
  whoIs(caller: Caller, signal: AbortSignal): Promise<HelpdeskUser>;
  /** The caller, if he is an agent. Throws `unauthenticated` or `not_an_agent`. */
  requireAgent(caller: Caller, signal: AbortSignal): Promise<HelpdeskUser>;
  /**
   * The ticket, for an agent who may read it. Throws `unauthenticated`, `not_an_agent`, `ticket_not_readable` or
   * `ticket_not_found`, judged in this order, so that nobody but an agent learns whether a ticket exists.
   */
  openTicket(caller: Caller, ticket: string, signal: AbortSignal): Promise<TicketFile>;
  /** A write of ours changed the ticket: what is remembered of it is out of date. */
  forgetTicket(ticket: string): void;
}

/** For how long a caller's right is remembered (design.md section 2, "Callers"). */
const mayReadMs = 10_000;
const isAgentMs = 60_000;

export function createGate({ helpdesk, memory }: { helpdesk: Helpdesk; memory: Memory }): Gate {
  const users = memory.area<HelpdeskUser>({ ttlMs: isAgentMs, max: 5_000 });
  const files = memory.area<MemoryArea<TicketFile>>({ ttlMs: mayReadMs * 2, max: 10_000 });

  async function whoIs(caller: Caller, signal: AbortSignal): Promise<HelpdeskUser> {
    const known = users.get(caller.digest);
    if (known) return known;
    const user = await helpdesk.identify(caller, signal);
    users.set(caller.digest, user);
    return user;
  }

  async function readTicket(caller: Caller, ticket: string, signal: AbortSignal): Promise<TicketFile> {
    const known = files.get(ticket)?.get(caller.digest);
    if (known) return known;
    const file = await helpdesk.readTicket(caller, ticket, signal);
    const readers = files.get(ticket) ?? memory.area<TicketFile>({ ttlMs: mayReadMs, max: 1_000 });
    readers.set(caller.digest, file);
    files.set(ticket, readers);
    return file;
  }

  return {
    whoIs: (caller, signal) => whoIs(caller, signal).catch((error: unknown) => refuse(error, caller)),
    async requireAgent(caller, signal) {
      const user = await whoIs(caller, signal).catch((error: unknown) => refuse(error, caller));
      if (!user.isAgent) throw new AppError('not_an_agent');
      return user;
    },
    async openTicket(caller, ticket, signal) {
      const [user, file] = await Promise.allSettled([whoIs(caller, signal), readTicket(caller, ticket, signal)]);
      if (user.status === 'rejected') return refuse(user.reason, caller, ticket);
      if (!user.value.isAgent) throw new AppError('not_an_agent');
      if (file.status === 'rejected') return refuse(file.reason, caller, ticket);
      return file.value;
    },
    forgetTicket: (ticket) => files.delete(ticket),
  };

  /** Turns the helpdesk's refusal into the service's own; any refusal makes us ask afresh next time. */
  function refuse(error: unknown, caller: Caller, ticket?: string): never {
    if (!(error instanceof HelpdeskError)) throw error;
    if (error.kind === 'unauthenticated' || error.kind === 'forbidden') {
      users.delete(caller.digest);
      if (ticket !== undefined) files.get(ticket)?.delete(caller.digest);
    }
    throw AppError.of(error);
  }
}
