import * as z from 'zod/mini';

/** What a proof goes through, in this order (docs/operations.md#the-proof). */
const ProofHop = z.enum(['inserted', 'heard', 'taken', 'crm', 'decided', 'profile']);
export type ProofHop = z.infer<typeof ProofHop>;

/** What can keep a proof from being whole. */
const ProofProblemCode = z.enum(['not_heard', 'by_sweep', 'crm', 'team', 'profile', 'not_deleted']);
export type ProofProblemCode = z.infer<typeof ProofProblemCode>;

/** One such thing; `problem`: as an English sentence. */
const ProofProblem = z.object({ code: ProofProblemCode, problem: z.string() });
export type ProofProblem = z.infer<typeof ProofProblem>;

/** What came of a proof that was begun on the operator page. */
export const OperatorProof = z.discriminatedUnion('outcome', [
  /** Another one is under way, here or at the command line. */
  z.object({ outcome: z.literal('busy') }),
  /** It could not be begun or ended; `why`: an English sentence. */
  z.object({ outcome: z.literal('failed'), why: z.string() }),
  z.object({
    outcome: z.literal('followed'),
    ticket: z.string(),
    hops: z.array(z.object({ hop: ProofHop, ms: z.int() })),
    /** Null: Deskside never heard of the ticket. */
    met: z.nullable(
      z.object({
        cause: z.enum(['webhook', 'sweep']),
        /** Null: no CRM is asked. */
        crm: z.nullable(z.enum(['matched', 'not_found', 'cached', 'error'])),
        /** Null: it cannot be used. */
        team: z.nullable(z.string()),
        /** Null: nobody is available. */
        next: z.nullable(z.string()),
      }),
    ),
    problems: z.array(ProofProblem),
    /** The helpdesk keeps a copy of the deleted ticket (docs/helpdesk.md#deleting). */
    is_copy_kept: z.boolean(),
  }),
]);
export type OperatorProof = z.infer<typeof OperatorProof>;
