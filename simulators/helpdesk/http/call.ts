import http from 'node:http';
import https from 'node:https';
import { text as wholeText } from 'node:stream/consumers';
import type { SiteCaller } from '#helpdesk/access/auth.ts';
import type { ApiRequest } from '#helpdesk/api.ts';
import { validationError } from '#helpdesk/errors.ts';
import type { Actor, FakeSite } from '#helpdesk/site/site.ts';

/** One API request, read: who asks, with which arguments. Also the actor that saving is done in the name of. */
export interface SiteCall extends Actor {
  site: FakeSite;
  caller: SiteCaller;
  method: string;
  /** Query, then body on top. */
  args: Record<string, unknown>;
  /** The body alone, as a document. */
  body: Record<string, unknown>;
  /** Whether the body came as a form. */
  isForm: boolean;
  request: ApiRequest;
}

/** A function that can be called under /api/method/. */
interface Method {
  /** Open to Guest. */
  guest?: true;
  /** Changes something: refused by GET, which never commits. */
  writes?: true;
  /** What becomes `message`, or the whole body; also by a promise. */
  run(call: SiteCall): unknown;
}

export type MethodTable = Record<string, Method>;

/** Answers of methods that are not wrapped in `message`. */
export class RawBody {
  readonly body: Record<string, unknown>;
  constructor(body: Record<string, unknown>) {
    this.body = body;
  }
}

/** A required text argument. Names that come as numbers are taken as their text. */
export function text(args: Record<string, unknown>, name: string): string {
  const value = args[name];
  if (value === undefined || value === null || value === '') {
    throw validationError(`missing 1 required positional argument: '${name}'`, 'TypeError');
  }
  return String(value);
}

/** An argument that is JSON text or already parsed; undefined where it is neither. */
export function json(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** A JSON object argument. Throws 417 for anything else. */
export function record(value: unknown, name: string): Record<string, unknown> {
  const parsed = json(value);
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Record<string, unknown>;
  throw validationError(`${name} must be a JSON object`);
}

/** Query and body of a request. JSON by its content type, everything else as a form; `data` may hold a document. */
export async function readArguments(request: ApiRequest): Promise<Pick<SiteCall, 'args' | 'body' | 'isForm'>> {
  const query = Object.fromEntries(request.url.searchParams);
  delete query._;
  const raw = request.method === 'GET' || request.method === 'HEAD' ? '' : await request.text();
  const isJson = (request.headers.get('content-type') ?? '').includes('json');
  let given: Record<string, unknown> = {};
  if (isJson) {
    const parsed = raw === '' ? {} : json(raw);
    if (typeof parsed !== 'object' || parsed === null) throw validationError('Invalid request body');
    given = Array.isArray(parsed) ? { data: parsed } : (parsed as Record<string, unknown>);
  } else {
    given = Object.fromEntries(new URLSearchParams(raw));
  }
  const wrapped = json(given.data);
  const isWrapped = !isJson && typeof wrapped === 'object' && wrapped !== null && !Array.isArray(wrapped);
  const body = isWrapped ? (wrapped as Record<string, unknown>) : given;
  return { args: { ...query, ...given }, body, isForm: !isJson };
}

/** What Python's requests sends along with everything, as recorded (recordings/helpdesk-1.24/webhooks.json). */
const pythonHeaders = {
  'User-Agent': 'python-requests/2.32.5',
  'Accept-Encoding': 'gzip, deflate, br',
  Accept: '*/*',
  Connection: 'keep-alive',
};

export interface OutgoingRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
  /** Milliseconds without an answer; waits for ever where it is left out. */
  timeoutMs?: number;
}

/** The other side did not answer in time. */
export class AnswerTimeout extends Error {}

/**
 * Sends a request the way the helpdesk's HTTP library does, with its headers and no others, on a connection of its own.
 * Throws AnswerTimeout, and any other error where there was no whole answer.
 */
export function sendAsPython(request: OutgoingRequest): Promise<{ status: number; text: string }> {
  const { method, url, headers, body, signal, timeoutMs } = request;
  const send = url.startsWith('https:') ? https.request : http.request;
  return new Promise((resolve, reject) => {
    const outgoing = send(url, {
      method,
      agent: false,
      headers: { ...pythonHeaders, ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
      signal,
    });
    const timer =
      timeoutMs === undefined ? undefined : setTimeout(() => outgoing.destroy(new AnswerTimeout()), timeoutMs);
    const fail = (error: Error): void => {
      clearTimeout(timer);
      reject(error);
    };
    outgoing.once('error', fail);
    outgoing.once('response', (response) => {
      wholeText(response).then((whole) => {
        clearTimeout(timer);
        resolve({ status: response.statusCode ?? 0, text: whole });
        // The connection said that it could be kept; nothing else will be sent on it.
        outgoing.destroy();
      }, fail);
    });
    outgoing.end(body);
  });
}
