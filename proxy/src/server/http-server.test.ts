import { contract } from '@deskside/shared/contract';
import { expect, onTestFinished, test } from 'vitest';
import { AppError } from '#runtime/app-error.ts';
import { silent } from '#testing/quiet.ts';
import type { AgentGate } from './agent-gate.ts';
import { createHttpServer, listenAt } from './http-server.ts';
import { answerIn, rawConnection, requestText } from './testing/raw-http.ts';
import { testApp } from './testing/test-app.ts';

const { path: posted } = contract.enrichCompany;
const answers = (text: string) => text.match(/HTTP\/1\.1 \d{3}/g) ?? [];

async function listen(): Promise<string> {
  const gate = { requireAgent: async () => Promise.reject(new AppError('unauthenticated')) } as unknown as AgentGate;
  const app = testApp({ ctx: { gate } });
  const server = createHttpServer({ app: () => app, trustedProxies: [], logger: silent });
  onTestFinished(() => server.close() && server.closeAllConnections());
  return listenAt(server, { host: '127.0.0.1', port: 0, settings: { host: 'HOST', port: 'PORT' } });
}

const post = (headers: Record<string, string>, body = '') =>
  requestText(`POST ${posted}`, { headers: { 'content-type': 'application/json', ...headers }, body, close: false });

test('a client that has sent a body nobody wanted still reads its answer, and is not waited for', async () => {
  const url = await listen();
  const connection = rawConnection(url, post({ 'content-length': '30000' }) + 'x'.repeat(20_000));
  expect(answerIn(await connection.closed).status).toBe(401);
});

test('a small body that has already arrived costs nobody the connection', async () => {
  const url = await listen();
  const connection = rawConnection(url, post({}, '{}') + requestText('GET /livez'));
  expect(answers(await connection.closed)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
});
