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
