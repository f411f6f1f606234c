import { documentsOf, type Site } from '#helpdesk/site/site.ts';
import type { PermissionRow } from '#helpdesk/store/doctype.ts';
import type { StoredDocument } from '#helpdesk/store/store.ts';
import type { Hooks } from './types.ts';

/**
 * Custom DocPerm: once a DocType has such rows, only these count, and its standard rows no longer do
 * (docs/helpdesk.md#permission-levels). Without any the standard ones are back.
 */
export const customDocPermHooks: Hooks = {
  onChange(site, document) {
    applyCustomRows(site, String(document.parent));
  },
};

export function applyCustomRows(site: Site, doctype: string): void {
  const rows = customRows(site, doctype);
  site.metadata.replacePermissions(doctype, rows.length > 0 ? (rows as unknown as PermissionRow[]) : null);
}

export function customRows(site: Site, doctype: string): StoredDocument[] {
  return documentsOf(site, 'Custom DocPerm').filter((row) => row.parent === doctype);
}
