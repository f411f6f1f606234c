import type { OrgId } from '@deskside/shared/orgid';
import type { Background } from '#app/runtime/background.ts';
import { shareRequests } from '#app/runtime/share-requests.ts';
import type { SenderRecords } from '#domain/trust/judge-trust.ts';
import type { HelpdeskTickets } from '#ports/helpdesk/helpdesk-tickets.ts';
import type { Memory } from '#ports/runtime/memory.ts';
import type { ReadSenderRecords } from './read-sender-records.ts';

/** What the service account can tell about who raised a ticket; null if that is not known yet. */
export interface SenderKnowledge {
  /** Whether the account belongs to the support team: the service's, or an agent's. */
  isDesk(account: string, signal: AbortSignal): Promise<boolean | null>;
  records(sender: string, orgId: OrgId, signal: AbortSignal): Promise<SenderRecords | null>;
}

interface Deps {
  helpdesk: Pick<HelpdeskTickets, 'isAgent' | 'serviceUser'>;
  readSenderRecords: ReadSenderRecords;
}

/** Reads it from the helpdesk every time. Throws HelpdeskError. */
export function readSenderKnowledge({ helpdesk, readSenderRecords }: Deps): SenderKnowledge {
  return {
    isDesk: async (account, signal) =>
      account === (await helpdesk.serviceUser(signal)) || helpdesk.isAgent(account, signal),
    records: readSenderRecords,
  };
}

const rememberMs = 60_000;

/**
 * The same for responses that people wait for, remembered for a minute. `atOnce` tells what is known and has the rest
 * read in the background, for the next response (docs/decisions.md 14); `inTime` reads it.
 */
export function rememberSenderKnowledge(
  deps: Deps & { memory: Memory; background: Background },
): Record<'atOnce' | 'inTime', SenderKnowledge> {
  const { memory, background } = deps;
  const read = readSenderKnowledge(deps);
  const desk = memory.area<{ value: boolean | null }>({ ttlMs: rememberMs, max: 5_000 });
  const records = memory.area<{ value: SenderRecords | null }>({ ttlMs: rememberMs, max: 5_000 });
  const askDesk = shareRequests<boolean | null>();
  const askRecords = shareRequests<SenderRecords | null>();

  const isDesk: SenderKnowledge['isDesk'] = async (account, signal) => {
    const known = desk.get(account);
    if (known) return known.value;
    return askDesk(account, signal, async (shared) => {
      const value = await read.isDesk(account, shared);
      desk.set(account, { value });
      return value;
    });
  };
  const recordsOf: SenderKnowledge['records'] = async (sender, orgId, signal) => {
    const key = keyOf(sender, orgId);
    const known = records.get(key);
    if (known) return known.value;
    return askRecords(key, signal, async (shared) => {
      const value = await read.records(sender, orgId, shared);
      records.set(key, { value });
      return value;
    });
  };

  return {
    inTime: { isDesk, records: recordsOf },
    atOnce: {
      async isDesk(account) {
        const known = desk.get(account);
        if (!known) background.run(`owner ${account}`, async (signal) => void (await isDesk(account, signal)));
        return known?.value ?? null;
      },
      async records(sender, orgId) {
        const key = keyOf(sender, orgId);
        const known = records.get(key);
        if (!known) background.run(`sender ${key}`, async (signal) => void (await recordsOf(sender, orgId, signal)));
        return known?.value ?? null;
      },
    },
  };
}

function keyOf(sender: string, orgId: OrgId): string {
  return `${orgId} ${sender.trim().toLowerCase()}`;
}
