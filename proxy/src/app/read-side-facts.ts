import type { OrgId } from '@deskside/shared/orgid';
import type { AccountLink, PendingPart } from '@deskside/shared/profile';
import type { Helpdesk, SenderTies } from '../ports/helpdesk.ts';
import type { HelpdeskTickets } from '../ports/helpdesk-tickets.ts';
import type { Memory } from '../ports/memory.ts';
import type { Background } from './background.ts';

/** What the service account knows besides the ticket. `pending` names what is still being read. */
export interface SideFacts {
  ties: SenderTies | null;
  /** Whether the account that created the ticket is an agent's; null while nobody has looked, or need not. */
  ownerIsDesk: boolean | null;
  accountLinks: AccountLink[];
  pending: PendingPart[];
}

/**
 * Gives what is known of sender and customer beyond the ticket, and starts reading what is not: an answer never waits
 * for it (design.md, decision 14), the next one has it.
 */
export type ReadSideFacts = (input: {
  sender: string | null;
  /** The account whose agent's record is wanted; null: nobody's. */
  owner: string | null;
  orgId: OrgId | null;
  customer: string | null;
}) => SideFacts;

const rememberMs = 60_000;

export function createReadSideFacts(deps: {
  helpdesk: Helpdesk & Pick<HelpdeskTickets, 'isAgent'>;
  memory: Memory;
  background: Background;
}): ReadSideFacts {
  const { helpdesk, memory, background } = deps;
  const tiesKnown = memory.area<SenderTies>({ ttlMs: rememberMs, max: 5_000 });
  const ownersKnown = memory.area<{ isAgent: boolean }>({ ttlMs: rememberMs, max: 5_000 });
  const linksKnown = memory.area<AccountLink[]>({ ttlMs: rememberMs, max: 5_000 });

  return ({ sender, owner, orgId, customer }) => {
    const facts: SideFacts = { ties: null, ownerIsDesk: null, accountLinks: [], pending: [] };
    if (owner !== null) {
      facts.ownerIsDesk = ownersKnown.get(owner)?.isAgent ?? null;
      if (facts.ownerIsDesk === null) {
        facts.pending.push('lookup_trust');
        background.run(`owner ${owner}`, async (signal) =>
          ownersKnown.set(owner, { isAgent: await helpdesk.isAgent(owner, signal) }),
        );
      }
    }
    if (sender && orgId) {
      const key = `${orgId} ${sender.toLowerCase()}`;
      facts.ties = tiesKnown.get(key) ?? null;
      if (!facts.ties) {
        if (!facts.pending.includes('lookup_trust')) facts.pending.push('lookup_trust');
        background.run(`ties ${key}`, async (signal) =>
          tiesKnown.set(key, await helpdesk.readSenderTies(sender, orgId, signal)),
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
