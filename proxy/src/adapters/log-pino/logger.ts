import pino from 'pino';
import type { Logger } from '#ports/logger.ts';

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** Writes log lines as JSON to standard output, each passed through the redactor. */
export function createLogger(level: (typeof logLevels)[number], redact: (text: string) => string): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, hooks: { streamWrite: redact } });
}
