import { isRecord, jsonOf } from '@deskside/shared/json';
import * as z from 'zod';
import { EgressError, type Upstream } from '#net/egress.ts';
import { messagesOf, refusalOf } from './frappe-error.ts';
import { HelpdeskError, type HelpdeskErrorKind } from './helpdesk.ts';

/** A list request: `filters` are Frappe's triples, or quadruples that start with the DocType of a child table. */
export interface ListQuery {
  fields: readonly string[];
  filters: readonly (readonly unknown[])[];
  /** In the same form; one of them has to be met. */
  orFilters?: readonly (readonly unknown[])[];
  /** Maximum number of rows; 0 for all. */
  limit: number;
  /** Rows to skip. */
  start?: number;
  orderBy?: string;
}

/** Frappe's REST API, version 1, over one upstream. */
export type FrappeClient = ReturnType<typeof createFrappeClient>;

/** The response was larger or deeper than the limit: someone has put very much into a document. */
export class AnswerTooLarge extends HelpdeskError {
  constructor(call: string, message: string) {
    super('bad_answer', `${call}: ${message}`);
  }
}

/** The name of a document: an integer in older versions, always treated as a string (docs/decisions.md 13). */
export const DocumentName = z.union([z.string(), z.int()]).transform(String);

/** A response of which only the name matters. */
export const Named = z.object({ name: DocumentName });

interface Sent {
  method: 'GET' | 'PUT' | 'POST';
  path: string;
  /** Sent as JSON. */
  fields?: object;
  signal: AbortSignal;
}

/**
 * Every response is parsed with the given schema, and every failure is a HelpdeskError. `as`: the Authorization header of
 * the account to call as. No cookies are sent.
 */
export function createFrappeClient(upstream: Upstream) {
  async function send<T>(
    call: string,
    schema: z.ZodType<T>,
    authorization: string,
    { method, path, fields, signal }: Sent,
    expected?: (refusal: unknown) => T | null,
  ): Promise<T> {
    const headers: Record<string, string> = { authorization, accept: 'application/json' };
    if (fields !== undefined) headers['content-type'] = 'application/json';
    const request = { method, path, headers, signal, ...(fields !== undefined && { body: JSON.stringify(fields) }) };
    const response = await upstream.request(request).catch((error: unknown) => {
      throw error instanceof EgressError ? unanswered(error, call) : error;
    });
    // A page from a proxy, or from the framework's own error handler, is none.
    const body = jsonOf(response.text);
    const refusal = refusalOf(response.status, body, call);
    if (refusal !== null) {
      const wanted = expected?.(body) ?? null;
      if (wanted === null) throw refusal;
      return wanted;
    }
    const parsed = schema.safeParse(body);
    // Also where nothing is read of it: a page that says 200 comes from something in front, and nothing was done.
    if (!isRecord(body) || !parsed.success)
      throw new HelpdeskError('bad_answer', `${call}: the response has an unexpected shape.`);
    return parsed.data;
  }

  return {
    /** Calls a whitelisted function by GET: it cannot change anything. */
    call<T>(method: string, args: Record<string, string>, schema: z.ZodType<T>, as: string, signal: AbortSignal) {
      const path = `/api/method/${encodeURIComponent(method)}?${new URLSearchParams(args)}`;
      return send(`Calling ${method}`, schema, as, { method: 'GET', path, signal });
    },

    /** Calls a whitelisted function that makes changes, by POST. */
    run<T>(method: string, args: object, schema: z.ZodType<T>, as: string, signal: AbortSignal) {
      const path = `/api/method/${encodeURIComponent(method)}`;
      return send(`Running ${method}`, schema, as, { method: 'POST', path, fields: args, signal });
    },

    /** Lists rows of a DocType that the user may see; fields of linked documents as `link.field as alias`. */
    async list<T>(doctype: string, asked: ListQuery, row: z.ZodType<T>, as: string, signal: AbortSignal) {
      const { fields, filters, orFilters, limit, start, orderBy } = asked;
      const query = new URLSearchParams({
        fields: JSON.stringify(fields),
        filters: JSON.stringify(filters),
        ...(orFilters !== undefined && { or_filters: JSON.stringify(orFilters) }),
        limit_page_length: String(limit),
        ...(start !== undefined && { limit_start: String(start) }),
        ...(orderBy !== undefined && { order_by: orderBy }),
      });
      const schema = z.object({ data: z.array(row) });
      const path = `${resource(doctype)}?${query}`;
      return (await send(`Listing ${doctype}`, schema, as, { method: 'GET', path, signal })).data;
    },

    /** Writes the given fields of one document and nothing else. Returns the document as it is afterwards. */
    async update<T>(
      doctype: string,
      name: string,
      fields: object,
      document: z.ZodType<T>,
      as: string,
      signal: AbortSignal,
    ) {
      const request = { method: 'PUT', path: resource(doctype, name), fields, signal } as const;
      return (await send(`Writing ${doctype}`, z.object({ data: document }), as, request)).data;
    },

    /** Creates a document, named by the site's own rule. Returns it as it is then; fields that are not set may be missing. */
    async create<T>(doctype: string, fields: object, document: z.ZodType<T>, as: string, signal: AbortSignal) {
      const request = { method: 'POST', path: resource(doctype), fields, signal } as const;
      return (await send(`Creating ${doctype}`, z.object({ data: document }), as, request)).data;
    },

    /**
     * Creates a document that a script of ours should reject with a message that starts with `prefix`, and returns the
     * rest of that message: the only text of a rejection that is ever read. Returns the name if nothing rejected it.
     */
    createRefused(doctype: string, fields: object, prefix: string, as: string, signal: AbortSignal) {
      const request = { method: 'POST', path: resource(doctype), fields, signal } as const;
      const created = z.object({ data: Named }).transform(({ data }) => ({ created: data.name }));
      return send<{ message: string } | { created: string }>(`Creating ${doctype}`, created, as, request, (refusal) => {
        const message = messagesOf(refusal).find((text) => text.startsWith(prefix));
        return message === undefined ? null : { message: message.slice(prefix.length) };
      });
    },
  };
}

function resource(...parts: string[]): string {
  return ['/api/resource', ...parts.map(encodeURIComponent)].join('/');
}

function unanswered(error: EgressError, call: string): HelpdeskError {
  if (error.code === 'too_large') return new AnswerTooLarge(call, error.message);
  const kinds: Record<Exclude<EgressError['code'], 'too_large'>, HelpdeskErrorKind> = {
    timeout: 'timeout',
    unreachable: 'unavailable',
    cut: 'unavailable',
    blocked: 'rejected',
  };
  return new HelpdeskError(kinds[error.code], `${call}: ${error.message}`, error.certificate);
}
