import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type LookupFunction, type Server } from 'node:net';
import { buildConnector } from 'undici';
import { createGuardedFetch, type GuardedFetchOptions } from '#net/guarded-fetch.ts';
import { type SelfSigned, selfSigned } from '#net/testing/self-signed.ts';
import { closers } from '#net/testing/servers.ts';

// Setup of the guard's tests: shops on real TLS sockets, and canaries that no request may ever reach.

/** Public addresses. Nothing leaves the machine: connections to the first lead to the test's shop. */
export const shopAddress = '93.184.215.14';
export const otherAddress = '2606:2800:21f:cb07:6820:80da:af6b:8b2c';
export const certificate: SelfSigned = selfSigned(['shop.example', '*.shop.example', 'xn--tim-hoa-zv4c.example']);

/** Where a connection was to be opened. */
interface DialledAddress {
  host: string;
  addresses: string[];
  port: number;
}

export interface ShopsOptions extends Omit<GuardedFetchOptions, 'connectorOf' | 'resolve'> {
  /** The DNS answer for a host, each time it is asked. Default: the shop's address. */
  dns?: (host: string, time: number) => string[] | Promise<string[]>;
  listener?: RequestListener;
  /** Replaces the https server with `listener`. */
  server?: Server;
}

/**
 * A guard over a made-up internet: the DNS is `dns`, and the shop's address leads to the test's server. Anything else
 * that is dialled reaches a canary, and so does a request to the loopback ports in `canaries`.
 */
export async function shops({ dns = () => [shopAddress], listener, server, ...options }: ShopsOptions) {
  const shop = await listenOn(
    '127.0.0.1',
    server ?? createHttpsServer({ ...certificate }, listener ?? ((_, response) => json(response, {}))),
  );
  const seen = { asked: [] as string[], dialled: [] as DialledAddress[], caught: 0 };
  const canary = () =>
    createServer((socket) => {
      seen.caught += 1;
      socket.destroy();
    });
  const ports = [await listenOn('127.0.0.1', canary())];
  if (await hasIpv6Loopback()) ports.push(await listenOn('::1', canary()));
  const fetch = createGuardedFetch({
    timeoutMs: 15_000,
    ca: certificate.cert,
    ...options,
    resolve: async (host) => dns(host, seen.asked.push(host)),
    connectorOf: (how) => {
      const lookup = (how as { lookup: LookupFunction }).lookup;
      // Without a limit of the library's own: what is still being opened ends by the guard or never.
      const connect = buildConnector({ ...how, lookup: undefined, timeout: 0 });
      return (target, callback) =>
        lookup(target.hostname, { all: true }, (error, found) => {
          if (error !== null) return callback(error, null);
          const addresses = (found as { address: string }[]).map(({ address }) => address);
          const port = Number(target.port) || 443;
          seen.dialled.push({ host: target.hostname, addresses, port });
          const right = port === 443 && addresses.every((address) => address === shopAddress);
          const servername = target.hostname;
          connect({ ...target, servername, hostname: '127.0.0.1', port: String(right ? shop : ports[0]) }, callback);
        });
    },
  });
  return { fetch, seen, canaries: ports };
}

export function json(response: ServerResponse, value: unknown, type = 'application/json'): void {
  response.writeHead(200, { 'content-type': type }).end(typeof value === 'string' ? value : JSON.stringify(value));
}

async function listenOn(host: string, server: Server): Promise<number> {
  const sockets = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, host);
  await once(server, 'listening');
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

async function hasIpv6Loopback(): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(0, '::1', () => server.close(() => resolve(true)));
  });
}
