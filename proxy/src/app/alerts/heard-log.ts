import { alertKindOf } from '#domain/alerts/alert-causes.ts';
import type { LogFields, Logger } from '#ports/runtime/logger.ts';
import type { AlertDesk } from './alert-desk.ts';

/** A log in which every line with an alert reaches the desk, and every line with its end. */
export function heardBy(desk: Pick<AlertDesk, 'raise' | 'end'>, logger: Logger): Logger {
  const hear = (write: keyof Logger) => (fields: LogFields, message: string) => {
    logger[write](fields, message);
    if (fields.alert) desk.raise(fields.alert, alertKindOf(fields.kind));
    if (fields.alert_ended) desk.end(fields.alert_ended, alertKindOf(fields.kind));
  };
  return { debug: hear('debug'), info: hear('info'), warn: hear('warn'), error: hear('error') };
}
