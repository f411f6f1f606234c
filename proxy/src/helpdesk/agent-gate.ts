import { AppError } from '#runtime/app-error.ts';
import type { Memory, MemoryArea, Reader, Readings } from '#runtime/memory.ts';
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

/** Lets agents in, and nobody else. Everything here may also throw `rate_limited` (credentials.ts). */
export class AgentGate {
  private readonly helpdesk: Helpdesk;
  private readonly pools: CredentialPools;
  private readonly users: Readings<HelpdeskUser>;
  private readonly opened: Readings<TicketFile>;
  private readonly changes: MemoryArea<{ number: number }>;
  private lastChange = 0;

  constructor(helpdesk: Helpdesk, memory: Memory, pools: CredentialPools = createCredentialPools(memory)) {
    this.helpdesk = helpdesk;
    this.pools = pools;
    this.users = memory.readings({ ttlMs: isAgentMs, max: 5_000 });
    this.opened = memory.readings({ ttlMs: mayReadMs, max: 2_000 });
    this.changes = memory.area({ ttlMs: changedMs, max: 10_000 });
  }

  /** Who the caller is. Throws `unauthenticated`. */
  async whoIs(caller: Caller, signal: AbortSignal): Promise<HelpdeskUser> {
    return this.identified(caller, signal).catch(refuse);
  }

  /** The caller, if they are an agent. Throws `unauthenticated` or `not_an_agent`. */
  async requireAgent(caller: Caller, signal: AbortSignal): Promise<HelpdeskUser> {
    const user = await this.whoIs(caller, signal);
    if (!user.isAgent) throw new AppError('not_an_agent');
    return user;
  }

  /**
   * The ticket, for an agent who may read it. Throws `unauthenticated`, `not_an_agent`, `ticket_not_readable` or
   * `ticket_not_found`, checked in this order, so that only agents learn whether a ticket exists.
   */
  async openTicket(caller: Caller, ticket: string, signal: AbortSignal): Promise<TicketFile> {
    return (await this.openWith(caller, ticket, signal)).file;
  }

  /** The same for an agent who may change it (docs/api.md#callers). Throws also `ticket_not_writable`. */
  async requireTicketWrite(caller: Caller, ticket: string, signal: AbortSignal) {
    const opened = await this.openWith(caller, ticket, signal);
    await this.helpdesk.rights.requireWrite('HD Ticket', ticket, caller, signal).catch((error: unknown) => {
      if (!(error instanceof HelpdeskError)) throw error;
      this.forgetTicket(ticket);
      throw error.kind === 'forbidden' ? new AppError('ticket_not_writable') : answerFor(error);
    });
    return opened;
  }

  /**
   * For a caller who may write the customer themselves (decision 12: made by hand). Throws `customer_not_writable` and what
   * `explainCustomerRefusal` throws.
   */
  async requireCustomerWrite(caller: Caller, customer: string, signal: AbortSignal): Promise<void> {
    const asked = this.helpdesk.rights.requireWrite('HD Customer', customer, caller, signal).catch((error: unknown) => {
      if (error instanceof HelpdeskError && error.kind === 'forbidden') throw new AppError('customer_not_writable');
      throw error;
    });
    await explainCustomerRefusal(asked);
  }

  /** We have written to the ticket: what is cached about it is out of date. */
  forgetTicket(ticket: string): void {
    this.lastChange += 1;
    this.changes.set(ticket, { number: this.lastChange });
  }

  private async openWith(caller: Caller, ticket: string, signal: AbortSignal) {
    // An unknown caller's ticket is not worth a request until it is known who they are.
    if (!this.pools.isKnown(caller)) await this.whoIs(caller, signal);
    const read = this.asking(caller, ticket, (within) => this.helpdesk.tickets.readAs(caller, ticket, within));
    const [user, file] = await Promise.allSettled([
      this.identified(caller, signal),
      this.opened.get(this.keyOf(caller, ticket), read, signal),
    ]);
    if (user.status === 'rejected') return refuse(user.reason);
    if (!user.value.isAgent) throw new AppError('not_an_agent');
    if (file.status === 'rejected') return refuse(file.reason);
    return { agent: user.value, file: file.value };
  }

  private async identified(caller: Caller, signal: AbortSignal): Promise<HelpdeskUser> {
    const identify = this.asking(caller, undefined, async (within) => {
      const user = await this.helpdesk.people.identify(caller, within);
      this.pools.markKnown(caller);
      return user;
    });
    const known = this.users.peek(caller.digest, identify);
    if (known === undefined && this.pools.isRefused(caller)) throw new AppError('unauthenticated');
    return known ?? this.users.get(caller.digest, identify, signal);
  }

  /** Asks when it is the caller's turn. A refusal drops what is cached; any other failure changes nothing. */
  private asking<T>(caller: Caller, ticket: string | undefined, send: Reader<T>): Reader<T> {
    return (signal) =>
      this.pools
        .ask(caller, signal, () => send(signal))
        .catch((error: unknown) => {
          this.forgetRefused(error, caller, ticket);
          throw error;
        });
  }

  private forgetRefused(error: unknown, caller: Caller, ticket?: string): void {
    if (!(error instanceof HelpdeskError)) return;
    if (error.kind === 'unauthenticated' || error.kind === 'forbidden') {
      this.users.delete(caller.digest);
      if (ticket !== undefined) this.opened.delete(this.keyOf(caller, ticket));
    }
    if (error.kind === 'unauthenticated') this.pools.markRefused(caller);
  }

  /** What was read of a ticket before it changed is under another key, and nobody asks for that again. */
  private keyOf({ digest }: Caller, ticket: string): string {
    return `${this.changes.get(ticket)?.number ?? 0} ${digest} ${ticket}`;
  }
}
