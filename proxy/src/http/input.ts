import { contract, type Endpoint } from '@deskside/shared/contract';
import type { Context } from 'hono';
import type { output, ZodMiniType } from 'zod/mini';
import { AppError } from '#app/runtime/app-error.ts';
import { bodyOf } from './body.ts';
import type { AppEnv } from './context.ts';

type Parsed<E extends Endpoint> = output<(typeof contract)[E]['input']>;

/**
 * Parses a request's query with the contract's schema. Throws `bad_input`, which names each field and what was
 * expected.
 */
export function inputOf<E extends Endpoint>(c: Context<AppEnv>, endpoint: E): Parsed<E> {
  return parseInput(contract[endpoint].input, c.req.query()) as Parsed<E>;
}

/** Like `inputOf`, for a POST: the body takes precedence over the query. */
export async function bodyInputOf<E extends Endpoint>(c: Context<AppEnv>, endpoint: E): Promise<Parsed<E>> {
  return parseInput(contract[endpoint].input, { ...c.req.query(), ...(await bodyOf(c)) }) as Parsed<E>;
}

/** Either, by the request's method. */
export async function eitherInputOf<E extends Endpoint>(c: Context<AppEnv>, endpoint: E): Promise<Parsed<E>> {
  return c.req.method === 'POST' ? bodyInputOf(c, endpoint) : inputOf(c, endpoint);
}

/** Parses what a request has brought with a schema of the contract. Throws `bad_input`, which names each field. */
export function parseInput<Schema extends ZodMiniType>(schema: Schema, given: unknown): output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => ({ field: path.join('.'), message }));
  throw new AppError('bad_input', issues);
}
