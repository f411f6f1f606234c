import * as z from 'zod';
import type { FrappeClient } from '#adapters/helpdesk-frappe/client/client.ts';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import { describeDoctype } from './doctype-meta.ts';

/** A field of a DocType, custom ones included. */
export interface SiteField {
  /** Frappe's name for the type, such as `Data` or `Datetime`. */
  type: string;
  /** Options of a Select, one per line; the DocType of a Link; '' if there are none. */
  options: string;
  /** The maximum length set for a text; 0 for the type's default. */
  length: number;
}

export type DoctypeFields = ReadonlyMap<string, SiteField>;

const Field = z.object({
  fieldname: z.string().nullish(),
  fieldtype: z.string().nullish(),
  options: z.string().nullish(),
  length: z.number().nullish(),
  is_virtual: z.number().nullish(),
});
const Meta = z.object({ docs: z.array(z.object({ name: z.string(), fields: z.array(Field).optional() })) });

/**
 * Reads which fields a DocType has, except virtual ones, which have no column. Throws `not_found` if the site has no
 * such DocType.
 */
export async function readDoctypeFields(
  client: FrappeClient,
  doctype: string,
  service: string,
  signal: AbortSignal,
): Promise<DoctypeFields> {
  const { docs } = await describeDoctype(client, doctype, Meta, service, signal);
  const fields = docs.find(({ name }) => name === doctype)?.fields;
  if (fields === undefined) throw new HelpdeskError('bad_answer', `The helpdesk does not describe ${doctype}.`);
  return new Map(
    fields.flatMap(({ fieldname, fieldtype, options, length, is_virtual }) =>
      fieldname && !is_virtual
        ? [[fieldname, { type: fieldtype ?? '', options: options ?? '', length: length ?? 0 }] as const]
        : [],
    ),
  );
}
