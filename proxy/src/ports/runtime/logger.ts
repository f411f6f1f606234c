import type { AlertCause } from '#domain/alerts/alert-causes.ts';

/**
 * Codes and counts, never bodies, credentials or addresses of the CRM. `alert` wants somebody's attention, and
 * `alert_ended` says that it is over; where the same `kind` stands in both, they belong together.
 */
export interface LogFields {
  alert?: AlertCause;
  alert_ended?: AlertCause;
  kind?: unknown;
  [field: string]: unknown;
}

/** Structured log lines. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}
