import { senderAddress, telltaleDomain } from '#domain/trust/sender.ts';
import type { CompanyRejections, Rejection } from '#ports/customer/company-rejections.ts';
import type { EarlierChoice, Sender, SyncLog } from '#ports/customer/sync-log.ts';
import type { Ticket } from '#ports/helpdesk/helpdesk.ts';
import type { HelpdeskTickets } from '#ports/helpdesk/helpdesk-tickets.ts';

/** A ticket by its name, and who raised it. */
export type Raised = Pick<Ticket, 'name' | 'origin'>;

/** What agents have said about a ticket's sender: which companies they are not of, and which were chosen for them. */
export interface SenderMemory {
  /** Rejections that stand for the ticket or its sender, newest first (docs/decisions.md 28). */
  rejections(ticket: Raised): Promise<Rejection[]>;
  /** What was chosen for the sender, then for others of their domain (docs/decisions.md 29). */
  choices(ticket: Raised): Promise<EarlierChoice[]>;
}

interface Deps {
  rejections: Pick<CompanyRejections, 'standing'>;
  syncLog: Pick<SyncLog, 'choicesOf'>;
  isPublicMailDomain: (domain: string) => boolean;
}

export function createSenderMemory({ rejections, syncLog, isPublicMailDomain }: Deps): SenderMemory {
  return {
    rejections: ({ name, origin }) => rejections.standing({ ticket: name, sender: senderAddress(origin) }),
    async choices({ origin }) {
      const sender = senderOf(origin, isPublicMailDomain);
      return sender === null ? [] : syncLog.choicesOf(sender);
    },
  };
}

/**
 * Under whom to record what an agent says of a ticket's sender. Null for a ticket that the desk raised itself: its
 * address stands for no customer. Throws HelpdeskError.
 */
export type IdentifySender = (ticket: Pick<Ticket, 'origin'>, signal: AbortSignal) => Promise<Sender | null>;

export function createIdentifySender(deps: {
  helpdesk: Pick<HelpdeskTickets, 'isDesk' | 'serviceUser'>;
  isPublicMailDomain: (domain: string) => boolean;
}): IdentifySender {
  const { helpdesk } = deps;
  return async ({ origin }, signal) => {
    const sender = senderOf(origin, deps.isPublicMailDomain);
    if (sender === null || sender.address === (await helpdesk.serviceUser(signal)).toLowerCase()) return null;
    return (await helpdesk.isDesk(sender.address, signal)) ? null : sender;
  };
}

function senderOf(origin: Ticket['origin'], isPublicMailDomain: (domain: string) => boolean): Sender | null {
  const address = senderAddress(origin);
  return address === null ? null : { address, domain: telltaleDomain(address, isPublicMailDomain) };
}
