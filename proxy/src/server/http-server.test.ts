import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { contract } from '@deskside/shared/contract';
import { expect, onTestFinished, test } from 'vitest';
import { loopback } from '#config.ts';
import type { AgentGate } from '#helpdesk/agent-gate.ts';
import { AppError } from '#runtime/app-error.ts';
import { silent } from '#runtime/testing/quiet.ts';
import { createHttpServer, listenAt, readClientAddress, stopServer } from './http-server.ts';
import { answerIn, rawConnection, requestText } from './testing/raw-http.ts';
import { testApp } from './testing/test-app.ts';

const { path: posted } = contract.enrichCompany;
const answers = (text: string) => text.match(/HTTP\/1\.1 \d{3}/g) ?? [];

async function listen(): Promise<string> {
  const gate = { requireAgent: async () => Promise.reject(new AppError('unauthenticated')) } as unknown as AgentGate;
  const app = testApp({ ctx: { gate } });
  const server = createHttpServer({ app: () => app, trustedProxies: [], logger: silent });
  onTestFinished(() => server.close() && server.closeAllConnections());
  return listenAt(server, { host: '127.0.0.1', port: 0 });
}

const post = (headers: Record<string, string>, body = '') =>
  requestText(`POST ${posted}`, { headers: { 'content-type': 'application/json', ...headers }, body, close: false });

test('whoever has sent a body nobody wanted reads the answer; a small one costs nobody the connection', async () => {
  const url = await listen();
  const large = rawConnection(url, post({ 'content-length': '30000' }) + 'x'.repeat(20_000));
  expect(answerIn(await large.closed).status).toBe(401);
  const small = rawConnection(url, post({}, '{}') + requestText('GET /livez'));
  expect(answers(await small.closed)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
});

const from = (remoteAddress: string | undefined, forwarded?: string) =>
  ({ headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress } }) as unknown as IncomingMessage;

test.each([
  ['a direct connection', '192.0.2.7', undefined, '192.0.2.7'],
  ['IPv4 in IPv6’s clothes', '::ffff:192.0.2.7', undefined, '192.0.2.7'],
  ['a stranger who names somebody', '192.0.2.7', '198.51.100.1', '192.0.2.7'],
  ['the reverse proxy', '127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['the reverse proxy, in IPv6’s clothes', '::ffff:127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['two reverse proxies', '127.0.0.1', '198.51.100.1, 10.1.2.3', '198.51.100.1'],
  ['a client that writes the header itself', '127.0.0.1', '8.8.8.8, 198.51.100.1', '198.51.100.1'],
  ['a reverse proxy that says nothing', '127.0.0.1', undefined, '127.0.0.1'],
  ['a reverse proxy that says nonsense', '127.0.0.1', 'unknown', '127.0.0.1'],
  ['nothing but proxies', '127.0.0.1', '10.0.0.1', '127.0.0.1'],
  ['one IPv6 client', '2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2::/64'],
  ['the same client, at another of its addresses', '2001:db8:1:2::9', undefined, '2001:db8:1:2::/64'],
  ['a zone', 'fe80::1%eth0', undefined, 'fe80:0:0:0::/64'],
  ['a socket that is gone', undefined, undefined, 'unknown'],
])('%s', (_, peer, forwarded, address) => {
  const addressOf = readClientAddress([...loopback, '10.0.0.0/8']);
  expect(addressOf(from(peer, forwarded))).toBe(address);
});

test('whoever is not trusted and names a client is noticed', () => {
  let noticed = 0;
  const addressOf = readClientAddress(loopback, () => {
    noticed += 1;
  });
  addressOf(from('192.0.2.7'));
  addressOf(from('127.0.0.1', '192.0.2.7'));
  expect(noticed).toBe(0);
  addressOf(from('192.0.2.7', '198.51.100.1'));
  expect(noticed).toBe(1);
});

/** Connects, asks `before` times, and once more when it is told to; says what the last request was answered with. */
const client = `
  const { connect } = require('node:net');
  const { parentPort, workerData: { port, before, state } } = require('node:worker_threads');
  const request = 'GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n';
  const open = () => connect(port, '127.0.0.1');
  const answerOf = (socket) => new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk) => { text += chunk; if (text.endsWith('done')) resolve('answered'); });
    socket.once('error', ({ code }) => resolve(code)).once('close', () => resolve('closed'));
  });
  (async () => {
    let socket;
    if (before > 0) { socket = open(); socket.write(request); await answerOf(socket); socket.removeAllListeners('data'); }
    parentPort.once('message', async () => {
      socket ??= open();
      const answer = answerOf(socket);
      socket.write(request, () => { Atomics.store(state, 0, 1); Atomics.notify(state, 0); });
      parentPort.postMessage(await answer);
    });
    parentPort.postMessage('ready');
  })();`;

test.each([
  ['on a connection that was asked on before', 1],
  ['on a new connection', 0],
])('a request that was sent while the process was busy is answered when it stops: %s', async (_, before) => {
  const server = createServer((_request, response) => void response.setHeader('content-length', 4).end('done'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const state = new Int32Array(new SharedArrayBuffer(4));
  const workerData = { port: portOf(server), before, state };
  const worker = new Worker(client, { eval: true, workerData });
  onTestFinished(async () => {
    server.closeAllConnections();
    await worker.terminate();
  });
  expect(await once(worker, 'message')).toEqual(['ready']);
  worker.postMessage('ask');
  // Nothing is read meanwhile.
  Atomics.wait(state, 0, 0);
  const answer = once(worker, 'message');
  const stopped = stopServer(server, 2 ** 31 - 1);
  expect(await answer).toEqual(['answered']);
  await stopped;
});

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
