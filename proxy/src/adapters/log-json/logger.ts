import type { LogFields, Logger } from '#ports/runtime/logger.ts';
import { currentRequestId } from './request-id.ts';
import { type Output, standardOutput } from './standard-output.ts';

/** As they stand in a line; nothing is as high as `silent`. */
const numbers = { debug: 20, info: 30, warn: 40, error: 50, silent: Number.POSITIVE_INFINITY };

export type LogLevel = keyof typeof numbers;

export const logLevels = Object.keys(numbers) as [LogLevel, ...LogLevel[]];

/**
 * Writes log lines as JSON, each passed through the redactor. What is logged in the name of a request has its
 * `request_id`. Notes may wait to be written together; a warning or an error is written at once, with everything before
 * it. Never throws.
 */
export function createLogger(
  lowest: LogLevel,
  redact: (text: string) => string,
  output: Output = standardOutput(),
): Logger {
  const timeNow = createTimestamp();
  const log = (level: Exclude<LogLevel, 'silent'>, fields: LogFields, message: string) => {
    const number = numbers[level];
    if (number < numbers[lowest]) return;
    const line = `{"level":${number},"time":"${timeNow()}",${jsonOf(named(fields), message).slice(1)}`;
    output.write(`${redact(line)}\n`);
    if (number >= numbers.warn) output.flush();
  };
  return {
    debug: (fields, message) => log('debug', fields, message),
    info: (fields, message) => log('info', fields, message),
    warn: (fields, message) => log('warn', fields, message),
    error: (fields, message) => log('error', fields, message),
  };
}

/** The fields, with the request in whose name they are logged. */
function named(fields: LogFields): LogFields {
  const request_id = fields.request_id ?? currentRequestId();
  return request_id === fields.request_id ? fields : { request_id, ...fields };
}

function jsonOf(fields: LogFields, msg: string): string {
  try {
    return JSON.stringify({ ...fields, msg });
  } catch {
    return JSON.stringify({ msg });
  }
}

/** The time as it stands in a line, written out once for all lines of a millisecond. */
function createTimestamp(): () => string {
  let at = 0;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== at) text = new Date(now).toISOString();
    at = now;
    return text;
  };
}
