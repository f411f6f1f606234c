import { Client, type Dispatcher } from 'undici';
import { createSemaphore } from '#runtime/semaphore.ts';
import { unlessAborted } from '#runtime/unless-aborted.ts';
import { version } from '#version.ts';
import { connectorTo } from './connect-to.ts';
import { type Dial, dial as dialByTcp } from './dial.ts';
import { asEgressError, decode, readBody } from './exchange.ts';
import { isPublicAddress } from './public-address.ts';
import { publicUrl } from './public-host.ts';
import { createResolve, type Resolve } from './resolve.ts';

/** A response: the address it finally came from, without query, and its content. The text is read only for a 2xx. */
export interface GuardedResponse {
  kind: 'answered';
  address: string;
  status: number;
  /** The header as sent, or empty. */
  contentType: string;
  text: string;
}

/**
 * Why there is no response. `blocked`: the address, or one it redirects to, is not public. `redirected`: too often.
 * `unreadable`: compressed in a way that was not requested, or damaged. `cut`: the connection broke, or does not speak
 * HTTP.
 */
export interface GuardedFailure {
  kind: 'failed';
  why: 'blocked' | 'no_such_host' | 'redirected' | 'too_large' | 'unreadable' | 'timeout' | 'unreachable' | 'cut';
}

/**
 * Reads an address supplied by a stranger (docs/routing.md#metajson, SSRF). Connects only to https on port 443 of
 * public hosts, also when redirected, and sends no credentials. Rejects only with the reason of the signal.
 */
export type GuardedFetch = (address: string, signal: AbortSignal) => Promise<GuardedResponse | GuardedFailure>;

export interface GuardedFetchOptions {
  resolve?: Resolve;
  isPublic?: (address: string) => boolean;
  dial?: Dial;
  /** Certificate authorities in PEM, instead of the usual ones. */
  tls?: { ca: string };
  /** Longest time from the call to the end of the last response, including waiting and redirects. Default 5,000. */
  timeoutMs?: number;
  /** Largest body, both as sent and decompressed. Default 256 KiB. */
  maxBytes?: number;
  /** Maximum number of simultaneous fetches; further ones wait. Default 8. */
  maxAtOnce?: number;
}

const maxRedirects = 3;
const redirects = new Set([301, 302, 303, 307, 308]);

/** The options are for tests; the service uses none of them. Proxies named in the environment are ignored. */
export function createGuardedFetch({
  resolve = createResolve(),
  isPublic = isPublicAddress,
  dial = dialByTcp,
  tls,
  timeoutMs = 5_000,
  maxBytes = 256 * 1024,
  maxAtOnce = 8,
}: GuardedFetchOptions = {}): GuardedFetch {
  const withinLimit = createSemaphore(maxAtOnce);

  return async (address, caller) => {
    caller.throwIfAborted();
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([caller, deadline]);
    try {
      return await withinLimit(() => follow(address, signal), signal);
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

  /** Looks the host up once and connects only to the addresses that were checked: a later DNS answer cannot differ. */
  async function ask(url: URL, signal: AbortSignal) {
    signal.throwIfAborted();
    const addresses = await unlessAborted(resolve(url.hostname, signal), signal);
    if (addresses.length === 0) return failed('no_such_host');
    if (!addresses.every((address) => isPublic(address))) return failed('blocked');
    const client = new Client(url.origin, {
      connect: connectorTo(addresses, signal, { dial, tls, timeoutMs }),
      // One connection per request.
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
