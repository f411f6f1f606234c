import { promises as dns } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { buildConnector, Client, type Dispatcher, errors } from 'undici';
import { createSemaphore, unlessAborted } from '#runtime/concurrency.ts';
import { machine } from '#runtime/machine.ts';
import { version } from '#runtime/version.ts';
import { isPublicAddress, publicUrl } from './public-address.ts';

export interface GuardedResponse {
  kind: 'answered';
  /** Where it finally came from, without query. */
  address: string;
  status: number;
  /** The header as sent, or empty. */
  contentType: string;
  /** Empty unless the status is a 2xx. */
  text: string;
}

/**
 * `blocked`: the address, or one it redirects to, is not public. `unreadable`: compressed in a way that was not
 * requested, or damaged. `cut`: the connection broke, or does not speak HTTP.
 */
export interface GuardedFailure {
  kind: 'failed';
  why: 'blocked' | 'no_such_host' | 'redirected' | 'too_large' | 'unreadable' | 'timeout' | 'unreachable' | 'cut';
}

/**
 * Reads an address supplied by a stranger (docs/security.md#addresses-of-strangers): only https on port 443 of public
 * hosts, also when redirected, without credentials, and never through a proxy that the environment names. Rejects only
 * with the reason of the signal.
 */
export type GuardedFetch = (address: string, signal: AbortSignal) => Promise<GuardedResponse | GuardedFailure>;

/** For tests; the service goes by the defaults. */
export interface GuardedFetchOptions {
  resolve?: typeof resolveHost;
  isPublic?: typeof isPublicAddress;
  /** Makes what opens connections; it is given the guard's `lookup`. */
  connectorOf?: typeof buildConnector;
  /** Certificate authorities in PEM, instead of the usual ones. */
  ca?: string | undefined;
  /** From the call to the end of the last response, including waiting and redirects. */
  timeoutMs?: number;
  /** Of the body as sent, and again once decompressed. */
  maxBytes?: number;
  /** Further fetches wait. */
  maxAtOnce?: number;
}

const maxRedirects = 3;
const redirects = new Set([301, 302, 303, 307, 308]);
const headers = { accept: 'application/json', 'accept-encoding': 'gzip', 'user-agent': `deskside/${version}` };
const unzip = promisify(gunzip);

/** Ends a fetch for a reason that is its result. */
class FetchStop extends Error {
  readonly why: GuardedFailure['why'];
  constructor(why: GuardedFailure['why']) {
    super(why);
    this.why = why;
  }
}

export function createGuardedFetch({
  resolve = resolveHost,
  isPublic = isPublicAddress,
  connectorOf = buildConnector,
  ca,
  timeoutMs = 5_000,
  maxBytes = 256 * 1024,
  maxAtOnce = 8,
}: GuardedFetchOptions = {}): GuardedFetch {
  const withinLimit = createSemaphore(maxAtOnce);

  return async (address, caller) => {
    const deadline = machine.timeout(timeoutMs);
    const signal = AbortSignal.any([caller, deadline]);
    try {
      return await withinLimit(() => follow(address, signal), signal);
    } catch (error) {
      if (caller.aborted) throw caller.reason;
      return { kind: 'failed', why: deadline.aborted ? 'timeout' : whyOf(error) };
    }
  };

  async function follow(address: string, signal: AbortSignal): Promise<GuardedResponse> {
    let url = publicUrl(address);
    for (let hops = 0; hops <= maxRedirects; hops += 1) {
      if (url === null) throw new FetchStop('blocked');
      const answer = await ask(url, signal);
      if (typeof answer !== 'string') return answer;
      url = publicUrl(answer, url);
    }
    throw new FetchStop('redirected');
  }

  /** The response, or where it redirects to. Each request has a connection of its own: none serves another host. */
  async function ask(url: URL, signal: AbortSignal): Promise<GuardedResponse | string> {
    const client = new Client(url.origin, {
      connect: connectorOf({
        lookup: checkedLookup(signal),
        rejectUnauthorized: true,
        allowH2: false,
        // Ends the connection also before it is open.
        signal,
        autoSelectFamily: true,
        // Shops may be half a world away; an address that does not answer costs a fifth of the available time.
        autoSelectFamilyAttemptTimeout: 1_000,
        ...(ca !== undefined && { ca }),
      }),
      pipelining: 0,
      maxResponseSize: maxBytes,
    });
    let connected = false;
    client.once('connect', () => {
      connected = true;
    });
    try {
      return await read(url, await client.request({ method: 'GET', path: url.pathname + url.search, headers, signal }));
    } catch (error) {
      throw connected || error instanceof FetchStop ? error : new FetchStop('unreachable');
    } finally {
      await client.destroy();
    }
  }

  /** The connection is opened to the very addresses that were checked: a later DNS answer cannot differ. */
  function checkedLookup(signal: AbortSignal): LookupFunction {
    const check = (addresses: string[]) => {
      if (addresses.length === 0) throw new FetchStop('no_such_host');
      if (!addresses.every((address) => isPublic(address))) throw new FetchStop('blocked');
      return addresses.map((address) => ({ address, family: isIP(address) }));
    };
    return (host, _, callback) =>
      void unlessAborted(resolve(host, signal), signal)
        .then(check)
        .then(
          (addresses) => callback(null, addresses),
          (error) => callback(error, []),
        );
  }

  async function read(url: URL, response: Dispatcher.ResponseData): Promise<GuardedResponse | string> {
    const { statusCode: status, headers: sent, body } = response;
    // A body that is not read ends with the connection.
    body.on('error', () => {});
    if (redirects.has(status) && sent.location !== undefined) return String(sent.location);
    const text = status >= 200 && status <= 299 ? await textOf(body, sent['content-encoding']) : '';
    const contentType = String(sent['content-type'] ?? '');
    return { kind: 'answered', address: url.origin + url.pathname, status, contentType, text };
  }

  async function textOf(body: Dispatcher.ResponseData['body'], encoding: unknown = 'identity'): Promise<string> {
    if (encoding === 'identity') return body.text();
    if (encoding !== 'gzip') throw new FetchStop('unreadable');
    const unpacking = unzip(await body.bytes(), { maxOutputLength: maxBytes });
    const unpacked = await unpacking.catch(({ code }: NodeJS.ErrnoException) => {
      throw new FetchStop(code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'unreadable');
    });
    return new TextDecoder().decode(unpacked);
  }
}

function whyOf(error: unknown): GuardedFailure['why'] {
  if (error instanceof FetchStop) return error.why;
  const tooLarge = error instanceof errors.HeadersOverflowError || error instanceof errors.ResponseExceededMaxSizeError;
  return tooLarge ? 'too_large' : 'cut';
}

/** What the resolver says of a name that has no addresses, or cannot be looked up. */
const nothing = new Set<unknown>(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/**
 * All addresses of a host name, IPv4 and IPv6; empty if there is no such name. Asks DNS servers, not the system's own
 * lookup, which adds search domains and the hosts file, and occupies one of four threads for as long as a hostile name
 * server likes. Rejects with the resolver's error if the answer is unknown, and with the reason of the signal.
 */
export async function resolveHost(
  host: string,
  signal: AbortSignal,
  resolver = new dns.Resolver({ timeout: 1_500, tries: 2 }),
): Promise<string[]> {
  signal.addEventListener('abort', () => resolver.cancel(), { once: true });
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  signal.throwIfAborted();
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const unknown = answers.find((answer) => answer.status === 'rejected' && !nothing.has(answer.reason.code));
  if (addresses.length === 0 && unknown?.status === 'rejected') throw unknown.reason;
  return addresses;
}
