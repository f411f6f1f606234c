import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorEnvelope } from '@deskside/shared/envelope';
import { AppError } from '#runtime/app-error.ts';
import type { Logger } from '#runtime/logger.ts';

/** What is wrong with a request that never reaches a route. */
export interface Malformed {
  status: 400 | 408 | 431;
  message: string;
}

export const maxHeaders = 100;
export const maxHeaderBytes = 16 * 1024;

export const unusable: Malformed = { status: 400, message: 'Expected a well-formed HTTP request with one Host.' };
const late: Malformed = { status: 408, message: 'Expected the whole request within half a minute.' };
const tooLong: Malformed = { status: 431, message: 'Expected at most 100 headers and 16 kB of them.' };

/** What is wrong with a request's head although it could be parsed; null if nothing is. */
export function problemOf({ url = '', rawHeaders }: IncomingMessage): Malformed | null {
  // Node silently drops excess headers.
  if (rawHeaders.length >= 2 * maxHeaders) return tooLong;
  if (!hasOneHost(rawHeaders)) return unusable;
  if (url.startsWith('/')) return null;
  const target = URL.parse(url);
  const isPlain = target !== null && /^https?:$/.test(target.protocol) && !target.username && !target.password;
  return isPlain ? null : unusable;
}

/** Of names and values in turn. */
function hasOneHost(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1;
}

/** What was wrong with a request that could not be parsed; null if the client has simply gone. */
export function problemIn(error: Error): Malformed | null {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'HPE_HEADER_OVERFLOW') return tooLong;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return late;
  if (code === 'HPE_INVALID_EOF_STATE') return null;
  return typeof code === 'string' && code.startsWith('HPE_') ? unusable : null;
}

/** The response in the service's own shape; its line is in the log. The connection ends with it. */
export function malformedAnswer({ status, message }: Malformed, logger: Logger) {
  const { code, message: sentence } = new AppError('bad_input');
  const requestId = randomUUID();
  logger.info({ request_id: requestId, status, code }, 'request');
  const data = { code, request_id: requestId, issues: [{ field: 'request', message }] };
  const body = JSON.stringify({ success: false, data, message: sentence } satisfies ErrorEnvelope);
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-request-id': requestId,
    connection: 'close',
  };
  return { status, headers, body };
}

const patienceMs = 1_000;

/** Sends that response on a bare socket, and leaves a second to read it. */
export function endMalformed(socket: Socket, problem: Malformed, logger: Logger): void {
  const { status, headers, body } = malformedAnswer(problem, logger);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  const timer = setTimeout(() => socket.destroy(), patienceMs);
  socket.once('close', () => clearTimeout(timer));
}
