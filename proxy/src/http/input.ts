import type { output, ZodMiniType } from 'zod/mini';
import { AppError } from '#app/runtime/app-error.ts';

/** Parses what a request has brought with a schema of the contract. Throws `bad_input`, which names each field. */
export function parseInput<Schema extends ZodMiniType>(schema: Schema, given: unknown): output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => ({ field: path.join('.'), message }));
  throw new AppError('bad_input', issues);
}
