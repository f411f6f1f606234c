import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type Dispatcher, errors } from 'undici';
import { version } from '#version.ts';
import { EgressError } from './egress-error.ts';
import { isNestedDeeper } from './nesting.ts';

const unzip = promisify(gunzip);

/** Deeper JSON takes the process a long time to make objects of; what we are sent is far from it. */
const maxDepth = 64;

/** One request. `path` is relative to the origin, percent-encoded, and may contain secrets. */
export interface EgressRequest {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  headers?: Record<string, string>;
  body?: string;
  signal: AbortSignal;
}

/** One response of any status, including redirects. Header names are lower case; cookies are dropped. */
export interface EgressResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
}

export interface ExchangeLimits {
  /** Largest body, counted both as sent and decompressed, in bytes. */
  maxBytes: number;
  /** Longest time from the call to the end of the body, in milliseconds. */
  timeoutMs: number;
}

/**
 * Sends one request over the given dispatcher and reads the whole response within the limits. Follows no redirects.
 * `notOpened`: what an error says of a connection that never came about.
 * Rejects with the reason of the caller's signal if that fired, and otherwise only with an EgressError.
 */
export async function exchange(
  dispatcher: Dispatcher,
  origin: string,
  { signal, path, method, headers, body }: EgressRequest,
  limits: ExchangeLimits,
  notOpened: (error: unknown) => EgressError | null = () => null,
): Promise<EgressResponse> {
  signal.throwIfAborted();
  const deadline = AbortSignal.timeout(limits.timeoutMs);
  try {
    const response = await dispatcher.request({
      origin,
      path,
      method,
      headers: { 'accept-encoding': 'gzip', ...headers, 'user-agent': `deskside/${version}` },
      body: body ?? null,
      signal: AbortSignal.any([signal, deadline]),
    });
    const bytes = await readBody(response.body, limits.maxBytes);
    const encoding = response.headers['content-encoding'];
    const decoded = await decode(bytes, encoding === undefined ? 'identity' : String(encoding), limits.maxBytes);
    const text = new TextDecoder().decode(decoded);
    if (isNestedDeeper(text, maxDepth)) throw tooLarge(`nested deeper than ${maxDepth}`);
    return { status: response.statusCode, headers: flatten(response.headers), text };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (deadline.aborted) throw new EgressError('timeout', 'The other side did not respond in time.');
    throw notOpened(error) ?? asEgressError(error);
  }
}

/** The whole body as sent. Rejects with an EgressError `too_large`, or as the library does. */
async function readBody(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(`larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The decompressed body. Rejects with an EgressError: `too_large`, or `cut` for other encodings and damaged data. */
async function decode(bytes: Buffer, encoding: string, maxBytes: number): Promise<Buffer> {
  if (encoding === 'identity' || bytes.length === 0) return bytes;
  if (encoding !== 'gzip') throw new EgressError('cut', 'The response uses an encoding that was not requested.');
  try {
    return await unzip(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(`larger than ${maxBytes} bytes`);
    throw new EgressError('cut', 'The compressed response is damaged.');
  }
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || name === 'set-cookie') continue;
    flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

function tooLarge(than: string): EgressError {
  return new EgressError('too_large', `The response is ${than}.`, null, than);
}

/** The library's errors may quote headers or addresses: only the code is kept. */
function asEgressError(error: unknown): EgressError {
  if (error instanceof EgressError) return error;
  if (error instanceof errors.InvalidArgumentError) {
    return new EgressError('blocked', 'The request contains a header or a path that HTTP does not allow.');
  }
  if (error instanceof errors.HeadersOverflowError) {
    return new EgressError('too_large', 'The response headers are too large.');
  }
  return new EgressError('cut', `The connection broke before the response was complete (${codeOf(error)}).`);
}

/** The system's or library's error code, such as ECONNREFUSED; never free text. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]*$/.test(code) ? code : 'unknown';
}
