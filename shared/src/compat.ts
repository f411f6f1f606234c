import * as z from 'zod/mini';

// Keeps proxies, extensions and stored records of different ages compatible. Revision 2 of the contract renamed
// `not_his_turn` (revision 1) to `not_their_turn` and has more causes, sources of a segment and evidence; revision 3 has the
// causes of a Sync. Delete this file and its callers once no extension or proxy of revisions 1 and 2 is in use and every
// store has run migration 0003_not_their_turn.

/** Request header that names the contract revision the client speaks. Revision 1 sends none. */
export const revisionHeader = 'deskside-contract';
export const contractRevision = 3;

const current = 'not_their_turn';
const former = 'not_his_turn';

/** Wraps a schema of reasons so that it also reads those of revision 1. */
export function acceptFormerReasons<Schema extends z.core.$ZodType<string>>(schema: Schema) {
  return z.pipe(
    z.transform((value: unknown) => (value === former ? current : value)),
    schema,
  );
}

interface VersionedTrust {
  evidence: readonly { code: string }[];
}

interface Versioned {
  cause: string;
  inputs: { org_id: { trust: VersionedTrust | null } | null };
  outcome: { segment_source: string };
  assignment: { candidates: readonly { reason: string }[] };
}

const laterEvidence: ReadonlySet<string> = new Set([
  'signed_in_account_of_company',
  'sender_account_of_company',
  'link_made_by_website_user',
  'customer_id_not_protected',
]);

/** A trust level with the evidence that the client's revision has words for. `revision`: as for `toRevision`. */
export function trustForRevision<Trust extends VersionedTrust | null>(
  revision: string | undefined,
  trust: Trust,
): Trust {
  if (trust === null || Number(revision) >= 2) return trust;
  return { ...trust, evidence: trust.evidence.filter(({ code }) => !laterEvidence.has(code)) };
}

const laterCauses: ReadonlySet<string> = new Set(['sync', 'sync_undone']);
const formerSources: ReadonlySet<string> = new Set(['hd_customer', 'ticket', 'default']);

/** The decisions in the terms of the client's revision. `revision` is the value of the client's header. */
export function toRevision<Decision extends Versioned>(revision: string | undefined, decisions: Decision[]) {
  if (Number(revision) >= contractRevision) return decisions;
  // Of these, someone vouches for the org id now.
  const ofSecond = decisions.map((decision) =>
    laterCauses.has(decision.cause) ? { ...decision, cause: 'confirmed' } : decision,
  );
  if (Number(revision) >= 2) return ofSecond;
  return ofSecond.map((decision) => ({
    ...decision,
    cause: decision.cause === 'confirmed' ? 'repair' : decision.cause,
    inputs: {
      ...decision.inputs,
      org_id: decision.inputs.org_id && {
        ...decision.inputs.org_id,
        trust: trustForRevision(revision, decision.inputs.org_id.trust),
      },
    },
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
