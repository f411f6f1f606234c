import * as z from 'zod/mini';

/** One part that must work before requests are welcome, in a sentence for the operator. Holds no secret. */
export const ReadinessCheck = z.object({
  check: z.enum(['store', 'helpdesk', 'webhook']),
  ok: z.boolean(),
  message: z.string(),
});
export type ReadinessCheck = z.infer<typeof ReadinessCheck>;

/** `data` of GET /readyz: 200 if every check is ok, otherwise 503. */
export const Readiness = z.object({ checks: z.array(ReadinessCheck) });
