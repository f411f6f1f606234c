import type { OrgId } from '@deskside/shared/orgid';
import { shareRequests } from '#app/runtime/answers/share-requests.ts';
import type { Background } from '#app/runtime/background.ts';
import { renewable } from '#app/runtime/renewable.ts';
import type { SenderRecords } from '#domain/trust/judge-trust.ts';
import { senderAddress } from '#domain/trust/sender.ts';
import type { HelpdeskTickets } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Memory } from '#ports/runtime/memory.ts';
import type { ReadSenderRecords } from './read-sender-records.ts';

/** What the service account can tell about who raised a ticket; null if that is not known yet. */
export interface SenderKnowledge {
  /** Whether the account is of the desk (docs/routing.md#who-is-of-the-desk). */
  isDesk(account: string, signal: AbortSignal): Promise<boolean | null>;
  records(sender: string, orgId: OrgId, signal: AbortSignal): Promise<SenderRecords | null>;
  /** Whether the desk has put this address in the place of the one that the ticket was made for. */
  changedByDesk(ticket: string, address: string, signal: AbortSignal): Promise<boolean | null>;
}

interface Deps {
  helpdesk: Pick<HelpdeskTickets, 'isDesk' | 'readVersions'>;
  readSenderRecords: ReadSenderRecords;
}

/** Reads it from the helpdesk every time. Throws HelpdeskError. */
export function readSenderKnowledge({ helpdesk, readSenderRecords }: Deps): SenderKnowledge {
  return {
    async isDesk(account, signal) {
      return helpdesk.isDesk(account, signal);
    },
    async records(sender, orgId, signal) {
      return readSenderRecords(sender, orgId, signal);
    },
    async changedByDesk(ticket, address, signal) {
      const versions = await helpdesk.readVersions(ticket, signal);
      const last = versions.find(({ raisedBy }) => raisedBy !== undefined);
      if (!last?.raisedBy || senderAddress({ raisedBy: last.raisedBy.to }) !== address) return false;
      return helpdesk.isDesk(last.by, signal);
    },
  };
}

const rememberMs = 60_000;

/**
 * The same for responses that people wait for, remembered for a minute. `atOnce` tells what is known and has the rest
 * read in the background, for the next response (docs/decisions.md 14); `inTime` reads it.
 */
export function rememberSenderKnowledge(
  deps: Deps & { memory: Memory; background: Background; clock?: Clock },
): Record<'atOnce' | 'inTime', SenderKnowledge> {
  const read = readSenderKnowledge(deps);
  const desk = remembered<boolean | null>(deps, 'owner');
  const records = remembered<SenderRecords | null>(deps, 'sender');
  const changes = remembered<boolean | null>(deps, 'sender of');
  const askDesk = (account: string) => (signal: AbortSignal) => read.isDesk(account, signal);
  const askRecords = (sender: string, orgId: OrgId) => (signal: AbortSignal) => read.records(sender, orgId, signal);
  const askChange = (ticket: string, address: string) => (signal: AbortSignal) =>
    read.changedByDesk(ticket, address, signal);
  return {
    inTime: {
      isDesk: (account, signal) => desk.inTime(account, askDesk(account), signal),
      records: (sender, orgId, signal) => records.inTime(keyOf(sender, orgId), askRecords(sender, orgId), signal),
      changedByDesk: (ticket, address, signal) =>
        changes.inTime(`${ticket} ${address}`, askChange(ticket, address), signal),
    },
    atOnce: {
      isDesk: async (account) => desk.atOnce(account, askDesk(account)),
      records: async (sender, orgId) => records.atOnce(keyOf(sender, orgId), askRecords(sender, orgId)),
      changedByDesk: async (ticket, address) => changes.atOnce(`${ticket} ${address}`, askChange(ticket, address)),
    },
  };
}

type Ask<T> = (signal: AbortSignal) => Promise<T>;

/** One kind of knowledge; `task` names what is read in the background. */
function remembered<T>(
  { memory, background, clock }: { memory: Memory; background: Background; clock?: Clock },
  task: string,
) {
  const known = renewable<T>(memory, { ttlMs: rememberMs, max: 5_000 }, clock);
  const asking = shareRequests<T>();

  const read = (key: string, ask: Ask<T>, signal: AbortSignal) =>
    asking(key, signal, async (shared) => {
      const value = await ask(shared);
      known.set(key, value);
      return value;
    });

  /** What is known, read anew before it is forgotten. */
  function peek(key: string, ask: Ask<T>) {
    const kept = known.get(key);
    if (kept && known.isDue(kept)) readSoon(key, ask);
    return kept;
  }

  function readSoon(key: string, ask: Ask<T>): void {
    background.run(`${task} ${key}`, async (signal) => void (await read(key, ask, signal)));
  }

  return {
    async inTime(key: string, ask: Ask<T>, signal: AbortSignal): Promise<T> {
      const kept = peek(key, ask);
      return kept ? kept.value : read(key, ask, signal);
    },
    atOnce(key: string, ask: Ask<T>): T | null {
      const kept = peek(key, ask);
      if (!kept) readSoon(key, ask);
      return kept?.value ?? null;
    },
  };
}

function keyOf(sender: string, orgId: OrgId): string {
  return `${orgId} ${sender.trim().toLowerCase()}`;
}
