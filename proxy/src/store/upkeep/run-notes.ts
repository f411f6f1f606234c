import { OrgId } from '@deskside/shared/orgid';
import * as z from 'zod';
import type { RunNotes } from '#ports/operator/upkeep.ts';
import type { StateDb } from '#store/schema.ts';
import { selectUpkeep, writeUpkeep } from './upkeep.ts';

const SignUpNote = z.object({ is_open: z.boolean() });

const Counts = z.object({
  updated: z.number(),
  unchanged: z.number(),
  not_found: z.number(),
  without_org_id: z.number(),
  fresh: z.number(),
  failed: z.record(z.string(), z.number()),
});
const Backfill = z.object({
  stale_after_ms: z.number().nullable(),
  after: z.object({ creation: z.string(), name: z.string() }).nullable(),
  counts: Counts,
});

const Matching = z.object({
  after: z.object({ creation: z.string(), name: z.string() }).nullable(),
  done: z.number(),
  total: z.number(),
  failed: z.number(),
});

const MadeNote = z.object({
  fields: z.array(z.string()),
  levels: z.array(z.string()),
  rows: z.array(z.object({ doctype: z.string(), role: z.string() })),
});

const Proof = z.object({
  ticket: z.string().nullable(),
  org_id: z.nullable(OrgId),
  met: z
    .object({
      cause: z.enum(['webhook', 'sweep']),
      heard_at: z.number(),
      taken_at: z.number(),
      crm: z.object({
        status: z.enum(['matched', 'not_found', 'cached', 'error']).nullable(),
        error: z.string().nullable(),
        answered_at: z.number(),
      }),
      team: z.string().nullable(),
      reason: z.string(),
      next: z.string().nullable(),
      decided_at: z.number(),
    })
    .nullable(),
});

/** What long runs have come to, a row for each kind. Throws if the store fails, or holds something else than we wrote. */
export function createRunNotes(db: StateDb): RunNotes {
  const write = (task: string, at: number, note: object) =>
    writeUpkeep(db, { task, note: JSON.stringify(note), at }).execute();

  return {
    async lastBackfill() {
      const row = await selectUpkeep(db, 'backfill').executeTakeFirst();
      if (row === undefined) return null;
      const { stale_after_ms, after, counts } = Backfill.parse(JSON.parse(row.note));
      const { not_found: notFound, without_org_id: withoutOrgId, ...others } = counts;
      return { begunAt: row.at, staleAfterMs: stale_after_ms, after, counts: { ...others, notFound, withoutOrgId } };
    },
    async noteBackfill({ begunAt, staleAfterMs, after, counts: { notFound, withoutOrgId, ...others } }) {
      const counts = { ...others, not_found: notFound, without_org_id: withoutOrgId };
      await write('backfill', begunAt, { stale_after_ms: staleAfterMs, after, counts } satisfies z.input<
        typeof Backfill
      >);
    },
    async lastSignUp() {
      const row = await selectUpkeep(db, 'sign_up').executeTakeFirst();
      return row === undefined ? null : { isOpen: SignUpNote.parse(JSON.parse(row.note)).is_open, at: row.at };
    },
    async noteSignUp({ isOpen, at }) {
      await write('sign_up', at, { is_open: isOpen } satisfies z.input<typeof SignUpNote>);
    },
    async lastMatching() {
      const row = await selectUpkeep(db, 'matching').executeTakeFirst();
      return row === undefined ? null : { begunAt: row.at, ...Matching.parse(JSON.parse(row.note)) };
    },
    async noteMatching({ begunAt, ...note }) {
      await write('matching', begunAt, note satisfies z.input<typeof Matching>);
    },
    async made() {
      const row = await selectUpkeep(db, 'made').executeTakeFirst();
      return row === undefined ? { fields: [], levels: [], rows: [] } : MadeNote.parse(JSON.parse(row.note));
    },
    async noteMade(made) {
      await write('made', 0, made satisfies z.input<typeof MadeNote>);
    },
    async proof() {
      const row = await selectUpkeep(db, 'proof').executeTakeFirst();
      if (row === undefined) return null;
      const { ticket, org_id: orgId, met } = Proof.parse(JSON.parse(row.note));
      if (met === null) return { begunAt: row.at, ticket, orgId, met };
      const { heard_at: heardAt, taken_at: takenAt, decided_at: decidedAt, crm, ...others } = met;
      const { answered_at: answeredAt, ...answer } = crm;
      return {
        begunAt: row.at,
        ticket,
        orgId,
        met: { ...others, heardAt, takenAt, decidedAt, crm: { ...answer, answeredAt } },
      };
    },
    async noteProof({ begunAt, ticket, orgId, met }) {
      const note: z.input<typeof Proof> = {
        ticket,
        org_id: orgId,
        met: met && {
          cause: met.cause,
          heard_at: met.heardAt,
          taken_at: met.takenAt,
          decided_at: met.decidedAt,
          crm: { status: met.crm.status, error: met.crm.error, answered_at: met.crm.answeredAt },
          team: met.team,
          reason: met.reason,
          next: met.next,
        },
      };
      await write('proof', begunAt, note);
    },
  };
}
