import type { PermissionRow } from '../metadata.ts';
import { documentsOf, type Site } from '../site.ts';
import type { StoredDocument } from '../store.ts';
import type { Hooks } from './types.ts';

/**
 * Custom DocPerm: once a DocType has such rows, they alone count, and its standard rows no more (facts/live.md section
 * 1). Without any the standard ones are back.
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
