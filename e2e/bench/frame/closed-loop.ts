import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Load {
  /** Of one server; several are asked in turn. */
  url: string | readonly string[];
  headers: Record<string, string>;
  /** Connections that are kept alive; each sends its next request when it has the whole answer to its last. */
  connections: number;
  requests: number;
}

export interface Answered {
  /** Milliseconds of each request, in the order of the answers; not of opening the connection. */
  milliseconds: number[];
  /** How often each HTTP status was answered. */
  statuses: Record<number, number>;
}

/**
 * Sends requests over bare sockets, which cost this process next to nothing beside what it measures. Answers must have a
 * content-length. Throws where a connection ends.
 */
async function closedLoop({ url, headers, connections, requests }: Load): Promise<Answered> {
  const urls = [url].flat().map((one) => new URL(one));
  const [{ hostname, port, host }] = urls as [URL];
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const messages = urls.map(({ pathname, search }) =>
    Buffer.from(`GET ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`),
  );
  const answered: Answered = { milliseconds: [], statuses: {} };
  let left = requests;
  const one = async () => {
    const open = () => connect({ host: hostname, port: Number(port), noDelay: true });
    let socket = open();
    try {
      await once(socket, 'connect');
      while (left > 0) {
        left -= 1;
        const from = performance.now();
        socket.write(messages[left % messages.length] as Buffer);
        const { status, isLast } = await answerOn(socket);
        answered.milliseconds.push(performance.now() - from);
        answered.statuses[status] = (answered.statuses[status] ?? 0) + 1;
        if (!isLast) continue;
        socket.destroy();
        socket = open();
      }
    } finally {
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: Math.min(connections, requests) }, one));
  return answered;
}

const headEnd = Buffer.from('\r\n\r\n');

/** Waits for one whole answer; gives its status, and whether the server takes no more requests on this connection. */
function answerOn(socket: Socket): Promise<{ status: number; isLast: boolean }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; isLast: boolean }>();
  let received: Buffer = Buffer.alloc(0);
  let status = 0;
  let isLast = false;
  let until = Number.POSITIVE_INFINITY;
  const end = (settle: () => void) => {
    socket.off('data', read).off('error', fail).off('close', fail);
    settle();
  };
  const fail = (error?: unknown) =>
    end(() => reject(error instanceof Error ? error : new Error('The connection was closed.')));
  const read = (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const at = status === 0 ? received.indexOf(headEnd) : -1;
    if (at >= 0) {
      const text = received.toString('latin1', 0, at);
      status = Number(text.slice(9, 12));
      isLast = /\r\nconnection: *close/i.test(text);
      until = at + headEnd.length + Number(/\r\ncontent-length: *(\d+)/i.exec(text)?.[1]);
      if (Number.isNaN(until)) return fail(new Error(`An answer without a length: ${text}`));
    }
    if (received.length >= until) end(() => resolve({ status, isLast }));
  };
  socket.on('data', read).on('error', fail).on('close', fail);
  return promise;
}

/** The time below which this share of the requests were answered. */
export function percentile(milliseconds: readonly number[], share: number): number {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

// As a process of its own (load-process.ts): one load after the other, until the parent goes.
if (import.meta.main) {
  process.on('message', (load) => {
    void closedLoop(load as Load).then(
      (answered) => process.send?.({ answered }),
      (error: unknown) => process.send?.({ error: String(error) }),
    );
  });
  process.on('disconnect', () => process.exit(0));
}
