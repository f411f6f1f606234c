/** Structured log lines. Fields hold codes and counts, never bodies, credentials or addresses of the CRM. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
