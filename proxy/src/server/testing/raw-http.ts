import { connect } from 'node:net';

/** Opens a connection and writes the given bytes as they are, which an HTTP client would refuse to do. */
export function rawConnection(address: string, bytes: string | Buffer) {
  const { hostname, port } = new URL(address);
  const socket = connect({ host: hostname, port: Number(port) });
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
  });
  // A reset counts as closing.
  socket.on('error', () => {});
  socket.write(bytes);
  /** Everything the server sent, once it has closed the connection. */
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(received)));
  return { socket, closed };
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
