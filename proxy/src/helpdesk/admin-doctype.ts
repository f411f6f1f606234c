import * as z from 'zod';
import type { AdminDoctype } from '#setup/helpdesk-admin.ts';
import { DocumentName, type FrappeClient } from './client.ts';
import { readDoctypeMeta } from './doctype-meta.ts';
import { unless } from './frappe-error.ts';

const CustomField = z.object({ name: DocumentName, fieldname: z.string() });

/**
 * Reads a DocType with all of the site's customisations, and which of its fields are documents of their own. Null if
 * the site has none of this name. To accounts that may not list Custom Field, no field appears to be custom.
 */
export async function readAdminDoctype(
  client: FrappeClient,
  as: string,
  name: string,
  signal: AbortSignal,
): Promise<AdminDoctype | null> {
  const custom = { fields: ['name', 'fieldname'], filters: [['dt', '=', name]], limit: 0 };
  const [meta, documents] = await Promise.all([
    readDoctypeMeta(client, name, as, signal).catch(unless('not_found', null)),
    client.list('Custom Field', custom, CustomField, as, signal).catch(unless('forbidden', [])),
  ]);
  if (meta === null) return null;
  const documentOf = new Map(documents.map((row) => [row.fieldname, row.name]));
  const fields = meta.fields.map(
    (field) => [field.fieldname, { ...field, customField: documentOf.get(field.fieldname) ?? null }] as const,
  );
  return { fields: new Map(fields), permissions: meta.permissions };
}
