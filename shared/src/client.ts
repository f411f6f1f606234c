import { contract, type EndpointName, type Input, type Output } from './contract.ts';
import { type Conflict, contractRevision, Envelope, ErrorEnvelope, type Issue, revisionHeader } from './envelope.ts';
import type { ErrorCode } from './status.ts';

/** Names a request in the proxy's log and in its answer (docs/api.md#errors). */
const requestIdHeader = 'x-request-id';

/** Why a call returned no data: an error reported by the proxy, or one that happened on the way to it. */
export interface CallError {
  code: ErrorCode | 'unreachable' | 'timeout' | 'aborted' | 'bad_answer';
  /** HTTP status, or 0 if there was no response. */
  status: number;
  requestId: string | null;
  issues: Issue[];
  /** The two contradicting records, if the error is about a conflict. */
  conflict?: Conflict;
}

export type CallResult<T> = { ok: true; data: T } | { ok: false; error: CallError };

export interface ClientOptions {
  /** Origin of the proxy, for example `https://deskside.example`. */
  baseUrl: string;
  /** Value of the Authorization header, or null for the public endpoint. */
  authorization: string | null;
  /** For tests. */
  fetch?: typeof globalThis.fetch;
  /** How long to wait for a response, in milliseconds. */
  timeoutMs?: number;
}

/**
 * Calls one endpoint of the contract, by GET with a query or by POST with JSON, and parses the response with its
 * schema. Never throws: failures are returned. Sends no cookies (docs/api.md#callers) and follows no redirects.
 */
export async function callProxy<E extends EndpointName>(
  endpoint: E,
  input: Input<E>,
  options: ClientOptions,
  signal?: AbortSignal,
): Promise<CallResult<Output<E>>> {
  const { method, path, data: schema } = contract[endpoint];
  const headers = headersFor(endpoint, options.authorization);
  // What the caller has nothing for is left out.
  const known = Object.entries(input).filter(([, value]) => value !== null && value !== undefined);
  const url = new URL(path, options.baseUrl);
  if (method === 'GET') for (const [key, value] of known) url.searchParams.set(key, String(value));
  const deadline = AbortSignal.timeout(options.timeoutMs ?? 20_000);
  let response: Response | undefined;
  let body: unknown;
  try {
    response = await (options.fetch ?? fetch)(url, {
      method,
      credentials: 'omit',
      redirect: 'error',
      cache: 'no-store',
      headers,
      ...(method === 'POST' && { body: JSON.stringify(Object.fromEntries(known)) }),
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    });
    body = await response.json();
  } catch (cause) {
    if (signal?.aborted) return failed('aborted');
    if (deadline.aborted) return failed('timeout', 0, headers[requestIdHeader] ?? null);
    return cause instanceof SyntaxError && response
      ? failed('bad_answer', response.status, idOf(response))
      : failed('unreachable');
  }
  if (!response.ok) return reported(response, body);
  const parsed = schema.safeParse(Envelope.safeParse(body).data?.data);
  return parsed.success
    ? { ok: true, data: parsed.data as Output<E> }
    : failed('bad_answer', response.status, idOf(response));
}

function headersFor(endpoint: EndpointName, authorization: string | null): Record<string, string> {
  return {
    accept: 'application/json',
    ...(contract[endpoint].method === 'POST' && { 'content-type': 'application/json' }),
    // Not for discovery: a browser would ask first whether it may send them, before anything is granted.
    ...(endpoint !== 'discovery' && {
      [revisionHeader]: String(contractRevision),
      // Of our own making, so that it is known also where no answer comes.
      [requestIdHeader]: crypto.randomUUID(),
    }),
    ...(authorization && { authorization }),
  };
}

/** The error that the proxy reports; one that is not as the contract has it is a bad answer. */
function reported(response: Response, body: unknown): { ok: false; error: CallError } {
  const { status } = response;
  const error = ErrorEnvelope.safeParse(body);
  if (!error.success) return failed('bad_answer', status, idOf(response));
  const { code, request_id, issues = [], conflict } = error.data.data;
  return { ok: false, error: { code, status, requestId: request_id, issues, ...(conflict && { conflict }) } };
}

function failed(code: CallError['code'], status = 0, requestId: string | null = null): { ok: false; error: CallError } {
  return { ok: false, error: { code, status, requestId, issues: [] } };
}

/** The request id in the response's head, where it looks like one of the proxy's. */
function idOf(response: Response): string | null {
  const id = response.headers.get(requestIdHeader);
  return id && /^[\w-]{1,64}$/.test(id) ? id : null;
}
