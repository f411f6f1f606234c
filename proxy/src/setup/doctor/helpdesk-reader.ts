import type { HelpdeskAdmin } from '../helpdesk-admin.ts';

/** The half of the administrator's access that changes nothing; with the service account's key what that one may see. */
export type HelpdeskReader = Pick<HelpdeskAdmin, 'caller' | 'doctype' | 'list' | 'get' | 'password' | 'call'>;

/** A signal for one call; every call has a deadline of its own. */
export type Deadline = () => AbortSignal;

/** A time zone by name: how it writes an instant without zone; null where there is no such zone. */
export type ZoneOf = (name: string) => { fromInstant(epochMs: number): string | null } | null;

/** Flags come as 0 and 1, or not at all where the site has no such field. */
export const isOn = (value: unknown): boolean => value === 1 || value === true || value === '1';

/** Text of a field; '' where it is unset. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** One column of a child table. */
export function column(rows: unknown, field: string): string[] {
  if (!Array.isArray(rows)) return [];
  return rows.flatMap((row: Record<string, unknown> | null) => textOf(row?.[field]) || []);
}
