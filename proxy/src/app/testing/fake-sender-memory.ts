import { createSenderMemory, type SenderMemory } from '#app/trust/sender-memory.ts';
import { isSameCompany } from '#domain/trust/agents-word.ts';
import type { CompanyRejections, Rejection } from '#ports/customer/company-rejections.ts';
import type { Sender, SyncEntry, SyncLog } from '#ports/customer/sync-log.ts';

export function fakeSyncLog(): SyncLog & { entries: (SyncEntry & { sender?: Sender | null })[] } {
  const entries: (SyncEntry & { sender?: Sender | null })[] = [];
  return {
    entries,
    async record(entry) {
      const id = `sync-${entries.length + 1}`;
      entries.push({ ...entry, id, undoneAt: null });
      return id;
    },
    get: async (id) => entries.find((entry) => entry.id === id) ?? null,
    latest: async (ticket) => entries.findLast((entry) => entry.ticket === ticket && entry.undoneAt === null) ?? null,
    async markUndone(id, at) {
      const entry = entries.find((e) => e.id === id);
      if (entry) entry.undoneAt ??= at;
    },
    async restore(id) {
      const entry = entries.find((e) => e.id === id);
      if (entry) entry.undoneAt = null;
    },
    async choicesOf({ address, domain }) {
      const standing = entries.filter(({ undoneAt }) => undoneAt === null).toReversed();
      const own = standing.filter(({ sender }) => sender?.address === address);
      return [...own, ...standing.filter(({ sender }) => domain !== null && sender?.domain === domain)];
    },
  };
}

export function fakeRejections(): CompanyRejections & { entries: (Rejection & { liftedBy: string | null })[] } {
  const entries: (Rejection & { liftedBy: string | null })[] = [];
  const isOf = (entry: Rejection, of: { ticket: string; sender: string | null }) =>
    entry.liftedAt === null && (entry.ticket === of.ticket || (of.sender !== null && entry.sender === of.sender));
  return {
    entries,
    async record(rejection) {
      const id = `rejection-${entries.length + 1}`;
      entries.push({ ...rejection, id, taken: null, liftedAt: null, liftedBy: null });
      return id;
    },
    get: async (id) => entries.find((entry) => entry.id === id) ?? null,
    standing: async (of) => entries.filter((entry) => isOf(entry, of)).toReversed(),
    async noteTaken(id, taken) {
      for (const entry of entries) if (entry.id === id) entry.taken = taken;
    },
    async lift(match, by, at) {
      for (const entry of entries)
        if (isOf(entry, match) && isSameCompany(entry, match)) Object.assign(entry, { liftedAt: at, liftedBy: by });
    },
    async restore(by) {
      for (const entry of entries) if (entry.liftedBy === by) Object.assign(entry, { liftedAt: null, liftedBy: null });
    },
  };
}

/** What agents have said about senders, from these records. One domain is public: `web.example`. */
export function fakeSenderMemory(
  syncLog: Pick<SyncLog, 'choicesOf'> = fakeSyncLog(),
  rejections: Pick<CompanyRejections, 'standing'> = fakeRejections(),
): SenderMemory {
  return createSenderMemory({ syncLog, rejections, isPublicMailDomain: (domain) => domain === 'web.example' });
}
