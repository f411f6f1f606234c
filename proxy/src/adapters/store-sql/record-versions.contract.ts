import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { OrgId } from '@deskside/shared/orgid';
import { describe, expect, it } from 'vitest';
import type { Store } from './store.ts';
import { draftOf } from './testing/decision-draft.ts';

/** A ticket, whoever raised it, and what it takes to write about them. */
interface Subject {
  ticket: string;
  sender: string;
  domain: string;
}

/** Gives the write, after whatever has to be there before it. */
type Write = (store: Store, about: Subject) => Promise<() => Promise<unknown>>;

/** Writes nothing. */
const reads = 'reads';
/** Writes what no profile is made of, or what is in another memory that forgets it by itself. */
const elsewhere = 'elsewhere';

const orgId = OrgId.parse('200000376001');
const at = Date.UTC(2026, 10, 20, 12);
const turn = { team: 'CS 60p', members: ['an@desk.example'], eligible: ['an@desk.example'] };

const synced = ({ ticket, sender, domain }: Subject) => ({
  ...{ ticket, agent: 'an@desk.example', orgId, crmCompanyId: '63001', customer: 'Gốm Sứ', previousCustomer: null, at },
  sender: { address: sender, domain },
});
const rejected = ({ ticket, sender }: Subject) => ({
  ...{ ticket, sender, orgId, crmCompanyId: '63001', companyName: null, agent: 'an@desk.example', at },
  reason: { code: 'wrong_id' as const, note: '' },
});

/**
 * Every method of every part of the store. A new one does not compile here, and fails below, until it says whether a
 * profile can look different after it.
 */
const methods = {
  syncLog: {
    record:
      async ({ syncLog }, about) =>
      () =>
        syncLog.record(synced(about)),
    restore: async ({ syncLog }, about) => {
      const id = await syncLog.record(synced(about));
      await syncLog.markUndone(id, at);
      return () => syncLog.restore(id);
    },
    markUndone: async ({ syncLog }, about) => {
      const id = await syncLog.record(synced(about));
      return () => syncLog.markUndone(id, at);
    },
    ...{ get: reads, latest: reads, choicesOf: reads },
  },
  companyRejections: {
    record:
      async ({ companyRejections }, about) =>
      () =>
        companyRejections.record(rejected(about)),
    noteTaken: async ({ companyRejections }, about) => {
      const id = await companyRejections.record(rejected(about));
      return () => companyRejections.noteTaken(id, { customer: null, instead: null, changes: [], sync: null });
    },
    lift: async ({ companyRejections }, about) => {
      await companyRejections.record(rejected(about));
      return () => companyRejections.lift(rejected(about), 'a sync', at);
    },
    restore: async ({ companyRejections }, about) => {
      const by = randomUUID();
      await companyRejections.record(rejected(about));
      await companyRejections.lift(rejected(about), by, at);
      return () => companyRejections.restore(by);
    },
    ...{ get: reads, standing: reads },
  },
  decisions: {
    add:
      async ({ decisions }, { ticket }) =>
      () =>
        decisions.add(draftOf(ticket), 0, turn),
    takeTurn: async ({ decisions }, { ticket }) => {
      const waiting = { state: 'nobody_available' as const, candidates: [] };
      const decision = await decisions.add(draftOf(ticket, { assignment: waiting }), 0, null);
      return () => decisions.takeTurn(decision?.id ?? '', turn, []);
    },
    update: async ({ decisions }, { ticket }) => {
      const decision = await decisions.add(draftOf(ticket), 0, turn);
      return () => decisions.update(decision?.id ?? '', { state: 'applied' });
    },
    ...{ setLastAgent: elsewhere, keepFirstState: elsewhere, keepPreliminary: elsewhere },
    deletePreliminaryBefore: elsewhere,
    ...{ latest: reads, list: reads, decided: reads, isForgotten: reads, waitingForAgent: reads, openClaimsOf: reads },
    ...{ latestOfAll: reads, count: reads, firstState: reads, preliminary: reads },
    ...{ waitingTeams: reads, waitingIn: reads, lastBefore: reads },
  },
  ticketMemory: {
    forget: async ({ ticketMemory, decisions }, { ticket }) => {
      await decisions.add(draftOf(ticket), 0, turn);
      return () => ticketMemory.forget(ticket, at * 2, at * 2);
    },
    ...{ adopt: elsewhere, note: elsewhere, lastActiveBefore: reads },
  },
  purge: async ({ purge, syncLog }, about) => {
    await syncLog.record(synced(about));
    return () => purge({ tickets: [about.ticket], names: null, now: at, isDry: false });
  },
  // The cache in front of it forgets what is written through it (`createRememberingCache`).
  profileCache: {
    ...{ putCompanies: elsewhere, markOutdated: elsewhere, deleteNegative: elsewhere, putUsers: elsewhere },
    ...{ deleteCheckedBefore: elsewhere, probe: elsewhere, close: elsewhere },
    ...{ getCompanies: reads, getUser: reads },
  },
  // What is known of a sender is remembered for a minute, as what the helpdesk says of them (docs/api.md#callers).
  customerBindings: { record: elsewhere, remove: elsewhere, customersOf: reads },
  writtenFacts: { record: elsewhere, of: reads },
  // Other settings make another service, which remembers nothing of the one before.
  settings: { change: elsewhere, version: reads, read: reads, changes: reads },
  inbox: {
    ...{ accept: elsewhere, enqueue: elsewhere, claim: elsewhere, finish: elsewhere, postpone: elsewhere },
    ...{ deleteEventsBefore: elsewhere, deleteFinishedBefore: elsewhere, waitingAmong: reads, waiting: reads },
  },
  sweepMark: { read: reads, write: elsewhere },
  leases: { take: elsewhere, release: elsewhere, deleteExpired: elsewhere },
  missingAnchors: { record: elsewhere, list: reads },
  upkeep: {
    ...{ noteBackup: elsewhere, noteRestore: elsewhere, noteBackfill: elsewhere, noteAdopted: elsewhere },
    ...{ lastBackup: reads, lastRestore: reads, lastBackfill: reads, lastAdopted: reads },
  },
  operatorSessions: { begin: elsewhere, touch: elsewhere, end: elsewhere, deleteOver: elsewhere, find: reads },
  pipelineWatch: { backlog: reads, decided: reads },
  recordVersions: { of: reads, atOnce: reads },
  ...{ requestBudget: elsewhere, checkFiles: elsewhere },
  close: elsewhere,
} satisfies { [Part in keyof Required<Store>]: Listed<Store[Part]> };

type Entry = Write | typeof reads | typeof elsewhere;
type Method = (...given: never[]) => unknown;
// What is optional is not in a store, but in what stands in front of it.
type Listed<Part> = Part extends Method
  ? Entry
  : { [Name in keyof Part as undefined extends Part[Name] ? never : Name]: Entry };

const writes = Object.entries(methods).flatMap(([part, entry]): [string, Write][] =>
  typeof entry === 'function'
    ? [[part, entry]]
    : typeof entry === 'string'
      ? []
      : Object.entries(entry as Record<string, Entry>).flatMap(([name, one]): [string, Write][] =>
          typeof one === 'function' ? [[`${part}.${name}`, one]] : [],
        ),
);

/** Tests of the versions of our own records for any store. `storeOf(1)` is another process on the same tables. */
export function describeRecordVersions(storeOf: (which: 0 | 1) => Store): void {
  const somebody = (): Subject => ({
    ...{ ticket: randomUUID(), sender: `${randomUUID()}@shop.example`, domain: `${randomUUID()}.example` },
  });
  const versionOf = async ({ ticket, sender, domain }: Subject) => {
    // Another process's writes are looked for once per turn.
    await nextTurn();
    const about = { ticket, sender, choicesOf: { address: sender, domain } };
    const { recordVersions } = storeOf(0);
    const version = await recordVersions.of(about);
    expect([version, null]).toContain(recordVersions.atOnce(about));
    return version;
  };

  describe('the versions of our own records', () => {
    it('know every method of the store', () => {
      for (const [part, entry] of Object.entries(methods)) {
        const found: unknown = storeOf(0)[part as keyof Store];
        if (typeof found === 'object')
          expect(Object.keys(entry)).toEqual(expect.arrayContaining(Object.keys(found ?? {})));
      }
      expect(Object.keys(methods)).toEqual(expect.arrayContaining(Object.keys(storeOf(0))));
    });

    it.each(writes)('are others after %s, whichever process does it, and only there', async (_, prepare) => {
      for (const which of [0, 1] as const) {
        const [about, bystander] = [somebody(), somebody()];
        const write = await prepare(storeOf(which), about);
        const before = await versionOf(about);
        expect(await versionOf(about)).toBe(before);
        const beside = await versionOf(bystander);
        await write();
        expect(await versionOf(about)).not.toBe(before);
        // SQLite does not tell what another process has written.
        if (which === 0) expect(await versionOf(bystander)).toBe(beside);
      }
    });

    it('go by the ticket, by its sender and by the sender’s domain', async () => {
      const about = somebody();
      for (const change of [{ ticket: randomUUID() }, { sender: 'x@shop.example', ticket: randomUUID() }]) {
        const before = await versionOf(about);
        await storeOf(0).syncLog.record(synced({ ...about, ...change }));
        expect(await versionOf(about)).not.toBe(before);
      }
      const before = await versionOf(about);
      await storeOf(0).companyRejections.record(rejected({ ...about, ticket: randomUUID() }));
      expect(await versionOf(about)).not.toBe(before);
    });
  });
}
