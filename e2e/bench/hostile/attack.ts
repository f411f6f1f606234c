import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * A process of its own: `node attack.ts ADDRESS CONNECTIONS`. Holds that many connections from 127.0.0.1, a fifth of each
 * kind, and replaces those that are closed, at most 500 per second. Ends with its parent.
 */
const [, , address = '', count = '2000'] = process.argv;
const { hostname, port } = new URL(address);
const reopenEveryMs = 2;

const get = (path: string, token = '') =>
  `GET ${path} HTTP/1.1\r\nhost: a\r\n${token && `authorization: Bearer ${token}\r\n`}\r\n`;
const manyRequests = Buffer.from((get('/readyz') + get('/api/whoami', 'nobody')).repeat(400));
const hugeHead = (path: string, more = '') =>
  `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 1000000000\r\n${more}\r\n`;
const bodyPiece = Buffer.alloc(64 * 1024, 'x');

const kinds: ((socket: Socket) => void)[] = [
  function pipelined(socket) {
    keepWriting(socket, manyRequests);
    socket.resume();
  },
  function slow(socket) {
    const bytes = `${get('/livez').slice(0, -2)}x: ${'y'.repeat(10_000)}`;
    let at = 0;
    const timer = setInterval(() => socket.write(bytes[at++] ?? 'z'), 500);
    socket.once('close', () => clearInterval(timer));
  },
  function huge(socket) {
    const path = ['/webhooks/helpdesk/ticket/after-insert', '/api/nothing', '/livez'][Math.floor(Math.random() * 3)];
    const signature = `x-frappe-webhook-signature: ${randomBytes(32).toString('base64')}\r\n`;
    socket.write(hugeHead(path ?? '', signature));
    keepWriting(socket, bodyPiece);
  },
  function halfOpen(socket) {
    socket.write(Math.random() < 0.5 ? 'GET /livez HT' : '');
    socket.pause();
  },
  function guessing(socket) {
    const ask = () => socket.write(get('/api/whoami', randomBytes(16).toString('hex')));
    socket.on('data', () => setTimeout(ask, 50));
    ask();
  },
];

function keepWriting(socket: Socket, bytes: Buffer): void {
  const write = () => {
    if (socket.writable && socket.write(bytes)) setTimeout(write, 20);
  };
  socket.on('drain', write);
  write();
}

const totals = { opened: 0, closed: 0 };
const waiting: number[] = Array.from({ length: Number(count) }, (_, i) => i % kinds.length);

process.on('disconnect', () => process.exit(0));
for (;;) {
  await wait(reopenEveryMs);
  const kind = waiting.shift();
  if (kind === undefined) continue;
  const socket = connect({ host: hostname, port: Number(port), localAddress: '127.0.0.1' });
  totals.opened += 1;
  socket.on('error', () => {});
  socket.once('connect', () => kinds[kind]?.(socket));
  socket.once('close', () => {
    totals.closed += 1;
    waiting.push(kind);
  });
  // The parent may have ended meanwhile.
  process.send?.(totals, undefined, undefined, () => {});
}
