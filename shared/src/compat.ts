import * as z from 'zod/mini';

// Keeps proxies, extensions and stored records of different ages compatible. Revision 2 of the contract renamed
// `not_his_turn` (revision 1) to `not_their_turn` and has more causes and sources of a segment. Delete this file and
// its callers once no extension or proxy of revision 1 is in use and every store has run migration 0003_not_their_turn.

/** Request header that names the contract revision the client speaks. Revision 1 sends none. */
export const revisionHeader = 'deskside-contract';
export const contractRevision = 2;

const current = 'not_their_turn';
const former = 'not_his_turn';

/** Wraps a schema of reasons so that it also reads those of revision 1. */
export function acceptFormerReasons<Schema extends z.core.$ZodType<string>>(schema: Schema) {
  return z.pipe(
    z.transform((value: unknown) => (value === former ? current : value)),
    schema,
  );
}

interface Versioned {
  cause: string;
  outcome: { segment_source: string };
  assignment: { candidates: readonly { reason: string }[] };
}

const formerSources: ReadonlySet<string> = new Set(['hd_customer', 'ticket', 'default']);

/** The decisions in the terms of the client's revision. `revision` is the value of the client's header. */
export function toRevision<Decision extends Versioned>(revision: string | undefined, decisions: Decision[]) {
  if (Number(revision) >= contractRevision) return decisions;
  return decisions.map((decision) => ({
    ...decision,
    cause: decision.cause === 'confirmed' ? 'repair' : decision.cause,
    outcome: {
      ...decision.outcome,
      segment_source: formerSources.has(decision.outcome.segment_source) ? decision.outcome.segment_source : 'default',
    },
    assignment: {
      ...decision.assignment,
      candidates: decision.assignment.candidates.map((candidate) =>
        candidate.reason === current ? { ...candidate, reason: former } : candidate,
      ),
    },
  }));
}
