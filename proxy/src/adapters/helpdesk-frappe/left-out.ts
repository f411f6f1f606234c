import type { Logger } from '../../ports/logger.ts';
import type { WritePlan } from './plan-write.ts';

/** Tells the operator what was left out of a write. */
export type ReportLeftOut = (doctype: string, leftOut: WritePlan['leftOut']) => void;

/** Each field and reason once: what a site lacks it lacks at every write. Values are never logged. */
export function createReportLeftOut(logger: Logger): ReportLeftOut {
  const told = new Set<string>();
  return (doctype, leftOut) => {
    for (const { field, reason } of leftOut) {
      const key = `${doctype}.${field} ${reason}`;
      if (told.has(key)) continue;
      told.add(key);
      logger.warn(
        { doctype, field, reason },
        'A value is left out of what is written, because the field cannot hold it',
      );
    }
  };
}
