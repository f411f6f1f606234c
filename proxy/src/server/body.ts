import { parse } from 'node:querystring';
import { isRecord, jsonOf } from '@deskside/shared/json';
import type { Context } from 'hono';
import { AppError } from '#runtime/app-error.ts';
import { limitBody } from './admission.ts';
import type { AppEnv } from './http-context.ts';

/** Many times what any endpoint needs, in bytes. */
const limit = limitBody(64 * 1024);

/**
 * The fields of a POST body, JSON or form (docs/api.md#bodies); none if there is no body. Throws `bad_input` for
 * anything else, and `body_too_large`.
 */
export async function bodyOf(c: Context<AppEnv>): Promise<Record<string, unknown>> {
  await limit(c, async () => {});
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'multipart/form-data') {
    return c.req.parseBody().catch(() => {
      throw unusable('Expected a form encoded as its content type says.');
    });
  }
  const text = (await bytesOf(c)).toString();
  if (type === 'application/x-www-form-urlencoded') return fieldsOf(text);
  if (text.trim() === '') return {};
  if (type !== '' && type !== 'application/json' && !type.endsWith('+json'))
    throw unusable('Expected JSON or a form, with a matching content type.');
  const body = jsonOf(text);
  if (!isRecord(body)) throw unusable('Expected a JSON object.');
  return { ...body };
}

/** The bytes of a body. Throws `bad_input` if the client breaks off. */
export async function bytesOf(c: Context<AppEnv>): Promise<Buffer> {
  const bytes = await c.req.arrayBuffer().catch(() => {
    throw unusable('Expected a complete body.');
  });
  return Buffer.from(bytes);
}

/** Of a name that comes several times the last value. URLSearchParams takes four times as long for twice as many names. */
function fieldsOf(form: string): Record<string, unknown> {
  const fields = Object.entries(parse(form, '&', '=', { maxKeys: 0 }));
  return Object.fromEntries(fields.map(([name, value]) => [name, Array.isArray(value) ? value.at(-1) : value]));
}

function unusable(message: string): AppError {
  return new AppError('bad_input', [{ field: 'body', message }]);
}
