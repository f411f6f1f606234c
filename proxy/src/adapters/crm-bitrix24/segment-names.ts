import { scalar } from '../../domain/crm-values.ts';
import { isRecord } from './records.ts';

/**
 * Reads the items of one list field from a `crm.company.userfield.list` answer, name by id (facts/bitrix24.md section
 * 8). Null: the answer does not hold the field, or it is no list.
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
