import { parse } from 'node:querystring';
import { isRecord, jsonOf } from '@deskside/shared/json';
import type { Context, Handler } from 'hono';
import type { output, ZodMiniType } from 'zod/mini';
import type { Context as VerbContext } from '#context.ts';
import { AppError } from '#runtime/app-error.ts';
import { type AppEnv, limitBody } from './middleware.ts';

/** Many times what any endpoint needs, in bytes. */
const limit = limitBody(64 * 1024);

/**
 * The fields of a POST body, JSON or form (docs/api.md#bodies); none if there is no body. Throws `bad_input` for
 * anything else, and `body_too_large`.
 */
async function bodyOf(c: Context<AppEnv>): Promise<Record<string, unknown>> {
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

/** An endpoint as a contract has it. */
interface Entry {
  method: 'GET' | 'POST';
  path: string;
  input: ZodMiniType<object>;
  data: ZodMiniType<object>;
}

/** What an endpoint does, in the order in which it does it. */
interface Row<E extends Entry, W, D extends output<E['data']>> {
  /** Who asks; throws if they may not. Known before a body is read. */
  who(c: Context<AppEnv>, ctx: VerbContext): Promise<W>;
  /** Is asked the contract's input by them. What it answers is sent as it is. */
  verb(ctx: VerbContext, asked: output<E['input']> & W, signal: AbortSignal): Promise<D>;
  /** A sentence about the answer. */
  message(data: D): string;
  /** What the envelope says of it; without: that it succeeded. */
  success?(data: D): boolean;
  /** Whether the answer may be given again for a second (docs/decisions.md 17); without: never. */
  lasts?(data: D, asked: output<E['input']> & W): boolean;
}

/** An entry of a contract with what is done for it. */
export interface Endpoint<E extends Entry, W, D extends output<E['data']>> extends Row<E, W, D> {
  entry: E;
}

/** Any of them, for whoever walks over a table. */
export type AnyEndpoint = Endpoint<Entry, object, object>;

/** One row of a table of endpoints. */
export function endpoint<E extends Entry, W extends object, D extends output<E['data']>>(
  entry: E,
  row: Row<E, W, D>,
): Endpoint<E, W, D> {
  return { entry, ...row };
}

/** Serves one endpoint under one configuration. */
export function handlerOf(ctx: VerbContext, endpoint: AnyEndpoint): Handler<AppEnv> {
  return async (c) => {
    const asking = await endpoint.who(c, ctx);
    const asked = { ...parseInput(endpoint.entry.input, await givenIn(c)), ...asking };
    const data = await endpoint.verb(ctx, asked, c.req.raw.signal);
    const body = JSON.stringify({ success: endpoint.success?.(data) ?? true, data, message: endpoint.message(data) });
    if (endpoint.lasts?.(data, asked)) c.set('lasting', body);
    return c.body(body, 200, { 'content-type': 'application/json' });
  };
}

/** The query; of a POST also the body, which takes precedence. */
async function givenIn(c: Context<AppEnv>): Promise<Record<string, unknown>> {
  const query = c.req.query();
  return c.req.method === 'POST' ? { ...query, ...(await bodyOf(c)) } : query;
}

/** Parses what a request has brought with a schema of the contract. Throws `bad_input`, which names each field. */
function parseInput<Schema extends ZodMiniType>(schema: Schema, given: unknown): output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => ({ field: path.join('.'), message }));
  throw new AppError('bad_input', issues);
}
