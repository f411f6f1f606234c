import { type OperatorEndpoint, operatorContract } from '@deskside/shared/operator/contract';
import type { Context } from 'hono';
import type { output } from 'zod/mini';
import { AppError } from '#app/runtime/app-error.ts';
import type { AppEnv } from '#http/context.ts';

type Parsed<E extends OperatorEndpoint> = output<(typeof operatorContract)[E]['input']>;

/** Parses a request's query with the contract's schema. Throws `bad_input`, which names each field. */
export function inputOf<E extends OperatorEndpoint>(c: Context<AppEnv>, endpoint: E): Parsed<E> {
  const parsed = operatorContract[endpoint].input.safeParse(c.req.query());
  if (parsed.success) return parsed.data as Parsed<E>;
  const issues = parsed.error.issues.map(({ path, message }) => ({ field: path.join('.'), message }));
  throw new AppError('bad_input', issues);
}
