import type { Fault, LastingFault } from './faults.ts';

/**
 * Codes and counts, never bodies, credentials or addresses of the CRM. `fault` wants somebody's attention, and
 * `fault_ended` says that it is over; where the same `kind` stands in both, they belong together.
 */
export interface LogFields {
  fault?: Fault;
  fault_ended?: LastingFault;
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
