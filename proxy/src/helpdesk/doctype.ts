import * as z from 'zod';
import { HelpdeskError, isForbidden } from './errors.ts';
import type { Frappe } from './frappe.ts';
import type { RoleRow } from './permissions.ts';
import { type DoctypeFields, type SiteField, textOf } from './values.ts';

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
  label: z.string().nullish(),
  reqd: flag,
  default: z.unknown().optional(),
  is_virtual: flag,
});
const Row = z.object({
  role: z.string(),
  permlevel: z.number().nullish(),
  if_owner: flag,
  read: flag,
  write: flag,
  create: flag,
  delete: flag,
});
const Meta = z.object({
  docs: z.array(
    z.object({
      name: z.string(),
      fields: z.array(Field).optional(),
      permissions: z.array(Row).optional(),
    }),
  ),
});

/** A DocType with all of the site's customisations. */
interface DoctypeMeta {
  /** `isVirtual`: it has no column. */
  fields: (SiteField & { isVirtual: boolean })[];
  permissions: RoleRow[];
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
  return {
    fields: found.fields.flatMap(
      ({ fieldname, fieldtype, label, options, length, permlevel, reqd, is_virtual, ...more }) =>
        fieldname
          ? [
              {
                fieldname,
                fieldtype: fieldtype ?? '',
                label: label ?? '',
                options: options ?? '',
                length: length ?? 0,
                permlevel: permlevel ?? 0,
                required: reqd,
                default: textOf(more.default) ?? '',
                isVirtual: is_virtual,
              },
            ]
          : [],
    ),
    permissions: (found.permissions ?? []).map(({ permlevel, if_owner, ...row }) => ({
      ...row,
      permlevel: permlevel ?? 0,
      ifOwner: if_owner,
    })),
  };
}

/** The fields alone, except virtual ones. Throws `not_found` if the site has no such DocType. */
export async function readDoctypeFields(frappe: Frappe, doctype: string, signal: AbortSignal): Promise<DoctypeFields> {
  const { fields } = await readDoctypeMeta(frappe, doctype, signal);
  return new Map(fields.flatMap((field) => (field.isVirtual ? [] : [[field.fieldname, field] as const])));
}
