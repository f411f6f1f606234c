import type { Socket } from 'node:net';
import { buildConnector, Client, type Dispatcher } from 'undici';
import { version } from '../version.ts';
import { type Dial, dial as dialByTcp } from './dial.ts';
import { EgressError } from './egress-error.ts';
import { asEgressError, codeOf, decode, readBody } from './exchange.ts';
import { isPublicAddress } from './public-address.ts';
import { publicUrl } from './public-host.ts';
import { createResolve, type Resolve } from './resolve.ts';
import { createTurns } from './turns.ts';

/** An answer: of which address it came in the end, without query, and what it says. The text is read only of a 2xx. */
export interface GuardedResponse {
  kind: 'answered';
  address: string;
  status: number;
  /** The header as it was sent, or empty. */
  contentType: string;
  text: string;
}

/**
 * Why there is no answer. `blocked`: it, or where it redirects to, is not public. `redirected`: too often. `unreadable`:
 * packed in a way that was not asked for, or damaged. `cut`: the connection broke, or does not speak HTTP.
 */
export interface GuardedFailure {
  kind: 'failed';
  why: 'blocked' | 'no_such_host' | 'redirected' | 'too_large' | 'unreadable' | 'timeout' | 'unreachable' | 'cut';
}

/**
 * Reads an address that a stranger named (proxy.md section 2, SSRF). Only https on port 443 of public hosts is ever
 * connected to, redirects included, with no credentials. Rejects only with the reason of the signal.
 */
export type GuardedFetch = (address: string, signal: AbortSignal) => Promise<GuardedResponse | GuardedFailure>;

export interface GuardedFetchOptions {
  resolve?: Resolve;
  isPublic?: (address: string) => boolean;
  dial?: Dial;
  /** Certificate authorities in PEM, in place of the usual ones. */
  tls?: { ca: string };
  /** Longest time from the call to the end of the last answer, waiting and redirects included. Default 5,000. */
  timeoutMs?: number;
  /** Largest body, as sent and unpacked. Default 256 KiB. */
  maxBytes?: number;
  /** Fetches under way at once; further ones wait. Default 8. */
  maxAtOnce?: number;
}

const maxRedirects = 3;
const redirects = new Set([301, 302, 303, 307, 308]);

/** The options are for tests: the service takes none of them. Proxies named in the environment are not used. */
export function createGuardedFetch({
  resolve = createResolve(),
  isPublic = isPublicAddress,
  dial = dialByTcp,
  tls,
  timeoutMs = 5_000,
  maxBytes = 256 * 1024,
  maxAtOnce = 8,
}: GuardedFetchOptions = {}): GuardedFetch {
  const inTurn = createTurns(maxAtOnce);

  return async (address, caller) => {
    caller.throwIfAborted();
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([caller, deadline]);
    try {
      return await inTurn(signal, () => follow(address, signal));
    } catch (error) {
      if (caller.aborted) throw caller.reason;
      return failed(deadline.aborted ? 'timeout' : asEgressError(error).code);
    }
  };

  async function follow(address: string, signal: AbortSignal): Promise<GuardedResponse | GuardedFailure> {
    let url = publicUrl(address);
    for (let hops = 0; hops <= maxRedirects; hops += 1) {
      if (url === null) return failed('blocked');
      const answer = await ask(url, signal);
      if (answer.kind !== 'redirect') return answer;
      url = publicUrl(answer.to, url);
    }
    return failed('redirected');
  }

  /** Looks the host up once, and connects to nothing but the addresses that were checked: a later answer cannot differ. */
  async function ask(url: URL, signal: AbortSignal) {
    signal.throwIfAborted();
    const addresses = await unlessAborted(signal, resolve(url.hostname, signal));
    if (addresses.length === 0) return failed('no_such_host');
    if (!addresses.every((address) => isPublic(address))) return failed('blocked');
    const client = new Client(url.origin, {
      connect: connector(addresses, signal),
      // One connection for one request.
      pipelining: 0,
      maxHeaderSize: 16 * 1024,
      // The deadline covers both.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    try {
      const headers = { accept: 'application/json', 'accept-encoding': 'gzip', 'user-agent': `deskside/${version}` };
      const path = url.pathname + url.search;
      return await read(url, await client.request({ method: 'GET', path, headers, signal }));
    } finally {
      await client.destroy();
    }
  }

  function connector(addresses: string[], signal: AbortSignal): buildConnector.connector {
    const secure = buildConnector({ ...tls, rejectUnauthorized: true, allowH2: false, timeout: timeoutMs });
    return (options, callback) => {
      const opened = new Promise<Socket>((resolve, reject) => {
        const socket = dial({ host: options.hostname, addresses, port: 443, signal });
        // For as long as it lives: the signal ends it with an error.
        socket.on('error', reject);
        socket.once('connect', () =>
          secure({ ...options, httpSocket: socket }, (error, secured) => (error ? reject(error) : resolve(secured))),
        );
      });
      opened.then(
        (socket) => callback(null, socket),
        (error) =>
          callback(new EgressError('unreachable', `The connection could not be opened (${codeOf(error)}).`), null),
      );
    };
  }

  async function read(url: URL, { statusCode, headers, body }: Dispatcher.ResponseData) {
    const location = headers.location;
    if (statusCode < 200 || statusCode > 299) body.on('error', () => {}).destroy();
    if (redirects.has(statusCode) && location !== undefined) {
      return { kind: 'redirect' as const, to: String(location) };
    }
    const answer: GuardedResponse = {
      kind: 'answered',
      address: url.origin + url.pathname,
      status: statusCode,
      contentType: String(headers['content-type'] ?? ''),
      text: '',
    };
    if (body.destroyed) return answer;
    const packed = await readBody(body, maxBytes);
    try {
      const unpacked = await decode(packed, String(headers['content-encoding'] ?? 'identity'), maxBytes);
      return { ...answer, text: new TextDecoder().decode(unpacked) };
    } catch (error) {
      return failed(asEgressError(error).code === 'too_large' ? 'too_large' : 'unreadable');
    }
  }
}

function failed(why: GuardedFailure['why']): GuardedFailure {
  return { kind: 'failed', why };
}

/** Waits no longer than the signal allows. The answer that comes later is dropped. */
function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
