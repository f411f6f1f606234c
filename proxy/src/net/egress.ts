import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { buildConnector, type Dispatcher, EnvHttpProxyAgent, errors, Pool } from 'undici';
import { machine } from '#runtime/machine.ts';
import { version } from '#runtime/version.ts';

/**
 * A server that the operator configured by its exact origin. It may therefore be private; nothing supplied by a caller can
 * direct a request to any other host or port.
 */
export interface Upstream {
  readonly origin: string;
  /**
   * Sends one request and reads the whole response, whatever its status; a redirect is a response too. Rejects with the
   * reason of `signal` once that fires, and otherwise only with an EgressError.
   */
  request(options: EgressRequest): Promise<EgressResponse>;
}

export interface UpstreamOptions {
  /** Maximum number of open connections; further requests wait for one. Default 32. */
  maxConnections?: number;
  /** Largest response, compressed or decompressed. Default 4 MiB. */
  maxBytes?: number;
  /** Longest time for one request, including the wait for a connection, in milliseconds. Default 20,000. */
  timeoutMs?: number;
  /** Whether to connect without a proxy, whatever the environment says: to our own service. */
  direct?: boolean;
}

export interface EgressOptions {
  /** Permits http upstreams: for the demo and tests only (docs/operate.md#variables). */
  allowInsecure: boolean;
  /** Where HTTPS_PROXY, HTTP_PROXY and NO_PROXY are looked up, in either case. */
  env?: Readonly<Record<string, string | undefined>>;
}

export type Egress = ReturnType<typeof createEgress>;

/**
 * Opens the connections to configured servers. Addresses supplied by strangers go through guarded-fetch.ts;
 * nothing else connects.
 */
export function createEgress({ allowInsecure, env = process.env }: EgressOptions) {
  const pools: Dispatcher[] = [];
  return {
    /** Throws an EgressError `blocked` for anything that is not an exact https origin (http if allowed). */
    upstream(
      origin: string,
      { maxConnections = 32, maxBytes = 4 * 2 ** 20, timeoutMs = 20_000, direct = false }: UpstreamOptions = {},
    ): Upstream {
      checkOrigin(origin, allowInsecure);
      const how = {
        connections: maxConnections,
        allowH2: false,
        // A server that closes an idle connection while a request is on its way breaks that request; one that does not say
        // how long it waits may do so after two seconds (docs/helpdesk.md#reading).
        keepAliveTimeout: 1_000,
        maxResponseSize: maxBytes,
        // The deadline of the exchange covers both.
        headersTimeout: 0,
        bodyTimeout: 0,
      };
      const proxy = direct ? undefined : proxyFor(origin, env);
      const pool =
        proxy === undefined
          ? new Pool(origin, { ...how, connect: connector(timeoutMs) })
          : new EnvHttpProxyAgent({ ...how, ...proxy });
      pools.push(pool);
      return {
        origin,
        async request(options) {
          checkPath(origin, options.path);
          return exchange(pool, origin, options, { maxBytes, timeoutMs }, proxy && neverOpened);
        },
      };
    },
    /** Closes all connections; requests under way fail. */
    async close(): Promise<void> {
      await Promise.all(pools.map((pool) => pool.destroy()));
    },
  };
}

/** Does work with connections that are closed after it. */
export async function withEgress<T>(
  { ALLOW_INSECURE_UPSTREAMS: allowInsecure }: { ALLOW_INSECURE_UPSTREAMS: boolean },
  work: (egress: Egress) => Promise<T>,
): Promise<T> {
  const egress = createEgress({ allowInsecure });
  try {
    return await work(egress);
  } finally {
    await egress.close();
  }
}

/** What the environment says of a proxy for this origin; undefined if it names none. */
function proxyFor(origin: string, env: NonNullable<EgressOptions['env']>) {
  const named = (name: string) => env[name.toLowerCase()] || env[name];
  const proxy = named(origin.startsWith('https:') ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  if (proxy === undefined || proxy === '') return undefined;
  return { httpProxy: proxy, httpsProxy: proxy, noProxy: named('NO_PROXY') ?? '', proxyTunnel: true };
}

function checkOrigin(origin: string, allowInsecure: boolean): void {
  const url = URL.parse(origin);
  if (url?.origin !== origin) {
    throw new EgressError(
      'blocked',
      'An upstream must be an origin (scheme, host and port), such as https://host.example.',
    );
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && allowInsecure)) {
    throw new EgressError('blocked', 'An upstream must use https.');
  }
}

/**
 * Accepts only paths that URL normalisation leaves unchanged: printable ASCII without backslashes, dot segments or
 * fragment, and with one leading slash. So no path can name another host or climb out of its folder.
 */
function checkPath(origin: string, path: string): void {
  const [pathname] = path.split('?', 1);
  const isPlain = /^\/(?!\/)[\x21\x22\x24-\x5b\x5d-\x7e]*$/.test(path);
  const url = isPlain ? URL.parse(path, origin) : null;
  if (url?.origin !== origin || url.pathname !== pathname)
    throw new EgressError('blocked', 'A request path must be a plain path on the same server.');
}

/** Connects as the library does, but reports every failure to connect as `unreachable`. */
function connector(timeoutMs: number): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs, allowH2: false });
  return (options, callback) =>
    connect(options, (error, socket) => {
      if (error === null) callback(null, socket);
      else callback(notOpened(error), null);
    });
}

/** How a call can fail below HTTP. Only `unreachable` guarantees that it had no effect on the other side. */
export type EgressErrorCode = 'timeout' | 'unreachable' | 'cut' | 'too_large' | 'blocked';

/** Why the certificate of the other side is not accepted. */
export type CertificateFault = 'untrusted' | 'expired' | 'other_name';

/**
 * A call without a complete response. Addresses may contain secrets (the CRM's webhook does), so the message consists
 * of fixed words and at most the system's error code, and there is never a `cause`.
 */
export class EgressError extends Error {
  override readonly name = 'EgressError';
  readonly code: EgressErrorCode;
  /** Null unless it was that. */
  readonly certificate: CertificateFault | null;
  /** The system's or OpenSSL's word for why there is no connection, such as ECONNREFUSED, or what a response was too much by. */
  readonly reason: string | null;
  constructor(
    code: EgressErrorCode,
    message: string,
    certificate: CertificateFault | null = null,
    reason: string | null = null,
  ) {
    super(message);
    this.code = code;
    this.certificate = certificate;
    this.reason = reason;
  }
}

/** What is wrong with a certificate, and what to do. `whose`: such as "the helpdesk"; `setting`: where its address stands. */
export function certificateProblem(why: CertificateFault, whose: string, setting: string) {
  const certificate = `The certificate of ${whose}`;
  return {
    untrusted: {
      text: `${certificate} is not from an authority that Deskside trusts.`,
      todo: 'Have this machine trust your authority (update-ca-certificates) and restart Deskside, which trusts what the machine trusts; if it is no authority of yours, have the whole chain sent along.',
    },
    expired: {
      text: `${certificate} has expired or is not valid yet.`,
      todo: "Renew it there; if it is valid, check this machine's clock.",
    },
    other_name: {
      text: `${certificate} is for another name than ${setting} has.`,
      todo: `Set ${setting} to a name that is in the certificate.`,
    },
  }[why];
}

/** By the codes of Node and OpenSSL. */
const certificateFaults: Readonly<Record<string, CertificateFault>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'untrusted',
  CERT_UNTRUSTED: 'untrusted',
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'other_name',
};

const notConnected = new Set(
  ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'].concat(
    Object.keys(certificateFaults),
  ),
);

/** For a request through a proxy: an EgressError if no connection came about through it, null if it was something else. */
function neverOpened(error: unknown): EgressError | null {
  const refused = error instanceof Error ? /^Proxy response \((\d{3})\)/.exec(error.message)?.[1] : undefined;
  if (refused !== undefined)
    return new EgressError('unreachable', `The proxy lets nothing through (HTTP ${refused}).`, null, refused);
  return notConnected.has(codeOf(error)) ? notOpened(error) : null;
}

/** A failure to connect, whatever it was. */
export function notOpened(error: unknown): EgressError {
  if (error instanceof EgressError) return error;
  const code = codeOf(error);
  const certificate = certificateFaults[code] ?? null;
  const what = certificate === null ? 'The connection could not be opened' : 'The certificate is not accepted';
  return new EgressError('unreachable', `${what} (${code}).`, certificate, code);
}

const unzip = promisify(gunzip);

/** Deeper JSON takes the process a long time to make objects of; what we are sent is far from it. */
const maxDepth = 64;

/** One request. `path` is relative to the origin, percent-encoded, and may contain secrets. */
interface EgressRequest {
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

interface ExchangeLimits {
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
async function exchange(
  dispatcher: Dispatcher,
  origin: string,
  { signal, path, method, headers, body }: EgressRequest,
  limits: ExchangeLimits,
  notOpened: (error: unknown) => EgressError | null = () => null,
): Promise<EgressResponse> {
  signal.throwIfAborted();
  const deadline = machine.timeout(limits.timeoutMs);
  try {
    const response = await dispatcher.request({
      origin,
      path,
      method,
      headers: { 'accept-encoding': 'gzip', ...headers, 'user-agent': `deskside/${version}` },
      body: body ?? null,
      signal: AbortSignal.any([signal, deadline]),
    });
    const bytes = Buffer.from(await response.body.bytes());
    const encoding = response.headers['content-encoding'];
    const decoded = await decode(bytes, encoding === undefined ? 'identity' : String(encoding), limits.maxBytes);
    const text = new TextDecoder().decode(decoded);
    if (isNestedDeeper(text, maxDepth)) throw tooLarge(`nested deeper than ${maxDepth}`);
    return { status: response.statusCode, headers: flatten(response.headers), text };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (deadline.aborted) throw new EgressError('timeout', 'The other side did not respond in time.');
    throw notOpened(error) ?? asEgressError(error, limits);
  }
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
function asEgressError(error: unknown, { maxBytes }: ExchangeLimits): EgressError {
  if (error instanceof EgressError) return error;
  if (error instanceof errors.ResponseExceededMaxSizeError) return tooLarge(`larger than ${maxBytes} bytes`);
  if (error instanceof errors.InvalidArgumentError) {
    return new EgressError('blocked', 'The request contains a header or a path that HTTP does not allow.');
  }
  if (error instanceof errors.HeadersOverflowError) {
    return new EgressError('too_large', 'The response headers are too large.');
  }
  return new EgressError('cut', `The connection broke before the response was complete (${codeOf(error)}).`);
}

/** The system's or library's error code, such as ECONNREFUSED; never free text. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]*$/.test(code) ? code : 'unknown';
}

/** Whether lists and objects stand deeper in each other than `limit`, in a text that is JSON; a text that is none may give either. */
export function isNestedDeeper(json: string, limit: number): boolean {
  // Nothing else can hold anything, and a page's scripts are not to be taken for depth.
  if (!/^\s*[[{]/.test(json)) return false;
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (isInString) {
      if (code === backslash) at += 1;
      else if (code === quote) isInString = false;
    } else if (code === quote) isInString = true;
    else if (code === opensList || code === opensObject) {
      depth += 1;
      if (depth > limit) return true;
    } else if (code === closesList || code === closesObject) depth -= 1;
  }
  return false;
}

const [quote, backslash] = [0x22, 0x5c];
const [opensList, closesList] = [0x5b, 0x5d];
const [opensObject, closesObject] = [0x7b, 0x7d];
