import type { OrgId } from '@deskside/shared/orgid';
import type { AccountLink, PendingPart } from '@deskside/shared/profile';
import type { Background } from '#app/runtime/background.ts';
import type { SenderRecords } from '#domain/trust/judge-trust.ts';
import type { Helpdesk } from '#ports/helpdesk.ts';
import type { HelpdeskTickets } from '#ports/helpdesk-tickets.ts';
import type { Memory } from '#ports/memory.ts';
import type { ReadSenderRecords } from './read-sender-records.ts';

/** What the service account knows beyond the ticket. `pending` names what is still being read. */
interface ServiceFacts {
  records: SenderRecords | null;
  /** Whether an agent's account created the ticket; null if that has not been looked up, or need not be. */
  ownerIsDesk: boolean | null;
  accountLinks: AccountLink[];
  pending: PendingPart[];
}

/**
 * Returns what is known about sender and customer beyond the ticket, and starts reading the rest: a response never
 * waits for it (docs/decisions.md 14), the next one has it.
 */
export type ReadServiceFacts = (input: {
  sender: string | null;
  /** The account to look up among the agents; null for none. */
  owner: string | null;
  orgId: OrgId | null;
  customer: string | null;
}) => ServiceFacts;

const rememberMs = 60_000;

export function createReadServiceFacts(deps: {
  helpdesk: Pick<Helpdesk, 'hasAccountLinks' | 'readAccountLinks'> & Pick<HelpdeskTickets, 'isAgent' | 'serviceUser'>;
  readSenderRecords: ReadSenderRecords;
  memory: Memory;
  background: Background;
}): ReadServiceFacts {
  const { helpdesk, memory, background } = deps;
  const recordsKnown = memory.area<SenderRecords>({ ttlMs: rememberMs, max: 5_000 });
  const ownersKnown = memory.area<{ isDesk: boolean }>({ ttlMs: rememberMs, max: 5_000 });
  const linksKnown = memory.area<AccountLink[]>({ ttlMs: rememberMs, max: 5_000 });

  return ({ sender, owner, orgId, customer }) => {
    const facts: ServiceFacts = { records: null, ownerIsDesk: null, accountLinks: [], pending: [] };
    if (owner !== null) {
      facts.ownerIsDesk = ownersKnown.get(owner)?.isDesk ?? null;
      if (facts.ownerIsDesk === null) {
        facts.pending.push('lookup_trust');
        background.run(`owner ${owner}`, async (signal) =>
          ownersKnown.set(owner, {
            isDesk: owner === (await helpdesk.serviceUser(signal)) || (await helpdesk.isAgent(owner, signal)),
          }),
        );
      }
    }
    if (sender && orgId) {
      const key = `${orgId} ${sender.toLowerCase()}`;
      facts.records = recordsKnown.get(key) ?? null;
      if (!facts.records) {
        if (!facts.pending.includes('lookup_trust')) facts.pending.push('lookup_trust');
        background.run(`sender ${key}`, async (signal) =>
          recordsKnown.set(key, await deps.readSenderRecords(sender, orgId, signal)),
        );
      }
    }
    if (customer && helpdesk.hasAccountLinks) {
      const known = linksKnown.get(customer);
      facts.accountLinks = known ?? [];
      if (!known) {
        facts.pending.push('haravan');
        background.run(`links ${customer}`, async (signal) =>
          linksKnown.set(customer, await helpdesk.readAccountLinks(customer, signal)),
        );
      }
    }
    return facts;
  };
}
