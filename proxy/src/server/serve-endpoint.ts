import { hash } from 'node:crypto';
import { parse } from 'node:querystring';
import type { Context, Handler } from 'hono';
import type { output, ZodMiniType } from 'zod/mini';
import type { Endpoint, Context as VerbContext } from '#context.ts';
import type { Caller } from '#helpdesk/credentials.ts';
import { AppError } from '#runtime/app-error.ts';
import { isRecord, jsonOf } from '#runtime/json.ts';
import { type AppEnv, answerJson, limitBody } from './middleware.ts';

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

/** Serves one endpoint under one configuration. */
export function handlerOf(ctx: VerbContext, endpoint: Endpoint): Handler<AppEnv> {
  return async (c) => {
    const { signal } = c.req.raw;
    const call = { ...ctx, caller: callerOf(c), requestId: c.get('requestId'), signal };
    // Who is an agent is remembered, so that the verb may ask again for nothing.
    if (endpoint.who === 'agent' && c.req.method === 'POST') await ctx.gate.requireAgent(call.caller, signal);
    const asked = parseInput(endpoint.entry.input, await givenIn(c));
    const data = await endpoint.handle(call, asked);
    const envelope = { success: endpoint.success?.(data) ?? true, data, message: endpoint.message(data) };
    return answerJson(c, JSON.stringify(envelope));
  };
}

/** The query; of a POST also the body, which takes precedence. */
async function givenIn(c: Context<AppEnv>): Promise<Record<string, unknown>> {
  const query = c.req.query();
  return c.req.method === 'POST' ? { ...query, ...(await bodyOf(c)) } : query;
}

/** Parses what a request has brought with a schema of the contract. Throws `bad_input`, which names each field. */
function parseInput<Schema extends ZodMiniType>(schema: Schema, input: unknown): output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => ({ field: path.join('.'), message }));
  throw new AppError('bad_input', issues);
}

/**
 * Reads the caller's credential: `Bearer …` or `token key:secret`, nothing else and never a cookie
 * (docs/api.md#callers). Whether it is valid is for the helpdesk to say. Throws `unauthenticated`.
 */
function callerOf(c: Context<AppEnv>): Caller {
  const authorization = c.req.header('authorization')?.trim() ?? '';
  const scheme = /^(?:(bearer) ([\x21-\x7e]{1,4096})|(token) ([\x21-\x39\x3b-\x7e]{1,256}:[\x21-\x7e]{1,256}))$/i.exec(
    authorization,
  );
  if (!scheme) {
    c.set('isAnonymous', true);
    throw new AppError('unauthenticated');
  }
  const normal = scheme[1] ? `Bearer ${scheme[2]}` : `token ${scheme[4]}`;
  const digest = hash('sha256', normal, 'base64url');
  return { authorization: normal, digest, client: c.env?.client };
}
