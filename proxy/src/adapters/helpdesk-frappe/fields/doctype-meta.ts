import * as z from 'zod';
import type { FrappeClient } from '#adapters/helpdesk-frappe/client/client.ts';
import { FrappeError } from '#adapters/helpdesk-frappe/client/frappe-error.ts';
import { HelpdeskError } from '#ports/helpdesk/helpdesk.ts';
import type { RoleRow } from '#setup/website-rights.ts';

const flag = z
  .union([z.number(), z.boolean(), z.null()])
  .optional()
  .transform((value) => value === 1 || value === true);

const Field = z.object({
  fieldname: z.string().nullish(),
  fieldtype: z.string().nullish(),
  options: z.string().nullish(),
  length: z.number().nullish(),
  permlevel: z.number().nullish(),
  read_only: flag,
});
const Row = z.object({
  role: z.string(),
  permlevel: z.number().nullish(),
  if_owner: flag,
  read: flag,
  write: flag,
  create: flag,
});
const Meta = z.object({
  docs: z.array(
    z.object({
      name: z.string(),
      istable: flag,
      fields: z.array(Field).optional(),
      permissions: z.array(Row).optional(),
    }),
  ),
});

/** A field of a DocType with its permission level. */
interface MetaField {
  fieldname: string;
  fieldtype: string;
  options: string;
  /** The maximum length set for a text; 0 for the type's default. */
  length: number;
  permlevel: number;
  readOnly: boolean;
}

/** A DocType with all of the site's customisations. */
export interface DoctypeMeta {
  /** A child table: its permissions are its parent's, so its own rows mean nothing. */
  isTable: boolean;
  fields: MetaField[];
  permissions: RoleRow[];
}

/**
 * Asks for the metadata of a DocType, which is refused to nobody of the desk: whoever may not read DocTypes gets a refusal for
 * one that the site does not have (docs/helpdesk.md#reading). Throws `not_found` for that.
 */
export function describeDoctype<T>(
  client: FrappeClient,
  doctype: string,
  schema: z.ZodType<T>,
  as: string,
  signal: AbortSignal,
): Promise<T> {
  return client.call('frappe.desk.form.load.getdoctype', { doctype }, schema, as, signal).catch((error: unknown) => {
    if (!(error instanceof FrappeError && error.kind === 'forbidden')) throw error;
    throw new FrappeError('not_found', error.message, error.excType);
  });
}

/** Reads the fields and role permissions of a DocType as currently in force. Throws `not_found` if there is none. */
export async function readDoctypeMeta(
  client: FrappeClient,
  doctype: string,
  as: string,
  signal: AbortSignal,
): Promise<DoctypeMeta> {
  const { docs } = await describeDoctype(client, doctype, Meta, as, signal);
  const found = docs.find(({ name }) => name === doctype);
  if (found?.fields === undefined) throw new HelpdeskError('bad_answer', `The helpdesk does not describe ${doctype}.`);
  return {
    isTable: found.istable,
    fields: found.fields.flatMap(({ fieldname, fieldtype, options, length, permlevel, read_only }) =>
      fieldname
        ? [
            {
              fieldname,
              fieldtype: fieldtype ?? '',
              options: options ?? '',
              length: length ?? 0,
              permlevel: permlevel ?? 0,
              readOnly: read_only,
            },
          ]
        : [],
    ),
    permissions: (found.permissions ?? []).map(({ role, permlevel, if_owner, read, write, create }) => ({
      role,
      permlevel: permlevel ?? 0,
      ifOwner: if_owner,
      read,
      write,
      create,
    })),
  };
}
