import { type DestinationStream, destination, pino, stdTimeFunctions } from 'pino';
import type { Logger } from './logger.ts';
import { currentRequestId } from './request-id.ts';

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

export type LogLevel = (typeof logLevels)[number];

/**
 * Writes log lines as JSON, each as a whole passed through the redactor. What is logged in the name of a request has its
 * `request_id`. Lines are written a few at a time, within a quarter of a second, and when the process ends.
 */
export function createLogger(
  level: LogLevel,
  redact: (text: string) => string,
  output: DestinationStream = destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: 250 }),
): Logger {
  return pino(
    {
      level,
      base: undefined,
      timestamp: stdTimeFunctions.isoTime,
      redact: { paths: ['authorization', 'password', 'token', 'secret'], censor: '[secret]' },
      mixin: () => ({ request_id: currentRequestId() }),
      // A line that is written in no request's name is not copied.
      mixinMergeStrategy: (fields, { request_id }: { request_id?: string }) =>
        request_id === undefined ? fields : { request_id, ...fields },
      hooks: { streamWrite: redact },
    },
    output,
  );
}
