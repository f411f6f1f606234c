import type { Context } from 'hono';
import { AppError } from '../app/app-error.ts';
import type { AppEnv } from './context.ts';

const forms = ['application/x-www-form-urlencoded', 'multipart/form-data'];

/**
 * The members of a POST's body, JSON or form (design.md section 2). No body has no members. Throws `bad_input` for
 * anything else.
 */
export async function bodyOf(c: Context<AppEnv>): Promise<Record<string, unknown>> {
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (forms.includes(type)) {
    return c.req.parseBody().catch((error: unknown) => {
      throw error instanceof AppError ? error : unusable('Expected a form that is written as its content type says.');
    });
  }
  const text = await c.req.text();
  if (text.trim() === '') return {};
  if (type !== '' && type !== 'application/json' && !type.endsWith('+json'))
    throw unusable('Expected JSON or a form, and a content type that says which.');
  const body = parseJson(text);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw unusable('Expected a JSON object.');
  return { ...body };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unusable(message: string): AppError {
  return new AppError('bad_input', [{ field: 'body', message }]);
}
