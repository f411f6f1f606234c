import pino from 'pino';
import type { Logger } from '#ports/runtime/logger.ts';
import { currentRequestId } from './request-id.ts';

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/**
 * Writes log lines as JSON to standard output, each passed through the redactor. What is logged in the name of a request
 * has its `request_id`.
 */
export function createLogger(level: (typeof logLevels)[number], redact: (text: string) => string): Logger {
  const mixin = () => {
    const request_id = currentRequestId();
    return request_id === undefined ? {} : { request_id };
  };
  return pino({ level, mixin, base: null, timestamp: pino.stdTimeFunctions.isoTime, hooks: { streamWrite: redact } });
}
