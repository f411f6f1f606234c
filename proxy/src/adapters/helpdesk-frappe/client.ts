import * as z from 'zod';
import { EgressError, type EgressResponse, type Upstream } from '../../net/egress.ts';
import { HelpdeskError, type HelpdeskErrorKind } from '../../ports/helpdesk.ts';
import { refusalOf } from './frappe-error.ts';

/** What a list is to give: `filters` are Frappe's triples, or fours with the DocType of a child table in front. */
export interface ListQuery {
  fields: readonly string[];
  filters: readonly (readonly unknown[])[];
  /** Most rows; 0 for all. */
  limit: number;
  /** Rows to skip. */
  start?: number;
  orderBy?: string;
}

/**
 * Frappe's REST API, version 1, over one upstream. Every answer is parsed with the schema given, and every failure is
 * a HelpdeskError. `authorization` is the header of whoever the call is made for. No cookies are sent.
 */
export interface FrappeClient {
  /** A whitelisted function, by GET: it cannot change anything. */
  call<T>(
    method: string,
    args: Record<string, string>,
    schema: z.ZodType<T>,
    as: string,
    signal: AbortSignal,
  ): Promise<T>;
  /** A whitelisted function that changes something, by POST. */
  run<T>(method: string, args: object, schema: z.ZodType<T>, as: string, signal: AbortSignal): Promise<T>;
  /** Rows of a DocType that the user may see; fields of linked documents as `link.field as alias`. */
  list<T>(doctype: string, query: ListQuery, row: z.ZodType<T>, as: string, signal: AbortSignal): Promise<T[]>;
  /** Writes the given fields of one document and nothing else. Gives the document as it is afterwards. */
  update<T>(
    doctype: string,
    name: string,
    fields: object,
    schema: z.ZodType<T>,
    as: string,
    signal: AbortSignal,
  ): Promise<T>;
  /** Creates a document, named by the site's own rule. Gives it as it is then; what is not set may be missing. */
  create<T>(doctype: string, fields: object, schema: z.ZodType<T>, as: string, signal: AbortSignal): Promise<T>;
}

/** The answer was larger than is read: somebody has put very much into a document. */
export class AnswerTooLarge extends HelpdeskError {
  constructor(call: string) {
    super('bad_answer', `${call}: the answer is too large.`);
  }
}

/** The name of a document: an integer in older versions, always treated as a string (design.md, decision 13). */
export const DocumentName = z.union([z.string(), z.int()]).transform(String);

/** An answer of which only the name matters. */
export const Named = z.object({ name: DocumentName });

export function createFrappeClient(upstream: Upstream): FrappeClient {
  async function send<T>(
    call: string,
    schema: z.ZodType<T>,
    authorization: string,
    request: { method: 'GET' | 'PUT' | 'POST'; path: string; body?: string; signal: AbortSignal },
  ): Promise<T> {
    const headers: Record<string, string> = { authorization, accept: 'application/json' };
    if (request.body !== undefined) headers['content-type'] = 'application/json';
    const response = await upstream.request({ ...request, headers }).catch((error: unknown) => {
      throw error instanceof EgressError ? unanswered(error, call) : error;
    });
    const body = parseJson(response);
    const refusal = refusalOf(response.status, body, call);
    if (refusal !== null) throw refusal;
    const parsed = schema.safeParse(body);
    if (!parsed.success) throw new HelpdeskError('bad_answer', `${call}: the answer has another shape than expected.`);
    return parsed.data;
  }

  return {
    async call(method, args, schema, as, signal) {
      const path = `/api/method/${encodeURIComponent(method)}?${new URLSearchParams(args)}`;
      return send(`Calling ${method}`, schema, as, { method: 'GET', path, signal });
    },

    async run(method, args, schema, as, signal) {
      const path = `/api/method/${encodeURIComponent(method)}`;
      return send(`Running ${method}`, schema, as, { method: 'POST', path, body: JSON.stringify(args), signal });
    },

    async list(doctype, { fields, filters, limit, start, orderBy }, row, as, signal) {
      const query = new URLSearchParams({
        fields: JSON.stringify(fields),
        filters: JSON.stringify(filters),
        limit_page_length: String(limit),
        ...(start !== undefined && { limit_start: String(start) }),
        ...(orderBy !== undefined && { order_by: orderBy }),
      });
      const path = `/api/resource/${encodeURIComponent(doctype)}?${query}`;
      const schema = z.object({ data: z.array(row) });
      return (await send(`Listing ${doctype}`, schema, as, { method: 'GET', path, signal })).data;
    },

    async update(doctype, name, fields, document, as, signal) {
      const path = `/api/resource/${encodeURIComponent(doctype)}/${encodeURIComponent(name)}`;
      const request = { method: 'PUT', path, body: JSON.stringify(fields), signal } as const;
      return (await send(`Writing ${doctype}`, z.object({ data: document }), as, request)).data;
    },

    async create(doctype, fields, document, as, signal) {
      const path = `/api/resource/${encodeURIComponent(doctype)}`;
      const request = { method: 'POST', path, body: JSON.stringify(fields), signal } as const;
      return (await send(`Creating ${doctype}`, z.object({ data: document }), as, request)).data;
    },
  };
}

/** Undefined for what is no JSON: a page of a proxy or of the framework's own error handler. */
function parseJson({ text }: EgressResponse): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unanswered(error: EgressError, call: string): HelpdeskError {
  if (error.code === 'too_large') return new AnswerTooLarge(call);
  const kinds: Record<Exclude<EgressError['code'], 'too_large'>, HelpdeskErrorKind> = {
    timeout: 'timeout',
    unreachable: 'unavailable',
    cut: 'unavailable',
    blocked: 'rejected',
  };
  return new HelpdeskError(kinds[error.code], `${call}: ${error.message}`);
}
