import * as z from 'zod';
import { EgressError, type Upstream } from '#net/egress.ts';
import { isRecord, jsonOf } from '#runtime/json.ts';
import { HelpdeskError, isForbidden, refusalAsOutage, refusalOf, refusedWrite, unanswered } from './errors.ts';
import { textOf } from './text.ts';
import type { DoctypeFields, SiteField } from './values.ts';

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

/** The name of a document: an integer in older versions, always treated as a string (decision 16: checked names). */
export const DocumentName = z.union([z.string(), z.int()]).transform(String);

/** A response of which only the name matters. */
export const NamedDocument = z.object({ name: DocumentName });

interface FrappeRequest {
  method: 'GET' | 'PUT' | 'POST';
  path: string;
  /** Sent as JSON. */
  fields?: object;
  /** What is written: a DocType, or the function that is run. */
  what?: string;
  /** What of the answer is read; all of it if none is named. */
  member?: 'data' | 'message' | undefined;
  signal: AbortSignal;
}

/** The service's own account. */
interface Service {
  /** The fields of a DocType, to name the one that a refused write is about. */
  describe(doctype: string, signal: AbortSignal): Promise<DoctypeFields>;
}

/**
 * Frappe's REST API, version 1, as one account. Every response is parsed with the given schema, and every failure is a
 * HelpdeskError. No cookies are sent.
 */
export class Frappe {
  private readonly upstream: Upstream;
  private readonly authorization: string;
  private readonly service: Service | null;

  /**
   * @param authorization Authorization header of the account
   * @param service the account is the service's own, whose refusal is an outage to whoever asks
   */
  constructor(upstream: Upstream, authorization: string, service: Service | null = null) {
    this.upstream = upstream;
    this.authorization = authorization;
    this.service = service;
  }

  /** Calls a whitelisted function by GET: it cannot change anything. */
  call<T>(
    method: string,
    args: Record<string, string>,
    schema: z.ZodType<T>,
    signal: AbortSignal,
    member?: FrappeRequest['member'],
  ): Promise<T> {
    const path = `/api/method/${encodeURIComponent(method)}?${new URLSearchParams(args)}`;
    return this.send(`Calling ${method}`, schema, { method: 'GET', path, signal, member });
  }

  /** Calls a whitelisted function that makes changes, by POST. */
  run<T>(method: string, args: object, schema: z.ZodType<T>, signal: AbortSignal): Promise<T> {
    const path = `/api/method/${encodeURIComponent(method)}`;
    return this.send(`Running ${method}`, schema, { method: 'POST', path, fields: args, what: method, signal });
  }

  /** Lists rows of a DocType that the account may see; fields of linked documents as `link.field as alias`. */
  list<T>(doctype: string, asked: ListQuery, row: z.ZodType<T>, signal: AbortSignal): Promise<T[]> {
    const query = new URLSearchParams({
      fields: JSON.stringify(asked.fields),
      filters: JSON.stringify(asked.filters),
      limit_page_length: String(asked.limit),
    });
    if (asked.orFilters !== undefined) query.set('or_filters', JSON.stringify(asked.orFilters));
    if (asked.start !== undefined) query.set('limit_start', String(asked.start));
    if (asked.orderBy !== undefined) query.set('order_by', asked.orderBy);
    const path = `${resource(doctype)}?${query}`;
    return this.send(`Listing ${doctype}`, z.array(row), { method: 'GET', path, signal, member: 'data' });
  }

  /** One document by `frappe.client.get`; the database may answer with one of a similar name. */
  get<T>(doctype: string, name: string, document: z.ZodType<T>, signal: AbortSignal): Promise<T> {
    return this.call('frappe.client.get', { doctype, name }, document, signal, 'message');
  }

  /** Writes the given fields of one document and nothing else. Returns the document as it is afterwards. */
  update<T>(doctype: string, name: string, fields: object, document: z.ZodType<T>, signal: AbortSignal): Promise<T> {
    const asked = { method: 'PUT', path: resource(doctype, name), fields, what: doctype, signal } as const;
    return this.send(`Writing ${doctype}`, document, { ...asked, member: 'data' });
  }

  /** Creates a document, named by the site's own rule. Returns it as it is then; fields that are not set may be missing. */
  create<T>(doctype: string, fields: object, document: z.ZodType<T>, signal: AbortSignal): Promise<T> {
    const asked = { method: 'POST', path: resource(doctype), fields, what: doctype, signal } as const;
    return this.send(`Creating ${doctype}`, document, { ...asked, member: 'data' });
  }

  /** The error for what this account may not do, where the helpdesk did not say so itself. */
  forbidden(message: string): HelpdeskError {
    const error = new HelpdeskError('forbidden', message);
    return this.service ? refusalAsOutage(error) : error;
  }

  private async send<T>(
    call: string,
    schema: z.ZodType<T>,
    { method, path, fields, what, member, signal }: FrappeRequest,
  ): Promise<T> {
    const headers: Record<string, string> = { authorization: this.authorization, accept: 'application/json' };
    if (fields !== undefined) headers['content-type'] = 'application/json';
    const request = { method, path, headers, signal, ...(fields !== undefined && { body: JSON.stringify(fields) }) };
    const response = await this.upstream.request(request).catch((error: unknown) => {
      throw error instanceof EgressError ? unanswered(error, call) : error;
    });
    // A page from a proxy, or from the framework's own error handler, is none.
    const body = jsonOf(response.text);
    const refusal = refusalOf(response.status, body, call, response.headers['retry-after']);
    if (refusal !== null) {
      if (what !== undefined && isRefusedWrite(refusal)) throw await this.named(refusal, what, body, signal);
      throw this.service ? refusalAsOutage(refusal) : refusal;
    }
    const parsed = schema.safeParse(member !== undefined && isRecord(body) ? body[member] : body);
    // Also where nothing is read of it: a page that says 200 comes from something in front, and nothing was done.
    if (!isRecord(body) || !parsed.success)
      throw new HelpdeskError('bad_answer', `${call}: the response has an unexpected shape.`);
    return parsed.data;
  }

  private async named(error: HelpdeskError, what: string, body: unknown, signal: AbortSignal): Promise<HelpdeskError> {
    // A caller, or an administrator, is told about themselves.
    if (this.service === null) return error;
    const fields = await this.service.describe(what, signal).catch(() => new Map());
    return refusedWrite(error, what, fields, body);
  }
}

/** Whether the helpdesk has something against what was to be written; a change in between is none. */
function isRefusedWrite({ kind, excType }: HelpdeskError): boolean {
  return kind === 'rejected' || (kind === 'forbidden' && excType === 'PermissionError');
}

function resource(...parts: string[]): string {
  return ['/api/resource', ...parts.map(encodeURIComponent)].join('/');
}

/** Of the 4,094 bytes that a site's server accepts as a request line; the rest is for fields and other filters. */
const maxBytes = 2_400;

/** Reads what has one of the values, in as few requests as the site's server takes. */
export async function among<T>(values: readonly string[], read: (some: string[]) => Promise<T[]>): Promise<T[]> {
  const parts: string[][] = [];
  let left = 0;
  for (const value of values) {
    const bytes = encodeURIComponent(`"${value}",`).length;
    left -= bytes;
    if (left < 0) {
      parts.push([]);
      left = maxBytes - bytes;
    }
    parts.at(-1)?.push(value);
  }
  return (await Promise.all(parts.map(read))).flat();
}

const flag = z
  .unknown()
  .optional()
  .transform((value) => value === 1 || value === true);
const text = z
  .unknown()
  .optional()
  .transform((value) => textOf(value) ?? '');
const count = z
  .number()
  .nullish()
  .transform((value) => value ?? 0);

const Field = z.object({
  fieldname: text,
  fieldtype: text,
  label: text,
  options: text,
  default: text,
  length: count,
  permlevel: count,
  reqd: flag,
  is_virtual: flag,
});
const Row = z.looseObject({ role: z.string(), modified: z.string().optional() });
const Meta = z.object({
  docs: z.array(
    z.object({
      name: z.string(),
      allow_rename: flag,
      fields: z.array(Field).optional(),
      permissions: z.array(Row).default([]),
    }),
  ),
});

/** The rights of a row in Frappe's permission manager. */
export const rights = [
  ...(['select', 'read', 'write', 'create', 'delete', 'submit', 'cancel', 'amend'] as const),
  ...(['report', 'export', 'import', 'share', 'print', 'email'] as const),
];

export const PermissionRow = z.object({
  role: z.string(),
  permlevel: z.number(),
  if_owner: z.boolean(),
  rights: z.array(z.enum(rights)),
});

/** A row of role permissions with the rights that it gives; `if_owner`: only for the user's own documents. */
export type PermissionRow = z.output<typeof PermissionRow>;

/** From a document of Frappe's, or a row of a DocType's definition. */
export function permissionRowOf(document: Record<string, unknown>): PermissionRow {
  return {
    role: String(document.role),
    permlevel: Number(document.permlevel ?? 0),
    if_owner: document.if_owner === 1,
    rights: rights.filter((right) => document[right] === 1),
  };
}

/** A DocType with all of the site's customisations. */
interface DoctypeMeta {
  /** `isVirtual`: it has no column. */
  fields: (SiteField & { isVirtual: boolean })[];
  permissions: PermissionRow[];
  /** Whether whoever may write a document may rename it. */
  isRenamable: boolean;
  /** When the last of these rows was changed, in the helpdesk's own time; null if it does not say. */
  permissionsSince: string | null;
}

/**
 * Reads the fields and role permissions of a DocType as currently in force, which is refused to nobody of the desk
 * (docs/helpdesk.md#reading). Throws `not_found` if the site has no such DocType.
 */
export async function readDoctypeMeta(frappe: Frappe, doctype: string, signal: AbortSignal): Promise<DoctypeMeta> {
  const method = 'frappe.desk.form.load.getdoctype';
  const { docs } = await frappe.call(method, { doctype }, Meta, signal).catch((error: unknown) => {
    // Whoever may not read DocTypes gets a refusal for one that the site does not have.
    if (error instanceof HelpdeskError && isForbidden(error))
      throw new HelpdeskError('not_found', error.message, error);
    throw error;
  });
  const found = docs.find(({ name }) => name === doctype);
  if (found?.fields === undefined) throw new HelpdeskError('bad_answer', `The helpdesk does not describe ${doctype}.`);
  const fields = found.fields.filter(({ fieldname }) => fieldname !== '');
  return {
    fields: fields.map(({ reqd, is_virtual, ...field }) => ({ ...field, required: reqd, isVirtual: is_virtual })),
    permissions: found.permissions.map(permissionRowOf),
    isRenamable: found.allow_rename,
    permissionsSince:
      found.permissions
        .map(({ modified }) => modified ?? '')
        .toSorted()
        .at(-1) || null,
  };
}

/** The fields alone, except virtual ones. Throws `not_found` if the site has no such DocType. */
export async function readDoctypeFields(frappe: Frappe, doctype: string, signal: AbortSignal): Promise<DoctypeFields> {
  const { fields } = await readDoctypeMeta(frappe, doctype, signal);
  return new Map(fields.flatMap((field) => (field.isVirtual ? [] : [[field.fieldname, field] as const])));
}
