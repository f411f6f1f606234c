import pino from 'pino';
import type { LogFields, Logger } from '#ports/runtime/logger.ts';
import { currentRequestId } from './request-id.ts';

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** What lines are written to; `flushSync` writes what waits. */
export interface Destination extends pino.DestinationStream {
  flushSync(): void;
}

/**
 * Writes log lines as JSON to standard output, each passed through the redactor. What is logged in the name of a request
 * has its `request_id`. Notes are written several at a time: a write for each was a fifth of what a cached profile costs.
 * A warning or an error is written at once, with everything before it.
 */
export function createLogger(
  level: (typeof logLevels)[number],
  redact: (text: string) => string,
  destination: Destination = standardOutput(),
): Logger {
  const lines = pino({ level, base: null, timestamp: createTimestamp(), hooks: { streamWrite: redact } }, destination);
  const atOnce = (write: () => void) => {
    write();
    destination.flushSync();
  };
  return {
    debug: (fields, message) => lines.debug(named(fields), message),
    info: (fields, message) => lines.info(named(fields), message),
    warn: (fields, message) => atOnce(() => lines.warn(named(fields), message)),
    error: (fields, message) => atOnce(() => lines.error(named(fields), message)),
  };
}

/** The fields, with the request in whose name they are logged. */
function named(fields: LogFields): LogFields {
  const request_id = fields.request_id ?? currentRequestId();
  return request_id === fields.request_id ? fields : { request_id, ...fields };
}

/** pino's own writes the time out anew for every line, of which a busy service has many in a millisecond. */
function createTimestamp(): () => string {
  let at = 0;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== at) text = `,"time":"${new Date(now).toISOString()}"`;
    at = now;
    return text;
  };
}

/** How many characters wait at most to be written, and how long, in milliseconds. */
const writeAt = 4_096;
const writeEveryMs = 250;
let opened: Destination | undefined;

/** One for the whole process. */
function standardOutput(): Destination {
  if (opened) return opened;
  waitForReader();
  const output = pino.destination({ dest: 1, sync: true, minLength: writeAt, periodicFlush: writeEveryMs });
  process.once('exit', () => output.flushSync());
  opened = output;
  return output;
}

/**
 * Node makes a pipe non-blocking as soon as anything looks at `process.stdout`. Where its reader is slow each write then
 * fails at once and the service sleeps a tenth of a second; one that blocks goes on as soon as there is room.
 */
function waitForReader(): void {
  const { _handle: handle } = process.stdout as { _handle?: { setBlocking?(isBlocking: boolean): void } };
  handle?.setBlocking?.(true);
}
