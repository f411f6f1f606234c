import * as z from 'zod';
import { HelpdeskError } from '../../../ports/helpdesk.ts';
import type { AdminDoctype } from '../../../setup/helpdesk-admin.ts';
import { DocumentName, type FrappeClient } from '../client.ts';
import { unless } from './unless.ts';

const flag = z
  .union([z.number(), z.boolean(), z.null()])
  .optional()
  .transform((value) => value === 1 || value === true);

const Field = z.object({
  fieldname: z.string().nullish(),
  fieldtype: z.string().nullish(),
  options: z.string().nullish(),
  permlevel: z.number().nullish(),
  read_only: flag,
});
const CustomField = z.object({ name: DocumentName, fieldname: z.string() });
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
    z.object({ name: z.string(), fields: z.array(Field).optional(), permissions: z.array(Row).optional() }),
  ),
});

/**
 * Reads a DocType with everything that the site has changed about it, and which of its fields are documents of their own.
 * Null where the site has none of this name. Whoever may not list Custom Field is told that there are none.
 */
export async function readAdminDoctype(
  client: FrappeClient,
  as: string,
  name: string,
  signal: AbortSignal,
): Promise<AdminDoctype | null> {
  const custom = { fields: ['name', 'fieldname'], filters: [['dt', '=', name]], limit: 0 };
  const [meta, documents] = await Promise.all([
    client
      .call('frappe.desk.form.load.getdoctype', { doctype: name }, Meta, as, signal)
      .catch(unless('not_found', null)),
    client.list('Custom Field', custom, CustomField, as, signal).catch(unless('forbidden', [])),
  ]);
  if (meta === null) return null;
  const doctype = meta.docs.find((doc) => doc.name === name);
  if (doctype?.fields === undefined) throw new HelpdeskError('bad_answer', `The helpdesk does not describe ${name}.`);
  const documentOf = new Map(documents.map((row) => [row.fieldname, row.name]));
  return {
    fields: new Map(
      doctype.fields.flatMap(({ fieldname, fieldtype, options, permlevel, read_only }) => {
        if (!fieldname) return [];
        const field = {
          fieldname,
          fieldtype: fieldtype ?? '',
          options: options ?? '',
          permlevel: permlevel ?? 0,
          readOnly: read_only,
          customField: documentOf.get(fieldname) ?? null,
        };
        return [[fieldname, field] as const];
      }),
    ),
    permissions: (doctype.permissions ?? []).map(({ role, permlevel, if_owner, read, write, create }) => ({
      role,
      permlevel: permlevel ?? 0,
      ifOwner: if_owner,
      read,
      write,
      create,
    })),
  };
}
