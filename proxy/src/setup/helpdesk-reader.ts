import type { HelpdeskAdmin } from './helpdesk-admin.ts';

/** The read-only half of the administrator's access; with the service account's key, limited to what that may see. */
export type HelpdeskReader = Pick<HelpdeskAdmin, 'caller' | 'doctype' | 'list' | 'get' | 'password' | 'call'>;

/** Flags are 0 or 1, or absent if the site has no such field. */
export const isOn = (value: unknown): boolean => value === 1 || value === true || value === '1';

/** Text of a field; '' if unset. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** One column of a child table. */
export function column(rows: unknown, field: string): string[] {
  if (!Array.isArray(rows)) return [];
  return rows.flatMap((row: Record<string, unknown> | null) => textOf(row?.[field]) || []);
}
