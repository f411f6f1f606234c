import type { Logger } from '#ports/runtime/logger.ts';
import type { WritePlan } from './plan-write.ts';

/** Reports to the operator what was left out of a write. */
export type ReportSkippedFields = (doctype: string, skippedFields: WritePlan['skippedFields']) => void;

/** Reports each field and reason once: what a site lacks, it lacks at every write. Values are never logged. */
export function createReportSkippedFields(logger: Logger): ReportSkippedFields {
  const told = new Set<string>();
  return (doctype, skippedFields) => {
    for (const { field, reason } of skippedFields) {
      const key = `${doctype}.${field} ${reason}`;
      if (told.has(key)) continue;
      told.add(key);
      logger.warn({ doctype, field, reason }, 'A value was left out of a write because the field cannot hold it');
    }
  };
}
