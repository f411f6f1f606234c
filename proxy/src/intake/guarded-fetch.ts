import { promises as dns } from 'node:dns';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { buildConnector, Client, type Dispatcher, errors } from 'undici';
import { createSemaphore, unlessAborted } from '#runtime/concurrency.ts';
import { version } from '#version.ts';

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

/** The options are for tests; the service uses none of them. */
export interface GuardedFetchOptions {
  resolve?: typeof resolveHost;
  isPublic?: (address: string) => boolean;
  /** Makes what opens connections; it is given the guard's `lookup`. */
  connectorOf?: typeof buildConnector;
  /** Certificate authorities in PEM, instead of the usual ones. */
  ca?: string | undefined;
  /** Longest time from the call to the end of the last response, including waiting and redirects. Default 5,000. */
  timeoutMs?: number;
  /** Largest body, both as sent and decompressed. Default 256 KiB. */
  maxBytes?: number;
  /** Maximum number of simultaneous fetches; further ones wait. Default 8. */
  maxAtOnce?: number;
}

const maxRedirects = 3;
const redirects = new Set([301, 302, 303, 307, 308]);
const unzip = promisify(gunzip);

/** Stops a fetch for a reason that is its result. */
class Stopped extends Error {
  readonly why: GuardedFailure['why'];
  constructor(why: GuardedFailure['why']) {
    super(why);
    this.why = why;
  }
}

/** Proxies named in the environment are ignored. */
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
    caller.throwIfAborted();
    const deadline = AbortSignal.timeout(timeoutMs);
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
      if (url === null) throw new Stopped('blocked');
      signal.throwIfAborted();
      const answer = await ask(url, signal);
      if (typeof answer !== 'string') return answer;
      url = publicUrl(answer, url);
    }
    throw new Stopped('redirected');
  }

  /** The response, or where it redirects to. */
  async function ask(url: URL, signal: AbortSignal): Promise<GuardedResponse | string> {
    const client = new Client(url.origin, {
      connect: connectorFor(signal),
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

  /** Connects only to addresses that this very lookup has checked: a later DNS answer cannot differ. */
  function connectorFor(signal: AbortSignal): buildConnector.connector {
    const lookup: LookupFunction = (host, _, callback) => {
      checkedAddresses(host, signal).then(
        (addresses) =>
          callback(
            null,
            addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 })),
          ),
        (error) => callback(error, []),
      );
    };
    const connect = connectorOf({
      lookup,
      rejectUnauthorized: true,
      allowH2: false,
      timeout: timeoutMs,
      // Ends the connection also before it is open.
      signal,
      autoSelectFamily: true,
      // Shops may be half a world away; an address that does not answer costs a fifth of the available time.
      autoSelectFamilyAttemptTimeout: 1_000,
      ...(ca !== undefined && { ca }),
    });
    return (options, callback) =>
      connect(options, (error, socket) => {
        if (error === null) callback(null, socket);
        else callback(error instanceof Stopped ? error : new Stopped('unreachable'), null);
      });
  }

  async function checkedAddresses(host: string, signal: AbortSignal): Promise<string[]> {
    const addresses = await unlessAborted(resolve(host, signal), signal);
    if (addresses.length === 0) throw new Stopped('no_such_host');
    if (!addresses.every((address) => isPublic(address))) throw new Stopped('blocked');
    return addresses;
  }

  async function read(url: URL, response: Dispatcher.ResponseData): Promise<GuardedResponse | string> {
    const { statusCode: status, headers, body } = response;
    const isRead = status >= 200 && status <= 299;
    if (!isRead) body.on('error', () => {}).destroy();
    if (redirects.has(status) && headers.location !== undefined) return String(headers.location);
    const text = isRead ? await textOf(body, String(headers['content-encoding'] ?? 'identity')) : '';
    const contentType = String(headers['content-type'] ?? '');
    return { kind: 'answered', address: url.origin + url.pathname, status, contentType, text };
  }

  async function textOf(body: AsyncIterable<Uint8Array>, encoding: string): Promise<string> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of body) {
      size += chunk.byteLength;
      if (size > maxBytes) throw new Stopped('too_large');
      chunks.push(chunk);
    }
    const sent = Buffer.concat(chunks);
    if (encoding === 'identity' || size === 0) return new TextDecoder().decode(sent);
    if (encoding !== 'gzip') throw new Stopped('unreadable');
    const unpacked = await unzip(sent, { maxOutputLength: maxBytes }).catch((error: unknown) => {
      throw new Stopped(codeOf(error) === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'unreadable');
    });
    return new TextDecoder().decode(unpacked);
  }
}

function whyOf(error: unknown): GuardedFailure['why'] {
  if (error instanceof Stopped) return error.why;
  if (error instanceof errors.InvalidArgumentError) return 'blocked';
  return error instanceof errors.HeadersOverflowError ? 'too_large' : 'cut';
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Codes for an empty answer, and for a name that cannot be looked up. */
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
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    signal.throwIfAborted();
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    const unknown = failures.find((failure) => !nothing.has(codeOf(failure)));
    if (addresses.length === 0 && unknown !== undefined) throw unknown;
    return addresses;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** Endings that never lead out of the local network or machine, or not by DNS (RFC 6761, 6762, 7686, 8375, 9476). */
const inner = new Set(
  'alt arpa corp home internal intranet invalid lan local localdomain localhost onion private'.split(' '),
);
const hostName = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/;

/**
 * The host name of a URL as the URL parser returns it, without the root's dot, if it can be a public DNS name: at least
 * two labels, no IP address in any notation (the parser has resolved the odd ones), no ending for internal names. Null
 * otherwise.
 */
export function publicHost({ hostname }: URL): string | null {
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  const ending = hostName.exec(name)?.[1];
  return ending === undefined || inner.has(ending) ? null : name;
}

/**
 * Reads an address supplied by a stranger, possibly relative to `base`: https on the standard port, no user info, a
 * public host name. Returns it in the one spelling that is then used, without fragment; null if it is anything else.
 */
export function publicUrl(address: string, base?: URL): URL | null {
  const url = URL.parse(address, base?.href);
  if (url === null || url.protocol !== 'https:' || url.port !== '') return null;
  const host = publicHost(url);
  if (host === null || url.username !== '' || url.password !== '') return null;
  url.hostname = host;
  url.hash = '';
  return url;
}

// The special-purpose registries of IANA (RFC 6890 and its successors), slightly wider where shops have no use for a
// block.
const special4 = subnets('ipv4', [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by carriers; some clouds keep their metadata there
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's own service for its machines
  '169.254.0.0/16', // link-local; most clouds keep their metadata there
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
]);
const unicast6 = subnets('ipv6', ['2000::/3']);
const special6 = subnets('ipv6', [
  '2001::/23', // protocol assignments: Teredo, ORCHID and others
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: holds an IPv4 address
  '3fff::/20', // documentation
]);
const mapped6 = subnets('ipv6', ['::ffff:0:0/96']);

/**
 * Whether an IP address, in its usual notation, is on the public internet. An IPv4 address mapped to IPv6 is judged as
 * the IPv4 address. False for anything that is not an address, and for one with a zone.
 */
export function isPublicAddress(address: string): boolean {
  const family = address.includes('%') ? 0 : isIP(address);
  if (family === 4) return !special4.check(address, 'ipv4');
  if (family !== 6) return false;
  // The block list itself reads a mapped address as IPv4.
  if (mapped6.check(address, 'ipv6')) return !special4.check(address, 'ipv6');
  return unicast6.check(address, 'ipv6') && !special6.check(address, 'ipv6');
}

function subnets(family: 'ipv4' | 'ipv6', blocks: string[]): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [net = '', prefix] = block.split('/');
    list.addSubnet(net, Number(prefix), family);
  }
  return list;
}
