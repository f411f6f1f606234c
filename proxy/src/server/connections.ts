import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Fault } from '#runtime/faults.ts';
import type { Logger } from '#runtime/logger.ts';
import type { Memory } from '#runtime/memory.ts';
import { createRateLimit } from '#runtime/rate-limit.ts';

/** Limits of simultaneous connections and requests (docs/operations.md#limits). */
export interface ConnectionLimits {
  /** Unanswered requests on one connection; only an attacker sends several at once. */
  pipelined: number;
  /** Connections of one client address that have not shown a valid credential. */
  unknownPerAddress: number;
  /** Likewise for all addresses together. */
  unknown: number;
  /** New connections per second from one address, once it has opened `unknownPerAddress`. */
  newPerSecond: number;
  /** Requests on such a connection; the last response carries `Connection: close`. */
  unknownRequests: number;
}

/** Keeps track of who holds which connection, and makes room when strangers hold too many. */
export interface Connections {
  /** Counts a new connection, or closes it if no other can be closed in its place. */
  open(socket: Socket, client: { address: string; isTrusted: boolean }): void;
  /** Counts a request; false if the connection is closed for sending too many at once. */
  begin(incoming: IncomingMessage, outgoing: ServerResponse): boolean;
  /** A caller whom the helpdesk knows uses this connection: it no longer counts towards any limit. */
  markKnown(socket: Socket): void;
  /** Whether a complete request, or part of its response, is still under way on a connection. */
  isBusy(socket: Socket): boolean;
}

interface Connection {
  address: string;
  /** The responses to unanswered requests, oldest first. */
  open: ServerResponse[];
  /** How many requests have come so far. */
  requests: number;
}

const reportEveryMs = 60_000;

export function createConnections(limits: ConnectionLimits, memory: Memory, logger: Logger): Connections {
  const connections = new WeakMap<Socket, Connection>();
  // Oldest first, in insertion order.
  const strangers = new Set<Socket>();
  const ofAddress = new Map<string, Set<Socket>>();
  const rate = createRateLimit(memory, { burst: limits.unknownPerAddress, perSecond: limits.newPerSecond });
  const report = reporter(logger);

  function forget(socket: Socket): void {
    const address = connections.get(socket)?.address ?? '';
    const peers = ofAddress.get(address);
    strangers.delete(socket);
    peers?.delete(socket);
    if (peers?.size === 0) ofAddress.delete(address);
  }

  /** Closes the oldest connection without a complete request waiting for its response. False if there is none. */
  function makeRoom(sockets: Set<Socket>): boolean {
    for (const socket of sockets) {
      if (connections.get(socket)?.open.some(({ req }) => req.complete)) continue;
      forget(socket);
      socket.destroy();
      return true;
    }
    return false;
  }

  return {
    open(socket, { address, isTrusted }) {
      connections.set(socket, { address, open: [], requests: 0 });
      if (isTrusted) return;
      if (!rate.take(address)) {
        report('too_many_connections', address);
        socket.destroy();
        return;
      }
      const peers = ofAddress.get(address) ?? new Set();
      const isFull = peers.size >= limits.unknownPerAddress;
      if (isFull || strangers.size >= limits.unknown) {
        report('too_many_connections', address);
        if (!makeRoom(isFull ? peers : strangers)) {
          socket.destroy();
          return;
        }
      }
      ofAddress.set(address, peers.add(socket));
      strangers.add(socket);
      socket.once('close', () => forget(socket));
    },

    begin(incoming, outgoing) {
      const { socket } = incoming;
      const connection = connections.get(socket);
      if (connection === undefined || socket.destroyed) return false;
      if (connection.open.length >= limits.pipelined) {
        report('too_many_pipelined', connection.address);
        socket.destroy();
        return false;
      }
      connection.open.push(outgoing);
      connection.requests += 1;
      if (strangers.has(socket) && connection.requests >= limits.unknownRequests) outgoing.shouldKeepAlive = false;
      outgoing.on('close', () => connection.open.splice(connection.open.indexOf(outgoing), 1));
      return true;
    },

    markKnown(socket) {
      if (!strangers.has(socket)) return;
      rate.giveBack(connections.get(socket)?.address ?? '');
      forget(socket);
    },
    isBusy: (socket) =>
      connections.get(socket)?.open.some(({ req, headersSent }) => req.complete || headersSent) ?? false,
  };
}

/** Logs one line at once and then at most one a minute, whatever an attacker does. */
function reporter(logger: Logger): (fault: Fault, address: string) => void {
  const seen = new Map<string, { closed: number; reportedAt: number }>();
  return (fault, address) => {
    const { closed, reportedAt } = seen.get(fault) ?? { closed: 0, reportedAt: Number.NEGATIVE_INFINITY };
    const isDue = performance.now() - reportedAt >= reportEveryMs;
    if (isDue) logger.warn({ fault, address, closed: closed + 1 }, 'Connections closed');
    seen.set(fault, isDue ? { closed: 0, reportedAt: performance.now() } : { closed: closed + 1, reportedAt });
  };
}
