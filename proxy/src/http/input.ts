import { contract, type Endpoint } from '@deskside/shared/contract';
import type { Context } from 'hono';
import type { output } from 'zod/mini';
import { AppError } from '#app/runtime/app-error.ts';
import { bodyOf } from './body.ts';
import type { AppEnv } from './context.ts';

type Parsed<E extends Endpoint> = output<(typeof contract)[E]['input']>;

/**
 * Parses a request's query with the contract's schema. Throws `bad_input`, which names each field and what was
 * expected.
 */
export function inputOf<E extends Endpoint>(c: Context<AppEnv>, endpoint: E): Parsed<E> {
  return parse(endpoint, c.req.query());
}

/** Like `inputOf`, for a POST: the body takes precedence over the query. */
export async function bodyInputOf<E extends Endpoint>(c: Context<AppEnv>, endpoint: E): Promise<Parsed<E>> {
  return parse(endpoint, { ...c.req.query(), ...(await bodyOf(c)) });
}

function parse<E extends Endpoint>(endpoint: E, given: Record<string, unknown>): Parsed<E> {
  const parsed = contract[endpoint].input.safeParse(given);
  if (!parsed.success) {
    throw new AppError(
      'bad_input',
      parsed.error.issues.map(({ path, message }) => ({ field: path.join('.'), message })),
    );
  }
  return parsed.data as Parsed<E>;
}
