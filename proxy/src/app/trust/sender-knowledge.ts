import type { OrgId } from '@deskside/shared/orgid';
import type { Basis } from '#app/runtime/answers/basis.ts';
import { shareRequests } from '#app/runtime/answers/share-requests.ts';
import type { Background } from '#app/runtime/background.ts';
import { renewable } from '#app/runtime/renewable.ts';
import type { SenderRecords } from '#domain/trust/judge-trust.ts';
import type { HelpdeskTickets } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { Clock } from '#ports/runtime/clock.ts';
import type { Memory } from '#ports/runtime/memory.ts';
import type { ReadSenderRecords } from './read-sender-records.ts';

/** What the service account can tell about who raised a ticket; null if that is not known yet. `basis` is told what it rests on. */
export interface SenderKnowledge {
  /** Whether the account belongs to the support team: the service's, or an agent's. */
  isDesk(account: string, signal: AbortSignal, basis?: Basis): Promise<boolean | null>;
  records(sender: string, orgId: OrgId, signal: AbortSignal, basis?: Basis): Promise<SenderRecords | null>;
}

interface Deps {
  helpdesk: Pick<HelpdeskTickets, 'isAgent' | 'serviceUser'>;
  readSenderRecords: ReadSenderRecords;
}

/** Reads it from the helpdesk every time. Throws HelpdeskError. */
export function readSenderKnowledge({ helpdesk, readSenderRecords }: Deps): SenderKnowledge {
  return {
    async isDesk(account, signal, basis) {
      basis?.once();
      return account === (await helpdesk.serviceUser(signal)) || helpdesk.isAgent(account, signal);
    },
    async records(sender, orgId, signal, basis) {
      basis?.once();
      return readSenderRecords(sender, orgId, signal);
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
  const askDesk = (account: string) => (signal: AbortSignal) => read.isDesk(account, signal);
  const askRecords = (sender: string, orgId: OrgId) => (signal: AbortSignal) => read.records(sender, orgId, signal);
  return {
    inTime: {
      isDesk: (account, signal, basis) => desk.inTime(account, askDesk(account), signal, basis),
      records: (sender, orgId, signal, basis) =>
        records.inTime(keyOf(sender, orgId), askRecords(sender, orgId), signal, basis),
    },
    atOnce: {
      isDesk: async (account, _, basis) => desk.atOnce(account, askDesk(account), basis),
      records: async (sender, orgId, _, basis) =>
        records.atOnce(keyOf(sender, orgId), askRecords(sender, orgId), basis),
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
  function peek(key: string, ask: Ask<T>, basis: Basis | undefined) {
    const kept = known.get(key);
    if (kept) basis?.on(kept, () => known.get(key));
    else basis?.once();
    if (kept && known.isDue(kept)) readSoon(key, ask);
    return kept;
  }

  function readSoon(key: string, ask: Ask<T>): void {
    background.run(`${task} ${key}`, async (signal) => void (await read(key, ask, signal)));
  }

  return {
    async inTime(key: string, ask: Ask<T>, signal: AbortSignal, basis?: Basis): Promise<T> {
      const kept = peek(key, ask, basis);
      return kept ? kept.value : read(key, ask, signal);
    },
    atOnce(key: string, ask: Ask<T>, basis?: Basis): T | null {
      const kept = peek(key, ask, basis);
      if (!kept) readSoon(key, ask);
      return kept?.value ?? null;
    },
  };
}

function keyOf(sender: string, orgId: OrgId): string {
  return `${orgId} ${sender.trim().toLowerCase()}`;
}
