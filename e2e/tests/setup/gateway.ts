import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/** An answer in place of the proxy's; a status other than 200 wants the body of an error. */
export interface PreparedAnswer {
  status: number;
  body: unknown;
}

/** Stands between the extension and the proxy: counts what is open, delays, answers itself, and can be taken away. */
export interface Gateway {
  /** Requests that were begun and have neither been answered nor given up by the extension. */
  readonly open: ReadonlySet<string>;
  /** Requests that the extension gave up before they were answered. */
  abandoned: number;
  total: number;
  /** Address of the proxy that requests are passed on to. */
  target: string;
  /** Nobody is there: connections are cut. */
  isAway: boolean;
  /** What to wait for before passing a request on: milliseconds, or what a test decides. */
  delay: (path: string) => number | Promise<void>;
  /** What to answer instead of passing a request on; null: pass it on. */
  answer: (path: string, headers: IncomingHttpHeaders) => PreparedAnswer | null;
  close(): Promise<void>;
}

/** Listens on a loopback port and passes every request on to the proxy. */
export async function startGateway(port: number, proxyUrl: string): Promise<Gateway> {
  const open = new Set<string>();
  const gateway: Gateway = {
    open,
    abandoned: 0,
    total: 0,
    target: proxyUrl,
    isAway: false,
    delay: () => 0,
    answer: () => null,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  function pass(incoming: IncomingMessage, outgoing: ServerResponse) {
    const url = new URL(incoming.url ?? '/', gateway.target);
    const { method, headers } = incoming;
    const upstream = request(url, { method, headers: { ...headers, host: url.host } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    upstream.on('error', () => outgoing.destroy());
    outgoing.on('close', () => upstream.destroy());
    incoming.pipe(upstream);
  }

  const server = createServer(async (incoming, outgoing) => {
    const { url = '/', headers } = incoming;
    if (gateway.isAway) return void incoming.socket.destroy();
    gateway.total += 1;
    const id = `${gateway.total} ${url}`;
    open.add(id);
    outgoing.on('close', () => {
      open.delete(id);
      if (!outgoing.writableFinished) gateway.abandoned += 1;
    });
    const delay = gateway.delay(url);
    // A request that was given up keeps nothing alive.
    await (typeof delay === 'number' ? wait(delay, undefined, { ref: false }) : delay);
    if (outgoing.destroyed) return;
    const prepared = gateway.answer(url, headers);
    if (!prepared) return pass(incoming, outgoing);
    outgoing.writeHead(prepared.status, { 'content-type': 'application/json' });
    outgoing.end(JSON.stringify(prepared.body));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return gateway;
}
