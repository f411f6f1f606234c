import { contract, type Endpoint, type Input, type Output } from './contract.ts';
import { type Conflict, Envelope, ErrorEnvelope, type Issue } from './envelope.ts';
import type { ErrorCode } from './status.ts';

/** Why a call gave no data: an error that the proxy named, or one that happened on the way to it. */
export interface CallError {
  code: ErrorCode | 'unreachable' | 'timeout' | 'aborted' | 'bad_answer';
  /** HTTP status, or 0 where there was no answer. */
  status: number;
  requestId: string | null;
  issues: Issue[];
  /** The two records that stand against each other, where the error is about such. */
  conflict?: Conflict;
}

export type CallResult<T> = { ok: true; data: T; message: string } | { ok: false; error: CallError };

export interface ClientOptions {
  /** Origin of the proxy, for example `https://deskside.example`. */
  baseUrl: string;
  /** Value of the Authorization header, or null for the public endpoint. */
  authorization: string | null;
  /** Test seam. */
  fetch?: typeof globalThis.fetch;
  /** Longest wait for an answer, in milliseconds. */
  timeoutMs?: number;
}

/**
 * Calls one endpoint of the contract, by GET with a query or by POST with JSON, and parses the answer with its schema. Never throws: what goes wrong is a
 * value. Sends no cookies (design.md section 2) and follows no redirect.
 */
export async function callProxy<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  options: ClientOptions,
  signal?: AbortSignal,
): Promise<CallResult<Output<E>>> {
  const { method, path, data: schema } = contract[endpoint];
  const url = new URL(path, options.baseUrl);
  const given = Object.entries(input).filter(([, value]) => value !== undefined && value !== null);
  if (method === 'GET') for (const [key, value] of given) url.searchParams.set(key, String(value));
  const deadline = AbortSignal.timeout(options.timeoutMs ?? 20_000);
  let response: Response;
  let body: unknown;
  try {
    response = await (options.fetch ?? fetch)(url, {
      method,
      credentials: 'omit',
      redirect: 'error',
      cache: 'no-store',
      headers: {
        accept: 'application/json',
        ...(method === 'POST' && { 'content-type': 'application/json' }),
        ...(options.authorization && { authorization: options.authorization }),
      },
      ...(method === 'POST' && { body: JSON.stringify(Object.fromEntries(given)) }),
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    });
    body = await response.json();
  } catch (cause) {
    if (signal?.aborted) return failed('aborted');
    if (deadline.aborted) return failed('timeout');
    return failed(cause instanceof SyntaxError ? 'bad_answer' : 'unreachable');
  }
  const envelope = Envelope.safeParse(body);
  if (!envelope.success) return failed('bad_answer', response.status);
  if (!response.ok) {
    const error = ErrorEnvelope.safeParse(body);
    if (!error.success) return failed('bad_answer', response.status);
    const { code, request_id, issues = [], conflict } = error.data.data;
    const { status } = response;
    return { ok: false, error: { code, status, requestId: request_id, issues, ...(conflict && { conflict }) } };
  }
  const parsed = schema.safeParse(envelope.data.data);
  if (!parsed.success) return failed('bad_answer', response.status);
  return { ok: true, data: parsed.data as Output<E>, message: envelope.data.message };
}

function failed(code: CallError['code'], status = 0): { ok: false; error: CallError } {
  return { ok: false, error: { code, status, requestId: null, issues: [] } };
}
