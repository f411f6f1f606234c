import { createServer, type Server } from 'node:http';
import type { Exposed } from './metrics-route.ts';

/** Names under which this machine asks itself; a page that a browser was led astray to has another one. */
const own = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i;

/**
 * A server for Prometheus on this machine alone, without a token; not listening yet. It answers `GET /metrics` and
 * nothing else, and is to be bound to a loopback address.
 */
export function createMetricsListener({ contentType, text }: Exposed): Server {
  const limits = { headersTimeout: 5_000, requestTimeout: 5_000, keepAliveTimeout: 65_000, maxHeaderSize: 8 * 1024 };
  const server = createServer(limits, (request, response) => {
    const isAsked = request.method === 'GET' && request.url?.split('?')[0] === '/metrics';
    if (!isAsked || !own.test(request.headers.host ?? '')) {
      response.writeHead(404, { connection: 'close' }).end();
      return;
    }
    text().then(
      (body) => response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(body),
      () => response.writeHead(500, { connection: 'close' }).end(),
    );
  });
  server.maxConnections = 20;
  return server;
}
