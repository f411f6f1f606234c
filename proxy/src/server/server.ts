import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Current } from '#runtime/current.ts';
import type { Logger } from '#runtime/logger.ts';
import type { Memory } from '#runtime/memory.ts';
import { createClientAddresses } from './client-address.ts';
import { type ConnectionLimits, createConnections } from './connections.ts';
import type { AppEnv } from './http-context.ts';
import {
  endMalformed,
  malformedAnswer,
  maxHeaderBytes,
  maxHeaders,
  problemIn,
  problemOf,
  unusable,
} from './malformed.ts';

/** What the service is willing to hold for clients it does not know (docs/operations.md#limits). */
export interface ServerLimits extends ConnectionLimits {
  /** All connections together; further ones are closed at once. */
  connections: number;
  requestsPerConnection: number;
  /** How long the headers of a request may take, and how long the whole request. */
  headersMs: number;
  requestMs: number;
  /** How long a connection may wait for its next request: longer than the reverse proxy keeps it, which is 60 s. */
  idleMs: number;
  /** How long a connection may be silent at all, for example while a response is being prepared. */
  silentMs: number;
}

export const usualLimits: ServerLimits = {
  connections: 2_000,
  pipelined: 8,
  unknownPerAddress: 64,
  unknown: 1_500,
  newPerSecond: 10,
  unknownRequests: 20,
  requestsPerConnection: 1_000,
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 65_000,
  silentMs: 150_000,
};

export interface ServerDeps {
  /** The service that a request which comes now is served by. */
  current: Current<{ app: Pick<Hono<AppEnv>, 'fetch'> }>;
  trustedProxies: readonly string[];
  memory: Memory;
  logger: Logger;
  limits?: ServerLimits;
}

/**
 * The service's HTTP server, not listening yet. Clients that send nonsense, too much or too slowly are disconnected.
 */
export function createHttpServer({
  current,
  trustedProxies,
  memory,
  logger,
  limits = usualLimits,
}: ServerDeps): Server {
  const connections = createConnections(limits, memory, logger);
  let isWarned = false;
  const addresses = createClientAddresses(trustedProxies, () => {
    if (!isWarned) logger.warn({}, 'X-Forwarded-For came from an address that is not in TRUSTED_PROXIES');
    isWarned = true;
  });

  async function answer(request: Request, env: HttpBindings): Promise<Response> {
    const { incoming, outgoing } = env;
    const markKnown = () => connections.markKnown(incoming.socket);
    const hasLeft = () => outgoing.destroyed;
    const response = await current.now.app.fetch(request, { client: addresses.of(incoming), markKnown, hasLeft });
    // A small body has usually arrived with the head, and is read in the same tick.
    if (!incoming.complete) await setImmediate();
    if (!incoming.complete) {
      response.headers.set('connection', 'close');
      lingerAfter(incoming);
    }
    return response;
  }

  const handle = getRequestListener((request, env) => answer(request, env as HttpBindings), {
    autoCleanupIncoming: false,
    // The parts of the request do not form a valid URL.
    errorHandler: () => {
      const { body, ...init } = malformedAnswer(unusable, logger);
      return new Response(body, init);
    },
  });

  const listener = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (!connections.begin(incoming, outgoing)) return;
    const problem = problemOf(incoming);
    if (problem === null) {
      void handle(incoming, outgoing);
      return;
    }
    const { status, headers, body } = malformedAnswer(problem, logger);
    outgoing.writeHead(status, headers).end(body);
  };

  const server = createServer(
    {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: limits.idleMs,
      highWaterMark: 16 * 1024,
      // A missing Host header gets our own response.
      requireHostHeader: false,
    },
    listener,
  );
  server.maxConnections = limits.connections;
  server.maxRequestsPerSocket = limits.requestsPerConnection;
  server.maxHeadersCount = maxHeaders;
  server.setTimeout(limits.silentMs);
  server.on('connection', (socket) => {
    const isTrusted = addresses.isTrusted(socket.remoteAddress);
    connections.open(socket, { address: addresses.ofSocket(socket), isTrusted });
  });
  server.on('clientError', (error: Error, socket: Socket) => {
    const problem = problemIn(error);
    // An error after a complete request means that the client left; that request has its own response and log line.
    if (problem === null || connections.isBusy(socket) || !socket.writable) socket.destroy();
    else endMalformed(socket, problem, logger);
  });
  return server;
}

const lingerMs = 1_000;
const lingerBytes = 64 * 1024;

/**
 * Lets a client that is still sending read its response before the connection closes: after the response the rest of
 * the body is discarded, for at most a second or 64 kB. Closing a connection with unread bytes resets the client, which
 * then may never see the response. The response must carry `Connection: close`.
 */
function lingerAfter(incoming: IncomingMessage): void {
  const { socket } = incoming;
  let left = lingerBytes;
  // This is how node:http ends a connection after the last response.
  socket.destroySoon = () => {
    const end = () => socket.destroy();
    const timer = setTimeout(end, lingerMs);
    socket.once('close', () => clearTimeout(timer));
    incoming.once('end', end).on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left <= 0) end();
    });
    socket.end();
  };
}
