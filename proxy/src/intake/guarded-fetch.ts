import { promises as dns } from 'node:dns';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { buildConnector, Client, type Dispatcher, errors } from 'undici';
import { createSemaphore, unlessAborted } from '#runtime/concurrency.ts';
import { version } from '#version.ts';

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
class Stopped extends Error {
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
      throw connected || error instanceof Stopped ? error : new Stopped('unreachable');
    } finally {
      await client.destroy();
    }
  }

  /** The connection is opened to the very addresses that were checked: a later DNS answer cannot differ. */
  function checkedLookup(signal: AbortSignal): LookupFunction {
    const check = async (host: string) => {
      const addresses = await unlessAborted(resolve(host, signal), signal);
      if (addresses.length === 0) throw new Stopped('no_such_host');
      if (!addresses.every((address) => isPublic(address))) throw new Stopped('blocked');
      return addresses.map((address) => ({ address, family: isIP(address) }));
    };
    return (host, _, callback) =>
      void check(host).then(
        (addresses) => callback(null, addresses),
        (error) => callback(error, []),
      );
  }

  async function read(url: URL, response: Dispatcher.ResponseData): Promise<GuardedResponse | string> {
    const { statusCode: status, headers: sent, body } = response;
    // A body that is not read ends with the connection.
    body.on('error', () => {});
    if (redirects.has(status) && sent.location !== undefined) return String(sent.location);
    const text =
      status >= 200 && status <= 299 ? await textOf(body, String(sent['content-encoding'] ?? 'identity')) : '';
    const contentType = String(sent['content-type'] ?? '');
    return { kind: 'answered', address: url.origin + url.pathname, status, contentType, text };
  }

  async function textOf(body: Dispatcher.ResponseData['body'], encoding: string): Promise<string> {
    if (encoding === 'identity') return body.text();
    if (encoding !== 'gzip') throw new Stopped('unreadable');
    const unpacked = await unzip(await body.bytes(), { maxOutputLength: maxBytes }).catch(
      (error: NodeJS.ErrnoException) => {
        throw new Stopped(error.code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'unreadable');
      },
    );
    return new TextDecoder().decode(unpacked);
  }
}

function whyOf(error: unknown): GuardedFailure['why'] {
  if (error instanceof Stopped) return error.why;
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
 * An address supplied by a stranger, possibly relative to `base`, in the one spelling that is then used, without
 * fragment. Null unless it is https on the standard port of a public host name, without user info.
 */
export function publicUrl(address: string, base?: URL): URL | null {
  const url = URL.parse(address, base?.href);
  const host = url && publicHost(url);
  if (url?.protocol !== 'https:' || host === null) return null;
  if (url.port !== '' || url.username !== '' || url.password !== '') return null;
  url.hostname = host;
  url.hash = '';
  return url;
}

/**
 * The special-purpose registries of IANA (RFC 6890 and its successors), slightly wider where shops have no use for a
 * block. It checks an IPv4 address that is mapped to IPv6 by the rules for IPv4, too.
 */
const special = new BlockList();
for (const block of [
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
  '2001::/23', // protocol assignments: Teredo, ORCHID and others
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: holds an IPv4 address
  '3fff::/20', // documentation
]) {
  const [net = '', prefix] = block.split('/');
  special.addSubnet(net, Number(prefix), isIPv6(net) ? 'ipv6' : 'ipv4');
}
// All but 2000::/3, which is what is given out for the internet, and the mapped addresses ::ffff:0:0/96. Loopback,
// private, link-local, multicast and NAT64 addresses are among them.
special.addRange('::', '::fffe:ffff:ffff', 'ipv6');
special.addRange('::1:0:0:0', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'ipv6');
special.addRange('4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'ipv6');

/** Whether an IP address, in its usual notation, is on the public internet. One with a zone is not. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  return !special.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
