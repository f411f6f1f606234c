import type { Caller } from '#helpdesk/access/auth.ts';
import { validationError } from '#helpdesk/errors.ts';
import type { Actor, Site } from '#helpdesk/site/site.ts';

/** One API request, read: who asks, with which arguments. Also the actor that saving is done in the name of. */
export interface Call extends Actor {
  site: Site;
  caller: Caller;
  method: string;
  /** Query, then body on top. */
  args: Record<string, unknown>;
  /** The body alone, as a document. */
  body: Record<string, unknown>;
  /** Whether the body came as a form. */
  isForm: boolean;
  request: Request;
}

/** A function that can be called under /api/method/. */
interface Method {
  /** Open to Guest. */
  guest?: true;
  /** Changes something: refused by GET, which never commits. */
  writes?: true;
  /** What becomes `message`, or the whole body; also by a promise. */
  run(call: Call): unknown;
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
export async function readArguments(request: Request): Promise<Pick<Call, 'args' | 'body' | 'isForm'>> {
  const query = Object.fromEntries(new URL(request.url).searchParams);
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
