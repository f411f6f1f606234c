import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { stopServer } from './http-server.ts';

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
