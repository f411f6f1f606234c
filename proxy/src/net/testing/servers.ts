import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect } from 'vitest';
import { createEgress, EgressError, type Upstream, type UpstreamOptions } from '#net/egress.ts';

// Setup of the egress tests: servers of all kinds on real sockets, closed after each test.

/** Part of the credential in every request. */
export const secret = 'canary-7f3a9c';
export const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

export async function listen(server: Server, sockets: Set<Socket> = new Set()): Promise<string> {
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export function upstreamOf(origin: string, options?: UpstreamOptions): Upstream {
  const egress = createEgress({ allowInsecure: true });
  closers.push(() => egress.close());
  return egress.upstream(origin, options);
}

export async function serve(listener: RequestListener, options?: UpstreamOptions): Promise<Upstream> {
  return upstreamOf(await listen(createHttpServer(listener)), options);
}

/** A server that sends the given bytes as soon as a request arrives, and then does what `then` says. */
export async function serveRaw(
  bytes: string,
  then: (socket: Socket) => void,
  options?: UpstreamOptions,
): Promise<Upstream> {
  const server = createServer((socket) => {
    socket.once('data', () => socket.write(bytes, () => then(socket)));
  });
  return upstreamOf(await listen(server), options);
}

export function get(upstream: Upstream, path = '/', signal: AbortSignal = new AbortController().signal) {
  return upstream.request({ method: 'GET', path, headers: { authorization: `token ${secret}` }, signal });
}

export async function failureOf(promise: Promise<unknown>): Promise<EgressError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(EgressError);
  return error as EgressError;
}
