import { connect, type Socket } from 'node:net';

/** A connection under a test's control, with what the server has sent on it. */
export interface RawConnection {
  socket: Socket;
  received: () => string;
  /** Everything the server sent, once it has closed the connection. */
  closed: Promise<string>;
  /** Resolves with everything received so far as soon as it matches. */
  until(pattern: RegExp): Promise<string>;
}

/** Opens a connection and writes the given bytes as they are, which an HTTP client would refuse to do. */
export function rawConnection(address: string, bytes: string | Buffer = '', localAddress?: string): RawConnection {
  const { hostname, port } = new URL(address);
  const socket = connect({ host: hostname, port: Number(port), ...(localAddress && { localAddress }) });
  let received = '';
  const waiting = new Set<() => void>();
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
    for (const look of waiting) look();
  });
  // A reset counts as closing.
  socket.on('error', () => {});
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(received)));
  if (bytes.length > 0) socket.write(bytes);
  return {
    socket,
    received: () => received,
    closed,
    until(pattern) {
      return new Promise((resolve, reject) => {
        const look = () => {
          if (!pattern.test(received)) return;
          waiting.delete(look);
          resolve(received);
        };
        waiting.add(look);
        closed.then(() => reject(new Error(`The connection was closed before ${pattern}: ${received.slice(0, 400)}`)));
        look();
      });
    },
  };
}

/** A request as text; `close` asks for the connection to be closed after the response. */
export function requestText(
  start: string,
  { headers = {}, body = '', close = true }: { headers?: Record<string, string>; body?: string; close?: boolean } = {},
): string {
  const all = {
    host: 'proxy.example',
    ...(body !== '' && { 'content-length': String(Buffer.byteLength(body)) }),
    ...(close && { connection: 'close' }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${start} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** Status, head and envelope data of one response. */
export function answerIn(text: string): { status: number; headers: string; data: Record<string, unknown> } {
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
  const parsed = body === '' ? { data: {} } : (JSON.parse(body) as { data: Record<string, unknown> });
  return { status, headers: head, data: parsed.data };
}
