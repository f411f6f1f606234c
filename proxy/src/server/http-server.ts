import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, BlockList, isIP, isIPv6, type Socket } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { StartError } from '#runtime/app-error.ts';
import type { Logger } from '#runtime/log.ts';
import type { AppEnv } from './middleware.ts';

/**
 * What the service holds for clients (docs/operate.md#the-reverse-proxy). A crowd of strangers is for the reverse proxy in front to
 * keep out; these end what hangs.
 */
const limits = {
  connections: 2_000,
  requestsPerConnection: 1_000,
  headerBytes: 16 * 1024,
  headersMs: 10_000,
  requestMs: 30_000,
  /** Longer than a reverse proxy keeps its connection, which is 60 s. */
  idleMs: 65_000,
  /** Without a byte in either direction, for example while an answer is being prepared. */
  silentMs: 150_000,
};

interface HttpServerOptions {
  /** The service that a request which comes now is served by. */
  app: () => Pick<Hono<AppEnv>, 'fetch'>;
  /** Addresses and ranges of reverse proxies, whose X-Forwarded-For counts. */
  trustedProxies: readonly string[];
  logger: Logger;
}

/** The service's HTTP server, not listening yet. */
export function createHttpServer({ app, trustedProxies, logger }: HttpServerOptions): Server {
  let isWarned = false;
  const addressOf = readClientAddress(trustedProxies, () => {
    if (!isWarned) logger.warn({}, 'X-Forwarded-For came from an address that is not in TRUSTED_PROXIES');
    isWarned = true;
  });
  const listener = getRequestListener((request, env) => {
    const { incoming, outgoing } = env as HttpBindings;
    const hasLeft = () => outgoing.destroyed;
    return app().fetch(request, { client: addressOf(incoming), hasLeft });
  });
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: limits.idleMs,
      highWaterMark: 16 * 1024,
    },
    listener,
  );
  server.maxConnections = limits.connections;
  server.maxRequestsPerSocket = limits.requestsPerConnection;
  server.setTimeout(limits.silentMs);
  return server;
}

/** Has a server listen; returns its address, such as http://127.0.0.1:8787. Throws StartError if it cannot. */
export async function listenAt(server: Server, place: { host: string; port: number }): Promise<string> {
  const { host } = place;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('listening', resolve).once('error', reject);
      server.listen(place.port, host);
    });
  } catch (error) {
    throw new StartError(problemOf(error, place));
  }
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function problemOf(error: unknown, { host, port }: { host: string; port: number }): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EADDRINUSE') return `Port ${port} on ${host} is already in use; set PORT to a free one.`;
  if (code === 'EACCES') return `Port ${port} may not be used by this account; set PORT to one above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${host} is not an address of this machine; set HOST to one, or to 0.0.0.0 for all.`;
  return `The proxy could not listen on ${host}:${port} (${code ?? 'unknown reason'}).`;
}

const lookEveryMs = 50;

/**
 * Stops a server: it accepts nothing new, and requests under way have the given time to finish. Each connection is closed
 * after the response that is under way on it. Whatever has been sent to this machine when it stops is under way, read or
 * not: a busy process has not looked at its connections for a while.
 */
export async function stopServer(server: Server, patienceMs: number): Promise<void> {
  const patience = setTimeout(() => server.closeAllConnections(), patienceMs);
  await hasRead();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => void hasRead().then(() => server.closeIdleConnections()), lookEveryMs);
  await closed;
  clearInterval(idle);
  clearTimeout(patience);
}

/** Resolves right after all connections were looked at: nothing that had come in by then is left unread. */
function hasRead(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

/**
 * Where a request comes from: one address, or the /64 of an IPv6 client. A reverse proxy counts as the client that it names.
 *
 * @param trusted addresses and ranges of our reverse proxies, such as 10.0.0.0/8
 * @param onStranger called when an address that is not trusted names a client
 */
export function readClientAddress(
  trusted: readonly string[],
  onStranger: () => void = () => {},
): (incoming: IncomingMessage) => string {
  const ranges = new BlockList();
  for (const range of trusted) {
    const [address = '', bits] = range.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) ranges.addAddress(address, family);
    else ranges.addSubnet(address, Number(bits), family);
  }

  const isTrusted = (address: string | undefined) => {
    const plain = plainAddress(address);
    return plain !== null && ranges.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
  };

  // A connection's own address does not change.
  const peers = new WeakMap<Socket, string>();
  const ofSocket = (socket: Socket) => {
    const known = peers.get(socket);
    if (known !== undefined) return known;
    const address = networkOf(socket.remoteAddress);
    peers.set(socket, address);
    return address;
  };

  return ({ headers, socket }) => {
    const peer = socket.remoteAddress;
    const forwarded = headers['x-forwarded-for'];
    if (forwarded === undefined) return ofSocket(socket);
    if (!isTrusted(peer)) {
      onStranger();
      return networkOf(peer);
    }
    // Each proxy appends the address it heard from; anything to the left of the first stranger is the stranger's own
    // writing.
    const chain = String(forwarded).split(',').reverse();
    const client = chain.map((entry) => entry.trim()).find((entry) => !isTrusted(entry));
    return plainAddress(client) === null ? networkOf(peer) : networkOf(client);
  };
}

/** An address without IPv6-mapping of IPv4 and without a zone; null if it is not an address. */
function plainAddress(address: string | undefined): string | null {
  const plain = address?.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '') ?? '';
  return isIP(plain) > 0 ? plain : null;
}

/** IPv6 gives every client 2^64 addresses: they count as one. */
function networkOf(address: string | undefined): string {
  const plain = plainAddress(address);
  if (plain === null) return 'unknown';
  if (!isIPv6(plain)) return plain;
  const groups = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
  const [head = [], tail = []] = groups.map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::/64`;
}
