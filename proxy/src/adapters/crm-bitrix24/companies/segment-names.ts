import { isRecord, scalar } from './values.ts';

/**
 * Reads the items of one list field from a `crm.company.userfield.list` response, name by id (docs/crm.md#fields). Null
 * if the response does not contain the field, or if it is not a list.
 */
export function segmentNamesOf(result: unknown, field: string): Map<string, string> | null {
  if (!Array.isArray(result)) return null;
  const row = result.filter(isRecord).find((r) => r.FIELD_NAME === field);
  if (!row || !Array.isArray(row.LIST)) return null;
  return new Map(
    row.LIST.filter(isRecord).flatMap((item): [string, string][] => {
      const [id, name] = [scalar(item.ID), scalar(item.VALUE)];
      return id !== null && name !== null ? [[id, name]] : [];
    }),
  );
}
