import { AppError } from '#runtime/app-error.ts';
import type { Memory, Reader } from '#runtime/memory.ts';
import { type Caller, type CredentialPools, createCredentialPools } from './credentials.ts';
import { answerFor, explainCustomerRefusal, HelpdeskError, refuse } from './errors.ts';
import type { Helpdesk } from './helpdesk.ts';
import type { HelpdeskUser } from './people.ts';
import type { TicketFile } from './ticket-file.ts';

/** How long it is cached who is an agent, and what a caller may read (docs/api.md#callers). */
const isAgentMs = 60_000;
const mayReadMs = 10_000;
/** Longer than a read that started before the change can take plus the time its result is cached. */
const changedMs = 60_000;

export type AgentGate = ReturnType<typeof createAgentGate>;

/** Lets agents in, and nobody else. Everything here may also throw `rate_limited` (helpdesk/credentials.ts). */
export function createAgentGate({
  helpdesk,
  memory,
  pools = createCredentialPools(memory),
}: {
  helpdesk: Helpdesk;
  memory: Memory;
  pools?: CredentialPools;
}) {
  const users = memory.readings<HelpdeskUser>({ ttlMs: isAgentMs, max: 5_000 });
  const opened = memory.readings<TicketFile>({ ttlMs: mayReadMs, max: 2_000 });
  const changes = memory.area<{ number: number }>({ ttlMs: changedMs, max: 10_000 });
  let lastChange = 0;

  /** What was read of a ticket before it changed is under another key, and nobody asks for that again. */
  function keyOf({ digest }: Caller, ticket: string): string {
    return `${changes.get(ticket)?.number ?? 0} ${digest} ${ticket}`;
  }

  function identify(caller: Caller): Reader<HelpdeskUser> {
    return asking(caller, undefined, async (signal) => {
      const user = await helpdesk.people.identify(caller, signal);
      pools.markKnown(caller);
      return user;
    });
  }

  function read(caller: Caller, ticket: string): Reader<TicketFile> {
    return asking(caller, ticket, (signal) => helpdesk.tickets.readAs(caller, ticket, signal));
  }

  /** A refusal drops what is cached; any other failure changes nothing. */
  function asking<T>(caller: Caller, ticket: string | undefined, send: Reader<T>): Reader<T> {
    return (signal) =>
      pools
        .ask(caller, signal, () => send(signal))
        .catch((error: unknown) => {
          forgetRefused(error, caller, ticket);
          throw error;
        });
  }

  async function identified(caller: Caller, signal: AbortSignal): Promise<HelpdeskUser> {
    const known = users.peek(caller.digest, identify(caller));
    if (known === undefined && pools.isRefused(caller)) throw new AppError('unauthenticated');
    return known ?? users.get(caller.digest, identify(caller), signal);
  }

  /** Who the caller is. Throws `unauthenticated`. */
  async function whoIs(caller: Caller, signal: AbortSignal): Promise<HelpdeskUser> {
    return identified(caller, signal).catch(refuse);
  }

  async function openWith(caller: Caller, ticket: string, signal: AbortSignal) {
    // An unknown caller's ticket is not worth a request until it is known who they are.
    if (!pools.isKnown(caller)) await whoIs(caller, signal);
    const [user, file] = await Promise.allSettled([
      identified(caller, signal),
      opened.get(keyOf(caller, ticket), read(caller, ticket), signal),
    ]);
    if (user.status === 'rejected') return refuse(user.reason);
    if (!user.value.isAgent) throw new AppError('not_an_agent');
    if (file.status === 'rejected') return refuse(file.reason);
    return { agent: user.value, file: file.value };
  }

  /** We have written to the ticket: what is cached about it is out of date. */
  function forgetTicket(ticket: string): void {
    lastChange += 1;
    changes.set(ticket, { number: lastChange });
  }

  return {
    whoIs,
    /** The caller, if they are an agent. Throws `unauthenticated` or `not_an_agent`. */
    async requireAgent(caller: Caller, signal: AbortSignal): Promise<HelpdeskUser> {
      const user = await whoIs(caller, signal);
      if (!user.isAgent) throw new AppError('not_an_agent');
      return user;
    },
    /**
     * The ticket, for an agent who may read it. Throws `unauthenticated`, `not_an_agent`, `ticket_not_readable` or
     * `ticket_not_found`, checked in this order, so that only agents learn whether a ticket exists.
     */
    async openTicket(caller: Caller, ticket: string, signal: AbortSignal): Promise<TicketFile> {
      return (await openWith(caller, ticket, signal)).file;
    },
    /** The same for an agent who may change it (docs/api.md#callers). Throws also `ticket_not_writable`. */
    async requireTicketWrite(caller: Caller, ticket: string, signal: AbortSignal) {
      const opened = await openWith(caller, ticket, signal);
      await helpdesk.rights.requireTicketWrite(caller, ticket, signal).catch((error: unknown) => {
        if (!(error instanceof HelpdeskError)) throw error;
        forgetTicket(ticket);
        throw error.kind === 'forbidden' ? new AppError('ticket_not_writable') : answerFor(error);
      });
      return opened;
    },
    /**
     * For a caller who may write the customer themselves (docs/decisions.md 12). Throws `customer_not_writable` and what
     * `explainCustomerRefusal` throws.
     */
    async requireCustomerWrite(caller: Caller, customer: string, signal: AbortSignal): Promise<void> {
      const asked = helpdesk.rights.requireCustomerWrite(caller, customer, signal).catch((error: unknown) => {
        if (error instanceof HelpdeskError && error.kind === 'forbidden') throw new AppError('customer_not_writable');
        throw error;
      });
      await explainCustomerRefusal(asked);
    },
    forgetTicket,
  };

  function forgetRefused(error: unknown, caller: Caller, ticket?: string): void {
    if (!(error instanceof HelpdeskError)) return;
    if (error.kind === 'unauthenticated' || error.kind === 'forbidden') {
      users.delete(caller.digest);
      if (ticket !== undefined) opened.delete(keyOf(caller, ticket));
    }
    if (error.kind === 'unauthenticated') pools.markRefused(caller);
  }
}
